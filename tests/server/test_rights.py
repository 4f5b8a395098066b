"""Every request, message and command × everybody who may ask, at a real server; the table leaves nothing out."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from websockets.exceptions import InvalidStatus

from tests.kit.lines import Guest
from tests.kit.rights import COMMANDS, MESSAGES, PEOPLE, REQUESTS, SHUT, YES, Row, markdown
from tests.kit.servers import ServerProcess
from tilerummy.protocol import WireCommand, schema

pytestmark = pytest.mark.anyio

DOCS = Path(__file__).parents[2] / "docs" / "protocol.md"
SEATED = ("host", "player", "other")


class People:
    """Everybody in the table, and rooms for them in every situation."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.url, self._stack = url, stack
        self._guests: dict[str, Guest] = {}
        self._things: dict[str, str] = {}

    async def gather(self) -> None:
        """Make them."""
        for who in PEOPLE:
            if who not in ("stranger", "bot"):
                self._guests[who] = await self._guest()
                await self[who].me()
        made = await self["player"].ask("POST", "/api/me/tokens", {"label": "Robby"})
        self._guests["bot"] = await self._stack.enter_async_context(Guest(self.url, made["token"]))
        await self["elsewhere"].new_room(players=2)

    def __getitem__(self, who: str) -> Guest:
        return self._guests[who]

    async def _guest(self) -> Guest:
        return await self._stack.enter_async_context(Guest(self.url))

    async def who(self, who: str) -> Guest:
        """One of them; a stranger is another one every time."""
        return await self._guest() if who == "stranger" else self[who]

    async def things(self, row: Row) -> dict[str, str]:
        """What the player has that a row is about."""
        body, player = json.dumps(row.body), self["player"]
        for kind, named in (("locals", {"name": "Granny"}), ("tokens", {"label": "Robby"})):
            wanted = f"{{{kind[:-1]}}}" in body or f"{kind}/" in row.what
            if wanted and row.label not in self._things:
                self._things[row.label] = (await player.ask("POST", f"/api/me/{kind}", named))["id"]
        found = {"local": self._things.get(row.label, "")}
        if "{link}" in body:
            found["link"] = (await player.ask("POST", "/api/me/link"))["token"]
        return found | ({"id": found["local"]} if found["local"] else {})

    async def room(self, situation: str) -> str:
        """A room in this situation: host, player and another on its first seats, the spectator at its door."""
        host = self["host"]
        setup: dict[str, Any] = {"ruleset": "junior", "first": 1, "bots": [None, None, None, "novice"]}
        if situation.startswith("closed door"):
            setup["spectators"] = False
        if situation == "round over":
            setup["rounds"] = 2
        if situation.startswith("race"):
            setup |= {"game": "race", "caller": 1, "first": 0}
        room = await host.new_room(**setup)
        for seat, who in ((1, "player"), (2, "other"), (3, "removed")):
            await self[who].do(room, "sit", seat=seat)
        await host.do(room, "remove", seat=3)
        await self["spectator"].line(room)
        for seat, who in ((1, "player"), (2, "other")):
            await self[who].do(room, "ready", seat=seat, ready=True)
        if situation != "lobby":
            await host.do(room, "start")
        match situation:
            case "left":
                await self["player"].do(room, "leave", seat=1)
            case "there":
                await self["player"].line(room)
            case "gone":
                await asyncio.sleep(0.4)  # longer than the server waits for somebody
            case "race called":
                await self["player"].do(room, "call", seat=1, tile="r5")
            case "round over" | "over":
                await self._play_out(room)
            case "closed door, over" | "closed door, closed" | "closed door, again":
                await self._play_out(room)
                if situation == "closed door, closed":
                    await host.do(room, "close")
                if situation == "closed door, again":
                    await host.do(room, "rematch")
                    for seat, who in enumerate(SEATED[1:], 1):
                        await self[who].do(room, "sit", seat=seat)
                    await host.do(room, "change", setup={**setup, "spectators": True})
        return room

    async def _play_out(self, room: str) -> None:
        watching = await self["host"].line(room)
        for seat, who in enumerate(SEATED):
            await self[who].do(room, "leave", seat=seat)
        await watching.happened("round-ended")
        await watching.close()


def filled(value: Any, things: Mapping[str, str]) -> Any:
    """A body with the ids of this moment in it."""
    if isinstance(value, str) and value.startswith("{"):
        return things[value.strip("{}")]
    return {name: filled(part, things) for name, part in value.items()} if isinstance(value, dict) else value


