"""The room: a command in, events or a refusal out. No clock, no chance, no input or output in here.

>>> from tilerummy.server.events import Opened, Sit, Start
>>> room = fold([(Opened(Setup(players=2, bots=(None, "novice")), "ada", "00" * 32), 0.0)])
>>> room = fold([(event, 1.0) for event in apply(room, Sit(0, "ada"), frozenset({"ada"}))], room)
>>> apply(room, Start(), frozenset({"bob"}))
Refusal(code='not-host', violations=())
>>> events = apply(room, Start(), frozenset({"ada"}))
>>> [type(event.event).__name__ for event in events]
['Started', 'RoundBegan']
>>> fold([(event, 2.0) for event in events], room).stage
<Stage.PLAYING: 'playing'>

Who sends a command is the set of players that the sender acts for: one's own identity and the people on the same
device. None is the server itself, which is the clock, the bots and whoever has to tidy up; it may do everything.
Players who are programs are told apart only where the host's role goes on: to a person, if there is one.
"""

from collections.abc import Collection, Iterable
from typing import Final

from tilerummy import game, race
from tilerummy.bots import BOTS
from tilerummy.deal import BadSeed, tidy_word
from tilerummy.legality import Violation
from tilerummy.race import Call, RaceRefusal, RaceState, Tap
from tilerummy.rulesets import BadRuleset, ruleset
from tilerummy.server.events import (
    Back,
    BotSeated,
    CameBack,
    Change,
    Changed,
    Close,
    Closed,
    GiveWord,
    Happened,
    HostPassed,
    Leave,
    Move,
    PassHost,
    ReadySet,
    Rematch,
    Rematched,
    Remove,
    Removed,
    Return,
    Room,
    RoomCommand,
    RoomEvent,
    Sat,
    SeatBot,
    SetReady,
    Setup,
    Sit,
    SitIn,
    Stage,
    Stand,
    Start,
    Stood,
    WentAway,
    WordGiven,
)
from tilerummy.server.folding import GRACE, Due, Task, due, evolve, fold, racing_bots
from tilerummy.server.setups import check_playable, check_setup
from tilerummy.state import (
    Command,
    Draw,
    Event,
    HandOver,
    HintUsed,
    NextRound,
    Pass,
    Play,
    Refusal,
    State,
    Timeout,
)

__all__ = [
    "GRACE",
    "MOST_VERSIONS",
    "REFUSALS",
    "By",
    "Due",
    "Task",
    "actor_seats",
    "apply",
    "check_setup",
    "due",
    "evolve",
    "fold",
    "heirs",
    "racing_bots",
]

_STAND_IN: Final = "novice"  # plays for somebody who left a room that names no bot for it

REFUSALS: Final = (
    "not-host",
    "not-seated",
    "seat-taken",
    "already-seated",
    "was-removed",
    "not-ready",
    "seat-empty",
    "wrong-stage",
    "no-such-player",
    "not-a-seat-of-yours",
    "bad-setup",
    "stale",
    "bad-word",
    "bot-plays",
    "no-hints",
    "player-present",
    "server-only",
    "wrong-game",
    "worn-out",
)
"""Every code that a refusal may carry beyond those of the game and of the race; `stale` is given by the hall."""

By = frozenset[str] | None
_Answer = tuple[RoomEvent, ...] | Refusal

_STAGES: Final[dict[type, tuple[Stage, ...]]] = {
    Leave: (Stage.LOBBY, Stage.PLAYING, Stage.OVER),
    Return: (Stage.PLAYING, Stage.OVER),
    SitIn: (Stage.PLAYING,),
    Back: (Stage.PLAYING, Stage.OVER),
    Move: (Stage.PLAYING, Stage.OVER),
    Rematch: (Stage.OVER,),
    Close: (Stage.LOBBY, Stage.OVER),
}
MOST_VERSIONS: Final = 50_000
"""The version from which a room only ends what was begun: what it keeps has to be bounded."""
_ENDING: Final = (Leave, Close)
_HOSTS_ONLY: Final = (Remove, PassHost, SeatBot, Change, Start, Close)


