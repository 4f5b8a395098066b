"""The API: rooms from the first request to the record, who may do what, errors of one shape, the page, operating."""

import asyncio
import xml.etree.ElementTree as ElementTree
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from fastapi import FastAPI
from websockets.asyncio.client import connect

from tests.kit.lines import LATEST
from tests.kit.lines import Guest as Caller
from tests.kit.served import Guest, Served, served
from tests.kit.servers import ServerProcess
from tilerummy.protocol import RoomList, RoomSummary, RoomView, ToldRules, schema
from tilerummy.record import read_record
from tilerummy.rulesets import RULESETS
from tilerummy.server.app import say_goodbye
from tilerummy.server.page import add_page
from tilerummy.texts import LANGUAGES

pytestmark = pytest.mark.anyio


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Served]:
    async with served(tmp_path) as running:
        yield running


# Rooms


async def test_a_room_from_its_making_to_its_record(server: Served) -> None:
    ada, bob, watcher = server.guest(), server.guest(), server.guest()
    await ada.ask("PATCH", "/api/me", {"name": 'Ada "<b>" \\'})
    made = await ada.new_room(players=2, public=True, ruleset="classic")
    room, code = made["room"], made["code"]
    assert RoomView.model_validate(made).seats[0].host
    assert (await bob.get(f"/api/rooms/{code.lower()}"))["room"] == room
    assert (await bob.do(code, "sit", seat=1))["type"] == "ack"
    assert (await bob.do(room, "ready", seat=1, ready=True))["type"] == "ack"
    assert (await ada.get(f"/api/rooms/{room}/record", 404))["code"] == "no-record"
    assert (await bob.do(room, "start"))["code"] == "not-host"
    assert (await ada.do(room, "start"))["type"] == "ack"
    mine, theirs = await ada.get(f"/api/rooms/{room}"), await watcher.get(f"/api/rooms/{room}")
    assert len(mine["match"]["rack"].split()) == 14
    assert theirs["match"]["rack"] == ""
    assert (await ada.get(f"/api/rooms/{room}/record", 404))["code"] == "no-record"
    assert (await watcher.do(room, "draw", seat=0))["code"] == "not-a-seat-of-yours"
    # Both leave: bots end the match.
    for guest, seat in ((ada, 0), (bob, 1)):
        assert (await guest.do(room, "leave", seat=seat))["type"] == "ack"
    for _ in range(3000):
        if (await watcher.get(f"/api/rooms/{room}"))["stage"] == "over":
            break
        await asyncio.sleep(0.02)
    response = await watcher.http.get(f"/api/rooms/{room}/record?match=1")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    record = read_record(response.text)
    assert record.names[0] == 'Ada "<b>" \\'
    assert '[Result "*"]' not in response.text
    assert response.text == await watcher.get(f"/api/rooms/{room}/record")
    assert (await watcher.get(f"/api/rooms/{room}/record?match=2", 404))["field"] == "match"


async def test_lists(server: Served) -> None:
    ada, bob = server.guest(), server.guest()
    made = [await ada.new_room(players=2, public=True) for _ in range(3)]
    await ada.new_room(players=2)
    page = await bob.get("/api/rooms?limit=2")
    RoomList.model_validate(page)
    assert [one["room"] for one in page["rooms"]] == [made[2]["room"], made[1]["room"]]
    rest = await bob.get(f"/api/rooms?limit=2&before={page['next']}")
    assert ([one["room"] for one in rest["rooms"]], rest["next"]) == ([made[0]["room"]], None)
    assert (await bob.get("/api/rooms?stage=playing"))["rooms"] == []
    assert (await bob.get("/api/rooms?stage=nonsense", 422))["field"] == "stage"
    assert (await bob.get("/api/rooms?limit=0", 422))["field"] == "limit"
    for nowhere in ("%00", "nowhere", made[0]["code"]):
        for path in ("/api/rooms", "/api/me/rooms"):
            assert (await bob.get(f"{path}?before={nowhere}", 422))["field"] == "before"
    mine = await ada.get("/api/me/rooms")
    assert len(mine["rooms"]) == 4
    first = RoomSummary.model_validate(mine["rooms"][0])
    assert (first.yours, first.free, first.names[1]) == ([0], 1, None)
    assert (await bob.get("/api/me/rooms"))["rooms"] == []


