"""What is forged, injected, guessed or meant to take for ever, and what every answer has to carry."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from random import Random

import httpx
import pytest
from itsdangerous import TimestampSigner
from websockets.exceptions import InvalidStatus

from tests.kit.fuzz import bugs_in, socket_of
from tests.kit.rude import asked, closed_with, guest, head, new_room, raw, told
from tests.kit.served import served
from tests.kit.servers import ServerProcess
from tilerummy.bots import bot
from tilerummy.game import begin, fold
from tilerummy.melds import draft
from tilerummy.record import read_table
from tilerummy.rulesets import ruleset
from tilerummy.server.names import MAX_NAME
from tilerummy.server.thinking import BUDGET, Thinker, TooHard, choose, hint
from tilerummy.solver import Query
from tilerummy.tiles import tiles
from tilerummy.view import view

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that several of these assail; none of them leaves a trace in its log."""
    with ServerProcess(tmp_path_factory.mktemp("server")) as running:
        yield running
        assert bugs_in(running) == []


# Headers, names, paths


async def test_every_answer_has_the_headers(server: ServerProcess) -> None:
    async with guest(server) as host:
        room = await new_room(host)
        answers = [
            await host.get("/"),
            await host.get("/join/XXXXX"),
            await host.get("/nothing.js"),
            await host.get("/api/nothing"),
            await host.get("/api/me"),
            await host.get(f"/api/rooms/{room}/qr.svg"),
            await host.get("/metrics"),
            await host.delete("/api/rooms"),
            await host.post("/api/rooms", content=b"{"),
            await host.post("/api/rooms", json=[]),
            await host.post("/api/rooms", content=b" " * 99_999),
            await host.patch("/api/me", json={"name": "x"}, headers={"Origin": "https://evil.example"}),
            await host.get("/api/me", headers={"Authorization": "Bearer x"}),
        ]
    assert {200, 401, 403, 404, 405, 413, 415, 422} <= {answer.status_code for answer in answers}
    found = [answer.headers for answer in answers]
    for name, origin in (("nobody", None), ("x", None), (room, "https://evil.example")):
        with pytest.raises(InvalidStatus) as refused:
            async with socket_of(server.url, name, origin=origin):
                pass
        found.append(httpx.Headers([*refused.value.response.headers.raw_items()]))
    for headers in found:
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "server" not in headers


GOOD_NAMES = (
    "<script>alert(1)</script>"[:MAX_NAME],
    '"><img src=x onerror=1>',
    "'; DROP TABLE rooms;--",
    "{{7*7}} ${7*7} %s %n",
    "\U0001f600\U0001f680\U0001f9e1",
    "עברית العربية",
    "日本語の名前",
    "Zoë",
    "x" * MAX_NAME,
    "..",
)
BAD_NAMES = (
    "", " ", "\u3000", "x" * (MAX_NAME + 1), "x" * 65, "a\u202eb", "\u2066x\u2069", "\u200b", "a\u200db", "\ufeffx",
    "x\x00",     "\x1b[31mred", "\u3164", "\u2800\u2800", "\u115f\u1160", "\uffa0", "\u034f",
    "Z\u0300\u0301\u0302\u0303",     "\u0301", "\ue000", "\U000e0041", "\ufff9",
)  # fmt: skip


async def test_names(server: ServerProcess) -> None:
    async with guest(server) as host:
        room = await new_room(host)
        for name in GOOD_NAMES:
            answer = await host.patch("/api/me", json={"name": name})
            assert (answer.status_code, answer.json().get("name")) == (200, name)
            view = await host.get(f"/api/rooms/{room}")
            assert view.json()["seats"][0]["name"] == name
            assert view.headers["content-type"] == "application/json"
        for name in BAD_NAMES:
            for method, path, field in (
                ("PATCH", "/api/me", "name"),
                ("POST", "/api/me/locals", "name"),
                ("POST", "/api/me/tokens", "label"),
            ):
                answer = await host.request(method, path, json={field: name})
                assert answer.status_code == 422, (name, path)
                assert answer.json()["error"]["field"] == field
        assert (await host.get("/api/me")).json()["name"] == GOOD_NAMES[-1]


