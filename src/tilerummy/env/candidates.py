"""What the player to move may do, as a numbered list: the draw or pass first, then the sets of tiles that can be laid.

>>> from tilerummy.game import begin, fold
>>> from tilerummy.rulesets import ruleset
>>> from tilerummy.view import view
>>> state = fold(begin(ruleset("sabra"), players=2, seed="00" * 32))
>>> found = candidates(view(state, state.turn), 64)
>>> found.texts()[0], len(found), found.more
('draw', 1, False)
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tilerummy import _kernel
from tilerummy.bots.turn import Turn, position, rest
from tilerummy.legality import Verdict
from tilerummy.melds import Draft, Meld, Piece
from tilerummy.solver import Query, laid_sets, solve, with_copies
from tilerummy.solver.kernel import Question, tile_set
from tilerummy.solver.run import ask
from tilerummy.solver.search import alike, written
from tilerummy.solver.sets import laying
from tilerummy.state import Draw, Play
from tilerummy.tiles import COLOURS, JOKER, KINDS, MAX_NUMBER, Tile, text, tile_of
from tilerummy.view import View

__all__ = ["Candidates", "candidates", "judged", "turns"]

_NOTHING = bytes(KINDS)
_Shape = tuple[bool, int, tuple[int, ...]]  # of a meld: whether it is a run, its first number, its kinds


@dataclass(frozen=True, slots=True)
class Candidates:
    """The turn's choices: what each lays, as counts by kind; the first lays nothing."""

    query: Query
    rest: Turn  # the draw or pass
    laid: tuple[bytes, ...]
    problems: tuple[Question, ...]  # to the solver, whose answer is how to lay each but the first
    maximal: int  # so many after the first are contained in no other
    more: bool  # whether there are, or may be, others
    free: bool  # whether each is legal however it is arranged

    def __len__(self) -> int:
        """Count the choices."""
        return len(self.laid)

    def texts(self) -> list[str]:
        """Each choice in words: `draw` or `pass`, or the tiles that it lays."""
        first = "draw" if isinstance(self.rest, Draw) else "pass"
        return [first, *(text(_tiles(laid)) for laid in self.laid[1:])]


def candidates(view: View, limit: int) -> Candidates:
    """The choices of the view's seat, which is to move; at most `limit`, the draw or pass among them."""
    query = position(view)
    found = laid_sets(query, limit - 1, thorough=False)
    return Candidates(
        query=query,
        rest=rest(view),
        laid=(_NOTHING, *found.sets),
        problems=found.problems,
        maximal=found.maximal,
        more=not found.complete,
        free=found.free,
    )


def judged(choices: Candidates, action: int) -> Verdict | None:
    """How a play is laid that is legal however it is arranged; None where that is for the game to judge."""
    if not action or not choices.free:
        return None
    query, problem, laid = choices.query, choices.problems[action - 1], choices.laid[action]
    answer = _kernel.solve(tile_set(query.rules), laying(problem, laid).for_kernel())
    locked = bool(problem.melds)
    before: dict[_Shape, list[Meld]] = {}
    for meld in () if locked else query.table:
        shape = meld.colour is not None, meld.number, tuple([tile.kind for tile in meld.tiles])
        before.setdefault(shape, []).append(meld)
    changed = []
    for run, places in answer.melds:
        shape = run, places[0][0] % MAX_NUMBER + 1, tuple([JOKER if joker else kind for kind, joker in places])
        same = before.get(shape)
        if same:
            same.pop()
        else:
            changed.append((shape, places))
    moved = [meld for melds in before.values() for meld in melds]
    free = _free(query.rack, moved)
    held, new, points, made = set(query.rack), [], 0, []
    for (run, number, kinds), places in changed:
        tiles = [free[kind].pop() for kind in kinds]
        for tile, (shown, _) in zip(tiles, places, strict=True):
            if tile in held:
                new.append(tile)
                points += shown % MAX_NUMBER + 1
        colour = COLOURS[places[0][0] // MAX_NUMBER] if run else None
        made.append(Meld(tuple(tiles if run else sorted(tiles)), colour, number))
    gone = {id(meld) for meld in moved}
    kept = [meld for meld in query.table if id(meld) not in gone] if gone else query.table
    return Verdict((), (*kept, *made), tuple(new), (), (), points, None)


def turns(choices: Candidates, action: int) -> Iterator[Turn]:
    """The turns that this choice may mean, the first that the game accepts being the one.

    A play is laid as the solver arranges it. Where two equal tiles lie matters to no rule but those about jokers, so
    that the tiles may come from anywhere as long as these do not object.
    """
    if not action:
        yield choices.rest
        return
    seat, query, laid = choices.rest.seat, choices.query, choices.laid[action]
    (answer,) = ask([laying(choices.problems[action - 1], laid)])
    if answer is not None:
        yield Play(seat, _with_any_copies(query, answer.melds))
    solution = solve(replace(query, rack=_tiles(laid)))
    yield Play(seat, _with_any_copies(query, solution.after))
    yield Play(seat, with_copies(replace(query, rack=_held(query.rack, laid)), solution)[0])


def _tiles(laid: bytes) -> tuple[Tile, ...]:
    return tuple(tile_of(kind) for kind, number in enumerate(laid) for _ in range(number))


def _held(rack: tuple[Tile, ...], laid: bytes) -> tuple[Tile, ...]:
    """The rack tiles that are laid: of equal ones the first copies."""
    left = list(laid)
    held = []
    for tile in sorted(rack):
        if left[tile.kind]:
            left[tile.kind] -= 1
            held.append(tile)
    return tuple(held)


def _with_any_copies(query: Query, after: Draft) -> Draft:
    """The new table with the tiles that table and rack have: unchanged melds as they are, the others from the rest."""
    before: dict[tuple[Piece, ...], list[Meld]] = {}
    for meld in query.table:
        before.setdefault(written(alike(meld)), []).append(meld)
    made: list[tuple[Piece, ...]] = []
    changed = []
    for part in after:
        same = before.get(part)
        if same:
            made.append(same.pop().pieces)
        else:
            changed.append(part)
    free = _free(query.rack, (meld for melds in before.values() for meld in melds))
    for part in changed:
        made.append(tuple([Piece(free[piece.tile.kind].pop(), piece.face) for piece in part]))
    return tuple(made)


def _free(rack: Iterable[Tile], moved: Iterable[Meld]) -> dict[int, list[Tile]]:
    """The tiles to lay by kind, to be taken from the end: those of the table first, then the rack's first copies."""
    free: dict[int, list[Tile]] = {}
    for tile in sorted(rack, reverse=True):
        free.setdefault(tile.kind, []).append(tile)
    for meld in moved:
        for tile in meld.tiles:
            free.setdefault(tile.kind, []).append(tile)
    return free