@pytest.mark.parametrize(
    ("setup", "field"),
    [
        ({"ruleset": "poker"}, "ruleset"),
        ({"players": 5}, "players"),
        ({"players": 7}, "players"),
        ({"players": "2"}, "players"),
        ({"house": {"opening": 999}}, "house.opening"),
        ({"house": {"nonsense": 1}}, "house.nonsense"),
        ({"house": [1]}, "house"),
        ({"clock": {"seconds": 0}}, "clock"),
        ({"clock": "soon"}, "clock"),
        ({"bots": [None, "nobody"]}, "bots.1"),
        ({"game": "race"}, "ruleset"),
        ({"colour": 1}, "colour"),
        ({"public": 1}, "public"),
    ],
)
async def test_bad_setups(server: Served, setup: dict[str, Any], field: str) -> None:
    error = await server.guest().post("/api/rooms", setup, 422)
    assert error["field"] == field
    assert error["code"] in ("bad-input", "bad-setup")


async def test_commands_by_rest(server: Served) -> None:
    ada = server.guest()
    room = (await ada.new_room(players=2))["room"]
    body = {"id": "same", "on": 2, "command": {"kind": "ready", "seat": 0, "ready": True}}
    first = await ada.post(f"/api/rooms/{room}/commands", body)
    assert first["type"] == "ack"
    assert await ada.post(f"/api/rooms/{room}/commands", body) == first
    wrong: list[tuple[Any, str]] = [
        ({**body, "command": {"kind": "nonsense"}}, "command.kind"),
        ({**body, "command": {"kind": "draw", "seat": 9}}, "command.seat"),
        ({**body, "command": {"kind": "play", "seat": 0, "table": ["r99"]}}, "command.table.0"),
        ({**body, "id": "x y"}, "id"),
        ({**body, "on": -1}, "on"),
        ({}, "id"),
        ([], "body"),
    ]
    for bad, field in wrong:
        assert (await ada.post(f"/api/rooms/{room}/commands", bad, 422))["field"] == field
    for raw in (b"", b"{", b"\xff", b"[" * 5000, b'{"id": NaN}', b'{"on": ' + b"9" * 5000 + b"}"):
        response = await ada.http.post(
            f"/api/rooms/{room}/commands", content=raw, headers={"content-type": "application/json"}
        )
        assert response.status_code in (400, 422)
        assert response.json()["error"]["code"] in ("bad-request", "bad-input")
    for name in ("nowhere", "AAAAA", "%2e%2e%2f", "x" * 65, "é"):
        assert (await ada.http.post(f"/api/rooms/{name}/commands", json=body)).status_code in (404, 422)


async def test_qr(server: Served) -> None:
    ada = server.guest()
    room = await ada.new_room(players=2)
    response = await ada.http.get(f"/api/rooms/{room['room']}/qr.svg")
    assert response.headers["content-type"] == "image/svg+xml"
    drawn = ElementTree.fromstring(response.text)
    assert drawn.tag.endswith("svg")
    assert "style=" not in response.text
    assert "script" not in response.text


async def test_rooms_without_spectators(server: Served) -> None:
    ada, bob = server.guest(), server.guest()
    room = (await ada.new_room(players=2, bots=[None, "novice"], spectators=False))["room"]
    await bob.get(f"/api/rooms/{room}")
    assert (await ada.do(room, "start"))["type"] == "ack"
    for path in ("", "/record", "/qr.svg"):
        assert (await bob.get(f"/api/rooms/{room}{path}", 403))["code"] == "no-spectators"
    await ada.get(f"/api/rooms/{room}")


async def test_codes_cannot_be_guessed_quickly(tmp_path: Path) -> None:
    async with served(tmp_path, guesses_burst=3, guesses_per_hour=1) as server:
        ada = server.guest()
        made = await ada.new_room(players=2)
        for guess in ("AAAAA", "AAAAB", "AAAAC"):
            await ada.get(f"/api/rooms/{guess}", 404)
        assert (await ada.get(f"/api/rooms/{made['code']}", 429))["code"] == "slow-down"
        await ada.get(f"/api/rooms/{made['room']}")


