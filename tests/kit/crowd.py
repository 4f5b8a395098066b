"""A crowd: robots that sit at several tables and play one match after another, and note what they were told.

Whatever happens to the server meanwhile, a robot sends each command until it has an answer. What it noted is what
the players of a real server would swear to; `tests.kit.ledger` holds it against what the server has kept.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random

import httpx

from tilerummy.bots import bot
from tilerummy.client import Answer, Client, Connection
from tilerummy.protocol import (
    Ack,
    Clock,
    DrawCommand,
    NewRoom,
    ReadyCommand,
    RematchCommand,
    RemoveCommand,
    SecondClock,
    SitCommand,
    StartCommand,
    WireCommand,
    table_texts,
    wire_command,
)
from tilerummy.state import Phase, Play
from tilerummy.view import View

__all__ = ["TABLES", "Crowd", "Note", "Robot", "Seating", "Table", "crowd"]

# How long a robot waits for news before it looks again, in seconds.
GLANCE = 0.2
# How long it thinks about a move, at most; robots that never rest leave nothing to a server that starts.
THOUGHT = 0.1
# How long tables may take for a move, or for the end of their matches, before they count as stuck.
PATIENCE = 300.0


@dataclass(frozen=True, slots=True)
class Seating:
    """A kind of table: which bot each robot thinks with, which bots the server plays, and the clock in seconds."""

    minds: tuple[str, ...]
    bots: tuple[str, ...] = ()
    clock: int | None = None

    @property
    def setup(self) -> NewRoom:
        """What the host chooses."""
        clock: Clock = "none" if self.clock is None else SecondClock(seconds=self.clock)
        return NewRoom(players=len(self.minds + self.bots), bots=[*(None for _ in self.minds), *self.bots], clock=clock)


TABLES = (
    Seating(("greedy", "novice")),
    Seating(("novice", "greedy", "random", "greedy"), clock=2),
    Seating(("greedy", "novice"), ("greedy", "novice"), clock=1),
    Seating(("greedy",), ("greedy",)),
)
"""People among themselves without a clock and with one, and with the server's bots among them."""


@dataclass(frozen=True, slots=True)
class Note:
    """A command and its answer, as somebody remembers them."""

    player: str
    on: int
    command: WireCommand
    answer: Answer

    @property
    def id(self) -> str:
        """The command's id."""
        return self.answer.id


@dataclass(slots=True)
class Table:
    """A room with its robots; its host begins the matches and is the one who stops."""

    room: str
    robots: list["Robot"] = field(default_factory=list)
    done: bool = False

    def __str__(self) -> str:
        """Where everybody thinks that it stands."""
        stands = [f"{robot.connection.version} {robot.connection.view.stage}" for robot in self.robots]
        return f"{self.room}: {', '.join(stands)}"

    @property
    def host(self) -> "Robot":
        """Who made it."""
        return self.robots[0]

    @property
    def strangers(self) -> list[int]:
        """The seats of the server's bots that somebody else has taken before the start, as the host sees it."""
        seats = self.host.connection.view.seats
        return [place for place in range(len(self.robots), len(seats)) if seats[place].kind == "person"]

    @property
    def notes(self) -> list[Note]:
        """What all its robots noted."""
        return [note for robot in self.robots for note in robot.notes]

    @property
    def acknowledged(self) -> list[Note]:
        """What they were told was done."""
        return [note for note in self.notes if isinstance(note.answer, Ack)]


