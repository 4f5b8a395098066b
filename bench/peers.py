"""Our solver beside its peer, rummikub-solver, on the same positions: `make bench ARGS=peers`.

The peer is an integer program in Python with a choice of backends: SCIPY is its default, HIGHS is its default where
highspy is installed, GLPK_MI is its fastest. A peer's time is a whole call of its `solve`, with the model built and
warmed up and the game state set up before; ours is shown twice, as a whole call of `solve` from Python and as the
kernel's part of it. Only whole calls are alike.

All run one after another in one process, bound to one core by `sched_setaffinity` (where the system has it) before the
peer's libraries load, so that these start no threads, which they do when left alone.
"""

import importlib
import os
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, count, islice
from typing import Final, NamedTuple, Protocol, TypeVar

from bench.positions import crowded, self_play
from tilerummy.record import write_position
from tilerummy.rulesets import RULESETS
from tilerummy.solver import Query, solve
from tilerummy.tiles import Tile

__all__ = ["NEAR", "POSITIONS", "Row", "peers", "rows", "table_size"]

POSITIONS, REPEATS, NEAR = 15, 3, 5
_BACKENDS: Final = ("SCIPY", "HIGHS", "GLPK_MI")
_MODULES: Final = ("rummikub_solver", "highspy", "cvxopt")
_SELF_PLAY_GOALS: Final = {"SCIPY": "1,000 median", "HIGHS": "1,000 median", "GLPK_MI": "300 median"}
_CROWDED_GOALS: Final = {"GLPK_MI": "20 median, 95%"}

T = TypeVar("T")


class _Answer(Protocol):
    """What the peer would lay."""

    tiles: Sequence[int]


class _State(Protocol):
    """A position as the peer has it; its tiles are numbered from 1, in the order of our kinds."""

    def add_table(self, *tiles: int) -> None: ...
    def add_rack(self, *tiles: int) -> None: ...


class _Peer(Protocol):
    """The peer with one backend."""

    def new_game(self) -> _State: ...
    def solve(self, state: _State, mode: object) -> _Answer | None: ...


_Solvers = dict[str, Callable[[Query], Callable[[], int]]]  # a backend: a position to a call that counts tiles laid


@dataclass(frozen=True)
class Row:
    """Positions of one kind, and how many times faster than which backend we want to be."""

    name: str
    queries: Sequence[Query]
    goals: Mapping[str, str]


class _Times(NamedTuple):
    """The median and the 95th percentile in milliseconds; of 15 positions that is the greatest."""

    median: float
    p95: float


def peers() -> None:
    """Print the times of everybody on the same positions, how much faster ours is, and who lays too few tiles."""
    with _one_core():
        try:
            version, solvers = _load()
        except ModuleNotFoundError as error:
            print(f'peers: not measured, {error.name} is not installed (make bench installs the extra "bench")\n')
            return
        print(f"peers, milliseconds a position (best of {REPEATS} each, {POSITIONS} a row, 95% is the greatest)")
        print(f"rummikub-solver {version}: a whole call, its state set up before. Ratios at the median and at 95%.\n")
        print(f"{'':56} {'to the kernel':>15} {'to solve()':>15}")
        print(
            f"{'positions':26} {'':9} {'median':>9} {'95%':>9} "
            f"{'median':>7} {'95%':>7} {'median':>7} {'95%':>7} {'worse':>6}  goal"
        )
        worse = [_measure(row, solvers) for row in rows()]
    total = POSITIONS * len(worse)
    print(f"\nAll lay equally many tiles in {total - sum(worse)} of {total} positions; nowhere does a peer lay more.\n")


def rows() -> Iterator[Row]:
    """The positions, the same each time: one from each of 15 games, or 15 crowded tables."""
    for size in (20, 40, 60):
        yield Row(f"self-play, about {size}", list(islice(_played(size), POSITIONS)), _SELF_PLAY_GOALS)
    for size in (20, 40, 60):
        queries = [crowded(seed, RULESETS["sabra"], size, rack=14) for seed in range(POSITIONS)]
        yield Row(f"crowded, {size}", queries, _CROWDED_GOALS)
    yield Row("crowded, 80, jokers", list(islice(_jokers_on_both_sides(80, rack=20), POSITIONS)), _CROWDED_GOALS)