async def test_limits_of_players(tmp_path: Path) -> None:
    tight = {"rooms_burst": 1, "rooms_per_hour": 1, "commands_burst": 2, "commands_per_second": 0.001}
    async with served(tmp_path, **tight) as server:
        ada = server.guest()
        room = (await ada.new_room(players=2))["room"]
        assert (await ada.post("/api/rooms", {"players": 2}, 429))["code"] == "slow-down"
        await ada.do(room, "ready", seat=0, ready=True)
        await ada.do(room, "ready", seat=0, ready=False)
        await ada.post(f"/api/rooms/{room}/commands", {"id": "a", "on": 1, "command": {"kind": "start"}}, 429)
        await server.guest().new_room(players=2)


async def test_rooms_that_nobody_uses_make_place(tmp_path: Path) -> None:
    async with served(tmp_path, max_rooms=3) as server:
        ada, hall = server.guest(), server.parts.hall
        rooms = [(await ada.new_room(players=2))["room"] for _ in range(7)]
        for room in (*rooms, *rooms[:3]):
            assert (await ada.get(f"/api/rooms/{room}"))["seats"][0]["host"]
            assert len(hall.live) <= 3
        assert list(hall.live) == rooms[:3]
        held = await hall.open(rooms[0])
        async with held.lock:
            for room in rooms[3:]:
                await ada.get(f"/api/rooms/{room}")
            assert hall.live[rooms[0]] is held
        for room in rooms[3:6]:
            await ada.get(f"/api/rooms/{room}")
        assert rooms[0] not in hall.live
        # Whoever still has it, and whoever opens it anew, have the same, and it knows what was missed.
        await ada.do(rooms[0], "ready", seat=0, ready=True)
        assert await hall.open(rooms[0]) is held
        assert held.room.seats[0].ready
        await ada.new_room(players=2)
        assert len(hall.live) == 3


async def test_no_place_where_all_rooms_are_used(tmp_path: Path) -> None:
    """Nobody new comes in, and a room whose time is up waits; both go on once somebody has left."""
    with ServerProcess(tmp_path, max_rooms=2) as server:
        async with Caller(server.url) as ada:
            rooms = [await ada.new_room(players=2) for _ in range(3)]
            timed = await ada.new_room(players=2, bots=[None, "novice"], clock={"seconds": 1})
            started = (await ada.do(timed, "start"))["version"]
            lines = [await ada.line(room) for room in rooms[:2]]
            for method, path in (("POST", "/api/rooms"), ("GET", f"/api/rooms/{rooms[2]}")):
                said = await ada.request(method, path, {"players": 2} if method == "POST" else None)
                assert (said.status, said.code) == (503, "full")
            await lines[0].post("ready", seat=0, ready=True)
            while "has to wait" not in server.log.read_text():
                await asyncio.sleep(0.05)
            await lines[1].close()
            while (said := await ada.request("GET", f"/api/rooms/{timed}")).status != 200:
                assert said.code == "full"
                await asyncio.sleep(0.05)
            while (await ada.get(f"/api/rooms/{timed}"))["version"] < started + 4:
                await asyncio.sleep(0.05)
            await ada.new_room(players=2)
            await lines[0].ping()
        assert "Traceback" not in server.log.read_text()


# Who may do what


