"""What the page's tests share: one server and one browser, and people who come with a browser of their own."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.kit.browser import Site, Visitor
from tests.kit.browser import site as opened

Come = Callable[..., Awaitable[Visitor]]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """A server with its built page, and one Chromium, for all tests of this worker."""
    async with opened(tmp_path_factory.mktemp("site"), away_seconds=0.5) as found:
        yield found


@pytest.fixture
async def come(site: Site) -> AsyncIterator[Come]:
    """Somebody comes with a browser of their own; in the end nothing has gone wrong in any of them."""
    visitors: list[Visitor] = []
    async with AsyncExitStack() as stack:

        async def somebody(*args: Any, **options: Any) -> Visitor:
            visitors.append(await stack.enter_async_context(site.visitor(*args, **options)))
            return visitors[-1]

        yield somebody
        complaints = [visitor.complaints for visitor in visitors]
    assert not any(complaints), complaints