def table_size(query: Query) -> int:
    """How many tiles are on the table."""
    return sum(len(meld.tiles) for meld in query.table)


def _played(size: int) -> Iterator[Query]:
    """Of each game whose table comes near this size, the position of an opened player that comes nearest."""
    for seed in count():
        turns = [query for query in self_play(seed, RULESETS["sabra"], 4) if query.opened and query.table]
        nearest = min(turns, key=lambda query: abs(table_size(query) - size), default=None)
        if nearest and abs(table_size(nearest) - size) <= NEAR:
            yield nearest


def _jokers_on_both_sides(size: int, rack: int) -> Iterator[Query]:
    """Crowded tables with a joker on the table and one on the rack."""
    for seed in count():
        query = crowded(seed, RULESETS["sabra"], size, rack)
        if any(tile.is_joker for tile in query.rack) and any(meld.jokers for meld in query.table):
            yield query


@contextmanager
def _one_core() -> Iterator[None]:
    """Keep to one core meanwhile, where the system lets us."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def _load() -> tuple[str, _Solvers]:
    """The peer's version, and for each backend what makes a position into a call to be timed."""
    peer, *_ = [importlib.import_module(name) for name in _MODULES]
    solvers: _Solvers = {}
    for backend in _BACKENDS:
        rules: _Peer = peer.RuleSet(solver_backend=peer.MILPSolver(backend))
        solvers[backend] = partial(_call, rules, peer.SolverMode.TILE_COUNT)
        solvers[backend](crowded(0, RULESETS["sabra"], 20, rack=14))()  # the first call compiles the model
    return peer.__version__, solvers


def _call(rules: _Peer, mode: object, query: Query) -> Callable[[], int]:
    state = rules.new_game()
    state.add_table(*_numbered(chain.from_iterable(meld.tiles for meld in query.table)))
    state.add_rack(*_numbered(query.rack))
    return partial(_lay, rules, state, mode)


def _numbered(tiles: Iterable[Tile]) -> list[int]:
    return [tile.kind + 1 for tile in tiles]


def _lay(rules: _Peer, state: _State, mode: object) -> int:
    answer = rules.solve(state, mode)
    return len(answer.tiles) if answer else 0


def _measure(row: Row, solvers: _Solvers) -> int:
    """Print the row's times; in how many positions some backend lays too few tiles."""
    theirs: dict[str, list[float]] = {backend: [] for backend in solvers}
    fewer: dict[str, set[int]] = {backend: set() for backend in solvers}
    kernel, whole = [], []
    for place, query in enumerate(row.queries):
        solutions, took = _repeat(partial(solve, query))
        most = solutions[0].tiles
        whole.append(took)
        kernel.append(min(solution.micros for solution in solutions) / 1000)
        for backend, prepare in solvers.items():
            (laid, *_), took = _repeat(prepare(query))
            theirs[backend].append(took)
            assert laid <= most, f"{backend} lays {laid} tiles, ours {most}: {write_position(query)}"
            if laid < most:
                fewer[backend].add(place)
    ours = [_times(kernel), _times(whole)]
    for backend, values in theirs.items():
        _print_peer(row, backend, _times(values), ours, len(fewer[backend]))
    for name, times in zip(("kernel", "solve()"), ours, strict=True):
        print(f"{'':26} {name:9} {times.median:9.3f} {times.p95:9.3f}")
    return len(set().union(*fewer.values()))


def _repeat(call: Callable[[], T]) -> tuple[list[T], float]:
    """What a call gives each time, and the least time it took, in milliseconds."""
    given, times = [], []
    for _ in range(REPEATS):
        start = time.perf_counter()
        given.append(call())
        times.append((time.perf_counter() - start) * 1000)
    return given, min(times)


def _times(values: Sequence[float]) -> _Times:
    ranked = sorted(values)
    return _Times(statistics.median(ranked), ranked[-len(ranked) // 20])


def _print_peer(row: Row, backend: str, times: _Times, ours: Sequence[_Times], worse: int) -> None:
    name = row.name if backend == _BACKENDS[0] else ""
    ratios = " ".join(f"{times.median / our.median:7.0f} {times.p95 / our.p95:7.0f}" for our in ours)
    print(
        f"{name:26} {backend:9} {times.median:9.3f} {times.p95:9.3f} "
        f"{ratios} {worse:6}  {row.goals.get(backend, '')}".rstrip()
    )
