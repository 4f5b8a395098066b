"""Take the README's pictures of the page as it is: `make screenshots`.

A server of its own runs with tables that are put into its store, and a real Chromium looks at them.
"""

import asyncio
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from PIL import Image
from playwright.async_api import Page

from tests.kit.browser import LAPTOP, PHONE, Site, Visitor, site
from tests.kit.prepared import put_game
from tests.kit.table_page import TablePage, Within

PICTURES: Final = Path(__file__).parents[1] / "docs" / "pictures"
TABLE: Final = (
    "r4 r5 r6 | b8 b9 b10 | k1 k2 k3 k4 k5 | r13 b13 y13 | y4 y5 y6 y7 | r10 b10' k10 y10 | r1 j r3 | b1 b2 b3 b4"
    " | r5' b5 k5' y5' | r9 r10' r11 r12 | k6 k7 k8 k9"
)
RACK: Final = "b11 k8' y8 r2 r9' b6 b7 k3' y3 y13' k12 b13'"
OTHERS: Final = ("r7 r8 b5' k11 y1 y9 y12", "r2' b12 k1' k10' y2 y11 j'", "r6' r13' b4' b9' k4' k13 y6'")
POSITION: Final = "sabra / y5 y6 y7 | r5 r6 r7 | k5 k6 k7 k8 k9 | b1 b2 b3 / k10 b5 r13 y2 / all"
BOTS: Final = (None, "novice", "novice", "greedy")
_WIDTH: Final = 960  # of the animation
_FRAME: Final = 60  # milliseconds
_STILL: Final = 900


async def main() -> None:
    """Take them all."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tilerummy-pictures-") as folder:
        async with site(Path(folder), bot_pace=2) as there:
            await _entry(there)
            for dark in (False, True):
                await _tables(there, "-dark" if dark else "", dark=dark)
            await _result(there)
            await _turn(there)


async def _entry(there: Site) -> None:
    async with there.visitor(LAPTOP) as ada:
        await ada.rename("Ada")
        for name, path in (
            ("home", "/"),
            ("rules", "/rules/sabra"),
            ("solver", "/solver?position=" + quote(POSITION)),
        ):
            page = await ada.open(path)
            await page.wait_for_load_state("networkidle")
            if name == "rules":  # where there are tiles
                await page.get_by_role("heading", name="Using the table").evaluate("one => one.scrollIntoView()")
                await page.wait_for_timeout(400)
            await _keep(page, name)


async def _seated(there: Site, ada: Visitor, table: str = TABLE, rack: str = RACK) -> TablePage:
    await ada.rename("Ada")
    room = await put_game(there.db, [await ada.me(), None, None, None], table, [rack, *OTHERS], bots=BOTS)
    page = await ada.open(f"/room/{room}")
    on_page = TablePage(page)
    await on_page.is_there()
    await page.wait_for_timeout(600)
    return on_page


async def _tables(there: Site, suffix: str, *, dark: bool) -> None:
    async with there.visitor(LAPTOP, dark=dark) as ada:
        await _keep((await _seated(there, ada)).page, f"table-laptop{suffix}")
    async with there.visitor(PHONE, touch=True, dark=dark, scale=1.5) as ada:
        await _keep((await _seated(there, ada)).page, f"table-phone{suffix}")


async def _result(there: Site) -> None:
    async with there.visitor(LAPTOP) as ada:
        table = await _seated(there, ada, rack="b11")
        await _add(table, "b11", "b10")
        await table.page.locator(".actions button.play").click()
        await table.page.wait_for_selector("main.play", state="detached")
        await table.page.wait_for_timeout(1500)
        await _keep(table.page, "result")


async def _add(table: TablePage, name: str, behind: str) -> None:
    meld = (await table.read(2)).home(behind)
    assert meld is not None
    await table.move(name, Within(meld.id, len(meld.tiles)))
    await table.page.wait_for_timeout(900)


async def _turn(there: Site) -> None:
    """A turn as it is seen: a run grows, its other end becomes a group, the play is laid."""
    frames: list[tuple[Image.Image, int]] = []
    async with there.visitor(LAPTOP, motion=True) as ada:
        table = await _seated(there, ada)
        page = table.page

        async def shoot(length: int = _FRAME) -> None:
            picture = Image.open(BytesIO(await page.screenshot(animations="allow"))).convert("RGB")
            frames.append((picture.resize((_WIDTH, picture.height * _WIDTH // picture.width)), length))

        async def carry(name: str, x: float, y: float, steps: int = 9) -> None:
            spot = (await table.read(2)).spot(name)
            from_x, from_y = spot.x + spot.width / 2, spot.y + spot.height / 2
            await page.mouse.move(from_x, from_y)
            await page.mouse.down()
            for step in range(1, steps + 1):
                part = step / steps
                eased = part * part * (3 - 2 * part)
                await page.mouse.move(from_x + (x - from_x) * eased, from_y + (y - from_y) * eased)
                await shoot()
            await page.mouse.up()
            for _ in range(4):
                await page.wait_for_timeout(_FRAME)
                await shoot()

        await shoot(_STILL)
        b10 = (await table.read()).spot("b10")
        await carry("b11", b10.x + b10.width * 1.3, b10.y + b10.height / 2)
        felt = await table.read(2)
        last = felt.melds[-1]
        await carry("b8", last.x + last.width + 160, last.y + last.height / 2)
        for name in ("k8'", "y8"):
            b8 = (await table.read(2)).home("b8")
            assert b8 is not None
            await carry(name, b8.x + b8.width + 8, b8.y + b8.height / 2)
        await page.wait_for_timeout(700)
        await shoot(_STILL)
        await page.locator(".actions button.play").click()
        for _ in range(6):
            await shoot()
        await shoot(2 * _STILL)
    pictures, lengths = [one for one, _ in frames], [length for _, length in frames]
    more: dict[str, Any] = {"save_all": True, "append_images": pictures[1:], "duration": lengths, "loop": 0}
    pictures[0].save(PICTURES / "turn.webp", quality=60, method=4, **more)


async def _keep(page: Page, name: str) -> None:
    picture = Image.open(BytesIO(await page.screenshot())).convert("RGB")
    picture.save(PICTURES / f"{name}.webp", quality=88, method=6)


if __name__ == "__main__":
    asyncio.run(main())