class Robot:
    """A player with a seat, a bot to think with, and some bad habits."""

    def __init__(self, client: Client, connection: Connection, player: str, mind: str, luck: Random) -> None:
        """At a room that is connected, before it sits."""
        self.client = client
        self.connection = connection
        self.player = player
        self.seat = -1
        self.notes: list[Note] = []
        self._mind = bot(mind)
        self._luck = luck
        self._silent: int | None = None  # the version of the match at which it has decided to say nothing
        self._daydreamed = 0  # the match in which it last let the clock run out

    async def do(self, command: WireCommand, on: int | None = None) -> Answer:
        """Send a command until it is answered, and note the answer; sometimes ask once more, as a nervous client."""
        on = self.connection.version if on is None else on
        answer = await self.connection.do(command, on=on)
        self.notes.append(Note(self.player, on, command, answer))
        if self._luck.random() < 0.05:
            assert await self.connection.do(command, on=on, id=answer.id) == answer
        return answer

    async def sit(self, seat: int) -> None:
        """Sit down on this seat; whoever made the room sits on the first."""
        self.seat = seat
        if seat:
            assert isinstance(await self.do(SitCommand(seat=seat)), Ack)

    async def play(self, table: Table, enough: Callable[[], bool]) -> None:
        """Play whatever there is to play, until the table is done."""
        while not table.done:
            await self._act(table, enough)
            try:
                async with asyncio.timeout(GLANCE):
                    await anext(self.connection)
            except TimeoutError:
                continue

    async def _act(self, table: Table, enough: Callable[[], bool]) -> None:
        room = self.connection.view
        hosting = self is table.host
        match room.stage:
            case "over" if hosting and enough():
                table.done = True
            case "over" if hosting:
                await self.do(RematchCommand())
            case "lobby" if not room.seats[self.seat].ready:
                await self.do(ReadyCommand(seat=self.seat, ready=True))
            case "lobby" if hosting and (strangers := table.strangers):
                await self.do(RemoveCommand(seat=strangers[0]))
            case "lobby" if hosting and all(seat.ready for seat in room.seats if seat.kind == "person"):
                await self.do(StartCommand())
            case "playing":
                view = self.connection.match()
                if view is not None and self._to_move(view):
                    await self._move(view)

    def _to_move(self, view: View) -> bool:
        playing = view.phase is Phase.PLAYING and view.turn == view.seat == self.seat
        return playing and view.bots[self.seat] is None and view.version != self._silent

    async def _move(self, view: View) -> None:
        await asyncio.sleep(self._luck.uniform(0, THOUGHT))
        command = self._mind.choose(view, self._luck, budget=20)
        if isinstance(command, Play) and self._luck.random() < 0.3:
            await self.connection.draft(self.seat, table_texts(command.table))
        room = self.connection.view
        if room.setup.clock != "none" and self.seat == 0 and self._daydreamed != room.matches:
            self._silent, self._daydreamed = view.version, room.matches
        elif self._luck.random() < 0.1:
            on = room.version
            answers = await asyncio.gather(self.do(wire_command(command), on), self.do(DrawCommand(seat=self.seat), on))
            assert sum(isinstance(answer, Ack) for answer in answers) <= 1, "two moves in one turn"
        else:
            await self.do(wire_command(command))


class Crowd:
    """Several tables at once."""

    def __init__(self, tables: Sequence[Table]) -> None:
        """With everybody seated."""
        self.tables = tables
        self._enough = False

    @property
    def robots(self) -> list[Robot]:
        """Everybody at every table."""
        return [robot for table in self.tables for robot in table.robots]

    @property
    def acknowledged(self) -> int:
        """How many commands were done so far."""
        return sum(isinstance(note.answer, Ack) for robot in self.robots for note in robot.notes)

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Play while the body runs, one match after another, and then the running matches to their ends."""
        async with asyncio.TaskGroup() as group:
            for table in self.tables:
                for robot in table.robots:
                    group.create_task(robot.play(table, lambda: self._enough))
            yield
            self._enough = True
            async with self._patience():
                while not all(table.done for table in self.tables):
                    await asyncio.sleep(GLANCE)

    async def everybody_moves(self) -> None:
        """Wait until something has happened at every table that everybody there has heard of."""
        before = [table.host.connection.version for table in self.tables]
        async with self._patience():
            for table, version in zip(self.tables, before, strict=True):
                while any(robot.connection.version <= version for robot in table.robots):
                    await asyncio.sleep(0.02)

    @asynccontextmanager
    async def _patience(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(PATIENCE):
                yield
        except TimeoutError:
            raise AssertionError(f"a table is stuck: {[str(table) for table in self.tables]}") from None


@asynccontextmanager
async def crowd(
    *urls: str, luck: Random, tables: Sequence[Seating] = TABLES, through: str | None = None
) -> AsyncIterator[Crowd]:
    """Robots at these tables, everybody seated and connected, neighbours at one server after the other.

    Their sockets may go through another address.
    """
    async with AsyncExitStack() as stack:
        made = []
        for seating in tables:
            table: Table | None = None
            for seat, mind in enumerate(seating.minds):
                client = await stack.enter_async_context(_client(urls[seat % len(urls)], through))
                player = (await client.me()).id
                table = table or Table((await client.new_room(seating.setup)).room)
                connection = await stack.enter_async_context(client.join(table.room))
                robot = Robot(client, connection, player, mind, Random(luck.random()))
                await robot.sit(seat)
                table.robots.append(robot)
            assert table is not None
            made.append(table)
        yield Crowd(made)


def _client(url: str, through: str | None) -> Client:
    return Client(through or url, http=httpx.AsyncClient(base_url=url, timeout=30))
