"""What is said to whoever sends something wrong: the field as they wrote it, and what is allowed, in one line."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.kit.lines import LATEST
from tests.kit.lines import Guest as Caller
from tests.kit.served import Guest, Served, served
from tests.kit.servers import ServerProcess

pytestmark = pytest.mark.anyio

_RACE = {"game": "race", "ruleset": "junior"}
_POSITION = {"ruleset": "sabra", "rack": "r1 r2 r3"}
_PLAY = {"ruleset": "sabra", "table": ["b8 b9 b10"], "rack": "b11 k8", "after": ["b8 b9 b10 b11"]}
_CLOCK = 'clock must be "none", "rulebook", {"seconds": 1 to 2592000} or {"days": 1 to 30}'
_TILES = 'must be tiles: a text of at most 2000 characters, such as "r1 b2 j", or a list of at most 200'
_MELDS = 'must be melds: a text of at most 4000 characters, such as "r1 r2 r3 | b5 k5 y5", or a list of at most 200'
_ID = "must have 1 to 64 letters from a to z, digits, - or _"
_LIMIT = "limit must be a whole number from 1 to 100"
_STAGE = "stage must be 'lobby', 'playing', 'over' or 'closed'"
_NO_ROOM = "id: no room has the id or code 'nowhere'"


@pytest.fixture(scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    async with served(tmp_path_factory.mktemp("server"), rate_limits=False) as running:
        yield running


async def refused(guest: Guest, method: str, path: str, body: Any = None) -> tuple[str | None, str]:
    """The field and the message of an error."""
    response = await guest.http.request(method, path, json=body)
    assert 400 <= response.status_code < 500, response.text
    error = response.json()["error"]
    assert "\n" not in error["message"]
    return error["field"], error["message"]


@pytest.mark.parametrize(
    ("setup", "field", "said"),
    [
        ({"clock": {"days": 31}}, "clock", _CLOCK),
        ({"clock": {"seconds": 0}}, "clock", _CLOCK),
        ({"clock": {"seconds": "60"}}, "clock", _CLOCK),
        ({"clock": {}}, "clock", _CLOCK),
        ({"clock": {str(n): n for n in range(100)}}, "clock", _CLOCK),
        (
            {"ruleset": "junior", "clock": "rulebook"},
            "clock",
            'clock: these rules have no time for a turn; choose "none", {"seconds": n} or {"days": n}',
        ),
        ({"ruleset": "junior", "players": 5}, "players", "players: junior is for 2 to 4 players, not 5"),
        ({"players": 5}, "players", "players: 5 players need the 160 tiles of the xp set; here there are 106"),
        ({"players": "4"}, "players", "players must be a whole number"),
        ({"house": {"opening": 30.5}}, "house.opening", "house.opening must be a whole number from 0 to 200"),
        ({"house": {"opening": 10**12}}, "house.opening", "house.opening must be a whole number from 0 to 200"),
        ({"house": {"opening": "lots"}}, "house.opening", "house.opening: a whole number from 0 to 200, not 'lots'"),
        ({"house": {"groups": None}}, "house.groups", "house.groups must be true or false"),
        ({"house": "opening=40"}, "house", "house must be an object"),
        ({"ruleset": ""}, "ruleset", "ruleset must not be empty"),
        ({"bots": [None, "hal"]}, "bots.1", "bots.1: no bot is called 'hal'; there are random, novice, "),
        ({"bots": ["a b"]}, "bots.0", "bots.0 must be a bot's name: 1 to 40 letters from a to z, digits, dots, - or _"),
        ({"bots": [None] * 5}, "bots", "bots: at most one for each of the 4 players, not 5"),
        ({"sit_in": "hal"}, "sit_in", "sit_in: no bot is called 'hal'; there are random, novice, "),
        ({"first": 1}, "first", "first: the tiles decide who begins, unless house.starter is host; leave it out"),
        ({"game": "race"}, "ruleset", "ruleset: a race is played by the rules of junior, not of sabra"),
        ({**_RACE, "house": {"opening": 3}}, "house", "house: a race has no house rules"),
        ({**_RACE, "rounds": 2}, "rounds", "rounds: a race has one round, not 2"),
        ({**_RACE, "clock": "rulebook"}, "clock", 'clock: a race has no clock; choose "none"'),
        ({**_RACE, "clock": {"days": 1}}, "clock", 'clock: a race has no clock; choose "none"'),
        ({**_RACE, "first": 1}, "first", "first: nobody begins a race; leave it out"),
        ({"visible": True}, "visible", "visible is not a field here"),
    ],
    ids=str,
)
async def test_setups(server: Served, setup: dict[str, Any], field: str, said: str) -> None:
    """As a new room has them, and, with the way to the field before it, as a command has them."""
    host = server.guest()
    found = await refused(host, "POST", "/api/rooms", setup)
    assert (found[0], found[1][: len(said)]) == (field, said)
    room = (await host.new_room())["room"]
    body = {"id": "c1", "on": 2, "command": {"kind": "change", "setup": setup}}
    changed = await refused(host, "POST", f"/api/rooms/{room}/commands", body)
    assert changed == (f"command.setup.{field}", f"command.setup.{found[1]}")


@pytest.mark.parametrize(
    ("path", "field", "said"),
    [
        ("/api/rooms?limit=x", "limit", _LIMIT),
        ("/api/rooms?limit=", "limit", _LIMIT),
        ("/api/rooms?limit=1.5", "limit", _LIMIT),
        ("/api/me/rooms?limit=101", "limit", _LIMIT),
        ("/api/rooms?stage=open", "stage", _STAGE),
        ("/api/rooms?stage=lobby&stage=", "stage", _STAGE),
        ("/api/rooms?before=nowhere", "before", "before: no room has the id 'nowhere'"),
        ("/api/rooms?before=a%20b", "before", f"before {_ID}"),
        ("/api/rooms/nowhere", "id", _NO_ROOM),
        ("/api/rooms/nowhere/matches", "id", _NO_ROOM),
        ("/api/rooms/nowhere/record?match=1", "id", _NO_ROOM),
        ("/api/rooms/nowhere/qr.svg", "id", _NO_ROOM),
        ("/api/rooms/a.b", "id", f"id {_ID}"),
        ("/api/rooms/{room}/record", None, "no match of this room is over yet"),
        ("/api/rooms/{room}/record?match=3", "match", "match: no match 3 of this room is over"),
        ("/api/rooms/{room}/record?match=x", "match", "match must be a whole number from 1 to 1000000"),
        ("/api/rulesets/poker/rules", "ruleset", "ruleset: no rules are called 'poker'; there are classic, "),
        ("/api/rulesets/sabra/rules?lang=", "lang", "lang must be 'en', 'fr', 'nl' or 'de'"),
        ("/api/rulesets/sabra/rules?house=", "house", "house must not be empty"),
        ("/api/rulesets/sabra/rules?house=opening", "house", "house: write each rule once, as field=value, not "),
        ("/api/rulesets/sabra/rules?house=%3D", "house", "house: no such rule; the rules are tileset, players, "),
        (f"/api/rulesets/sabra/rules?house={'x' * 61}", "house", "house must have at most 60 characters"),
    ],
)
async def test_what_is_looked_for(server: Served, path: str, field: str | None, said: str) -> None:
    guest = server.guest()
    room = (await guest.new_room())["room"]
    found = await refused(guest, "GET", path.format(room=room))
    assert (found[0], found[1][: len(said)]) == (field, said)


@pytest.mark.parametrize(
    ("method", "path", "body", "field", "said"),
    [
        ("PATCH", "/api/me", {"name": ""}, "name", "name must not be empty"),
        ("PATCH", "/api/me", {"name": "x" * 25}, "name", "name: a name has at most 24 characters"),
        ("PATCH", "/api/me", {"name": "x" * 500}, "name", "name: a name has at most 24 characters"),
        ("POST", "/api/me/tokens", {"label": "x" * 65}, "label", "label: a name has at most 24 characters"),
        ("DELETE", "/api/me/locals/x", None, "id", "id: no local of yours has this id"),
        ("DELETE", "/api/me/tokens/a.b", None, "id", f"id {_ID}"),
        ("PUT", "/api/me", None, None, "the methods of this path are DELETE, GET, HEAD, PATCH"),
        ("POST", "/api/solve", {**_POSITION, "rack": 5}, "rack", f"rack {_TILES}"),
        ("POST", "/api/solve", {**_POSITION, "rack": [5]}, "rack", f"rack {_TILES}"),
        ("POST", "/api/solve", {**_POSITION, "rack": ["r1"] * 201}, "rack", f"rack {_TILES}"),
        ("POST", "/api/solve", {**_POSITION, "rack": "r" * 2001}, "rack", f"rack {_TILES}"),
        ("POST", "/api/solve", {**_POSITION, "table": {"a": 1}}, "table", f"table {_MELDS}"),
        (
            "POST",
            "/api/solve",
            {**_POSITION, "table": ["r1 r2 r3", "r5 r7 r8"]},
            "table",
            "table: meld 2 ('r5 r7 r8') is no meld under sabra: numbers "
            "(Red 5-7-8: the numbers of a run follow each other without a gap.)",
        ),
        (
            "POST",
            "/api/solve",
            {**_POSITION, "table": ["j r5 j"]},
            "table",
            "table: meld 1 ('j r5 j') is no meld under sabra: joker-unnamed; write j=r4 r5 j=r6 or r5 j=5 j=5",
        ),
        ("POST", "/api/check", {**_PLAY, "after": None}, "after", f"after {_MELDS}"),
        ("POST", "/api/check", {**_PLAY, "after_rack": 5}, "after_rack", f"after_rack {_TILES}"),
        ("POST", "/api/check", {**_PLAY, "house": {"opening": []}}, "house.opening", "house.opening must be a whole"),
        ("POST", "/api/rooms/nowhere/commands", {"id": "a", "on": 1, "command": {"kind": "start"}}, "id", _NO_ROOM),
    ],
)
async def test_bodies(server: Served, method: str, path: str, body: Any, field: str | None, said: str) -> None:
    found = await refused(server.guest(), method, path, body)
    assert (found[0], found[1][: len(said)]) == (field, said)


@pytest.mark.parametrize(
    ("command", "field", "said"),
    [
        (None, "", " must be an object"),
        ({"kind": "dance"}, ".kind", " must be one of play, draw, pass, "),
        ({"kind": "draw"}, ".seat", " is missing"),
        ({"kind": "play", "seat": 0, "table": ["r1", "r99"]}, ".table.1", ": 'r99' has no number from 1 to 13"),
        ({"kind": "call", "seat": 0, "tile": "zz"}, ".tile", ": 'zz' is no tile: write r, b, k or y and a number"),
        ({"kind": "sit", "seat": 1, "player": "a b"}, ".player", f" {_ID}"),
        ({"kind": "seat-bot", "seat": 1, "bot": "no body"}, ".bot", " must be a bot's name: 1 to 40 letters"),
        ({"kind": "start", "now": True}, ".now", " is not a field here"),
    ],
)
async def test_commands(server: Served, command: Any, field: str, said: str) -> None:
    guest = server.guest()
    room = (await guest.new_room())["room"]
    body = {"id": "c1", "on": 2, "command": command}
    found = await refused(guest, "POST", f"/api/rooms/{room}/commands", body)
    said = f"command{field}{said}"
    assert (found[0], found[1][: len(said)]) == (f"command{field}", said)


async def test_drafts(shared_server: ServerProcess) -> None:
    async with Caller(shared_server.url) as ada:
        room = await ada.new_room(players=2, bots=[None, "novice"])
        await ada.do(room, "start")
        line = await ada.line(room)
        await line.until(lambda: line.match["turn"] == 0)
        for table, field, said in (
            (["r1 zz"], "table.0", "table.0: 'zz' is no tile: write r, b, k or y and a number (r13), or j for a joker"),
            (
                ["r5 r5"],
                "table",
                "table: each tile of the ruleset at most once; the second of a kind has a '",
            ),
        ):
            error = await line.answer("error", "advice", type="draft", on=LATEST, seat=0, table=table)
            assert (error["code"], error["field"], error["message"]) == ("bad-table", field, said)


async def test_the_door_of_the_socket(shared_server: ServerProcess) -> None:
    async with Caller(shared_server.url) as ada:
        room = await ada.new_room(players=2)
        url = f"{ada.url.replace('http', 'ws', 1)}/ws/rooms/"
        for path, status, field, said in (
            (f"{room}?version=x", 422, "version", "version must be a whole number from 0 to 2147483647"),
            (f"{room}?version=-1", 422, "version", "version must be a whole number from 0 to 2147483647"),
            ("a.b", 422, "id", f"id {_ID}"),
            ("nowhere", 404, "id", _NO_ROOM),
        ):
            with pytest.raises(InvalidStatus) as caught:
                async with connect(url + path, additional_headers=ada.headers):
                    pass
            response = caught.value.response
            assert response.status_code == status
            error = json.loads(response.body or b"")["error"]
            assert (error["field"], error["message"]) == (field, said)
