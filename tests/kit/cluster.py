"""Three nodes on PostgreSQL and Redis behind a plain load balancer: everything that can be killed."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Literal, Self

from tests.kit.servers import ServerProcess
from tests.kit.services import Nginx, Postgres, Redis

__all__ = ["PARTS", "Cluster", "Part"]

Part = Literal["node", "postgres", "redis"]
PARTS: Sequence[Part] = ("node", "redis", "postgres")

BALANCER = """
map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
upstream nodes {{ {servers} }}
server {{
    listen 127.0.0.1:{port};
    location / {{
        proxy_pass http://nodes;
        proxy_http_version 1.1;
        proxy_read_timeout 1h;
        proxy_set_header Host $http_host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_upgrade;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
    }}
}}
"""


class Cluster:
    """Use it with `with`: then everything runs; requests go round the nodes in turn, without sticky sessions."""

    def __init__(self, folder: Path, nodes: int = 3) -> None:
        """With so many nodes; the logs go into the folder."""
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
                node = ServerProcess(self._folder, db=self.db, bus=self.redis.url, trusted_proxies=1)
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
        servers = " ".join(f"server 127.0.0.1:{node.port};" for node in self.nodes)
        return BALANCER.format(servers=servers, port=port)

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
