"""The kernel's play-outs: whole rounds of greedy players from the deal, and worlds that a search plays out in mid-game.

Times are of the process, so that other work on the machine counts for less. `python -m bench.playouts` measures them
alone.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from operator import add

from bench.positions import self_play
from tilerummy.playouts import Policy, Results, Situation, World, compare, finish
from tilerummy.rulesets import RULESETS, Ruleset, ruleset
from tilerummy.solver import Query, can_lay, solve
from tilerummy.tiles import KINDS, counts

__all__ = ["playouts"]

Question = tuple[Situation, list[World], list[bytes | None]]

ROUNDS, REPEATS, GOAL = 500, 5, 1000
GAMES, WORLDS = 20, 50


def playouts() -> None:
    """Rounds a second on one core."""
    sabra, xp = RULESETS["sabra"], ruleset("sabra", {"tileset": "xp"})
    print(f"play-outs on one core (best of {REPEATS}); the goal is {GOAL:,} rounds a second for four greedy players\n")
    print(f"{'from the deal':32} {'rounds/s':>9} {'of goal':>8} {'turns':>6} {'µs/turn':>8}")
    for name, rules, players, policy in (
        ("sabra, 2 players", sabra, 2, Policy.TILES),
        ("sabra, 3 players", sabra, 3, Policy.TILES),
        ("sabra, 4 players", sabra, 4, Policy.TILES),
        ("sabra, 2 players, jokers held", sabra, 2, Policy.HOLD),
        ("sabra, 2 players, in wait", sabra, 2, Policy.WAIT),
        ("sabra, 4 players, points", sabra, 4, Policy.POINTS),
        ("club, 4 players", RULESETS["club"], 4, Policy.TILES),
        ("rummy, 4 players", RULESETS["rummy"], 4, Policy.TILES),
        ("junior, 4 players", RULESETS["junior"], 4, Policy.TILES),
        ("junior, 2 players, in wait", RULESETS["junior"], 2, Policy.WAIT),
        ("sabra, 160 tiles, 6 players", xp, 6, Policy.TILES),
    ):
        start = Situation(rules, bytes(KINDS), (False,) * players, 0, stars=(rules.stars,) * players)
        worlds = [deal(rules, players, seed) for seed in range(ROUNDS)]
        seconds, results = fastest(partial(finish_all, start, worlds, [policy] * players))
        turns = sum(results[0].turns)
        rate = ROUNDS / seconds
        goal = f"{rate / GOAL:7.2f}×" if (rules, players, policy) == (sabra, 4, Policy.TILES) else ""
        print(f"{name:32} {rate:9.0f} {goal:>8} {turns / ROUNDS:6.1f} {seconds * 1e6 / turns:8.1f}")
    print(
        f"\n{f'from mid-game, {WORLDS} worlds':32} {'rounds/s':>9} {'':8} {'turns':>6} {'µs/turn':>8} {'ms a move':>10}"
    )
    for players in (2, 3, 4):
        asked = [question(query, players, seed) for seed, query in enumerate(middles(sabra, players))]
        seconds, results = fastest(partial(compare_all, asked, [Policy.TILES] * players))
        played, turns = sum(map(len, results)), sum(sum(some.turns) for some in results)
        figures = f"{played / seconds:9.0f} {'':8} {turns / played:6.1f} {seconds * 1e6 / turns:8.1f}"
        print(f"{f'sabra, {players} players':32} {figures} {seconds * 1e3 / len(asked):10.1f}")
    print()


def finish_all(start: Situation, worlds: list[World], policies: list[Policy]) -> list[Results]:
    """Play each world to its end."""
    return [finish(start, worlds, policies)]


def compare_all(asked: Sequence[Question], policies: list[Policy]) -> list[Results]:
    """Play everything that is asked to its end."""
    return [one for situation, worlds, firsts in asked for one in compare(situation, worlds, firsts, policies)]


def fastest(call: Callable[[], list[Results]]) -> tuple[float, list[Results]]:
    """The least time that a call took of the process, and what it returned."""
    best, results = float("inf"), call()
    for _ in range(REPEATS):
        start = time.process_time()
        results = call()
        best = min(best, time.process_time() - start)
    return best, results


def deal(rules: Ruleset, players: int, seed: int) -> World:
    """A world at the beginning of a round."""
    kinds = [tile.kind for tile in rules.tiles()]
    random.Random(seed).shuffle(kinds)
    return dealt(kinds, [rules.deal] * players)


def dealt(kinds: Sequence[int], sizes: Sequence[int], own: bytes | None = None) -> World:
    """Racks of these sizes from the first of these kinds, the first perhaps known, and the pool from the rest."""
    rest, racks = list(kinds), [own] if own else []
    for size in sizes[len(racks) :]:
        mine, rest = rest[:size], rest[size:]
        racks.append(bytes(mine.count(kind) for kind in range(KINDS)))
    return World(tuple(racks), bytes(rest))


def middles(rules: Ruleset, players: int) -> list[Query]:
    """From each of some rounds the position in the middle of those in which somebody who has opened can lay."""
    found = []
    for seed in range(GAMES):
        able = [query for query in self_play(seed, rules, players) if query.opened and query.table and can_lay(query)]
        found += able[len(able) // 2 :][:1]
    return found


def question(query: Query, players: int, seed: int) -> Question:
    """What a search asks: to draw, or the best play, in worlds in which the others hold as many tiles as the player."""
    rules = query.rules
    table, own = counts(tile for meld in query.table for tile in meld.tiles), bytes(counts(query.rack))
    hidden = list(
        (Counter(tile.kind for tile in rules.tiles()) - Counter(dict(enumerate(map(add, table, own))))).elements()
    )
    luck = random.Random(seed)
    worlds = []
    for _ in range(WORLDS):
        luck.shuffle(hidden)
        worlds.append(dealt(hidden, [min(len(query.rack), len(hidden) // players)] * players, own))
    situation = Situation(rules, bytes(table), (True,) * players, 0)
    return situation, worlds, [None, bytes(counts(solve(query).laid))]


if __name__ == "__main__":
    playouts()
