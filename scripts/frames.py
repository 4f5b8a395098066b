"""Play a short match at a server and print what two tabs of one player are sent, as JSON.

python scripts/frames.py http://127.0.0.1:8000 > tests/truth/frames.json
"""

import asyncio
import json
import random
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from tilerummy.bots import bot
from tilerummy.client import Client
from tilerummy.protocol import CommandBody, NewRoom, match_view, table_texts, wire_command
from tilerummy.state import Phase, Play

HOUSE: Final = {"numbers": 7, "copies": 1, "jokers": 1, "deal": 4, "opening": 0}
_LAST: Final = 2**31 - 1
_SETTLED: Final = 0.2  # seconds


class Tab:
    """A page with its socket, which keeps whatever comes."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[Any] = []
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for frame in self.socket:
            self.frames.append(json.loads(frame))

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))
        await asyncio.sleep(_SETTLED)

    async def settle(self) -> None:
        await asyncio.sleep(_SETTLED)


@asynccontextmanager
async def tab(client: Client, room: str) -> AsyncIterator[Tab]:
    """A tab of this player."""
    cookie = "; ".join(f"{name}={value}" for name, value in client._http.cookies.items())
    address = f"{client.base_url.replace('http', 'ws', 1)}/ws/rooms/{room}"
    async with connect(address, additional_headers={"Cookie": cookie}, origin=Origin(client.base_url)) as socket:
        opened = Tab(socket)
        await opened.settle()
        yield opened


async def do(client: Client, room: str, command: dict[str, Any]) -> None:
    """Do it, or stop."""
    body = CommandBody.model_validate({"id": secrets.token_hex(6), "on": _LAST, "command": command})
    answer = await client.command(room, body)
    if answer.type != "ack":
        sys.exit(f"{command} was refused: {answer}")


async def gather(players: list[Client], room: str, first: Tab) -> None:
    """Sit down, say hello, add words and begin."""
    ada, ben = players
    await do(ben, room, {"kind": "sit", "seat": 1})
    await do(ada, room, {"kind": "word", "seat": 0, "word": "luck"})
    await do(ben, room, {"kind": "word", "seat": 1, "word": "rain"})
    for seat, client in enumerate(players):
        await do(client, room, {"kind": "ready", "seat": seat, "ready": True})
    await first.say(type="phrase", seat=0, phrase="hello")
    await do(ada, room, {"kind": "start"})


async def play(players: list[Client], tabs: list[Tab], room: str) -> None:
    """Play to the end; whoever lays tiles shows them first."""
    mind, luck = bot("greedy"), random.Random(5)
    while True:
        seen = (await players[0].room(room)).match
        if seen is None or match_view(seen).phase is not Phase.PLAYING:
            return
        seat = seen.turn
        mine = (await players[seat].room(room)).match
        assert mine is not None
        move = mind.choose(match_view(mine), luck, budget=100)
        if isinstance(move, Play):
            begun = [*mine.table, mine.rack.partition(" ")[0]]
            for table in (begun, table_texts(move.table)):
                await tabs[seat].say(type="draft", on=_LAST, seat=seat, table=table)
        await do(players[seat], room, wire_command(move).model_dump())


async def record(server: str) -> dict[str, Any]:
    """The frames of both tabs, and the room as their player sees it in the end."""
    async with Client(server) as ada, Client(server) as ben:
        for client, name in ((ada, "Ada"), (ben, "Ben")):
            await client.me()
            await client.rename(name)
        setup = NewRoom(ruleset="sabra", players=2, clock={"seconds": 90}, house=dict(HOUSE))  # type: ignore[arg-type]
        room = (await ada.new_room(setup)).room
        async with tab(ada, room) as first, tab(ada, room) as second:
            async with tab(ben, room) as other:
                await gather([ada, ben], room, first)
                await play([ada, ben], [first, other], room)
                await other.settle()
            await first.settle()
            end = await ada.room(room)
            return {"first": first.frames, "second": second.frames, "end": end.model_dump(mode="json")}


def main() -> None:
    """Print one frame a line, so that a change can be read."""
    found = asyncio.run(record(sys.argv[1]))
    lines = []
    for name, frames in found.items():
        many = isinstance(frames, list)
        text = ",\n".join(json.dumps(frame, separators=(",", ":")) for frame in frames) if many else json.dumps(frames)
        lines.append(f'"{name}": [\n{text}\n]' if many else f'"{name}": {text}')
    print("{", ",\n".join(lines), "}", sep="\n")


if __name__ == "__main__":
    main()