async def requested(people: People, row: Row, who: str, room: str) -> str:
    """What becomes of a request."""
    things = {"id": room, "ruleset": "sabra"} | await people.things(row)
    method, path = row.what.split()
    said = await (await people.who(who)).request(method, path.format(**things), filled(dict(row.body), things) or None)
    assert said.status < 500, said
    return YES if said.status < 300 else said.code or str(said.status)


async def commanded(people: People, row: Row, who: str, room: str) -> str:
    """What becomes of a command."""
    things = await people.things(row)
    said = await (await people.who(who)).post(room, row.what, **filled(dict(row.body), things))
    assert said.status == 200, said
    return YES if said.code in (None, *row.granted) else str(said.code)


async def sent(people: People, row: Row, who: str, room: str) -> str:
    """What becomes of a message, or of the wish to be connected."""
    try:
        line = await (await people.who(who)).line(room)
    except InvalidStatus as refused:
        code: str = json.loads(refused.response.body or b"")["error"]["code"]
        return code
    place = len(line.heard)
    if row.what != "connect":
        await line.send(type=row.what, **row.body)
        await line.ping()
    answers = [one["code"] for one in line.heard[place:] if one["type"] in ("error", "refused")]
    await line.close()
    return answers[0] if answers else YES


async def assert_rights(url: str, rows: tuple[Row, ...], ask: Any) -> None:
    """Ask for everything in everybody's name: those who may not first, and for each who may in a room of its own."""
    async with AsyncExitStack() as stack:
        everybody = People(url, stack)
        await everybody.gather()
        unchanged: dict[str, str] = {}  # rooms by their situation
        for row in rows:
            people = everybody
            if row.what in ("DELETE /api/me", "POST /api/link"):  # whoever may do it is somebody else afterwards
                people = People(url, stack)
                await people.gather()
            if row.changes or people is not everybody:
                room = await people.room(row.situation)
            else:
                room = unchanged.get(row.situation) or await people.room(row.situation)
                unchanged[row.situation] = room
            fresh = True
            found = {}
            for who in sorted(PEOPLE, key=lambda who: row.cells[who] == YES):
                if row.cells[who] == YES and row.changes and not fresh:
                    room = await people.room(row.situation)
                found[who] = await ask(people, row, who, room)
                fresh = fresh and row.cells[who] != YES
            assert found == row.cells, row.label


def everywhere(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows, with what is true from the start on also when the match is over, and when the room is closed."""
    shut = [row for row in rows if row.about == SHUT]
    return (*rows, *(replace(row, situation=f"closed door, {when}") for row in shut for when in ("over", "closed")))


async def test_requests(shared_server: ServerProcess) -> None:
    await assert_rights(shared_server.url, everywhere(REQUESTS), requested)


async def test_messages(shared_server: ServerProcess) -> None:
    await assert_rights(shared_server.url, everywhere(MESSAGES), sent)


async def test_commands(shared_server: ServerProcess) -> None:
    await assert_rights(shared_server.url, COMMANDS, commanded)


async def test_nothing_is_left_out(shared_server: ServerProcess) -> None:
    async with Guest(shared_server.url) as guest:
        paths = (await guest.get("/api/openapi.json"))["paths"]
    operations = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert {row.what for row in REQUESTS} == operations
    types = schema()["$defs"]["ClientMessage"]["discriminator"]["mapping"]
    assert {row.what for row in MESSAGES} == {"connect", *types}
    kinds = {one.model_fields["kind"].default for one in get_args(get_args(WireCommand)[0])}
    assert {row.what for row in COMMANDS} == kinds
    assert all(row.cells.keys() == PEOPLE.keys() for row in (*REQUESTS, *MESSAGES, *COMMANDS))


def test_the_documentation_says_the_same() -> None:
    assert markdown() in DOCS.read_text()


async def test_tokens_that_are_none(shared_server: ServerProcess) -> None:
    """Nobody becomes a guest by a wrong token: it is an error wherever somebody is asked for."""
    async with Guest(shared_server.url, "trb_nonsense") as forger, Guest(shared_server.url) as host:
        room = await host.new_room(players=2)
        for row in REQUESTS:
            method, path = row.what.split()
            if row.what.startswith(("GET /api/rooms", "GET /api/me", "POST /api/me", "POST /api/link", "DELETE")):
                body = dict(row.body) or None
                said = await forger.request(method, path.format(id=room), body)
                assert (said.status, said.code) == (401, "bad-token"), row.what
        with pytest.raises(InvalidStatus) as caught:
            await forger.line(room)
        assert caught.value.response.status_code == 401
        assert "set-cookie" not in (await forger.http.get("/api/me")).headers
