"""Every screen for everybody: axe-core finds nothing, in the light and in the dark."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Page, expect

from tests.kit.browser import LAPTOP, PHONE, Site, Visitor, said
from tests.kit.prepared import put_game, put_lobby
from tests.kit.seats import Come, at_table, play_out
from tests.kit.table_page import TablePage

pytestmark = pytest.mark.anyio

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """
async () => {
  // A browser that changes the theme leaves the colours of what is not drawn for later.
  document.documentElement.style.display = 'none';
  document.body.getBoundingClientRect();
  document.documentElement.style.display = '';
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations.map(({ id, help, nodes }) => ({
    id, help, nodes: nodes.slice(0, 4).map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
  }));
}
"""
TABLE = "b8 b9 b10 | r4 r5 r6 r7 r8 | k1 y1 j=1"
SOLVED = "/solver?position=sabra / b8 b9 b10 | r1 r2 r3 / b11 k8 y8 r13 / all"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
AROUND = (
    {"/": ".choices", "/new": "form h2", "/join": "form", "/settings": "select", "/nowhere": "h1"},
    {
        "/rules": "#compare",
        "/rules/sabra": "article h2",
        "/rules/junior-simplified": "article h2",
        "/solver": ".pad",
        SOLVED: "#answer-title",
    },
)


async def complaints(page: Page, where: str) -> list[str]:
    """What axe finds on a page as it is now, in the light and in the dark."""
    found = []
    await page.evaluate(AXE.read_text())
    for theme in THEMES:
        await page.emulate_media(color_scheme=theme)
        violations: list[dict[str, Any]] = await page.evaluate(RUN)
        found += [f"{where}, {theme}: {one['id']} ({one['help']}): {one['nodes']}" for one in violations]
    return found


async def quiet(visitor: Visitor, path: str, ready: str) -> list[str]:
    """What axe finds at a path, once this is to be seen there."""
    page = await visitor.open(path)
    await expect(page.locator(ready).first).to_be_visible()
    return await complaints(page, path)


@pytest.mark.parametrize("paths", AROUND, ids=["entry", "study"])
async def test_the_screens_around_the_table(come: Come, paths: dict[str, str]) -> None:
    visitor = await come()
    found = []
    for path, ready in paths.items():
        found += await quiet(visitor, path, ready)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
async def test_the_table(site: Site, come: Come, size: Any) -> None:
    visitor = await come(size)
    _, [table] = await at_table(site, [visitor], TABLE, "b11 r6' k8 y8 b2 k13 j'", bots=1)
    page = table.page
    await table.type("k8 y8")
    await table.until(lambda now: now.home("k8") is not None)
    found = await complaints(page, "table with an unfinished meld, and typing")
    await table.close_typing()
    await page.get_by_role("button", name=said("table.hint")).click()
    await expect(page.get_by_text(said("table.hint-nudge"))).to_be_visible()
    found += await complaints(page, "hints")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name=said("table.more")).click()
    found += await complaints(page, "menu")
    await page.keyboard.press("Escape")
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_be_visible()
    found += await complaints(page, "help")
    assert not found, "\n".join(found)


async def test_lobby_hand_over_and_watching(site: Site, come: Come) -> None:
    visitor, watcher = await come(), await come()
    me = await visitor.me()
    lobby = await put_lobby(site.db, [me], "1" * 64, players=3, bots=(None, "novice", None))
    found = await quiet(visitor, f"/room/{lobby}", "h2")
    # Two people on one device, so that the next one is asked for.
    local = (await visitor.post("/api/me/locals", {"name": "Zoe"}))["id"]
    room = await put_game(site.db, [me, local], TABLE, ["b11 k8 y8", "k13 y2 y4"])
    page = await visitor.open(f"/room/{room}")
    await expect(page.get_by_role("dialog")).to_be_visible()
    found += await complaints(page, "hand over")
    await watcher.open(f"/room/{room}")
    await TablePage(watcher.page).is_there()
    found += await complaints(watcher.page, "watching")
    assert not found, "\n".join(found)


async def test_race_and_result(site: Site, come: Come) -> None:
    visitor = await come()
    people = [await visitor.me(), await (await come()).me()]  # a bot would have run to the end meanwhile
    race = await put_lobby(site.db, people, "1" * 64, game="race", ruleset="junior", players=2)
    page = await visitor.open(f"/room/{race}")
    await page.get_by_role("button", name=said("lobby.start"), exact=True).click()
    await expect(page.locator("[data-loose]").first).to_be_visible()
    found = await complaints(page, "race")
    room = await play_out(site, visitor)
    page = await visitor.open(f"/room/{room}")
    await page.get_by_role("button", name=said("result.deal-again")).click()
    await expect(page.locator(".verdict")).to_have_text(said("result.all-fits"))
    found += await complaints(page, "result")
    assert not found, "\n".join(found)


async def test_the_focus_is_never_lost(site: Site, come: Come) -> None:
    """What was pressed goes away, or waits for an answer: the keyboard goes on where that was, on every screen."""
    visitor, friend = await come(), await come()
    me, other = await visitor.me(), await friend.me()

    async def press(page: Page, key: str, goes_to: str) -> None:
        await page.get_by_role("button", name=said(key), exact=True).focus()
        await page.keyboard.press("Enter")
        await expect(page.locator("*:focus").and_(page.locator(goes_to))).to_have_count(1)

    for _ in range(6):
        await put_game(site.db, [me, other], "r4 r5 r6", ["b11 k8"])
    page = await visitor.open("/")
    await press(page, "home.more-games", ".games li:nth-child(5) a")
    await visitor.open("/settings")
    await press(page, "settings.device-make", "main button")
    lobby = await put_lobby(site.db, [me], "1" * 64, players=4)
    await visitor.open(f"/room/{lobby}")
    await page.locator(".place.open button").first.focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Beginner").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".place.bot button:focus")).to_have_count(1)
    guest = await friend.open(f"/room/{lobby}")
    states = ("sit-down", "be-ready", "be-unready", "be-ready", "be-unready")
    for key, goes_to in pairwise(states):
        await press(guest, f"lobby.{key}", f"button:has-text({json.dumps(said(f'lobby.{goes_to}'))})")
    await press(page, "lobby.fill", f"button:has-text({json.dumps(said('lobby.start'))})")
    room = await play_out(site, visitor)
    await visitor.open(f"/room/{room}")
    await press(page, "result.deal-again", f":text-is({json.dumps(said('result.dealt'))})")
