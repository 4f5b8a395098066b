"""Between the wire and the room: messages in, commands out; answers in, messages out.

>>> from tilerummy.protocol import DrawCommand, SitCommand
>>> room_command(SitCommand(seat=1), "ada")
Sit(seat=1, player='ada')
>>> room_command(DrawCommand(seat=1), "ada")
Move(command=Draw(seat=1))
"""

import secrets
from collections.abc import Callable, Iterable
from typing import Any, Final

from pydantic_core import to_json

from tilerummy.legality import Verdict, Violation
from tilerummy.melds import Broken, Meld
from tilerummy.protocol import (
    BadField,
    CallCommand,
    ChangeCommand,
    CloseCommand,
    DayClock,
    DrawCommand,
    ErrorCode,
    LeaveCommand,
    Message,
    NextRoundCommand,
    PassCommand,
    PlayCommand,
    ProblemCode,
    ReadyCommand,
    RematchCommand,
    RemoveCommand,
    ReturnCommand,
    SeatBotCommand,
    SecondClock,
    SitCommand,
    SitInCommand,
    StandCommand,
    StartCommand,
    TapCommand,
    WireCommand,
    WordCommand,
    game_command,
    parse,
    read_table,
)
from tilerummy.protocol import Setup as SetupGiven
from tilerummy.rulesets import BadRuleset, ruleset
from tilerummy.server.events import (
    Change,
    Close,
    GiveWord,
    Leave,
    Move,
    Rematch,
    Remove,
    Return,
    RoomCommand,
    SeatBot,
    SetReady,
    Setup,
    Sit,
    SitIn,
    Stand,
    Start,
)
from tilerummy.server.room import check_setup
from tilerummy.server.thinking import Hint
from tilerummy.solver import Step
from tilerummy.state import Refusal
from tilerummy.tiles import text

__all__ = [
    "Json",
    "advice",
    "encode",
    "error",
    "hint_seen",
    "new_seed",
    "parse",
    "read_setup",
    "read_table",
    "refused",
    "room_command",
    "setup_view",
    "step_seen",
    "violations_seen",
]

Json = dict[str, Any]
"""A message, or a part of one, that the server made: plain values, in the shape of the protocol's models.

Making models of them would cost more than all else that is done for a message; tests hold them against the schema.
"""

_DAY: Final = 86_400
_OTHERWISE: Final = '"none", {"seconds": n} or {"days": n}'


# In


def new_seed() -> str:
    """A seed for a shuffle that nobody can guess."""
    return secrets.token_hex(32)


def room_command(
    command: WireCommand, player: str, *, gone: bool = False, seed: Callable[[], str] = new_seed
) -> RoomCommand | BadField:
    """The command of the room that this is, sent by a player; `gone`: whether the player of a seat to sit in at is."""
    match command:
        case PlayCommand() | DrawCommand() | PassCommand() | NextRoundCommand() | CallCommand() | TapCommand() as move:
            found = game_command(move)
            if isinstance(found, BadField):
                return BadField(f"command.{found.field}", f"command.{found.message}")
            assert found is not None
            return Move(found)
        case SitCommand():
            return Sit(command.seat, command.player or player)
        case StandCommand():
            return Stand(command.seat)
        case RemoveCommand():
            return Remove(command.seat)
        case SeatBotCommand():
            return SeatBot(command.seat, command.bot)
        case ReadyCommand():
            return SetReady(command.seat, command.ready)
        case WordCommand():
            return GiveWord(command.seat, command.word)
        case ChangeCommand():
            setup = read_setup(command.setup)
            return (
                BadField(f"command.setup.{setup.field}", f"command.setup.{setup.message}")
                if isinstance(setup, BadField)
                else Change(setup)
            )
        case StartCommand():
            return Start()
        case LeaveCommand():
            return Leave(command.seat)
        case ReturnCommand():
            return Return(command.seat)
        case SitInCommand():
            return SitIn(command.seat, gone)
        case RematchCommand():
            return Rematch(seed())
        case CloseCommand():
            return Close()