async def test_who_may_do_what(server: Served) -> None:
    """Each command of the lobby and of the match, by each who has no right to it."""
    host, other = server.guest(), server.guest()
    owner = server.guest()
    bot = server.guest((await owner.post("/api/me/tokens", {"label": "Robot"}, 201))["token"])
    spectator, stranger = server.guest(), server.guest()
    await spectator.get("/api/me")
    room = (await host.new_room(players=2))["room"]
    assert (await other.do(room, "sit", seat=1))["type"] == "ack"
    lobby: list[tuple[str, dict[str, Any], dict[str, str]]] = [
        ("remove", {"seat": 0}, {"other": "not-host", "none": "not-host"}),
        ("seat-bot", {"seat": 1, "bot": None}, {"other": "not-host", "none": "not-host"}),
        ("change", {"setup": {"players": 2}}, {"other": "not-host", "none": "not-host"}),
        ("start", {}, {"other": "not-host", "none": "not-host"}),
        ("close", {}, {"other": "not-host", "none": "not-host"}),
        ("stand", {"seat": 0}, {"other": "not-a-seat-of-yours", "none": "not-a-seat-of-yours"}),
        ("ready", {"seat": 0, "ready": True}, {"other": "not-a-seat-of-yours", "none": "not-a-seat-of-yours"}),
        ("word", {"seat": 0, "word": "x"}, {"other": "not-a-seat-of-yours", "none": "not-a-seat-of-yours"}),
        ("leave", {"seat": 0}, {"other": "not-a-seat-of-yours", "none": "not-a-seat-of-yours"}),
        ("sit", {"seat": 0}, {"other": "seat-taken", "none": "seat-taken"}),
    ]
    moves: list[tuple[str, dict[str, Any]]] = [("play", {"table": []})]
    moves += [(kind, {}) for kind in ("draw", "pass", "leave", "return")]
    match: list[tuple[str, dict[str, Any], dict[str, str]]] = [
        (kind, {"seat": 0, **more}, {"other": "not-a-seat-of-yours", "none": "not-a-seat-of-yours"})
        for kind, more in moves
    ]
    match += [
        ("sit-in", {"seat": 0}, {"none": "not-seated"}),
        ("next-round", {}, {"other": "round-running", "none": "not-seated"}),
        ("rematch", {}, {"other": "wrong-stage", "none": "wrong-stage"}),
        ("start", {}, {"other": "wrong-stage", "none": "wrong-stage"}),
        ("call", {"seat": 0, "tile": "r1"}, {"other": "wrong-game", "none": "wrong-game"}),
    ]

    async def refused(cases: list[tuple[str, dict[str, Any], dict[str, str]]]) -> None:
        before = await spectator.get(f"/api/rooms/{room}")
        for kind, what, codes in cases:
            for who, guests in (("other", [other]), ("none", [spectator, stranger, bot])):
                for guest in guests:
                    if who in codes:
                        answer = await guest.do(room, kind, **what)
                        assert (kind, answer["type"], answer.get("code")) == (kind, "refused", codes[who])
        assert (await spectator.get(f"/api/rooms/{room}"))["version"] == before["version"]

    await refused(lobby)
    assert (await other.do(room, "ready", seat=1, ready=True))["type"] == "ack"
    assert (await host.do(room, "start"))["type"] == "ack"
    await refused(match)
    for guest in (other, spectator, stranger, bot):
        text = str((await guest.get(f"/api/rooms/{room}"))["match"]["rack"])
        assert text != (await host.get(f"/api/rooms/{room}"))["match"]["rack"]


async def test_whom_the_host_removed(server: Served) -> None:
    host, other = server.guest(), server.guest()
    room = (await host.new_room(players=2))["room"]
    await other.do(room, "sit", seat=1)
    assert (await host.do(room, "remove", seat=1))["type"] == "ack"
    assert (await other.do(room, "sit", seat=1))["code"] == "was-removed"
    assert (await other.get(f"/api/rooms/{room}", 403))["code"] == "was-removed"


# Tools


async def test_check_and_solve(server: Served) -> None:
    guest = server.guest()
    case = {"ruleset": "sabra", "table": ["b8 b9 b10"], "rack": "b11 k8 y8", "after": ["b9 b10 b11", "k8 y8 b8"]}
    assert await guest.post("/api/check", case) == {"legal": True, "violations": [], "laid": "b11 k8 y8", "points": 27}
    illegal = await guest.post("/api/check?lang=fr", {**case, "after": ["b8 b9", "b10 b11"], "after_rack": "k8 y8"})
    assert not illegal["legal"]
    assert {one["code"] for one in illegal["violations"]} == {"meld"}
    assert illegal["violations"][0]["message"]
    for bad, field in (
        ({**case, "rack": "x5"}, "rack"),
        ({**case, "rack": "r1 r1 r1"}, "rack"),
        ({**case, "table": ["b8 b9"]}, "table"),
        ({**case, "ruleset": "poker"}, "ruleset"),
        ({**case, "house": {"opening": 999}}, "house.opening"),
        ({**case, "after_rack": "r1"}, "after_rack"),
        ({**case, "colour": "red"}, "colour"),
        ({"ruleset": "sabra"}, "rack"),
    ):
        assert (await guest.post("/api/check", bad, 422))["field"] == field
    wrong = await guest.post("/api/check?lang=xx", case, 422)
    assert (wrong["field"], wrong["message"]) == ("lang", "lang must be 'en', 'fr', 'nl' or 'de'")
    position = {"ruleset": "sabra", "table": "b8 b9 b10 | r1 r2 r3", "rack": ["b11", "k8", "y8"]}
    best = await guest.post("/api/solve", position)
    assert (best["tiles"], best["points"], best["proven"]) == (3, 27, True)
    assert best["after"] == ["r1 r2 r3", "b9 b10 b11", "b8 k8 y8"]
    assert len(best["steps"]) == 3
    assert [move.pop("text") for move in best["moves"]] == best["steps"]
    assert best["moves"][1] == {"verb": "move", "pieces": "b8", "source": 0, "target": 2, "were": "b8"}
    french = await guest.post("/api/solve?lang=fr", position)
    assert [move["text"] for move in french["moves"]] == french["steps"] != best["steps"]
    assert (await guest.post("/api/solve", {**position, "rack": "r99"}, 422))["field"] == "rack"
    rare = {"ruleset": "sabra", "house": {"joker_goes": "rack"}, "rack": "r5"}
    assert (await guest.post("/api/solve", {**rare, "table": "r6 r7 j"}, 422))["code"] == "too-hard"
    assert (await guest.post("/api/solve", {**rare, "table": "r6 r7 r8"}))["tiles"] == 1


