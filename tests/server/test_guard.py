"""The guard: headers, origins, sizes, slow bodies, rates, addresses behind proxies, bugs of ours."""

import asyncio
import gc
import json
import logging
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilerummy.server.guard import MAX_BODY, Guard, content_policy, forwarded
from tilerummy.server.limits import Buckets, Limits, address_key
from tilerummy.server.logs import JsonLines, Lines, unheard
from tilerummy.server.metrics import Metrics
from tilerummy.server.settings import Settings
from tilerummy.server.thinking import Thinker

pytestmark = pytest.mark.anyio

SECRET = "secret tiles r5 b7"  # by its name alone in the lines that a traceback shows


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with what came in; `/boom` is a bug, `/late` a bug after the answer has begun."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        return
    if scope["path"] == "/boom":
        raise RuntimeError(SECRET)
    body = b""
    more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    client = scope["client"]
    assert scope["method"] != "HEAD"
    answer = {"size": len(body), "scheme": scope["scheme"], "client": client and client[0]}
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": json.dumps(answer).encode()})


def guarded(app: ASGIApp = echo, **chosen: Any) -> Guard:
    settings = Settings(**chosen)
    return Guard(app, settings, Limits(settings), Metrics())


def client(guard: Guard, base: str = "http://table.example") -> httpx.AsyncClient:
    transport = httpx.ASGITransport(guard, client=("192.0.2.7", 1234))
    return httpx.AsyncClient(transport=transport, base_url=base)


def error(response: httpx.Response) -> dict[str, Any]:
    found = response.json()["error"]
    assert found.keys() == {"code", "field", "message"}
    assert isinstance(found, dict)
    return found


async def test_every_answer_has_the_headers() -> None:
    async with client(guarded()) as http:
        for response in (await http.get("/api/x"), await http.get("/boom"), await http.post("/", content=b"x" * 99999)):
            policy = response.headers["content-security-policy"]
            assert "unsafe" not in policy
            assert "default-src 'self'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "connect-src 'self' ws://table.example wss://table.example;" in policy
            assert response.headers["x-content-type-options"] == "nosniff"
            assert response.headers["referrer-policy"] == "same-origin"
            assert "camera=()" in response.headers["permissions-policy"]
            assert len(response.headers["x-request-id"]) == 16
    assert "no-store" in (await client(guarded()).get("/api/x")).headers["cache-control"]


@pytest.mark.parametrize("host", ["a b", "x;script-src *", "x'", "", "x" * 300, "a,b", "[::1", "h:123456"])
def test_a_strange_host_does_not_enter_the_policy(host: str) -> None:
    assert "connect-src 'self';" in content_policy(host)


def test_a_plain_host_does() -> None:
    for host in ("localhost:8000", "[::1]:8000", "192.168.0.7:8000", "play.example.org"):
        assert f"ws://{host} wss://{host};" in content_policy(host)


