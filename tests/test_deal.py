"""The fair shuffle: test vectors that any other implementation must meet, and what must never change."""

import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.deal import BadSeed, commitment, deal, draw_for_start, shuffle, tidy_word
from tilerummy.rulesets import RULESETS, ruleset
from tilerummy.tiles import text

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "truth" / "deal.json").read_text())
SEED = "ab" * 32


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_vectors(vector: dict[str, Any]) -> None:
    seed, words = vector["seed"], vector["words"]
    assert commitment(seed) == vector["commitment"]
    assert shuffle(seed, words, vector["label"], range(vector["size"])) == vector["order"]
    rules = ruleset(vector["ruleset"], vector["house"])
    dealt = deal(seed, words, rules, vector["round"], vector["seats"])
    assert [text(rack) for rack in dealt.racks] == vector["racks"]
    assert text(dealt.pool) == vector["pool"]


@given(st.lists(st.text("abc é", max_size=5), min_size=1, max_size=4))
def test_every_word_counts(words: list[str]) -> None:
    order = shuffle(SEED, words, "label", range(40))
    assert sorted(order) == list(range(40))
    assert order != shuffle(SEED, [*words, "more"], "label", range(40))
    assert order != shuffle(SEED, words, "another label", range(40))
    assert order != shuffle("cd" * 32, words, "label", range(40))


def test_every_order_is_as_likely() -> None:
    orders = Counter(tuple(shuffle(SEED, [], f"trial {trial}", "abc")) for trial in range(6000))
    assert set(orders) == set(permutations("abc"))
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 20.5  # chi-squared, 5 degrees, 0.1%


@pytest.mark.parametrize("id", RULESETS)
def test_the_deal_is_the_whole_set(id: str) -> None:
    rules = ruleset(id)
    dealt = deal(SEED, ["", "x", ""], rules, 2, [2, 0, 1])
    everything = [tile for rack in (*dealt.racks, dealt.pool) for tile in rack]
    assert Counter(everything) == Counter(rules.tiles())
    assert [len(rack) for rack in dealt.racks] == [rules.deal] * 3


def test_drawing_for_the_start() -> None:
    rules = ruleset("classic", {"jokers": 4})
    jokers = ties = 0
    for trial in range(300):
        drawings = draw_for_start(SEED, [str(trial)], rules, 1, range(4))
        tied = list(range(4))
        for drawing in drawings:
            best: dict[int, int] = {}
            for seat, tile in drawing:
                assert seat in tied
                assert best.get(seat, 0) == 0  # only a joker is drawn again
                best[seat] = tile.number
                jokers += tile.is_joker
            assert min(best.values()) > 0
            assert sorted(best) == tied
            tied = [seat for seat in tied if best[seat] == max(best.values())]
        assert len(tied) == 1
        ties += len(drawings) > 1
    assert jokers
    assert ties


def test_a_small_pile_is_shuffled_again() -> None:
    rules = ruleset("junior", {"numbers": 7, "jokers": 0, "deal": 3})
    found = [draw_for_start(f"{trial:064x}", [], rules, 1, range(4)) for trial in range(200)]
    assert all(found)


def test_words_are_tidied() -> None:
    assert tidy_word("  e\u0301te\u0301 ") == "été"
    assert shuffle(SEED, ["e\u0301"], "x", range(9)) == shuffle(SEED, ["\u00e9 "], "x", range(9))
    for bad in ("a\nb", "x" * 41, "\x00"):
        with pytest.raises(BadSeed, match="40 printable"):
            tidy_word(bad)


@pytest.mark.parametrize("seed", ["", "ab", "AB" * 32, "zz" * 32, "ab" * 32 + "\n", "ab" * 33])
def test_bad_seeds(seed: str) -> None:
    with pytest.raises(BadSeed, match="64 hexadecimal digits"):
        commitment(seed)
    with pytest.raises(BadSeed, match="64 hexadecimal digits"):
        shuffle(seed, [], "x", range(3))