@pytest.mark.parametrize(
    "path",
    [
        "/../../../etc/passwd", "/..%2f..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
        "/....//etc/passwd", "/..\\..\\etc\\passwd", "/%5c..%5cetc", "/%00", "/assets/%00.js", "/%ff%fe",
        "/.git/config", "/page.py",
        "/static/../page.py", "/file:///etc/passwd", "http://evil.example/etc/passwd", "/api/../etc/passwd",
        "/api/rooms/../me", "/api/rooms/%2e%2e%2fme", "/%0d%0aSet-Cookie:%20x=1", "/?\x80", "/;/etc/passwd", "*",
    ],
)  # fmt: skip
def test_paths(server: ServerProcess, path: str) -> None:
    answer = raw(server, asked(path))
    status, lines = head(answer)
    assert status in (200, 400, 404, 422)
    assert b"root:" not in answer
    assert b"import" not in answer
    assert not any(line.startswith("set-cookie: x") for line in lines)
    if status == 200:
        assert b"<title>tilerummy" in answer


async def test_headers_that_are_no_headers(server: ServerProcess) -> None:
    async with guest(server) as host:
        room = await new_room(host)
    hosts = (
        "",
        "a b",
        "[",
        "[::1",
        "x" * 5_000,
        'a"<>',
        "a/b?c#d",
        "a:99999999",
        "\xff\xfe",
        "x\tSet-Cookie: x=1",
        "{}",
    )
    for path in ("/", "/api/me", f"/api/rooms/{room}", f"/api/rooms/{room}/qr.svg", "/api/me/link"):
        for name in hosts:
            method = "POST" if path.endswith("link") else "GET"
            status, lines = head(raw(server, asked(path, "Content-Length: 0", method=method, host=name)))
            assert status < 500, (path, name)
            policy = [line for line in lines if line.startswith("content-security-policy")]
            assert status == 400 or "unsafe" not in policy[0]
            assert not any(line.startswith("set-cookie: x") for line in lines)
    for odd in (
        "X-Request-Id: evil", "X-Forwarded-For: 1.2.3.4", "Cookie: =;;=;\xff", "Cookie: " + "a=b; " * 2000,
        "Cookie: tilerummy", "Content-Length: -1", "Content-Length: 1, 2", "Transfer-Encoding: chunked, chunked",
        "Expect: 100-continue",
        "Accept: \x80", "Range: bytes=0-,1-,2-", "Upgrade: h2c", "Host: another", "Authorization: Bearer",
        "If-None-Match: *",
    ):  # fmt: skip
        status, lines = head(raw(server, asked("/api/me", odd)))
        assert status < 500, odd
        assert not any("evil" in line or "1.2.3.4" in line for line in lines)


# Who somebody is not


async def test_forged_cookies(server: ServerProcess) -> None:
    async with guest(server) as host:
        mine = (await host.get("/api/me")).json()["id"]
        cookie = host.cookies["tilerummy"]
        room = await new_room(host)
    player, stamp, signature = cookie.rsplit(".", 2)
    foreign = TimestampSigner("of another server", salt="tilerummy.guest").sign(mine).decode()
    forged = [cookie[:place] for place in (0, 1, len(player), -1, -5)] + [
        foreign,
        f"{player}x.{stamp}.{signature}",
        f"{player}.{stamp}x.{signature}",
        f"{player}..{signature}",
        f"{player}.{stamp}.{signature.swapcase()}",
        f"{mine}",
        "x" * 5_000,
        "a.b.c",
        "%00",
        '"',
    ]
    for value in forged:
        async with guest(server, headers={"Cookie": f"tilerummy={value}"}) as thief:
            assert (await thief.get("/api/me")).json()["id"] != mine
            async with socket_of(server.url, room, headers={"Cookie": f"tilerummy={value}"}) as line:
                assert (await told(line, "snapshot"))["you"]["seats"] == []
    async with guest(server, headers={"Cookie": f"tilerummy={cookie}"}) as again:
        assert (await again.get("/api/me")).json()["id"] == mine


