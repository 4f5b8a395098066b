"""The fair shuffle: a documented pure function from a seed and the players' words to the order of the tiles.

Before the deal the server publishes `commitment(seed)`; each player may add a word; after the match the seed is shown,
and anybody can deal again with `shuffle` and see that nobody could have chosen the tiles. docs/deal.md has the recipe,
tests/truth/deal.json the test vectors.

>>> seed = "00" * 32
>>> commitment(seed)[:16]
'87dc783bda0f9c67'
>>> shuffle(seed, ["luck", ""], "round 1 deal", range(5))
[0, 4, 2, 1, 3]
"""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from tilerummy.rulesets import Ruleset
from tilerummy.tiles import Tile

__all__ = ["MAX_WORD", "BadSeed", "Deal", "StartDraw", "commitment", "deal", "draw_for_start", "shuffle", "tidy_word"]

MAX_WORD: Final = 40
_SCHEME: Final = "tilerummy-1"
_SEED: Final = re.compile(r"[0-9a-f]{64}")

_T = TypeVar("_T")


class BadSeed(ValueError):
    """A seed that is not 64 hexadecimal digits, or a word that cannot be used."""


class StartDraw(NamedTuple):
    """A tile that a seat drew for the right to start."""

    seat: int
    tile: Tile


class Deal(NamedTuple):
    """The racks by seat, and the pool in the order in which it is drawn."""

    racks: tuple[tuple[Tile, ...], ...]
    pool: tuple[Tile, ...]


def commitment(seed: str) -> str:
    """Return the hash that is published before the deal: SHA-256 of `tilerummy-1:` and the seed's digits."""
    return hashlib.sha256(f"{_SCHEME}:{_check(seed)}".encode()).hexdigest()


def tidy_word(word: str) -> str:
    """Bring a player's word into the form that is hashed: NFC, trimmed, printable, at most MAX_WORD long."""
    tidy = unicodedata.normalize("NFC", word).strip()
    if len(tidy) > MAX_WORD or not tidy.isprintable():
        raise BadSeed(f"a word has at most {MAX_WORD} printable characters")
    return tidy


def shuffle(seed: str, words: Sequence[str], label: str, items: Sequence[_T]) -> list[_T]:
    """Return the items in the order that the seed, the words and the label give.

    Fisher and Yates, from the last place down, with numbers from `_stream`.
    """
    numbers = _stream(bytes.fromhex(_check(seed)), "\n".join([label, *map(tidy_word, words)]))
    order = list(items)
    for place in range(len(order) - 1, 0, -1):
        other = _below(place + 1, numbers)
        order[place], order[other] = order[other], order[place]
    return order


def draw_for_start(
    seed: str, words: Sequence[str], rules: Ruleset, round: int, seats: Sequence[int]
) -> tuple[tuple[StartDraw, ...], ...]:
    """Draw for the start: each seat a tile, jokers drawn again, ties drawn again among the tied; return every drawing.

    The seat with the highest tile of the last drawing starts.
    """
    fresh = _pile(seed, words, rules, round)
    drawings: list[tuple[StartDraw, ...]] = []
    tied = list(seats)
    while len(tied) > 1:
        # classic, *Préparation*: "le joker ne compte pas"; who drew one draws again.
        drawn: list[StartDraw] = []
        best: dict[int, int] = {}
        waiting = tied
        while waiting:
            again = []
            for seat in waiting:
                one = next(fresh)
                drawn.append(StartDraw(seat, one))
                if one.is_joker:
                    again.append(seat)
                else:
                    best[seat] = one.number
            waiting = again
        drawings.append(tuple(drawn))
        tied = [seat for seat in tied if best[seat] == max(best.values())]
    return tuple(drawings)


def deal(seed: str, words: Sequence[str], rules: Ruleset, round: int, order: Sequence[int]) -> Deal:
    """Deal a round: each seat, in turn order, takes its tiles from the front; the rest is the pool.

    Rummy's heaps of 7 lie in the same order, so that two heaps a player are the same tiles.
    """
    tiles = shuffle(seed, words, f"round {round} deal", rules.tiles())
    racks: list[tuple[Tile, ...]] = [()] * len(order)
    for place, seat in enumerate(order):
        racks[seat] = tuple(tiles[place * rules.deal : (place + 1) * rules.deal])
    return Deal(tuple(racks), tuple(tiles[len(order) * rules.deal :]))


def _check(seed: str) -> str:
    if not _SEED.fullmatch(seed):
        raise BadSeed("a seed is 64 hexadecimal digits (0-9, a-f)")
    return seed


def _pile(seed: str, words: Sequence[str], rules: Ruleset, round: int) -> Iterator[Tile]:
    """The tiles face down to draw from for the start; a new shuffle of all of them whenever they run out."""
    turn = 0
    while True:
        turn += 1
        yield from shuffle(seed, words, f"round {round} start {turn}", rules.tiles())


def _stream(key: bytes, text: str) -> Iterator[int]:
    """32-bit numbers: HMAC-SHA-256 with the seed as key over scheme, block number and text, eight a block."""
    block = 0
    while True:
        digest = hmac.digest(key, f"{_SCHEME}\n{block}\n{text}".encode(), "sha256")
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _below(limit: int, numbers: Iterator[int]) -> int:
    """A number below the limit, each equally likely: numbers from the uneven rest at the top are passed over."""
    even = 2**32 - 2**32 % limit
    return next(number for number in numbers if number < even) % limit
