"""A real Chromium, and people with a browser of their own in it; whatever goes wrong on a page of theirs is noted."""

import json
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    ViewportSize,
    WebError,
    async_playwright,
    expect,
)

from tests.kit.lines import Json
from tests.kit.servers import ServerProcess
from tilerummy.server.page import FOLDER

__all__ = ["LAPTOP", "PHONE", "PHONE_FLAT", "SIZES", "TABLET", "Site", "Visitor", "chromium", "said", "site"]

LAPTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
TABLET: Final[ViewportSize] = {"width": 1024, "height": 768}
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
PHONE_FLAT: Final[ViewportSize] = {"width": 844, "height": 390}
SIZES: Final = {"laptop": LAPTOP, "tablet": TABLET, "phone": PHONE, "phone lying": PHONE_FLAT}

PATIENCE: Final = 20_000.0  # milliseconds that anything may take on a page

# Nothing is asked of the world outside, and nothing that is not seen is slowed down.
_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--font-render-hinting=none",
)
_BLOCKED: Final = "Service Worker registration blocked"  # said by Playwright itself
_ENV: Final = "CHROMIUM"
_USUAL: Final = "/usr/bin/chromium"
_TEXTS: Final = Path(__file__).parents[2] / "web" / "texts"


def said(key: str, language: str = "en", **args: object) -> str:
    """A sentence of the page that has none of a rulebook's words in it: `said("home.play-now")`."""
    area, _, name = key.partition(".")
    text: str = json.loads((_TEXTS / f"{area}.json").read_text())[name][language]
    return re.sub(r"\{(\w+)\}", lambda found: str(args[found[1]]), text)


def unbroken(text: str) -> str:
    """A sentence as it stands on the page: no line ends within a run."""
    return re.sub(r"(?<=\w)-(?=\w)", "-\u2060", text)


@asynccontextmanager
async def chromium(*flags: str) -> AsyncIterator[Browser]:
    """Debian's Chromium, or the one that $CHROMIUM names."""
    path = Path(os.environ.get(_ENV, _USUAL))
    assert path.exists(), f"there is no {path}: make services installs Chromium, or ${_ENV} says where it is"
    expect.set_options(timeout=PATIENCE)
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=[*_FLAGS, *flags])
        try:
            yield browser
        finally:
            await browser.close()


class Visitor:
    """Somebody with cookies and storage of their own, and one page or several."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context = context
        self.url = url
        self.troubles: list[str] = []
        self._expected: list[re.Pattern[str]] = []
        self._page: Page | None = None
        context.set_default_timeout(PATIENCE)
        context.on("console", self._heard)
        context.on("weberror", self._failed)
        context.on("request", self._asked)

    @property
    def page(self) -> Page:
        """The first page that was opened."""
        assert self._page is not None, "no page is open"
        return self._page

    async def open(self, path: str = "/") -> Page:
        """Go to a path of the server's with the first page."""
        if self._page is None:
            self._page = await self.context.new_page()
        await self._page.goto(f"{self.url}{path}")
        return self._page

    async def tab(self, path: str) -> Page:
        """One more page."""
        page = await self.context.new_page()
        await page.goto(f"{self.url}{path}")
        return page

    async def close(self) -> None:
        """Close every page."""
        await self.context.close()

    # The server, asked in this person's name

    async def get(self, path: str) -> Json:
        """What the server answers to this person."""
        answer = await self.context.request.get(f"{self.url}{path}")
        assert answer.ok, (path, answer.status, await answer.text())
        found: Json = await answer.json()
        return found

    async def post(self, path: str, body: Any) -> Json:
        """What comes of a request in this person's name."""
        answer = await self.context.request.post(f"{self.url}{path}", data=body)
        assert answer.ok, (path, answer.status, await answer.text())
        found: Json = await answer.json()
        return found

    async def me(self) -> str:
        """Who this is; somebody new becomes a guest."""
        player: str = (await self.get("/api/me"))["id"]
        return player

    async def rename(self, name: str) -> None:
        """Take another name."""
        answer = await self.context.request.patch(f"{self.url}/api/me", data={"name": name})
        assert answer.ok, await answer.text()

    async def settle(self, **chosen: str) -> None:
        """Choose settings, as the page keeps them, for every page that is opened from now on."""
        await self.context.add_init_script(
            "location.protocol === 'about:' || "  # an empty page has no storage
            "localStorage.getItem('tilerummy.settings') || "
            f"localStorage.setItem('tilerummy.settings', {json.dumps(json.dumps(chosen))})"
        )

    # What goes wrong

    def expect(self, *patterns: str) -> None:
        """What may be said on the console in this test, because the test itself makes it happen."""
        self._expected += [re.compile(pattern) for pattern in patterns]

    @property
    def complaints(self) -> list[str]:
        """What went wrong and should not have."""
        return [text for text in self.troubles if not any(pattern.search(text) for pattern in self._expected)]

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert") and not message.text.startswith(_BLOCKED):
            self.troubles.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _failed(self, error: WebError) -> None:
        self.troubles.append(f"error: {error.error}")

    def _asked(self, request: Request) -> None:
        own = (self.url, self.url.replace("http", "ws", 1), "data:", "blob:", "about:", "chrome-error:")
        if not request.url.startswith(own):
            self.troubles.append(f"asked for {request.url}")


@dataclass(frozen=True, slots=True)
class Site:
    """A server with its page, and a browser to look at it with."""

    browser: Browser
    url: str
    db: str

    @asynccontextmanager
    async def visitor(
        self,
        size: ViewportSize = LAPTOP,
        *,
        touch: bool = False,
        dark: bool = False,
        motion: bool = False,
        scale: float = 1.0,
        language: str = "en",
        worker: bool = False,
    ) -> AsyncIterator[Visitor]:
        """Somebody new with a screen of this size; nothing moves by itself unless motion is wanted.

        Without a worker nothing is kept for the time without a network, which every newcomer would fetch again.
        """
        context = await self.browser.new_context(
            viewport=size,
            has_touch=touch,
            is_mobile=touch,
            device_scale_factor=scale,
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if motion else "reduce",
            locale=language,
            service_workers="allow" if worker else "block",
        )
        somebody = Visitor(context, self.url)
        try:
            yield somebody
        finally:
            await somebody.close()


@asynccontextmanager
async def site(folder: Path, *flags: str, **settings: Any) -> AsyncIterator[Site]:
    """A server of its own with an empty database, and a browser."""
    assert (FOLDER / "index.html").is_file(), "there is no page to serve: make page builds it"
    async with chromium(*flags) as browser:
        with ServerProcess(folder, **settings) as server:
            yield Site(browser, server.url, f"sqlite:///{folder / 'games.db'}")
        assert "Traceback" not in server.log.read_text(), server.log.read_text()
