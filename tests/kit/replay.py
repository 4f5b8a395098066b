"""Play-outs put to the engine: their transcripts replayed, every play made by its tiles and judged."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tests.kit.build import accepted
from tilerummy.game import fold
from tilerummy.melds import Draft, Piece
from tilerummy.playouts import Policy, Result, Situation, Turn, World, finish, transcript
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.solver import Objective, Query, solve
from tilerummy.state import Draw, Drew, Pass, Phase, Play, Played, RoundEnded, State
from tilerummy.tiles import JOKER, Tile, counts

__all__ = ["FREE", "Replayed", "assert_replays", "free", "picked", "situation_of", "world_of"]

FREE = {"joker_leaves": "free", "joker_goes": "table", "joker_melds": "divisible", "rearranging": "free"}
"""House rules by which jokers and melds are as free as in a play-out."""


class Replayed(NamedTuple):
    """What a replay went through."""

    turns: int
    plays: int


def free(rules: Ruleset) -> Ruleset:
    """The same ruleset with free jokers."""
    return ruleset(rules.id, {**rules.house, **FREE})


def situation_of(state: State) -> Situation:
    """What everybody knows of a state."""
    table = bytes(counts(tile for meld in state.table for tile in meld.tiles))
    return Situation(state.rules, table, state.opened, state.turn, state.passes, state.stars, state.starter)


def world_of(state: State) -> World:
    """What nobody knows of a state."""
    racks = tuple(bytes(counts(rack)) for rack in state.racks)
    return World(racks, bytes(tile.kind for tile in state.pool))


def assert_replays(state: State, policies: Sequence[Policy]) -> Replayed:
    """The engine accepts every turn of the play-out, a policy's play is the solver's, and the round ends the same."""
    situation, world = situation_of(state), world_of(state)
    (told,) = finish(situation, [world], policies)
    turns = transcript(situation, world, policies)
    plays = 0
    ended: RoundEnded | None = None
    for turn in turns:
        assert state.phase is Phase.PLAYING
        assert turn.seat == state.turn
        assert (turn.laid or bytes(JOKER + 1)) == _solved(state, policies[turn.seat])
        first, *rest = accepted(state, _command(state, turn))
        if turn.laid is not None:
            assert isinstance(first, Played)
            assert bytes(counts(first.laid)) == turn.laid
            plays += 1
        elif turn.drawn is not None:
            assert isinstance(first, Drew)
            assert [tile.kind for tile in first.tiles] == [turn.drawn]
        state = fold([first, *rest], state)
        ended = next((event for event in rest if isinstance(event, RoundEnded)), None)
    assert state.phase is not Phase.PLAYING
    assert ended is not None
    assert told == Result(ended.winner, ended.scores, len(turns))
    return Replayed(len(turns), plays)


def _solved(state: State, policy: Policy) -> bytes:
    """The tiles that a policy lays by the word of the solver."""
    objective = Objective.POINTS if policy is Policy.POINTS else Objective.TILES
    seat = state.turn
    query = Query(state.rules, state.table, state.racks[seat], state.opened[seat], all(state.opened), objective)
    solution = solve(query)
    if policy is Policy.WAIT and solution.tiles < len(query.rack) and _can_draw(state):
        return bytes(JOKER + 1)
    if policy is Policy.HOLD and solution.tiles < len(query.rack):
        solution = solve(replace(query, rack=tuple(tile for tile in query.rack if not tile.is_joker)))
    return bytes(counts(solution.laid))


def _can_draw(state: State) -> bool:
    return bool(state.pool) and not (state.rules.stars and not state.stars[state.turn])


def _command(state: State, turn: Turn) -> Play | Draw | Pass:
    if turn.laid is not None:
        return Play(turn.seat, _table(state, turn.melds, turn.laid, beside=turn.beside))
    return Pass(turn.seat) if turn.drawn is None else Draw(turn.seat)


def _table(state: State, melds: Draft, laid: bytes, *, beside: bool) -> Draft:
    """The proposed table by its very tiles; those of the rack make up the first melds that can be new."""
    held = list(picked(state.racks[state.turn], laid))
    if beside:
        return (*(meld.pieces for meld in state.table), *(tuple(_taken(part, held)) for part in melds))
    lying = [tile for meld in state.table for tile in meld.tiles]
    made: list[tuple[Piece, ...] | None] = []
    for part in melds:
        there, need = counts(held), counts(piece.tile for piece in part)
        is_new = all(need[kind] <= there[kind] for kind in range(JOKER))
        # A joker is alike wherever it comes from.
        made.append(tuple(_taken(part, held, spare=lying)) if is_new else None)
    left = lying + held
    return tuple(tuple(_taken(part, left)) if done is None else done for part, done in zip(melds, made, strict=True))


def picked(rack: Sequence[Tile], laid: Sequence[int]) -> Iterator[Tile]:
    """So many tiles of each kind of a rack."""
    left = list(laid)
    for tile in rack:
        if left[tile.kind]:
            left[tile.kind] -= 1
            yield tile


def _taken(part: Sequence[Piece], tiles: list[Tile], spare: Sequence[Tile] = ()) -> Iterator[Piece]:
    """The meld by tiles that are taken from these; jokers that they lack are taken from the spare ones."""
    for piece in part:
        source = tiles if any(tile.kind == piece.tile.kind for tile in tiles) else spare
        found = next(tile for tile in source if tile.kind == piece.tile.kind)
        assert isinstance(source, list)
        source.remove(found)
        yield Piece(found, piece.face)