def actor_seats(room: Room, by: By) -> tuple[int, ...]:
    """The seats of the players that the sender acts for; the server has none."""
    return tuple([place for place, seat in enumerate(room.seats) if seat.player in by]) if by else ()


def apply(
    room: Room, command: RoomCommand, by: By, bots: Collection[str] = frozenset()
) -> tuple[RoomEvent, ...] | Refusal:
    """Return what a command makes happen, at least one event, or why it makes nothing happen.

    `bots` are the players, of those who sit here or want to, and the host, who are programs.
    """
    stages = _STAGES.get(type(command), (Stage.LOBBY,))
    tidying = isinstance(command, Close) and by is None and room.stage is not Stage.CLOSED
    if room.stage not in stages and not tidying:
        return Refusal("wrong-stage")
    if isinstance(command, _HOSTS_ONLY) and by is not None and room.host not in by:
        return Refusal("not-host")
    if room.version >= MOST_VERSIONS and by is not None and not _ends(command):
        return Refusal("worn-out")
    match command:
        case Sit():
            return _sit(room, command, by, bots)
        case Change():
            return _change(room, command.setup, bots)
        case Start():
            return _start(room, by)
        case Move():
            return _race_move(room, command.command, by) if _races(room) else _move(room, command.command, by)
        case Rematch():
            return _rematch(room, command.seed, by, bots)
        case Close():
            return (Closed(command.reason),)
    if not 0 <= command.seat < len(room.seats):
        return Refusal("no-such-seat")
    if isinstance(command, SeatBot):
        known = command.bot is None or (command.bot in BOTS and command.seat != room.setup.caller)
        return (BotSeated(command.seat, command.bot),) if known else Refusal("bad-bot")
    player = room.seats[command.seat].player
    if player is None:
        return Refusal("seat-empty")
    own = by is None or player in by
    match command:
        case SitIn():
            return _sit_in(room, command, by)
        case PassHost():
            return (HostPassed(player),) if player != room.host else _unchanged()
        case Remove():
            return _stand(room, command.seat, bots, removed=by is None or not own)
        case Back() if by is not None:
            return Refusal("server-only")
        case Back():
            return _return(room, command.seat) if command.seat not in room.away else _unchanged()
    if not own:
        return Refusal("not-a-seat-of-yours")
    match command:
        case Stand():
            return _stand(room, command.seat, bots)
        case SetReady():
            return (ReadySet(command.seat, command.ready),)
        case GiveWord():
            try:
                return (WordGiven(command.seat, tidy_word(command.word)),)
            except BadSeed:
                return Refusal("bad-word")
        case Leave():
            return _stand(room, command.seat, bots) if room.stage is Stage.LOBBY else _leave(room, command.seat)
        case Return():
            return _return(room, command.seat)


def _ends(command: RoomCommand) -> bool:
    """Whether it brings what was begun nearer to its end."""
    return isinstance(command, _ENDING) or (isinstance(command, Move) and not isinstance(command.command, HintUsed))


# The lobby


def _sit(room: Room, command: Sit, by: By, bots: Collection[str]) -> _Answer:
    if not 0 <= command.seat < len(room.seats):
        return Refusal("no-such-seat")
    if by is not None and command.player not in by:
        return Refusal("no-such-player")
    if not room.removed.isdisjoint({command.player, *(by or ())}):
        return Refusal("was-removed")
    sitting = [seat.player for seat in room.seats]
    if sitting[command.seat] is not None:
        return Refusal("already-seated" if sitting[command.seat] == command.player else "seat-taken")
    if command.player in sitting:
        return _moved(room, sitting.index(command.player), command.seat)
    others = [player for player in sitting if player is not None]
    kept = room.host in (command.player, *others) or any(player not in bots for player in others)
    if kept or (command.player in bots and room.host not in bots):
        return (Sat(command.seat, command.player),)
    return Sat(command.seat, command.player), HostPassed(command.player)


def _moved(room: Room, before: int, to: int) -> tuple[RoomEvent, ...]:
    """Whoever goes to another seat stays what they were: host or not, ready or not, with their word."""
    held = room.seats[before]
    assert held.player is not None
    word = (WordGiven(to, held.word),) if held.word else ()
    ready = (ReadySet(to, True),) if held.ready else ()
    return (Stood(before), Sat(to, held.player), *word, *ready)


