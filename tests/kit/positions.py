"""Full-size positions: from games that greedy players play, and tables crowded at random."""

from collections.abc import Iterator

from bench.positions import crowded
from tilerummy.game import apply, begin
from tilerummy.melds import Draft, Piece
from tilerummy.rulesets import Ruleset
from tilerummy.solver import Query, solve
from tilerummy.state import Draw, Pass, Phase, Play, Refusal, State, fold
from tilerummy.tiles import Tile

__all__ = ["crowded", "position", "self_play", "told_apart"]


def position(state: State) -> Query:
    """The position of the player to move."""
    return Query(state.rules, state.table, state.racks[state.turn], state.opened[state.turn], all(state.opened))


def told_apart(state: State, after: Draft) -> Draft:
    """A new table for the player to move, with the tiles that lie there and on the rack."""
    supply: dict[int, list[Tile]] = {}
    for tile in (*(tile for meld in state.table for tile in meld.tiles), *state.racks[state.turn]):
        supply.setdefault(tile.kind, []).append(tile)
    return tuple(tuple(Piece(supply[piece.tile.kind].pop(0), piece.face) for piece in part) for part in after)


def self_play(seed: int, rules: Ruleset, players: int) -> Iterator[Query]:
    """Each position of a round in which everybody lays as many tiles as possible."""
    state = fold(begin(rules, players=players, seed=f"{seed:064x}"))
    while state.phase is Phase.PLAYING:
        query = position(state)
        yield query
        solution = solve(query)
        seat = state.turn
        command = Play(seat, told_apart(state, solution.after)) if solution.tiles else Draw(seat)
        events = apply(state, command)
        if isinstance(events, Refusal):
            events = apply(state, Pass(seat))
        assert not isinstance(events, Refusal), events
        state = fold(events, state)