async def test_checks_are_counted_as_solutions_are(tmp_path: Path) -> None:
    case = {"ruleset": "sabra", "rack": "r1 r2 r3", "after": ["r1 r2 r3"]}
    async with served(tmp_path, solves_burst=2, solves_per_second=0.001) as server:
        guest = server.guest()
        for _ in range(2):
            assert (await guest.post("/api/check", case))["legal"]
        for path, body in (("/api/check", case), ("/api/solve", {"ruleset": "sabra", "rack": "r1 r2 r3"})):
            assert (await guest.post(path, body, 429))["code"] == "slow-down"


async def test_whoever_plays_goes_before_whoever_asks(tmp_path: Path) -> None:
    """However many questions come in, a hint waits for one of them; and those that would wait for long are refused."""
    runs = [f"{colour}{start} {colour}{start + 1} {colour}{start + 2}" for start in (1, 4) for colour in "rbky"][:4] * 3
    hard = {"ruleset": "sabra", "house": {"rearranging": "adding", "copies": 3}, "table": [*runs, "y10 y11 y12"]}
    hard |= {"rack": "y13", "after": [*runs, "y10 y11", "y12 y13"]}
    with ServerProcess(tmp_path) as server:
        async with Caller(server.url) as ada, Caller(server.url) as bob:
            room = await ada.new_room(players=2, bots=[None, "novice"])
            await ada.do(room, "start")
            line = await ada.line(room)
            await line.until(lambda: line.match["turn"] == 0)
            wish = {"type": "hint", "on": LATEST, "seat": 0, "level": "nudge"}
            assert (await line.answer("ack", "refused", id="h1", **wish))["hint"]  # the process that thinks is there

            asked = [asyncio.create_task(bob.request("POST", "/api/check", hard)) for _ in range(60)]
            while not any(said.status == 200 for said in bob.heard):
                await asyncio.sleep(0.01)
            before = sum(said.status == 200 for said in bob.heard)
            assert (await line.answer("ack", "refused", id="h2", **wish))["hint"]
            meanwhile = sum(said.status == 200 for said in bob.heard) - before
            await asyncio.gather(*asked)
            answered = sum(said.status == 200 for said in bob.heard)
            refused = {(said.status, said.code) for said in bob.heard if said.status != 200}
            assert refused == {(503, "busy")}
            assert meanwhile <= 3 < answered - before - meanwhile


async def test_what_there_is(server: Served) -> None:
    guest = server.guest()
    rulesets = await guest.get("/api/rulesets")
    assert [one["id"] for one in rulesets] == list(RULESETS)
    assert rulesets[0]["fields"]["joker_leaves"] == "swap"
    assert set(rulesets[0]["titles"]) == {"en", "fr", "nl", "de"}
    assert rulesets[0]["tilesets"]["xp"] == {"numbers": 13, "copies": 3, "jokers": 4, "players": 6}
    assert "novice" in [one["name"] for one in await guest.get("/api/bots")]
    assert (await guest.get("/api/phrases"))[0]["texts"]["nl"]
    assert await guest.get("/api/schema") == schema()