# Origins


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://table.example"}, 200),
        ({"origin": "https://table.example"}, 200),
        ({"origin": "https://friend.example"}, 200),
        ({"origin": "https://public.example"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "http://table.example.evil.example"}, 403),
        ({"origin": "http://table.example:8000"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "http://[bad"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
)
async def test_origins(headers: dict[str, str], status: int) -> None:
    guard = guarded(allowed_origins=("https://friend.example",), public_url="https://public.example")
    async with client(guard) as http:
        for method in ("POST", "PATCH", "DELETE", "PUT"):
            response = await http.request(method, "/api/me", headers=headers)
            assert response.status_code == status
            if status == 403:
                assert error(response)["code"] == "foreign-origin"
        assert (await http.get("/api/me", headers=headers)).status_code == 200


async def sockets(guard: Guard, headers: dict[str, str], *, extension: bool = True) -> list[Message]:
    sent: list[Message] = []
    raw = [(name.encode(), value.encode()) for name, value in {"host": "table.example", **headers}.items()]
    scope: Scope = {
        "type": "websocket",
        "path": "/ws/rooms/a",
        "headers": raw,
        "scheme": "ws",
        "client": ("192.0.2.7", 1),
    }
    if extension:
        scope["extensions"] = {"websocket.http.response": {}}

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await guard(scope, receive, send)
    return sent


async def test_sockets_of_foreign_pages() -> None:
    assert (await sockets(guarded(), {"origin": "http://table.example"}))[0]["type"] == "websocket.accept"
    assert (await sockets(guarded(), {}))[0]["type"] == "websocket.accept"
    for origin in ("https://evil.example", "null"):
        refused = await sockets(guarded(), {"origin": origin})
        assert refused[0]["status"] == 403
        assert json.loads(refused[1]["body"])["error"]["code"] == "foreign-origin"
    closed = await sockets(guarded(), {"origin": "https://evil.example"}, extension=False)
    assert closed == [{"type": "websocket.close", "code": 1008}]
    tight = guarded(requests_burst=1, requests_per_second=0.001)
    assert (await sockets(tight, {}))[0]["type"] == "websocket.accept"
    assert (await sockets(tight, {}))[0]["status"] == 429


# Sizes


async def test_sizes() -> None:
    async def stream(size: int) -> AsyncIterator[bytes]:
        for _ in range(size // 1024):
            yield b"x" * 1024

    async with client(guarded()) as http:
        assert (await http.post("/", content=b"x" * MAX_BODY)).json()["size"] == MAX_BODY
        assert (await http.post("/", content=stream(MAX_BODY))).json()["size"] == MAX_BODY
        for content in (b"x" * (MAX_BODY + 1), stream(MAX_BODY + 1024)):
            response = await http.post("/", content=content)
            assert (response.status_code, error(response)["code"]) == (413, "too-large")
        for length in ("-1", "x", "9" * 30, "1e3"):
            response = await http.post("/", content=b"x", headers={"content-length": length})
            assert response.status_code == 413


async def test_a_body_that_does_not_come() -> None:
    sent: list[Message] = []
    never = asyncio.Event()

    async def receive() -> Message:
        await never.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "headers": [(b"content-length", b"5")],
        "scheme": "http",
        "client": None,
    }
    await guarded(body_seconds=0.01)(scope, receive, send)
    assert sent[0]["status"] == 408


# Rates


async def test_too_many_requests() -> None:
    guard = guarded(requests_burst=3, requests_per_second=0.5)
    async with client(guard) as http:
        assert [(await http.get("/api/x")).status_code for _ in range(4)] == [200, 200, 200, 429]
        slow = await http.get("/api/x")
        assert error(slow)["code"] == "slow-down"
        assert 1 <= int(slow.headers["retry-after"]) <= 3
        assert (await http.get("/healthz")).status_code == 200
    async with client(guarded(rate_limits=False, requests_burst=1, requests_per_second=0.001)) as http:
        assert {(await http.get("/api/x")).status_code for _ in range(5)} == {200}


def test_buckets_fill_and_are_bounded() -> None:
    now = 100.0
    buckets = Buckets(rate=2, burst=4, most=10, clock=lambda: now)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0]
    assert buckets.take("a") == 0.5
    assert buckets.take("b") == 0
    now = 100.5
    assert buckets.take("a") == 0
    assert buckets.take("a") > 0
    now = 1000.0
    assert [buckets.take("a") for _ in range(5)] == [0, 0, 0, 0, 0.5]
    for number in range(100):
        buckets.take(str(number))
    assert len(buckets) == 10


def test_addresses() -> None:
    assert address_key("192.0.2.1") == "192.0.2.1"
    assert address_key("::ffff:192.0.2.1") == "192.0.2.1"
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff") == "2001:db8::"
    assert address_key("2001:db8:0:1::1") != address_key("2001:db8::1")
    assert address_key(None) == address_key("nonsense") == "unknown"


# Proxies


