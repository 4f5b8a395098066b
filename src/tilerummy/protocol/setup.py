"""What the host of a room chooses."""

from typing import Annotated, Literal

from pydantic import Field

from tilerummy.protocol.base import BOUNDED, MAX_SEATS, BotName, House, Message, Rounds, SeatNumber, said

__all__ = ["Clock", "DayClock", "SecondClock", "Setup", "SetupView"]


class SecondClock(Message):
    """So many seconds for a turn."""

    seconds: Annotated[int, Field(ge=1, le=30 * 86_400)]


class DayClock(Message):
    """So many days for a turn: play by correspondence."""

    days: Annotated[int, Field(ge=1, le=30)]


Clock = Annotated[
    Literal["none", "rulebook"] | SecondClock | DayClock,
    BOUNDED,
    said('must be "none", "rulebook", {"seconds": 1 to 2592000} or {"days": 1 to 30}'),
]
"""How long a turn may take; `rulebook` is the ruleset's own time, and refused where it has none."""


class Setup(Message):
    """What the host chooses; what is left out is as usual."""

    game: Literal["match", "race"] = "match"
    ruleset: Annotated[str, Field(min_length=1, max_length=40)] = "sabra"
    house: House = Field(default_factory=dict)
    """House rules by field; `tileset` (standard, xp, xp-quick, junior) stands for the fields of a tile set."""
    players: Annotated[int, Field(ge=2, le=MAX_SEATS)] = 4
    rounds: Rounds = 1
    clock: Clock = "none"
    bots: Annotated[list[BotName | None], Field(max_length=MAX_SEATS)] = Field(default_factory=list)
    public: bool = False
    spectators: bool = True
    hints: bool = True
    sit_in: BotName | None = None
    caller: SeatNumber | None = None
    first: SeatNumber = 0


class SetupView(Setup):
    """What the host chose, with nothing left out; the rulebook's clock is shown in seconds."""