@pytest.mark.parametrize("id", [*RULESETS, "junior-simplified"])
async def test_rules_are_told(server: Served, id: str) -> None:
    guest = server.guest()
    titles = set()
    for lang in LANGUAGES:
        told = ToldRules.model_validate(await guest.get(f"/api/rulesets/{id}/rules?lang={lang}"))
        assert (told.ruleset, told.lang, told.house) == (id, lang, {})
        assert all(section.paragraphs for section in told.sections)
        titles.add(told.sections[0].title)
        for paragraph in (one for section in told.sections for one in section.paragraphs):
            assert paragraph.text.startswith(paragraph.term)
            if paragraph.example:
                assert paragraph.example.legal == (not paragraph.example.reasons)
    assert len(titles) == len(LANGUAGES)


async def test_rules_are_told_with_house_rules(server: Served) -> None:
    guest = server.guest()
    told = await guest.get("/api/rulesets/sabra/rules?house=opening=51&house=timed=true")
    assert told["house"] == {"opening": 51, "timed": True}
    opening = next(section for section in told["sections"] if section["key"] == "opening")
    assert "51" in opening["paragraphs"][0]["text"]
    assert opening["paragraphs"][0]["house"]
    jokers = next(section for section in told["sections"] if section["key"] == "joker")
    shown = [one["example"] for one in jokers["paragraphs"] if one["example"]]
    assert shown[0]["before"] == ["b3 b4 j=b5"]
    assert (await guest.get("/api/rulesets/poker/rules", 404))["field"] == "ruleset"
    assert (await guest.get("/api/rulesets/sabra/rules?lang=xx", 422))["field"] == "lang"
    assert (await guest.get("/api/rulesets/sabra/rules?house=opening=999", 422))["field"] == "house.opening"
    assert (await guest.get("/api/rulesets/junior-simplified/rules?house=opening=9", 422))["field"] == "house"
    many = "&".join("house=opening=9" for _ in range(41))
    assert (await guest.get(f"/api/rulesets/sabra/rules?{many}", 422))["field"] == "house"


# Errors


async def test_what_is_not_there(server: Served) -> None:
    guest = server.guest()
    for path in ("/api/nonsense", "/api", "/api/", "/ws/rooms/x", "/nonsense.js"):
        assert (await guest.get(path, 404))["code"] == "not-found"
    response = await guest.http.put("/api/me")
    assert (response.status_code, response.headers["allow"]) == (405, "DELETE, GET, HEAD, PATCH")
    assert (await guest.http.get("/api/solve")).headers["allow"] == "POST"


async def test_a_body_that_is_not_json(server: Served) -> None:
    guest = server.guest()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""):
        for path in ("/api/rooms", "/api/solve", "/api/link"):
            response = await guest.http.post(path, content=b'{"players": 2}', headers={"content-type": kind})
            assert response.status_code == 415
            assert response.json()["error"]["code"] == "not-json"
            assert response.json()["error"]["field"] == "Content-Type"
    headers = {"content-type": "application/json; charset=utf-8"}
    assert (await guest.http.post("/api/rooms", content=b'{"players": 2}', headers=headers)).status_code == 201
    assert (await guest.http.post("/api/rooms", content=b"[]", headers=headers)).json()["error"]["field"] == "body"
    assert (await guest.http.post("/api/rooms")).status_code == 422


async def test_frames_that_are_none(shared_server: ServerProcess) -> None:
    frames = {1007: b"\x81\x82\0\0\0\0\xff\xfe", 1002: b"\x83\x80\0\0\0\0"}  # no UTF-8; a kind that there is not
    async with Caller(shared_server.url) as ada:
        url = f"{ada.url.replace('http', 'ws', 1)}/ws/rooms/{await ada.new_room(players=2)}"
        for code, frame in frames.items():
            async with connect(url) as line:
                line.transport.write(frame)
                await line.wait_closed()
                assert line.close_code == code


async def test_head_is_answered_as_get_is(server: Served) -> None:
    guest = server.guest()
    room = (await guest.new_room(players=2))["room"]
    described = await guest.get("/api/openapi.json")
    paths = [path.format(id=room, ruleset="sabra") for path in described["paths"]]
    for path in (*paths, "/", "/api/openapi.json", "/api/nonsense", "/api", "/nonsense.js"):
        got, head = await guest.http.get(path), await guest.http.head(path)
        assert (head.status_code, head.content) == (got.status_code, b""), path
        assert head.headers.get("content-type") == got.headers.get("content-type"), path
        assert head.headers.get("allow") == got.headers.get("allow"), path
    await say_goodbye(server.app)
    assert (await guest.http.head("/readyz")).status_code == 503


