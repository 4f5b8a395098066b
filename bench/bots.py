"""How strong a bot is: one against others, each deal played once with it in every seat.

`python -m bench.bots --a expert --b greedy --players 2 --deals 400 --processes 16` prints how often it wins a round,
with a 95% interval over deals, and what a move costs. `--options` changes the tuning of `a`, `--against` that of `b`:
`{"clear": 2, "belief": {"fresh": 0.3}}`. The same seed gives the same rounds on any number of processes.
"""

import argparse
import json
import multiprocessing
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from hashlib import sha256
from math import hypot, sqrt
from typing import Any, Final, NamedTuple, TypeVar

from tilerummy.bots import BUDGET, Bot, bot
from tilerummy.bots.expert import Expert
from tilerummy.bots.keeper import Keeper
from tilerummy.game import apply, begin, fold
from tilerummy.rulesets import ruleset
from tilerummy.state import Phase, Refusal
from tilerummy.view import view

_T = TypeVar("_T")

_SEARCHED: Final = 25  # milliseconds; a move that takes less left nothing to choose


class Match(NamedTuple):
    """What is to be played."""

    a: str
    b: str
    options: str
    against: str
    players: int
    ruleset: str
    budget: int
    seed: str


class Deal(NamedTuple):
    """How one deal went, over all seats: the share of rounds that `a` won, its mean score, what each move took."""

    won: float
    score: float
    took: tuple[list[float], list[float]]  # milliseconds, of a and of b


def tuned(name: str, options: str) -> Bot:
    """The bot of this name, its tuning changed by these options."""
    given = json.loads(options)
    if not given:
        return bot(name)
    if name == "keeper":
        return Keeper(_changed(Keeper().sense, given))
    if name == "expert":
        return Expert(_changed(Expert().tuning, given))
    raise ValueError(f"options: {name} has none")


def _changed(tuning: _T, given: dict[str, Any]) -> _T:
    assert is_dataclass(tuning)
    assert not isinstance(tuning, type)
    names = [field.name for field in fields(tuning)]
    for name in given:
        if name not in names:
            raise ValueError(f"options: no {name!r}; there are {', '.join(names)}")
    changes = {
        name: _changed(getattr(tuning, name), value) if isinstance(value, dict) else value
        for name, value in given.items()
    }
    return replace(tuning, **changes)


def play_deal(task: tuple[Match, int]) -> Deal:
    """Play one deal with `a` in every seat in turn."""
    match, number = task
    won, score = 0, 0
    took: tuple[list[float], list[float]] = ([], [])
    bots = (tuned(match.a, match.options), tuned(match.b, match.against))
    seed = sha256(f"{match.seed}/{number}".encode()).hexdigest()
    for seat in range(match.players):
        chance = [random.Random(f"{seed}/{seat}/{player}") for player in range(match.players)]
        state = fold(begin(ruleset(match.ruleset), players=match.players, seed=seed))
        while state.phase is Phase.PLAYING:
            side = int(state.turn != seat)
            seen = view(state, state.turn)
            began = time.perf_counter()
            command = bots[side].choose(seen, chance[state.turn], match.budget)
            took[side].append(1000 * (time.perf_counter() - began))
            events = apply(state, command)
            if isinstance(events, Refusal):
                raise RuntimeError(f"{bots[side].name} is refused: {events} in {seen}")
            state = fold(events, state)
        won += state.winner == seat
        score += state.scores[-1][seat]
    each = match.players
    return Deal(won / each, score / each, took)


def play(match: Match, deals: int, processes: int) -> Iterator[Deal]:
    """Play so many deals, in order."""
    tasks = [(match, number) for number in range(deals)]
    if processes == 1:
        yield from map(play_deal, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(play_deal, tasks)


def interval(some: list[float]) -> tuple[float, float]:
    """The mean, and half of its 95% interval."""
    mean = sum(some) / len(some)
    if len(some) < 2:
        return mean, 1.0
    return mean, 1.96 * sqrt(sum((one - mean) ** 2 for one in some) / (len(some) - 1) / len(some))


def share(some: list[float]) -> tuple[float, float]:
    """The same of shares between 0 and 1; one deal more counts in the interval, half won and half lost."""
    mean, half = interval(some)
    doubt = sqrt(((1 - mean) ** 2 + mean**2) / 2 / max(1, len(some) - 1) / len(some))
    return mean, min(1.0, hypot(half, 1.96 * doubt))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a", default="expert")
    parser.add_argument("--b", default="greedy")
    parser.add_argument("--options", default="{}", help="JSON: what to change in the tuning of a")
    parser.add_argument("--against", default="{}", help="JSON: what to change in the tuning of b")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--budget", type=int, default=BUDGET)
    parser.add_argument("--ruleset", default="sabra")
    parser.add_argument("--seed", default="0")
    given = parser.parse_args()
    match = Match(
        given.a, given.b, given.options, given.against, given.players, given.ruleset, given.budget, given.seed
    )
    done: list[Deal] = []
    began = time.perf_counter()
    for deal in play(match, given.deals, given.processes):
        done.append(deal)
        if sys.stderr.isatty() or len(done) % 50 == 0:
            won, half = share([one.won for one in done])
            print(f"{len(done)} deals: {won:.1%} ± {half:.1%}", end="\r", file=sys.stderr)
    won, half = share([one.won for one in done])
    score, about = interval([one.score for one in done])
    moves = [sorted(took for deal in done for took in deal.took[side]) for side in (0, 1)]
    searched = [took for took in moves[0] if took >= _SEARCHED]
    mean = [sum(some) / max(1, len(some)) for some in (*moves, searched)]
    last = searched[int(0.95 * len(searched))] if searched else 0.0
    print(
        f"{match.a} {match.options} against {match.b} {match.against}, {match.players} players, {match.ruleset}, "
        f"budget {match.budget}, seed {match.seed}: {won:.1%} ± {half:.1%} over {len(done)} deals, "
        f"score {score:+.1f} ± {about:.1f}; {mean[0]:.1f} and {mean[1]:.1f} ms a move, {len(searched)} of "
        f"{len(moves[0])} took {_SEARCHED} ms or more: {mean[2]:.0f} ms, 95% of them {last:.0f} ms at most; "
        f"{time.perf_counter() - began:.0f} s in all"
    )


if __name__ == "__main__":
    main()
