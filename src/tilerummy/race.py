"""The simplified Junior game: a caller names a tile, the others race to find its neighbours.

>>> from tilerummy.tiles import tile
>>> state = fold(begin(players=3, caller=0))
>>> state = fold(apply(state, Call(0, tile("r5"))), state)
>>> found = apply(state, Tap(1, tile("r6")))
>>> fold(found, state).stars
(0, 1, 0)
>>> apply(fold(found, state), Tap(2, tile("r6")))
RaceRefusal(code='too-late', tile=tile('r6'), seat=1)

junior, *Règles de jeu simplifiées*: the 40 numbered tiles lie face up around a board of 4 × 10 places.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tilerummy.rulesets import RULESETS, BadRuleset
from tilerummy.tiles import COLOURS, Tile, kind_of, tile_of

__all__ = [
    "FINDS",
    "NUMBERS",
    "REFUSALS",
    "Call",
    "Called",
    "Found",
    "RaceBegan",
    "RaceCommand",
    "RaceEnded",
    "RaceEvent",
    "RaceRefusal",
    "RaceState",
    "Tap",
    "apply",
    "begin",
    "fitting",
    "fold",
]

NUMBERS = RULESETS["junior"].numbers
FINDS = 2  # tiles that are looked for after each call

REFUSALS = (
    "no-such-seat",
    "not-the-caller",
    "caller-only-calls",
    "call-running",
    "no-call",
    "no-such-tile",
    "already-placed",
    "too-late",
    "wrong-tile",
    "race-over",
)
"""Every code that a refusal may carry."""


@dataclass(frozen=True, slots=True)
class Call:
    """The caller picks a tile and names it; the seat is None where the program calls."""

    seat: int | None
    tile: Tile


@dataclass(frozen=True, slots=True)
class Tap:
    """A player points at a tile."""

    seat: int
    tile: Tile


RaceCommand = Call | Tap


@dataclass(frozen=True, slots=True)
class RaceRefusal:
    """Why a command changes nothing; `seat` is who was quicker."""

    code: str
    tile: Tile | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class RaceBegan:
    """A race was set up."""

    players: int
    caller: int | None


@dataclass(frozen=True, slots=True)
class Called:
    """A tile was named and goes to its place, for no star."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class Found:
    """A right tile goes to its place, for a star."""

    seat: int
    tile: Tile


@dataclass(frozen=True, slots=True)
class RaceEnded:
    """All four rows are complete."""

    winners: tuple[int, ...]


RaceEvent = RaceBegan | Called | Found | RaceEnded


@dataclass(frozen=True, slots=True)
class RaceState:
    """A race; nothing in it is hidden."""

    players: int
    caller: int | None
    version: int = 1
    stars: tuple[int, ...] = ()
    placed: frozenset[Tile] = frozenset()
    called: Tile | None = None
    finds: tuple[Found, ...] = ()  # since the last call
    winners: tuple[int, ...] = ()

    @property
    def open(self) -> bool:
        """Whether a tile is being looked for."""
        return self.called is not None and len(self.finds) < FINDS and bool(fitting(self))


def begin(players: int, caller: int | None = None) -> tuple[RaceEvent, ...]:
    """Set up a race; the caller is one of the seats and does not score, or None when the program calls."""
    RULESETS["junior"].check_players(players)
    if caller is not None and not 0 <= caller < players:
        raise BadRuleset("caller", f"a seat from 0 to {players - 1}, or none, not {caller}")
    return (RaceBegan(players, caller),)


def fitting(state: RaceState) -> tuple[Tile, ...]:
    """The tiles one lower and one higher than the row that the called tile is in."""
    if state.called is None or state.called.colour is None:
        return ()
    colour, low, high = state.called.colour, state.called.number, state.called.number
    there = {one.number for one in state.placed if one.colour == colour}
    while low - 1 in there:
        low -= 1
    while high + 1 in there:
        high += 1
    return tuple(tile_of(kind_of(colour, number)) for number in (low - 1, high + 1) if 1 <= number <= NUMBERS)


def apply(state: RaceState, command: RaceCommand) -> tuple[RaceEvent, ...] | RaceRefusal:
    """Return what a command makes happen, or why it makes nothing happen; whoever arrives first is first."""
    one = command.tile
    if one.is_joker or one.number > NUMBERS or one.copy:
        return RaceRefusal("no-such-tile", one)
    if isinstance(command, Call):
        return _call(state, command)
    if not 0 <= command.seat < state.players:
        return RaceRefusal("no-such-seat")
    if command.seat == state.caller:
        return RaceRefusal("caller-only-calls")
    quicker = next((found.seat for found in state.finds if found.tile is one), None)
    if quicker is not None:
        return RaceRefusal("too-late", one, quicker)
    if state.winners:
        return RaceRefusal("race-over")
    if one in state.placed:
        return RaceRefusal("already-placed", one)
    if not state.open:
        return RaceRefusal("no-call")
    if one not in fitting(state):
        return RaceRefusal("wrong-tile", one)
    return _then_end(state, Found(command.seat, one))


def _call(state: RaceState, command: Call) -> tuple[RaceEvent, ...] | RaceRefusal:
    if state.winners:
        return RaceRefusal("race-over")
    if command.seat != state.caller:
        return RaceRefusal("not-the-caller")
    if state.open:
        return RaceRefusal("call-running")
    if command.tile in state.placed:
        return RaceRefusal("already-placed", command.tile)
    return _then_end(state, Called(command.tile))


def _then_end(state: RaceState, event: Called | Found) -> tuple[RaceEvent, ...]:
    after = fold([event], state)
    if len(after.placed) < NUMBERS * len(COLOURS):
        return (event,)
    racing = [seat for seat in range(after.players) if seat != after.caller]
    most = max(after.stars[seat] for seat in racing)
    return (event, RaceEnded(tuple(seat for seat in racing if after.stars[seat] == most)))


def fold(events: Iterable[RaceEvent], state: RaceState | None = None) -> RaceState:
    """Return the state after these events."""
    for event in events:
        state = _evolve(state, event)
    if state is None:
        raise ValueError("a race begins with an event")
    return state


def _evolve(state: RaceState | None, event: RaceEvent) -> RaceState:
    if isinstance(event, RaceBegan):
        return RaceState(event.players, event.caller, stars=(0,) * event.players)
    if state is None:
        raise ValueError("a race begins with its start")
    state = replace(state, version=state.version + 1)
    match event:
        case Called():
            return replace(state, placed=state.placed | {event.tile}, called=event.tile, finds=())
        case Found():
            stars = tuple(have + (seat == event.seat) for seat, have in enumerate(state.stars))
            return replace(state, placed=state.placed | {event.tile}, finds=(*state.finds, event), stars=stars)
        case RaceEnded():
            return replace(state, winners=event.winners)