async def test_forged_tokens(server: ServerProcess) -> None:
    async with guest(server) as owner:
        room = await new_room(owner)
        made = (await owner.post("/api/me/tokens", json={"label": "bot"})).json()
        token = made["token"]
        bad = ("x", token[:-1], token + "x", token.swapcase(), token.removeprefix("trb_"), "trb_", made["id"])
        for secret in (*bad, "\xff", "x" * 9_000):
            for scheme in ("Bearer", "bearer", "Basic"):
                headers = {b"Authorization": f"{scheme} {secret}".encode("latin-1")}
                async with guest(server) as thief:
                    assert (await thief.get("/api/me", headers=headers)).status_code == 401
        with pytest.raises(InvalidStatus) as refused:
            async with socket_of(server.url, room, headers={"Authorization": "Bearer trb_x"}):
                pass
        assert refused.value.response.status_code == 401
        async with guest(server, headers={"Authorization": f"Bearer {token}"}) as bot:
            assert (await bot.get("/api/me")).json()["kind"] == "bot"
            assert (await bot.post("/api/me/link")).status_code == 403
            async with socket_of(server.url, room, headers={"Authorization": f"Bearer {token}"}) as line:
                assert (await told(line, "snapshot"))["you"]["seats"] == []
                assert (await owner.delete(f"/api/me/tokens/{made['id']}")).status_code == 204
                assert await closed_with(line) == 1000
            assert (await bot.get("/api/me")).status_code == 401


async def test_a_link_works_once(server: ServerProcess) -> None:
    """Of ten devices that open it at once, one becomes the player."""
    async with guest(server) as host, AsyncExitStack() as stack:
        mine = (await host.get("/api/me")).json()["id"]
        token = (await host.post("/api/me/link")).json()["token"]
        devices = [await stack.enter_async_context(guest(server)) for _ in range(10)]
        answers = await asyncio.gather(*(device.post("/api/link", json={"token": token}) for device in devices))
        assert sorted(answer.status_code for answer in answers) == [200] + [404] * 9
        assert [answer.json()["id"] for answer in answers if answer.status_code == 200] == [mine]
        for wrong in (token, token[:-1], "x", "\x00", "x" * 200):
            assert (await devices[0].post("/api/link", json={"token": wrong})).status_code == 404


# What no fuzzer finds

HARD_TABLE = (
    "k3'' k4 k5'' k6 k7' | r11 b11'' k11'' | b3'' b4'' b5 b6'' b7' b8 b9' | r8'' k8 y8 | "
    "y5' y6'' y7' y8'' y9' y10'' y11'' | r2' k2 y2'' j''=2"
)
HARD_RACK = "b1' r9'' b12'' b7 r6'' k6'' y3 r5' r13'' b1'' y7 k11"


async def test_a_play_that_takes_for_ever_to_judge(server: ServerProcess) -> None:
    """Tiles that are not told apart can have come from exponentially many places; nobody else waits for that."""
    runs = [f"{colour}{start} {colour}{start + 1} {colour}{start + 2}" for start in (1, 4, 7, 10) for colour in "rbky"]
    case = {
        "ruleset": "sabra",
        "house": {"rearranging": "adding", "copies": 3},
        "table": runs[:15] * 3 + ["y10 y11 y12"],
        "rack": "y13",
        "after": [*runs[:15] * 3, "y10 y11", "y12 y13"],
    }
    async with guest(server) as host:
        room = await new_room(host)
        judging = asyncio.create_task(host.post("/api/check", json=case))
        async with socket_of(server.url, room, host) as line:
            for _ in range(20):
                await line.send('{"type": "ping"}')
                await told(line, "heartbeat")
        assert not judging.done()
        answer = await judging
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "too-hard")


async def test_rules_that_nobody_can_judge_in_time(server: ServerProcess) -> None:
    house = {"rearranging": "adding", "joker_leaves": "swap", "joker_goes": "table"}
    async with guest(server) as host:
        answer = await host.post("/api/rooms", json={"ruleset": "club", "house": house})
        assert (answer.status_code, answer.json()["error"]["field"]) == (422, "house.stalemate")
        await new_room(host, ruleset="club", house={**house, "stalemate": "all-pass"})


