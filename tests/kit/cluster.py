"""Three nodes on PostgreSQL and Redis behind a plain load balancer: everything that can be killed."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Literal, Self

from tests.kit.servers import ServerProcess
from tests.kit.services import Nginx, Postgres, Redis

__all__ = ["PARTS", "Cluster", "Part", "balancer", "documented"]

Part = Literal["node", "postgres", "redis"]
PARTS: Sequence[Part] = ("node", "redis", "postgres")

_DOCS = Path(__file__).parents[2] / "docs" / "operating.md"


def documented(language: str) -> str:
    """The block of this language in the page for operators."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", _DOCS.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return str(block)


def balancer(port: int, nodes: Iterable[int], certificate: Path | None = None) -> str:
    """The documented nginx before nodes on these ports, on a port of the loopback; without a certificate no TLS."""
    servers = " ".join(f"server 127.0.0.1:{node};" for node in nodes)
    listen = f"listen 127.0.0.1:{port}{' ssl http2' if certificate else ''};"
    block = _replaced(documented("nginx"), r"server 127\.0\.0\.1:8000;", servers)
    block = _replaced(block, r"listen 443 ssl http2;", listen)
    for name in ("ssl_certificate", "ssl_certificate_key"):
        block = _replaced(block, rf"\b{name} .*;", f"{name} {certificate};" if certificate else "")
    return block


def _replaced(text: str, pattern: str, by: str) -> str:
    text, times = re.subn(pattern, lambda _: by, text)
    assert times == 1, f"{pattern} is {times} times in the documented block"
    return text


class Cluster:
    """Use it with `with`: then everything runs; requests go round the nodes in turn, without sticky sessions."""

    def __init__(self, folder: Path, nodes: int = 3, **settings: object) -> None:
        """With so many nodes, all of these settings; the logs go into the folder."""
        self._settings = {"trusted_proxies": 1, **settings}
        self._folder = folder
        self._count = nodes
        self._stack = ExitStack()
        self._starting: ServerProcess | None = None
        self.postgres = Postgres(durable=True)
        self.redis = Redis()
        self.nodes: list[ServerProcess] = []
        self.db = self.url = ""

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self.postgres)
            stack.enter_context(self.redis)
            self.db = stack.enter_context(self.postgres.database())
            for _ in range(self._count):
                node = ServerProcess(self._folder, db=self.db, bus=self.redis.url, **self._settings)
                stack.callback(node.kill)
                node.launch()
                self.nodes.append(node)
            self.balancer = stack.enter_context(Nginx(self._balanced))
            self.url = self.balancer.url
            for node in self.nodes:
                node.wait_ready()
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _balanced(self, port: int) -> str:
        return balancer(port, [node.port for node in self.nodes])

    async def strike(self, part: Part, luck: Random) -> None:
        """Kill a part of it, and start it again after a moment; a node goes on starting when this returns."""
        if part == "redis":
            await self._bounce(self.redis, luck)
            return
        await self.whole()
        if part == "postgres":
            await self._bounce(self.postgres, luck)
        else:
            node = luck.choice(self.nodes)
            await asyncio.to_thread(node.kill)
            await asyncio.sleep(luck.uniform(0, 1))
            node.launch()
            self._starting = node

    async def whole(self) -> None:
        """Wait until every node is there."""
        if self._starting is not None:
            await asyncio.to_thread(self._starting.wait_ready)
            self._starting = None

    async def _bounce(self, service: Postgres | Redis, luck: Random) -> None:
        """With some luck everybody's connections are cut as well, and they come back while it is gone."""
        await asyncio.to_thread(service.kill)
        if luck.random() < 0.5:
            await asyncio.to_thread(self.balancer.kill)
            await asyncio.to_thread(self.balancer.start)
        await asyncio.sleep(luck.uniform(0, 1))
        await asyncio.to_thread(service.start)

    def logs(self) -> str:
        """What all nodes said."""
        return "".join(node.log.read_text() for node in self.nodes)
