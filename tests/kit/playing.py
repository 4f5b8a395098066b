"""People at a real server's table: seated over lines, and playing whole matches with a bot's mind and some habits."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.kit.lines import Guest, Json, Line
from tilerummy.bots import bot
from tilerummy.protocol import table_texts, wire_command
from tilerummy.state import Play
from tilerummy.tiles import text

__all__ = ["Habits", "Seated", "find_play", "play", "seated", "to_move"]


@dataclass(slots=True)
class Seated:
    """A room with everybody in it: who sits on which seat, and their lines; seats of bots are left out."""

    room: str
    guests: dict[int, Guest]
    lines: dict[int, Line]

    @property
    def host(self) -> Line:
        """The line of whoever made the room."""
        return self.lines[0]

    async def begin(self) -> None:
        """Everybody is ready, and the host begins."""
        for seat, line in self.lines.items():
            if seat:
                await line.do("ready", seat=seat, ready=True)
        await self.host.do("start")
        for line in self.lines.values():
            await line.reach(self.host.version)

    @property
    def turn(self) -> int:
        """Whose turn it is, as the host sees it."""
        turn: int = self.host.match["turn"]
        return turn

    async def mover(self) -> tuple[int, Line]:
        """The person to move, whose line knows that."""
        turn = await self.host.until(lambda: (found,) if (found := self.turn) in self.lines else None)
        line = self.lines[turn[0]]
        await line.reach(self.host.version)
        return turn[0], line


@asynccontextmanager
async def seated(url: str, people: int, **setup: Any) -> AsyncIterator[Seated]:
    """A room of this setup with so many people on its first seats."""
    async with AsyncExitStack() as stack:
        guests = [await stack.enter_async_context(Guest(url)) for _ in range(people)]
        for guest in guests:
            await guest.me()
        room = await guests[0].new_room(**{"players": people, **setup})
        lines = {}
        for seat, guest in enumerate(guests):
            lines[seat] = await guest.line(room)
            if seat:
                await lines[seat].do("sit", seat=seat)
        yield Seated(room, dict(enumerate(guests)), lines)


@dataclass(frozen=True, slots=True)
class Habits:
    """What somebody does besides playing, and how often of a hundred turns."""

    drafts: int = 0
    probes: int = 0  # drafts of tiles that lie somewhere else
    hints: int = 0
    phrases: int = 0
    drops: int = 0
    looks: int = 0
    daydreams: int = 0  # turns, in which the clock runs out


def to_move(line: Line, seat: int) -> bool:
    """Whether this seat's person is to move."""
    match: Json | None = line.view["match"]
    playing = line.view["stage"] == "playing" and match is not None and match["phase"] == "playing"
    return playing and match is not None and match["turn"] == seat and match["bots"][seat] is None


async def play(line: Line, seat: int, luck: Random, mind: str = "greedy", habits: Habits | None = None) -> None:
    """Play until the match is over."""
    habits = habits or Habits()
    daydreams = habits.daydreams
    while True:
        await line.until(lambda: line.view["stage"] != "playing" or to_move(line, seat) or _between(line, seat))
        if line.view["stage"] != "playing":
            return
        if _between(line, seat):
            await line.post("next-round")
            continue
        if luck.randrange(100) < habits.drops:
            await line.cut()
            await line.open(line.version)
            continue
        if luck.randrange(100) < habits.looks:
            await line.guest.get(f"/api/rooms/{line.room}")
        if luck.randrange(100) < habits.phrases:
            await line.send(type="phrase", seat=seat, phrase="hello")
        if luck.randrange(100) < habits.hints:
            await line.hint(seat, luck.choice(("nudge", "point", "reveal")))
        if not to_move(line, seat):
            continue
        turn, on = line.match["version"], line.version
        # A hard position may take the solver long, and everybody else plays on meanwhile.
        command = await asyncio.to_thread(bot(mind).choose, line.position(), luck, 20)
        if luck.randrange(100) < habits.probes:
            some = luck.sample(line.position().rules.tiles(), 3)
            await line.draft(seat, [*line.match["table"], text(some)], on=on)
        if isinstance(command, Play) and luck.randrange(100) < habits.drafts:
            await line.draft(seat, table_texts(command.table), on=on)
        if daydreams:
            daydreams -= 1
            await line.until(lambda turn=turn: line.match["version"] > turn)  # type: ignore[misc]
            continue
        await line.post(**wire_command(command).model_dump(), on=on)


def _between(line: Line, seat: int) -> bool:
    match: Json | None = line.view["match"]
    return not seat and line.view["stage"] == "playing" and match is not None and match["phase"] == "round-over"


async def find_play(table: Seated, mind: str = "novice") -> tuple[int, Line, Play]:
    """Draw until somebody can play, and return who, and the play; it is not made."""
    luck = Random(1)
    while True:
        seat, line = await table.mover()
        # A hard position may take the solver long, and everybody else plays on meanwhile.
        command = await asyncio.to_thread(bot(mind).choose, line.position(), luck, 20)
        if isinstance(command, Play):
            return seat, line, command
        answer = await line.post(**wire_command(command).model_dump())
        assert answer["type"] == "ack" or answer["code"] in ("not-your-turn", "stale")  # the clock was faster
        await table.host.reach(answer["version"])
