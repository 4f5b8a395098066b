"""What is measured, printed side by side: `make bench`. Figures worth keeping go to bench/results.md with the commit.

Each figure is the median over many batches of one process on one core, after a warm-up; machines are noisy, so compare
figures of one run only.
"""

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from bench.arena import arena
from bench.env import environment
from bench.load import load
from bench.page import page
from bench.peers import peers
from bench.playouts import playouts
from bench.positions import crowded, self_play
from tilerummy.legality import check
from tilerummy.melds import Draft, Table, draft, pieces, read
from tilerummy.record import read_table
from tilerummy.rulesets import RULESETS, Ruleset, ruleset
from tilerummy.solver import Query, explain, solve
from tilerummy.tiles import Tile, tiles

BATCHES, CALLS, REPEATS = 60, 20, 3


def main() -> None:
    """Measure everything, or what is named on the command line."""
    wanted = sys.argv[1:]
    for name, measure in MEASURES.items():
        if not wanted or name in wanted:
            measure()


def legality() -> None:
    """`legality.check` of a draft on a table of about 100 tiles: it judges every draft of every table on a server."""
    print("legality.check, microseconds a draft (median of batches)\n")
    print(f"{'ruleset':10} {'tiles':>5} {'a legal draft':>13} {'a broken one':>13} {'nothing cached':>15}")
    for rules in RULESETS.values():
        table, rack, played, broken = drafts(rules)
        size = sum(len(meld.tiles) for meld in table)
        assert check(table, rack, played, rules).legal
        assert not check(table, rack, broken, rules).legal

        judge = partial(check, table, rack, played, rules)
        usual, worse = micros(judge), micros(partial(check, table, rack, broken, rules))
        fresh = micros(partial(_uncached, judge))
        print(f"{rules.id:10} {size:5} {usual:13.0f} {worse:13.0f} {fresh:15.0f}")
    print()


def _uncached(judge: Callable[[], object]) -> None:
    read.cache_clear()
    judge()


def drafts(rules: Ruleset) -> tuple[Table, tuple[Tile, ...], Draft, Draft]:
    """A crowded table with jokers, a rack, a legal play with a joker swap where jokers are swapped, an illegal one."""
    if rules.numbers < 13:
        red, blue, yellow = "r1 r2 r3 r4 r5 r6", "b1 b2 b3 b4 b5 b6 b7", "y1 y2 j' y4 y5 y6 y7 y8 y9"
        table = read_table(f"{red} | {blue} | k1 k2 k3 j k5 k6 k7 k8 | {yellow}", rules)
        play = draft(f"{red} r7 r8 | {blue} | k1 k2 k3 k4 k5 k6 k7 k8 j | {yellow}")
        broken = draft(f"r1 r2 r3 | r4 r5 | {blue} | k1 k2 k3 k5 k6 k7 k8 | j r7 r8 | {yellow}")
        return table, tiles("k4 r7 r8"), play, broken
    rows = [f"{c}1 {c}2 {c}3 {c}4 | {c}5 {c}6 {c}7 | {c}8 {c}9 {c}10" for c in "rbky"]
    rows += [" ".join(f"{c}{number}'" for c in "rbky") for number in range(1, 14)]
    rows += ["r11 j r13", "b11 b12 j'"]
    table = read_table(" | ".join(rows), rules)
    melds = [meld.pieces for meld in table]
    play = (*melds[:-1], pieces("b11 b12 b13"), pieces("k11 k12 j'"))
    broken = (*melds[:-3], pieces("r11 r13"), pieces("b11 b12"), pieces("k11 k12 j"), pieces("j' y11 y12"))
    return table, tiles("b13 k11 k12 y11 y12 y13"), play, broken


def solver() -> None:
    """The solver: the kernel's own time, a whole call from Python, and a play to follow with its steps."""
    sabra, xp = RULESETS["sabra"], ruleset("sabra", {"tileset": "xp"})
    games = [query for seed in range(30) for query in self_play(seed, sabra, 4) if query.opened and query.table]
    print(f"solver, microseconds a position (best of {REPEATS} each)\n")
    print(f"{'positions':32} {'n':>4} {'':14} {'median':>8} {'mean':>8} {'95%':>8} {'99%':>8} {'most':>8}")
    measure("self-play, 106 tiles", games)
    for size in (20, 40, 60):
        near = [query for query in games if abs(sum(len(meld.tiles) for meld in query.table) - size) <= 5]
        measure(f"  about {size} on the table", near, whole=False)
    for size in (20, 40, 60, 80):
        rack = 20 if size == 80 else 14
        measure(f"crowded, {size} on the table", [crowded(s, sabra, size, rack) for s in range(200)], whole=False)
    large = chain.from_iterable(self_play(seed, xp, 6) for seed in range(4))
    measure("self-play, 160 tiles, 6 players", [query for query in large if query.opened and query.table], whole=False)
    for id in ("classic", "club", "rummy"):
        measure(f"the same games under {id}", [replace(query, rules=RULESETS[id], all_opened=True) for query in games])
    print()


def measure(name: str, queries: Sequence[Query], *, whole: bool = True) -> None:
    """Print the times of these positions."""
    kernel, call, follow = [], [], []
    for query in queries:
        solutions, times = [], []
        for _ in range(REPEATS):
            start = time.perf_counter()
            solutions.append(solve(query))
            times.append(time.perf_counter() - start)
        kernel.append(min(solution.micros for solution in solutions))
        call.append(min(times) * 1e6)
        if whole:
            times = []
            for _ in range(REPEATS):
                start = time.perf_counter()
                explain(query.table, solve(query, follow=True).after)
                times.append(time.perf_counter() - start)
            follow.append(min(times) * 1e6)
    for what, times in (("kernel", kernel), ("solve()", call), ("follow, steps", follow)):
        if times and (whole or what == "kernel"):
            ranked = sorted(times)
            part = [
                statistics.median(ranked),
                statistics.mean(ranked),
                ranked[-len(ranked) // 20],
                ranked[-len(ranked) // 100],
            ]
            figures = " ".join(f"{figure:8.1f}" for figure in (*part, ranked[-1]))
            print(f"{name:32} {len(queries):4} {what:14} {figures}")


def micros(call: Callable[[], object]) -> float:
    """The median time of a call in microseconds."""
    times = []
    for _ in range(BATCHES):
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        times.append((time.perf_counter() - start) / CALLS)
    return statistics.median(times) * 1e6


MEASURES = {
    "legality": legality,
    "solver": solver,
    "playouts": playouts,
    "arena": arena,
    "env": environment,
    "peers": peers,
    "load": load,
    "page": page,
}

if __name__ == "__main__":
    main()