def _stand(room: Room, seat: int, bots: Collection[str], *, removed: bool = False) -> tuple[RoomEvent, ...]:
    return (Removed(seat) if removed else Stood(seat), *_pass_host(room, {seat}, bots))


def _pass_host(room: Room, leaving: Collection[int], bots: Collection[str]) -> tuple[RoomEvent, ...]:
    """The next person who stays is the host when the host is among those who stand up.

    A bot may not know how to be one: where only bots stay, a person keeps the role without a seat.
    """
    place = next((place for place, seat in enumerate(room.seats) if seat.player == room.host), None)
    if place is None or place not in leaving:
        return ()
    after = [(place + step) % len(room.seats) for step in range(1, len(room.seats))]
    return tuple(map(HostPassed, heirs(room, [other for other in after if other not in leaving], bots)[:1]))


def heirs(room: Room, seats: Iterable[int], bots: Collection[str]) -> list[str]:
    """Who of these seats may be the host after this one, best first: people, and bots only after a bot."""
    sitting = [player for seat in seats if (player := room.seats[seat].player) is not None]
    people = [player for player in sitting if player not in bots]
    return people + [player for player in sitting if player in bots and room.host in bots]


def _change(room: Room, setup: Setup, bots: Collection[str]) -> _Answer:
    """Whoever sits on a seat that goes away moves to a free one, the host and people first; otherwise they stand up."""
    try:
        check_setup(setup)
    except BadRuleset:
        return Refusal("bad-setup")
    free = [place for place, seat in enumerate(room.seats[: setup.players]) if seat.player is None]
    free.sort(key=lambda place: place < len(setup.bots) and setup.bots[place] is not None)
    leaving = [place for place, seat in enumerate(room.seats) if place >= setup.players and seat.player is not None]
    ranks = {place: (room.seats[place].player != room.host, room.seats[place].player in bots) for place in leaving}
    moving = sorted(leaving, key=ranks.__getitem__)[: len(free)]
    moved = [event for place, to in zip(moving, free, strict=False) for event in _moved(room, place, to)]
    moved = [event for event in moved if not isinstance(event, ReadySet)]  # nobody is ready after a change
    standing = [place for place in leaving if place not in moving]
    return (*moved, *map(Stood, standing), *_pass_host(room, standing, bots), Changed(setup))


def _start(room: Room, by: By) -> _Answer:
    for seat in room.seats:
        if seat.player is None and seat.bot is None:
            return Refusal("seat-empty")
        if seat.player not in (None, room.host, *(by or ())) and not seat.ready:
            return Refusal("not-ready")
    setup = room.setup
    try:
        check_playable(setup)  # a room may have waited for longer than a version of this program lasts
    except BadRuleset:
        return Refusal("bad-setup")
    if setup.game == "race":
        return _happened(race.begin(setup.players, setup.caller))
    return _happened(
        game.begin(
            ruleset(setup.ruleset, setup.house),
            players=setup.players,
            seed=room.seed,
            words=[seat.word for seat in room.seats],
            rounds=setup.rounds,
            first=setup.first,
            bots=[seat.bot if seat.player is None else None for seat in room.seats],
        )
    )


def _rematch(room: Room, seed: str, by: By, bots: Collection[str]) -> _Answer:
    """Whoever left stands up; the others keep their seats, and the one who asks is ready.

    A host who left is not waited for: bots that go on among themselves have one of their own.
    """
    own = actor_seats(room, by)
    if by is not None and not own:
        return Refusal("not-seated")
    leaving = sorted(room.away.difference(own))
    ready = (ReadySet(seat, True) for seat in own)
    passed = _pass_host(room, leaving, bots) or _pass_host(room, leaving, ())
    return (Rematched(seed), *map(Stood, leaving), *passed, *ready)


# Leaving and coming back


def _races(room: Room) -> bool:
    return isinstance(room.match, RaceState)


def _unchanged() -> Refusal:
    return Refusal("seat-unchanged")