async def test_every_endpoint_is_described(server: Served) -> None:
    described = await server.guest().get("/api/openapi.json")
    for path, methods in described["paths"].items():
        for method, about in methods.items():
            assert about["summary"], (method, path)
            assert about["description"], (method, path)
            for status, answer in about["responses"].items():
                if status.startswith("4"):
                    ref = answer["content"]["application/json"]["schema"]["$ref"]
                    assert ref.endswith("/ErrorBody"), (method, path, status)
    assert "/docs" not in described["paths"]
    validator = jsonschema.Draft202012Validator
    for name, model in described["components"]["schemas"].items():
        validator.check_schema(model)
        assert name != "HTTPValidationError"
    assert "swagger" not in (await server.guest().http.get("/docs")).text.lower()


# The page


async def test_without_a_page(tmp_path: Path) -> None:
    app = FastAPI()
    add_page(app, tmp_path)
    guest = Guest(app)
    response = await guest.http.get("/")
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "/api/openapi.json" in response.text
    assert "tilerummy play" in response.text
    assert "<script" not in response.text
    assert "style" not in response.text
    assert (await guest.http.get("/join/ABCDE")).status_code == 404


async def test_the_page(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>the page")
    (tmp_path / "assets" / "index-Dk3J9x_a.js").write_text("1")
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path.parent / "secret.txt").write_text("secret")
    app = FastAPI()
    add_page(app, tmp_path)
    guest = Guest(app)
    for deep in ("/", "/join/ABCDE", "/rooms/x/y"):
        response = await guest.http.get(deep)
        assert (response.text, response.headers["cache-control"]) == ("<!doctype html>the page", "no-cache")
    script = await guest.http.get("/assets/index-Dk3J9x_a.js")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert script.headers["content-type"].startswith("text/javascript")
    assert (await guest.http.get("/icon.svg")).headers["cache-control"] == "no-cache"
    for outside in ("/%2e%2e/secret.txt", "/assets/%2e%2e/%2e%2e/secret.txt", "/assets//etc/passwd"):
        assert "secret" not in (await guest.http.get(outside)).text
    assert (await guest.http.get("/assets/gone-Dk3J9x_a.js")).status_code == 404


async def test_the_page_is_packed_for_who_can_unpack_it(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>the page")
    (tmp_path / "font.woff2").write_bytes(b"font")
    app = FastAPI()
    add_page(app, tmp_path)
    guest = Guest(app)
    tags = set()
    for accepted, encoding in (("gzip, br", "gzip"), ("identity", None)):
        headers = {"Accept-Encoding": accepted}
        response = await guest.http.get("/new", headers=headers)
        assert (response.text, response.headers.get("content-encoding")) == ("<!doctype html>the page", encoding)
        assert response.headers["vary"] == "Accept-Encoding"
        tags.add(response.headers["etag"])
        again = await guest.http.get("/", headers={**headers, "If-None-Match": response.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    assert len(tags) == 2
    font = await guest.http.get("/font.woff2", headers={"Accept-Encoding": "gzip"})
    assert (font.headers["content-type"], font.headers.get("content-encoding")) == ("font/woff2", None)


# Operating


async def test_health_and_metrics(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        guest = server.guest()
        assert (await guest.get("/healthz"))["ok"]
        assert await guest.get("/readyz") == {"ready": True, "store": True, "bus": True}
        room = (await guest.new_room(players=2))["room"]
        await guest.do(room, "start")
        text = await guest.get("/metrics")
        for line in (
            "tilerummy_connections 0.0",
            "tilerummy_rooms_live 1.0",
            'tilerummy_commands_total{kind="Start",outcome="refused"} 1.0',
            'tilerummy_refusals_total{code="seat-empty"} 1.0',
            "tilerummy_guests_total 1.0",
            'route="/api/rooms/{id}/commands",status="200"',
        ):
            assert line in text, line
        assert room not in text
        await say_goodbye(server.app)
        assert (await guest.http.get("/readyz")).status_code == 503
    async with served(tmp_path, metrics=False) as server:
        await server.guest().get("/metrics", 404)
