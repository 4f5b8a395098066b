"""The conformance test that every registered bot passes, under every ruleset, with every tile set, at every table."""

import inspect
import json
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import pytest

from bench.strength import rated
from tests.bots.positions import hidden_otherwise, play_round, position
from tilerummy.bots import BOTS, Bot, bot, elo
from tilerummy.game import begin, fold
from tilerummy.rulesets import RULESETS, TILESETS, Rearranging, Ruleset, ruleset
from tilerummy.state import Draw, Pass, Play, Played, State
from tilerummy.view import view

# To prove that a player is stuck is the solver's business; a bot does not see the difference.
HOUSE = {"stalemate": "all-pass"}
ROOT = Path(__file__).parents[2]
STRENGTH = ROOT / "src/tilerummy/bots/strength.json"
OWN_TILES = [ruleset(id, HOUSE) for id in RULESETS]
SOLVING = ("points", "greedy", "keeper", "expert")


def every_ruleset() -> Iterator[Ruleset]:
    for rules in OWN_TILES:
        for tileset in dict.fromkeys([rules.tileset, *TILESETS]):
            if tileset == rules.tileset or tileset != "junior":
                yield ruleset(rules.id, {**HOUSE, "tileset": tileset})


def tables(rules: Ruleset, sizes: Iterable[int]) -> Iterator[list[Bot]]:
    """A table of each size; the bots take their seats in turn, so that nine seats have every bot at least once."""
    # With three copies and four jokers the solver needs seconds for a play by junior's rules: docs/solver.md, *Cost*.
    slow = rules.rearranging is Rearranging.ADDING and rules.tileset != RULESETS[rules.id].tileset
    names = cycle(name for name in BOTS if not (slow and name in SOLVING))
    for players in sizes:
        yield [BOTS[name] for name in islice(names, players)]


TABLES = [
    pytest.param(rules, seated, id=f"{rules.id}-{rules.tileset}-{'-'.join(one.name for one in seated)}")
    for rules in every_ruleset()
    for seated in tables(rules, range(2, rules.players + 1))
]


def test_every_bot_says_what_it_is() -> None:
    for name, one in BOTS.items():
        assert bot(name) is one
        assert one.name == name
        assert one.description.endswith(".")
        assert "\n" not in one.description
        assert list(inspect.signature(one.choose).parameters) == ["view", "rng", "budget"]


def test_every_bot_is_rated_by_what_was_measured() -> None:
    """The Elo in the file are the arena's estimate from the rounds in the file."""
    kept = json.loads(STRENGTH.read_text(encoding="utf-8"))
    assert rated(kept["rounds"]) == kept["elo"] == {name: elo(name) for name in kept["elo"]}
    assert set(kept["elo"]) == set(BOTS)


def test_an_unknown_bot_is_told_the_names() -> None:
    with pytest.raises(ValueError, match=r"no bot is called 'hal'; there are .*novice"):
        bot("hal")


@pytest.mark.parametrize(("rules", "seated"), TABLES)
def test_plays_whole_rounds_without_a_refusal(rules: Ruleset, seated: list[Bot]) -> None:
    chance = random.getstate()
    state, _ = play_round(rules, seated, seed=len(seated))
    assert state.winner is not None
    assert random.getstate() == chance, "a bot has no chance but the one that it is given"


@pytest.mark.parametrize("rules", OWN_TILES, ids=lambda rules: rules.id)
def test_same_seed_same_round(rules: Ruleset) -> None:
    """Also when the bots have played another round in between: they keep nothing."""
    for seated in tables(rules, (3, 3)):
        _, first = play_round(rules, seated, seed=5)
        play_round(rules, seated, seed=6)
        _, again = play_round(rules, seated, seed=5)
        assert first == again


def test_same_seed_same_round_in_any_process() -> None:
    program = (
        "from tests.bots.positions import play_round; from tilerummy.bots import BOTS;"
        "from tilerummy.rulesets import ruleset;"
        "print(play_round(ruleset('sabra'), [BOTS[name] for name in {}], seed=5, budget=64)[1])"
    )
    for first in range(0, len(BOTS), 3):
        names = [*BOTS][first : first + 3]
        ran = subprocess.run(
            [sys.executable, "-c", program.format(names)], capture_output=True, check=True, cwd=ROOT, text=True
        )
        _, events = play_round(ruleset("sabra"), [BOTS[name] for name in names], seed=5, budget=64)
        assert ran.stdout == f"{events}\n"


@pytest.mark.parametrize("name", BOTS)
def test_sees_only_its_view(name: str) -> None:
    """Other hidden tiles make no other choice; of the expert's search, test_expert.py has the same."""

    def watch(state: State) -> None:
        seen, told = view(state, state.turn), view(hidden_otherwise(state), state.turn)
        assert BOTS[name].choose(seen, random.Random(1), 1) == BOTS[name].choose(told, random.Random(1), 1)

    play_round(ruleset("classic"), [BOTS[name]] * 2, seed=3, watch=watch)


@pytest.mark.parametrize("name", BOTS)
def test_draws_or_passes_when_nothing_fits(name: str) -> None:
    for seed in range(20):
        rng = random.Random(seed)
        nothing = position("sabra", "r4 r5 r6", "b1 k9 y12")
        assert BOTS[name].choose(nothing, rng, 1) == Draw(0)
        assert BOTS[name].choose(replace(nothing, pool_size=0), rng, 1) == Pass(0)
        stars = position("junior", "r4 r5 r6", "b1 k9 y10")
        assert BOTS[name].choose(stars, rng, 1) == Draw(0)
        assert BOTS[name].choose(replace(stars, stars=(0, 6)), rng, 1) == Pass(0)


@pytest.mark.parametrize("name", BOTS)
def test_leaves_a_locked_table_alone(name: str) -> None:
    """Club in its opening turn, rummy until all have opened."""
    table, rack = "r4 r5 r6", "r7 b10 k10 y10 b2"
    for seed in range(40):
        for locked in (
            position("club", table, rack, opened=(False, True)),
            position("rummy", table, rack, opened=(True, False)),
        ):
            command = BOTS[name].choose(locked, random.Random(seed), 1)
            assert isinstance(command, Draw) or (isinstance(command, Play) and locked.table[0].pieces in command.table)


@pytest.mark.parametrize("rules", OWN_TILES, ids=lambda rules: rules.id)
@pytest.mark.parametrize("name", BOTS)
def test_lays_tiles_sometimes(name: str, rules: Ruleset) -> None:
    state, events = play_round(rules, [BOTS[name]] * 2, seed=1)
    assert {event.seat for event in events if isinstance(event, Played)} == {0, 1}
    assert all(state.opened)


@pytest.mark.parametrize("name", BOTS)
def test_a_spectator_has_no_turn(name: str) -> None:
    state = fold(begin(ruleset("sabra"), players=2, seed="00" * 32))
    with pytest.raises(ValueError, match="no turn"):
        BOTS[name].choose(view(state, None), random.Random(0), 1)