def _leave(room: Room, seat: int) -> _Answer:
    if seat in room.away:
        return _unchanged()
    return (*_to_bot(room, seat), WentAway(seat))


def _sit_in(room: Room, command: SitIn, by: By) -> _Answer:
    """In a race nobody looks for tiles in somebody's place, and for a caller who is gone the server calls unasked."""
    if by is not None and not actor_seats(room, by):
        return Refusal("not-seated")
    if _races(room):
        return Refusal("wrong-game")
    if by is not None and not command.gone:
        return Refusal("player-present")
    return _to_bot(room, command.seat) or _unchanged()


def _to_bot(room: Room, seat: int) -> tuple[RoomEvent, ...]:
    held = isinstance(room.match, State) and room.match.bots[seat] is not None
    return () if held else _hand_over(room, seat, room.setup.sit_in or _STAND_IN)


def _hand_over(room: Room, seat: int, bot: str | None) -> tuple[RoomEvent, ...]:
    """What handing the seat over makes happen: nothing where it is held so already, or nobody plays."""
    events = game.apply(room.match, HandOver(seat, bot)) if isinstance(room.match, State) else ()
    return () if isinstance(events, Refusal) else _happened(events)


def _return(room: Room, seat: int) -> _Answer:
    back = (CameBack(seat),) if seat in room.away else ()
    return (*_hand_over(room, seat, None), *back) or _unchanged()


# The match and the race


def _happened(events: Collection[Event | race.RaceEvent]) -> tuple[RoomEvent, ...]:
    return tuple(map(Happened, events))


def _move(room: Room, command: Command | race.RaceCommand, by: By) -> _Answer:
    state = room.match
    if not isinstance(state, State) or isinstance(command, Call | Tap):
        return Refusal("wrong-game")
    refusal = _may_not(room, state, command, by)
    if refusal is not None:
        return refusal
    events = game.apply(state, command)
    return events if isinstance(events, Refusal) else _happened(events)


def _may_not(room: Room, state: State, command: Command, by: By) -> Refusal | None:
    if isinstance(command, NextRound):
        return None if by is None or actor_seats(room, by) else Refusal("not-seated")
    if not 0 <= command.seat < state.players:
        return Refusal("no-such-seat")
    player, bot = room.seats[command.seat].player, state.bots[command.seat]
    match command:
        case HandOver() | Timeout() if by is not None:
            return Refusal("server-only")
        case HandOver():
            nobody = player is None or command.seat in room.away
            return Refusal("seat-empty") if nobody and command.bot is None else None
        case Play() | Draw() | Pass() if by is None:
            # what a bot has thought of while its player came back
            return Refusal("not-a-seat-of-yours") if bot is None else None
        case HintUsed() if not room.setup.hints:
            return Refusal("no-hints")
    if by is not None and player not in by:
        return Refusal("not-a-seat-of-yours")
    return None if bot is None else Refusal("bot-plays")


def _race_move(room: Room, command: Command | race.RaceCommand, by: By) -> _Answer:
    """Whoever plays on is back. The server calls for a caller who left, or whose connection is gone, as it knows."""
    state = room.match
    if not isinstance(state, RaceState) or not isinstance(command, Call | Tap):
        return Refusal("wrong-game")
    if command.seat is None:
        if by is not None:
            return Refusal("server-only")
    elif not 0 <= command.seat < state.players:
        return Refusal("no-such-seat")
    elif command.seat not in (actor_seats(room, by) if by is not None else {state.caller, *racing_bots(room)}):
        return Refusal("not-a-seat-of-yours")
    answer = race.apply(state, command)
    if isinstance(answer, RaceRefusal):
        return _race_refusal(answer)
    back = map(CameBack, room.away & {command.seat}) if by is not None else ()
    return (*back, *_happened(answer))


def _race_refusal(answer: RaceRefusal) -> Refusal:
    """The same code; what it is about goes into a violation."""
    if answer.tile is None:
        return Refusal(answer.code)
    args = {} if answer.seat is None else {"seat": answer.seat}
    return Refusal(answer.code, (Violation(answer.code, (answer.tile,), args),))
