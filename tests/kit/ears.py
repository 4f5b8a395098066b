"""What a screen reader is told on a page by itself, sentence after sentence."""

import asyncio
from typing import Final

from playwright.async_api import Page

__all__ = ["Ears"]

# The region is emptied before it speaks, so that the same words are heard again.
_LISTEN: Final = """
() => {
  window.heard = [];
  const region = document.querySelector('[aria-live=polite]');
  const listen = () => region.textContent && window.heard.push(region.textContent);
  new MutationObserver(listen).observe(region, { childList: true, characterData: true, subtree: true });
}
"""
_PATIENCE: Final = 15.0
_QUIET: Final = 0.8


class Ears:
    """Somebody who hears the page's live region."""

    def __init__(self, page: Page) -> None:
        self._page = page

    @classmethod
    async def at(cls, page: Page) -> "Ears":
        """Listen from now on."""
        await page.evaluate(_LISTEN)
        return cls(page)

    async def heard(self) -> list[str]:
        """Everything so far."""
        found: list[str] = await self._page.evaluate("window.heard")
        return found

    async def hears(self, sentence: str) -> None:
        """Wait until this is said, alone or with more in the same breath."""
        try:
            async with asyncio.timeout(_PATIENCE):
                while not any(sentence in one for one in await self.heard()):
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"nobody says {sentence!r}: {await self.heard()}") from None

    async def times(self, sentence: str) -> int:
        """How often this was said, once nothing more comes."""
        before: list[str] = []
        while len(now := await self.heard()) != len(before) or not before:
            before = now
            await asyncio.sleep(_QUIET)
        return sum(one.count(sentence) for one in now)