@pytest.mark.parametrize(
    ("proxies", "headers", "expected"),
    [
        (0, {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"}, ("192.0.2.7", "http")),
        (1, {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"}, ("203.0.113.9", "https")),
        (1, {"x-forwarded-for": "6.6.6.6, 203.0.113.9"}, ("203.0.113.9", "http")),
        (2, {"x-forwarded-for": "6.6.6.6, 203.0.113.9, 10.0.0.1"}, ("203.0.113.9", "http")),
        (2, {"x-forwarded-for": "203.0.113.9"}, ("192.0.2.7", "http")),
        (1, {"x-forwarded-for": "[2001:db8::1]"}, ("2001:db8::1", "http")),
        (1, {"x-forwarded-proto": "gopher"}, ("192.0.2.7", "http")),
    ],
)
async def test_only_our_own_proxies_are_believed(
    proxies: int, headers: dict[str, str], expected: tuple[str, str]
) -> None:
    async with client(guarded(trusted_proxies=proxies)) as http:
        answer = (await http.get("/", headers=headers)).json()
    assert (answer["client"], answer["scheme"]) == expected


def test_a_socket_behind_https() -> None:
    scope: Scope = {"type": "websocket", "headers": [(b"x-forwarded-proto", b"https")], "scheme": "ws", "client": None}
    assert forwarded(scope, 1) == (None, "wss")


async def test_request_ids() -> None:
    async with client(guarded()) as http:
        assert (await http.get("/", headers={"x-request-id": "abcdefgh"})).headers["x-request-id"] != "abcdefgh"
    async with client(guarded(trusted_proxies=1)) as http:
        assert (await http.get("/", headers={"x-request-id": "abcdefgh"})).headers["x-request-id"] == "abcdefgh"
        assert (await http.get("/", headers={"x-request-id": "a\tb" * 9})).headers["x-request-id"] != "a\tb" * 9


# Our bugs, and the logs


class Kept(logging.Handler):
    """Keeps what was logged."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        self.records.append(record)


@pytest.fixture
def kept() -> Iterator[list[logging.LogRecord]]:
    handler, logger = Kept(), logging.getLogger("tilerummy")
    level = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    yield handler.records
    logger.removeHandler(handler)
    logger.setLevel(level)


async def test_a_bug_is_told_by_its_id_alone(kept: list[logging.LogRecord]) -> None:
    async with client(guarded()) as http:
        response = await http.get("/boom", headers={"cookie": "tilerummy=abc", "authorization": "Bearer xyz"})
    assert response.status_code == 500
    assert error(response)["code"] == "our-bug"
    assert response.headers["x-request-id"] in error(response)["message"]
    assert "secret" not in response.text
    assert "Traceback" not in response.text
    bug, access = kept
    assert bug.exc_info is not None
    assert json.loads(JsonLines().format(bug))["traceback"].endswith("\nbuiltins.RuntimeError")
    for record in kept:
        assert json.loads(JsonLines().format(record))["request"] == response.headers["x-request-id"]
        for line in (JsonLines().format(record), Lines().format(record)):
            for hidden in ("abc", "xyz", SECRET):
                assert hidden not in line
    assert "status=500" in Lines().format(access)
    assert "/boom" not in Lines().format(access)


def read() -> None:
    raise KeyError(SECRET)


def broken() -> None:
    """A bug that follows from another one, while a third is dealt with."""
    try:
        try:
            read()
        except KeyError as error:
            raise TypeError(SECRET) from error
    finally:
        raise ExceptionGroup(SECRET, [RuntimeError(SECRET), ValueError(SECRET)])


def line_of(error: BaseException) -> str:
    return Lines().format(logging.LogRecord("x", logging.ERROR, "", 0, "a bug", (), (type(error), error, None)))


def test_what_a_bug_says_is_not_logged() -> None:
    """Every call is there that led to it, and the type of everything that was raised."""
    with pytest.raises(ExceptionGroup) as caught:
        broken()
    told = line_of(caught.value)
    assert re.findall(r"^\w+\.\w+$", told, re.MULTILINE) == [
        "builtins.KeyError",
        "builtins.TypeError",
        "builtins.ExceptionGroup",
        "builtins.RuntimeError",
        "builtins.ValueError",
    ]
    assert "in read\n" in told
    assert "in broken\n" in told
    assert "direct cause" in told
    assert SECRET not in told


def test_a_bug_that_goes_round() -> None:
    first, second = RuntimeError(), ValueError()
    first.__cause__, second.__cause__ = second, first
    assert line_of(first).count("RuntimeError") == 1


def think(tiles: str) -> None:
    raise ValueError(tiles)


async def test_a_bug_elsewhere_is_told_with_its_calls() -> None:
    """A process that thinks sends its traceback as text."""
    thinker = Thinker(1)
    try:
        with pytest.raises(ValueError, match=SECRET) as caught:
            await thinker.run(think, SECRET)
    finally:
        thinker.close()
    told = line_of(caught.value)
    assert "in think\n" in told
    assert SECRET not in told


async def test_a_bug_that_nobody_waits_for(kept: list[logging.LogRecord]) -> None:
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    loop.set_exception_handler(unheard)
    try:
        loop.call_soon(think, SECRET)
        task = asyncio.create_task(asyncio.to_thread(think, SECRET))
        await asyncio.wait([task])
        del task
        gc.collect()
        await asyncio.sleep(0)
    finally:
        loop.set_exception_handler(before)
    assert len(kept) == 2
    for record in kept:
        assert "in think\n" in Lines().format(record)
        assert SECRET not in Lines().format(record)


async def test_an_application_that_cannot_start(kept: list[logging.LogRecord]) -> None:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        think(SECRET)
        yield

    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "lifespan.startup"}

    async def send(message: Message) -> None:
        sent.append(message)

    with pytest.raises(ValueError, match=SECRET):
        await guarded(Starlette(lifespan=lifespan))({"type": "lifespan"}, receive, send)
    assert sent == [{"type": "lifespan.startup.failed"}]
    assert Lines().format(kept[0]).endswith("\nbuiltins.ValueError")


async def test_what_is_counted() -> None:
    guard = guarded()
    async with client(guard) as http:
        await http.get("/api/x")
        await http.request("BREW", "/api/x")
        await http.head("/api/x")
    text = guard.metrics.text().decode()
    assert 'tilerummy_requests_total{method="GET",route="-",status="200"} 1.0' in text
    assert 'method="other"' in text
    assert 'tilerummy_requests_total{method="HEAD",route="-",status="200"} 1.0' in text


async def test_a_head_without_a_body() -> None:
    """HEAD is GET, less what it would send."""
    async with client(guarded()) as http:
        for path, status in (("/api/x", 200), ("/boom", 500)):
            response = await http.head(path)
            assert (response.status_code, response.content) == (status, b"")
            assert response.headers["content-type"] == "application/json"
        foreign = {"origin": "https://evil.example"}
        assert (await http.head("/api/x", headers=foreign)).status_code == 200