def read_setup(given: SetupGiven) -> Setup | BadField:
    """What the host chose, the rulebook's clock in seconds, or the field to change."""
    try:
        setup = Setup(
            game=given.game,
            ruleset=given.ruleset,
            house=dict(given.house),
            players=given.players,
            rounds=given.rounds,
            clock=_seconds(given),
            bots=tuple(given.bots),
            public=given.public,
            spectators=given.spectators,
            hints=given.hints,
            sit_in=given.sit_in,
            caller=given.caller,
            first=given.first,
        )
        check_setup(setup)
    except BadRuleset as error:
        return BadField(error.field, f"{error.field}: {error.reason}")
    return setup


def _seconds(given: SetupGiven) -> int | None:
    match given.clock:
        case SecondClock(seconds=seconds):
            return seconds
        case DayClock(days=days):
            return days * _DAY
        case "rulebook":
            if given.game == "race":
                raise BadRuleset("clock", 'a race has no clock; choose "none"')
            seconds = ruleset(given.ruleset, given.house).turn_seconds
            if not seconds:
                raise BadRuleset("clock", f"these rules have no time for a turn; choose {_OTHERWISE}")
            return seconds
    return None


# Out


def encode(message: Message | Json) -> str:
    """A message as it is sent; it is ours, so that nothing is judged again."""
    return to_json(message).decode()


def error(code: ErrorCode | ProblemCode, message: str, field: str | None = None, id: str | None = None) -> Json:
    """What is wrong with a message."""
    return {"type": "error", "code": code, "field": field, "message": message, "id": id}


def setup_view(setup: Setup) -> Json:
    """What the host chose, as everybody sees it; it can be sent back as it is."""
    clock = setup.clock
    return {
        "game": setup.game,
        "ruleset": setup.ruleset,
        "house": dict(setup.house),
        "players": setup.players,
        "rounds": setup.rounds,
        "clock": "none" if clock is None else _shown(clock),
        "bots": [*setup.bots, *[None] * (setup.players - len(setup.bots))],
        "public": setup.public,
        "spectators": setup.spectators,
        "hints": setup.hints,
        "sit_in": setup.sit_in,
        "caller": setup.caller,
        "first": setup.first,
    }


def _shown(seconds: int) -> Json:
    whole_days = seconds % _DAY == 0
    return {"days": seconds // _DAY} if whole_days else {"seconds": seconds}


def refused(id: str, refusal: Refusal, version: int) -> Json:
    """The answer to a command that changes nothing."""
    return {
        "type": "refused",
        "id": id,
        "code": refusal.code,
        "violations": violations_seen(refusal.violations),
        "version": version,
    }


def violations_seen(violations: Iterable[Violation]) -> list[Json]:
    """Broken rules as they are told."""
    return [{"code": broken.code, "tiles": text(broken.tiles), "args": dict(broken.args)} for broken in violations]


def advice(on: int, verdict: Verdict) -> Json:
    """What would become of a draft, told to its player alone."""
    return {
        "type": "advice",
        "on": on,
        "legal": verdict.legal,
        "melds": list(map(_judged, verdict.melds)),
        "violations": violations_seen(verdict.violations),
        "points": verdict.points,
        "towards": verdict.towards,
        "laid": text(sorted(verdict.laid)),
    }


def _judged(meld: Meld | Broken) -> Json:
    if isinstance(meld, Meld):
        return {"ok": True, "reason": None, "args": {}, "points": meld.points}
    args = {"choices": " / ".join(meld.choices)} if meld.choices else {}
    return {"ok": False, "reason": meld.reason, "args": args, "points": 0}


def hint_seen(level: str, hint: Hint) -> Json:
    """A hint as it is told: what its level does not tell is null."""
    return {
        "level": level,
        "can_play": hint.can_play,
        "laid": None if level == "nudge" else text(sorted(hint.laid)),
        "after": [" ".join(map(str, meld)) for meld in hint.after] if level == "reveal" and hint.can_play else None,
        "steps": list(map(step_seen, hint.steps)),
    }


def step_seen(step: Step) -> Json:
    """A step of a play as it is told."""
    return {
        "verb": step.verb,
        "pieces": " ".join(map(str, step.pieces)),
        "source": step.source,
        "target": step.target,
        "were": " ".join(map(str, step.were)),
    }
