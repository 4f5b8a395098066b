"""The guard at the door: who is asking and from where, how much and how fast, and what every answer has to carry."""

import asyncio
import json
import logging
import re
import secrets
from collections.abc import Mapping
from time import perf_counter
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilerummy.server.errors import Problem, body_of
from tilerummy.server.limits import Limits, address_key
from tilerummy.server.logs import ACCESS
from tilerummy.server.metrics import Metrics
from tilerummy.server.settings import Settings

__all__ = ["FOREIGN_ORIGIN", "MAX_BODY", "Guard", "content_policy", "foreign", "forwarded"]

MAX_BODY: Final = 64 * 1024
FOREIGN_ORIGIN: Final = "foreign-origin"
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_HOST: Final = re.compile(r"[A-Za-z0-9._-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?")
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_POLICY: Final = (
    "default-src 'self'; img-src 'self' data:; connect-src {connect}; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_log = logging.getLogger("tilerummy.server")


def content_policy(host: str) -> str:
    """What a page may load: only what comes from here. Some browsers do not count this host's sockets as 'self'."""
    known = bool(_HOST.fullmatch(host))
    return _POLICY.format(connect=f"'self' ws://{host} wss://{host}" if known else "'self'")


def forwarded(scope: Scope, proxies: int) -> tuple[str | None, str]:
    """The client's address and the scheme that it used, as far as the proxies in front are our own."""
    client, scheme = scope.get("client"), scope.get("scheme", "http")
    address = client[0] if client else None
    if not proxies:
        return address, scheme
    headers = Headers(scope=scope)
    hops = [hop.strip() for line in headers.getlist("x-forwarded-for") for hop in line.split(",")]
    # Each proxy adds whom it hears from at the end; whatever stands before our own proxies' entries anybody may write.
    if len(hops) >= proxies:
        address = hops[-proxies].removeprefix("[").partition("]")[0]
    said = headers.get("x-forwarded-proto", "").split(",")[-1].strip()
    if said in ("http", "https"):
        socket = scope["type"] == "websocket"
        scheme = {"http": "ws", "https": "wss"}[said] if socket else said
    return address, scheme


def foreign(headers: Mapping[str, str], settings: Settings) -> bool:
    """Whether a page of another host is behind this request; programs other than browsers do not say, and may pass."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
    if origin in settings.allowed_origins or origin == settings.public_url:
        return False
    try:
        netloc = urlsplit(origin).netloc
    except ValueError:
        return True
    return not netloc or netloc.lower() != headers.get("host", "").lower()


class Guard:
    """The outermost layer: addresses, origins, sizes, rates, headers, request ids, the access log, and our bugs."""

    def __init__(self, app: ASGIApp, settings: Settings, limits: Limits, metrics: Metrics) -> None:
        self.app = app
        self.settings = settings
        self.limits = limits
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or a connection in, or answer it here."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, _quietly(send))
            return
        address, scheme = forwarded(scope, self.settings.trusted_proxies)
        scope = {**scope, "scheme": scheme, "client": (address, 0) if address else None}
        state = scope.setdefault("state", {})
        scope["state"] = state = {**state, "address": address_key(address), "request_id": self._request_id(scope)}
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await _Exchange(self, scope, receive, send).run()

    def _request_id(self, scope: Scope) -> str:
        said = Headers(scope=scope).get("x-request-id", "")
        trusted = self.settings.trusted_proxies and _REQUEST_ID.fullmatch(said)
        return said if trusted else secrets.token_hex(8)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        problem = None

        async def marked(message: Message) -> None:
            if message["type"] == "websocket.http.response.start":  # a refusal is an answer like any other
                _mark(message, headers, scope["state"]["request_id"])
            await send(message)

        if foreign(headers, self.settings):
            problem = Problem(403, "this page may not use this server", code=FOREIGN_ORIGIN, field="Origin")
        try:
            if problem is None:
                self.limits.check("requests", scope["state"]["address"])
        except Problem as slow:
            self.metrics.slowed.labels("connection").inc()
            problem = slow
        if problem is not None:
            await _deny(scope, receive, marked, problem)
            return
        try:
            await self.app(scope, receive, marked)
        except Exception:
            _log.exception("a connection ended by a bug", extra={"fields": {"request": scope["state"]["request_id"]}})
            try:
                await send({"type": "websocket.close", "code": 1011})
            except Exception:
                _log.debug("it was closed already")


class _Exchange:
    """One request and its answer."""

    def __init__(self, guard: Guard, scope: Scope, receive: Receive, send: Send) -> None:
        self.guard, self.scope, self.receive, self._send = guard, scope, receive, send
        self.method: str = scope["method"]
        if self.method == "HEAD":
            scope["method"] = "GET"  # whatever answers one answers the other; only the body stays here
        self.status = 0
        self.start = perf_counter()

    async def run(self) -> None:
        """Let the request in, or answer it here; log and count either."""
        state = self.scope["state"]
        try:
            self._check()
            await self.guard.app(self.scope, await self._body(), self.send)
        except Problem as problem:
            await self._answer(problem)
        except Exception:
            _log.exception("a request ended by a bug", extra={"fields": {"request": state["request_id"]}})
            if self.status:
                raise
            await self._answer(
                Problem(500, f"a bug of ours; please report it with the request id {state['request_id']}")
            )
        finally:
            self._note()

    def _check(self) -> None:
        """Refuse what can be refused by the headers alone."""
        settings, headers = self.guard.settings, Headers(scope=self.scope)
        if self.scope["method"] not in _SAFE and foreign(headers, settings):
            raise Problem(403, "this page may not use this server", code=FOREIGN_ORIGIN, field="Origin")
        if self.scope["path"].startswith("/api/"):
            try:
                self.guard.limits.check("requests", self.scope["state"]["address"])
            except Problem:
                self.guard.metrics.slowed.labels("request").inc()
                raise
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:12]) > MAX_BODY:
            raise _too_large()

    async def _body(self) -> Receive:
        """Read the whole body, however it arrives, and hand it on in one piece."""
        headers = Headers(scope=self.scope)
        if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
            return self.receive
        parts, size, more = [], 0, True
        try:
            async with asyncio.timeout(self.guard.settings.body_seconds):
                while more:
                    message = await self.receive()
                    if message["type"] != "http.request":
                        return _replay(message)
                    part = message.get("body", b"")
                    size += len(part)
                    if size > MAX_BODY:
                        raise _too_large()
                    parts.append(part)
                    more = message.get("more_body", False)
        except TimeoutError:
            raise Problem(408, headers={"Connection": "close"}) from None
        return _replay({"type": "http.request", "body": b"".join(parts), "more_body": False}, self.receive)

    async def send(self, message: Message) -> None:
        """Send an answer with the headers that every answer has."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            state = self.scope["state"]
            headers = _mark(message, Headers(scope=self.scope), state["request_id"])
            if self.scope["path"].startswith("/api/"):
                headers.setdefault("Cache-Control", "no-store")
            if cookie := state.get("cookie"):
                headers.append("Set-Cookie", cookie)
        elif self.method == "HEAD":
            message = {**message, "body": b""}
        await self._send(message)

    async def _answer(self, problem: Problem) -> None:
        await _respond(self.send, problem)

    def _note(self) -> None:
        """Log and count the request; the route's template stands for its path, which may hold a room's code."""
        seconds = perf_counter() - self.start
        route = getattr(self.scope.get("route"), "path", None) or "-"
        method = self.method if self.method in (*_SAFE, "POST", "PATCH", "PUT", "DELETE") else "other"
        status = self.status or 499  # as nginx says: the client was gone
        self.guard.metrics.requests.labels(method, route, str(status)).inc()
        self.guard.metrics.request_seconds.labels(route).observe(seconds)
        ACCESS.info(
            "request",
            extra={
                "fields": {
                    "method": method,
                    "route": route,
                    "status": status,
                    "ms": round(seconds * 1000, 1),
                    "request": self.scope["state"]["request_id"],
                }
            },
        )


def _mark(message: Message, asked: Headers, request_id: str) -> MutableHeaders:
    """Give an answer the headers that every answer has."""
    headers = MutableHeaders(scope=message)
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Content-Security-Policy", content_policy(asked.get("host", "")))
    headers["X-Request-Id"] = request_id
    return headers


def _quietly(send: Send) -> Send:
    """Starlette tells the server why the application cannot start or end, with all that the error says."""

    async def sent(message: Message) -> None:
        if message["type"].endswith(".failed"):
            _log.exception("the application cannot start, or cannot end")
            message = {"type": message["type"]}
        await send(message)

    return sent


def _too_large() -> Problem:
    return Problem(413, f"at most {MAX_BODY} bytes are read", headers={"Connection": "close"})


def _replay(message: Message, then: Receive | None = None) -> Receive:
    waiting = [message]

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        return await then() if then else message

    return receive


async def _respond(send: Send, problem: Problem, prefix: str = "http") -> None:
    data = json.dumps(body_of(problem)).encode()
    headers = {"content-type": "application/json", "content-length": str(len(data)), **problem.headers}
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": f"{prefix}.response.start", "status": problem.status, "headers": raw})
    await send({"type": f"{prefix}.response.body", "body": data})


async def _deny(scope: Scope, receive: Receive, send: Send, problem: Problem) -> None:
    """Refuse a connection before it is one: with an HTTP answer where the server can, by closing it otherwise."""
    await receive()  # websocket.connect
    if "websocket.http.response" in scope.get("extensions", {}):
        await _respond(send, problem, "websocket.http")
    else:
        await send({"type": "websocket.close", "code": 1008})
