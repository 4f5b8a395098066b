"""What the server's tests share: the event loop, the real services, a store and a bus of each kind."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random, SystemRandom

import pytest

from tests.kit.cluster import Cluster
from tests.kit.servers import ServerProcess
from tests.kit.services import Postgres, Redis
from tilerummy.server.bus import Bus, make_bus
from tilerummy.server.store import Store


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server of this worker's own, which is never killed."""
    with Postgres() as server:
        yield server


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A Redis server of this worker's own, which is never killed."""
    with Redis() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database with the schema, of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/games.db"
    else:
        server: Postgres = request.getfixturevalue("postgres")
        with server.database() as url:
            yield url


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[Store]:
    """An empty store of each kind."""
    async with Store(store_url) as opened:
        yield opened


@pytest.fixture(params=["local", "redis"])
def bus_url(request: pytest.FixtureRequest) -> str | None:
    """Where the bus is: within the process, or at a Redis server."""
    if request.param == "local":
        return None
    server: Redis = request.getfixturevalue("redis")
    return server.url


@pytest.fixture
async def bus(bus_url: str | None) -> AsyncIterator[Bus]:
    """A bus of each kind, listening."""
    made = make_bus(bus_url)
    await made.start()
    yield made
    await made.close()


@pytest.fixture
def luck() -> Random:
    """Another run of luck each time; its seed is told."""
    seed = SystemRandom().randrange(2**32)
    print(f"Random({seed})")
    return Random(seed)


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server of this worker's own, which is never stopped; whose player is gone for a moment counts as gone."""
    with ServerProcess(tmp_path_factory.mktemp("server"), away_seconds=0.3) as server:
        yield server
    assert "Traceback" not in server.log.read_text()


@pytest.fixture(scope="session")
def two_nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two nodes on PostgreSQL and Redis of this worker's own, otherwise the same; connections go to them in turn."""
    with Cluster(tmp_path_factory.mktemp("nodes"), nodes=2, away_seconds=0.3) as cluster:
        yield cluster
    assert "Traceback" not in cluster.logs()


@pytest.fixture(params=["embedded", "nodes"])
def any_server(request: pytest.FixtureRequest) -> ServerProcess | Cluster:
    """A server of each kind."""
    found: ServerProcess | Cluster = request.getfixturevalue(
        {"embedded": "shared_server", "nodes": "two_nodes"}[request.param]
    )
    return found
