"""What holds of every state, whatever happened: no tile is lost or doubled, and no view tells too much."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass

from tilerummy.melds import Draft, Meld, read
from tilerummy.scoring import match_totals, rack_value
from tilerummy.state import Event, MatchEnded, Phase, RoundEnded, State, fold
from tilerummy.tiles import Tile
from tilerummy.view import View, view

__all__ = ["assert_ended_well", "assert_private", "assert_sound", "parts"]


def parts(value: object) -> list[object]:
    """Every part of a value, however deep: what somebody who receives it can look at."""
    found, left = [], [value]
    while left:
        part = left.pop()
        found.append(part)
        if part is None or isinstance(part, str | int | Tile):
            continue
        if isinstance(part, Mapping):
            left.extend([*part.keys(), *part.values()])
        elif isinstance(part, tuple | list | set | frozenset):
            left.extend(part)
        elif is_dataclass(part):
            left.extend(getattr(part, field.name) for field in fields(part))
        else:
            raise TypeError(f"what is in a {type(part).__name__}?")
    return found


def assert_sound(state: State) -> None:
    """Each tile of the set is in one place, every meld is one, and what is counted by seat is there for each seat."""
    on_table = [tile for meld in state.table for tile in meld.tiles]
    everywhere = Counter([*on_table, *(tile for rack in state.racks for tile in rack), *state.pool])
    assert everywhere == Counter(state.rules.tiles())
    for meld in state.table:
        assert isinstance(meld, Meld)
        assert read(meld.pieces, state.rules.numbers, state.rules.groups) == meld
    for by_seat in (state.racks, state.opened, state.stars, state.hints, state.bots, state.words, *state.scores):
        assert len(by_seat) == state.players
    assert all(have >= 0 for have in state.stars)
    assert 0 <= state.turn < state.players
    assert 0 <= state.passes <= state.players
    assert sorted(state.order) == list(range(state.players))
    assert state.order[0] == state.starter
    if state.phase is Phase.PLAYING:
        assert all(state.racks), "somebody has no tile left, and the round goes on"
        assert len(state.scores) == state.round - 1
        assert state.winner is None
    else:
        assert len(state.scores) == state.round
        assert state.winner is not None
    assert (state.phase is Phase.MATCH_OVER) is (len(state.scores) == state.rounds)


def assert_ended_well(before: State, events: Sequence[Event]) -> None:
    """The scores of a round that these events ended are what the rulebook says."""
    state = before
    for event in events:
        after = fold([event], state)
        if isinstance(event, RoundEnded):
            _assert_round(state, event)
        if isinstance(event, MatchEnded):
            assert event.totals == match_totals(state.scores, state.players)
            best = max(event.totals)
            assert event.winners == tuple(seat for seat, total in enumerate(event.totals) if total == best)
        state = after


def _assert_round(state: State, event: RoundEnded) -> None:
    rules, scores = state.rules, event.scores
    values = [rack_value(rack, rules) for rack in state.racks]
    assert event.round == state.round
    if event.finisher is not None:
        assert [seat for seat, rack in enumerate(state.racks) if not rack] == [event.finisher]
    else:
        assert all(state.racks)
    if rules.stars:
        assert scores == tuple(max(0, have - len(rack)) for have, rack in zip(state.stars, state.racks, strict=True))
        assert scores[event.winner] == max(scores)
        return
    assert values[event.winner] == min(values)
    if event.finisher is not None:
        assert event.winner == event.finisher
        assert sum(scores) == 0
        assert scores[event.winner] == sum(values)
    elif rules.stalemate_score == "differences":
        assert sum(scores) == 0
    else:
        assert sum(scores) == -values[event.winner]
    assert all(score <= 0 for seat, score in enumerate(scores) if seat != event.winner)


def assert_private(state: State, draft: Draft | None = None) -> None:
    """No view, of any seat or of a spectator, holds a tile that its owner may not know, or the seed too early."""
    everybody = {tile for meld in state.table for tile in meld.tiles}
    everybody |= {draw.tile for drawing in state.draws for draw in drawing}
    if state.phase is not Phase.PLAYING:
        everybody |= {tile for rack in state.racks for tile in rack}
    for seat in (None, *range(state.players)):
        seen = view(state, seat, draft)
        allowed = everybody | (set() if seat is None else set(state.racks[seat]))
        found = parts(seen)
        shown = {part for part in found if isinstance(part, Tile)}
        assert shown <= allowed, f"seat {seat} sees {shown - allowed}"
        secret = state.phase is not Phase.MATCH_OVER
        told = any(isinstance(part, str) and state.seed in part for part in found)
        assert told is not secret, "the seed is shown after the match, and not before"
        assert (state.seed in repr(seen)) is not secret
        _assert_useful(state, seat, seen, draft)


def _assert_useful(state: State, seat: int | None, seen: View, draft: Draft | None) -> None:
    """A view hides no more than it must."""
    assert seen.version == state.version
    assert seen.table == state.table
    assert seen.rack == (() if seat is None else state.racks[seat])
    assert seen.rack_sizes == tuple(map(len, state.racks))
    assert seen.pool_size == len(state.pool)
    assert seen.draws == state.draws
    if draft is None or state.phase is not Phase.PLAYING:
        assert seen.draft is None
        return
    assert seen.draft is not None
    assert [len(written) for written in seen.draft] == [len(written) for written in draft]
    on_table = {tile for meld in state.table for tile in meld.tiles}
    for written, shown in zip(draft, seen.draft, strict=True):
        for piece, face_up in zip(written, shown, strict=True):
            own = seat == state.turn and piece.tile in state.racks[seat]
            assert face_up == (piece if own or piece.tile in on_table else None)