async def test_what_takes_too_long_is_given_up() -> None:
    """Joker rules mixed as in no rulebook make positions that nobody solves in time: no hint, a simpler bot moves."""
    house = {"joker_leaves": "swap", "rearranging": "adding", "jokers": 4, "copies": 3, "opening": 0}
    rules = ruleset("sabra", house)
    table = read_table(draft(HARD_TABLE), rules)
    state = fold(begin(rules, players=2, seed="00" * 32))
    seen = replace(view(state, state.turn), table=table, rack=tiles(HARD_RACK))
    thinker = Thinker(1)
    try:
        with pytest.raises(TooHard):
            await thinker.run(hint, Query(rules, table, seen.rack), "point")
        turn = await thinker.run(choose, "greedy", seen, "seed")
        assert turn == bot("novice").choose(seen, Random("seed"), BUDGET)
    finally:
        thinker.close()


async def test_messages_that_are_wrong_in_many_ways(server: ServerProcess) -> None:
    """One mistake is told, and not ten thousand of them found first."""
    many: dict[str, list[int]] = {format(place, "x"): [] for place in range(4_000)}
    change = {"type": "command", "id": "a", "on": 1, "command": {"kind": "change", "setup": {"house": many}}}
    async with guest(server) as host:
        room = await new_room(host)
        async with socket_of(server.url, room, host) as line:
            for message, field in ((change, "command.setup.house"), ({"type": "ping", **many}, "body")):
                await line.send(json.dumps(message))
                assert (await told(line, "error"))["field"] == field
        answer = await host.post("/api/rooms", json={"house": many})
        assert (answer.status_code, answer.json()["error"]["field"]) == (422, "house")


async def test_drafts_tell_nothing_about_hidden_tiles(server: ServerProcess) -> None:
    """Whether a tile is on another rack or in the pool, a draft and a play of it are answered alike."""
    async with guest(server) as host:
        room = await new_room(host, bots=[None, "novice"], ruleset="junior", first=0)
        async with socket_of(server.url, room, host) as line:
            await told(line, "snapshot")
            await line.send(json.dumps({"type": "command", "id": "go", "on": 9, "command": {"kind": "start"}}))
            await told(line, "ack")
            match = (await host.get(f"/api/rooms/{room}")).json()["match"]
            assert match["turn"] == 0
            every = {f"{colour}{number}{mark}" for colour in "rbky" for number in range(1, 14) for mark in ("", "'")}
            hidden = sorted(every - {*match["rack"].split()})
            told_alike = set()
            for tile in hidden:
                draft = {"type": "draft", "on": 999, "seat": 0, "table": [tile]}
                await line.send(json.dumps(draft))
                advice = await told(line, "advice", "error")
                play = {"kind": "play", "seat": 0, "table": [tile]}
                command = {"type": "command", "id": f"t-{hidden.index(tile)}", "on": 999, "command": play}
                await line.send(json.dumps(command))
                refused = await told(line, "refused", "ack")
                said = json.dumps([advice["type"], advice.get("violations"), advice.get("melds"), advice.get("laid")])
                said += json.dumps([refused["type"], refused["code"], refused["violations"]])
                told_alike.add(said.replace(tile, "?"))
            assert len(hidden) > 50
            assert len(told_alike) <= 2, told_alike  # numbers beyond the ruleset's are no tiles at all


async def test_what_is_far_away_is_not_kept(tmp_path: Path) -> None:
    """Every move without a clock makes something due in days; memory does not hold each of them until then."""
    async with served(tmp_path) as here:
        assert await here.guest().get("/readyz")
        clockwork, now = here.parts.node.clockwork, here.parts.hall.now()
        for days in range(1, 1_000):
            clockwork.will_be_due(now + days * 86_400)
        assert not clockwork._times
        clockwork.will_be_due(now + 60)
        assert clockwork._times == [now + 60]
