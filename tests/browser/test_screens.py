"""The screens around a game: the result with its fair-shuffle check, the solver, the rules, the settings, the race."""

import re

import pytest
from playwright.async_api import ViewportSize, expect

from tests.kit.browser import LAPTOP, PHONE, PHONE_FLAT, TABLET, Site, said
from tests.kit.prepared import put_game, put_lobby
from tests.kit.seats import Come, at_table, move, play_out
from tests.kit.table_page import TablePage

pytestmark = pytest.mark.anyio

POSITION = "sabra / b8 b9 b10 | r1 r2 r3 / b11 k8 y8 r13 / all"
LONG = "Maximiliane-Christophine"
# Text that ends within its own box, or goes beyond the control that it is on.
CUT = """
() => [...document.querySelectorAll('body *')]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.unseen, .skip, option'))
  .filter((one) => {
    const { overflowX, display } = getComputedStyle(one);
    if (overflowX !== 'visible' && display !== 'inline' && one.scrollWidth > one.clientWidth + 1) return true;
    const [box, around] = [one, one.closest('button, label, a.button')].map((each) => each?.getBoundingClientRect());
    return around && around.width > 1 && (box.right > around.right + 1 || box.left < around.left - 1);
  })
  .map((one) => one.textContent.trim())
"""


async def test_the_result_shows_racks_sheet_and_that_the_deal_was_fair(site: Site, come: Come) -> None:
    visitor = await come()
    room = await play_out(site, visitor, looking=True, rounds=2)
    match = (await visitor.get(f"/api/rooms/{room}"))["match"]
    page = visitor.page
    await expect(page.get_by_role("heading", level=1, name=said("result.match-over"))).to_be_visible()
    left = next(rack for rack in match["racks"] if rack).split()
    shown = page.get_by_role("region", name=said("result.racks")).locator(".tile")
    await expect(shown).to_have_count(len(left))
    total = page.get_by_role("table").get_by_role("row").last
    for points in map(sum, zip(*match["scores"], strict=True)):
        await expect(total).to_contain_text(str(abs(points)))
    await page.get_by_role("button", name=said("result.deal-again")).click()
    await expect(page.get_by_text(said("result.check-seed"))).to_be_visible()
    await expect(page.get_by_text(re.compile("Round 1 was dealt from the same seed"))).to_be_visible()
    await expect(page.locator(".verdict")).to_have_text(said("result.all-fits"))
    async with page.expect_download() as started:
        await page.get_by_role("link", name=said("result.record")).click()
    saved = await (await started.value).path()
    assert '[Ruleset "sabra"]' in saved.read_text()
    await page.get_by_role("button", name=said("result.rematch")).click()
    await expect(page.get_by_role("button", name=said("lobby.start"), exact=True)).to_be_visible()


async def test_a_deal_that_was_not_the_seeds_is_found_out(site: Site, come: Come) -> None:
    visitor = await come()
    # These racks were put there: they are not what the seed deals.
    names: list[str | None] = [await visitor.me(), None]
    room = await put_game(
        site.db, names, "b8 b9 b10", ["b11", "k13 y2 y4"], pool=0, ruleset="sabra", bots=(None, "novice")
    )
    await move(visitor, room, "play", seat=0, table=["b8 b9 b10 b11"])
    page = await visitor.open(f"/room/{room}")
    await page.get_by_role("button", name=said("result.deal-again")).click()
    await expect(page.locator(".verdict")).to_have_text(said("result.not-fits"))


async def test_the_solver_finds_a_play_that_was_tapped_in(site: Site, come: Come) -> None:
    visitor = await come(PHONE, touch=True)
    page = await visitor.open("/solver")
    pad = page.locator(".pad")
    for name in ("blue 11", "black 8", "yellow 8", "red 13"):
        await pad.get_by_role("button", name=re.compile(f"^{name},", re.IGNORECASE)).tap()
    await pad.get_by_role("button", name=re.compile("^New")).tap()
    for name in ("blue 8", "blue 9", "blue 10"):
        await pad.get_by_role("button", name=re.compile(f"^{name},", re.IGNORECASE)).tap()
    await page.get_by_role("button", name=said("solver.solve")).tap()
    title = page.locator("#answer-title")
    await expect(title).to_contain_text("3")
    await expect(title).to_contain_text("27")
    await expect(page.get_by_role("listitem").filter(has_text=re.compile("blue 11"))).to_have_count(1)
    # The address is the position: whoever gets it sees the same.
    await expect(page).to_have_url(re.compile("position="))
    other = await visitor.tab(page.url.removeprefix(site.url))
    await expect(other.locator("#answer-title")).to_contain_text("27")


async def test_the_solver_draws_its_steps(site: Site, come: Come) -> None:
    visitor = await come()
    page = await visitor.open(f"/solver?position={POSITION}")
    steps = page.get_by_role("region").locator("ol button")
    await expect(steps.first).to_be_visible()
    count = await steps.count()
    assert count >= 2
    await page.get_by_role("button", name=said("solver.first")).click()
    await expect(page.locator("ol [aria-current='step']")).to_have_count(0)
    for place in range(count):
        await page.get_by_role("button", name=said("solver.next")).click()
        await expect(steps.nth(place)).to_have_attribute("aria-current", "step")


async def test_a_joker_that_a_link_leaves_unnamed_is_drawn_once(site: Site, come: Come) -> None:
    """`r1 j r3` says by its place what the joker stands for: when it goes elsewhere, it leaves no gap."""
    visitor = await come()
    page = await visitor.open("/solver?position=sabra / r1 j r3 | k5 k6 k7 k8 k9 / k10 b5 r2 / all")
    drawn = page.get_by_role("img", name=re.compile("^Table: "))
    await expect(drawn).to_have_accessible_name(re.compile("red 1-2-3; .*blue 5, black 5, joker"))
    plates = page.locator(".stage .plate")
    widths = await plates.evaluate_all("all => all.map((one) => one.clientWidth)")
    tile = await page.locator(".stage .spot").first.evaluate("one => one.clientWidth")
    assert [round(width / (tile + 2)) for width in widths] == [3, 5, 3]


async def test_the_solver_says_what_it_cannot_use(site: Site, come: Come) -> None:
    visitor = await come()
    page = await visitor.open("/solver?position=sabra / b8 b9 / b11 / all")
    await expect(page.get_by_role("button", name=said("solver.solve"))).to_be_disabled()
    await expect(page.locator(".why")).to_be_visible()


async def test_the_solver_takes_no_more_tiles_than_there_are(site: Site, come: Come) -> None:
    visitor = await come()
    page = await visitor.open("/solver")
    await page.get_by_text(said("solver.type"), exact=True).click()
    fields, errors = page.locator(".typed textarea"), page.locator(".typed .error")
    table, rack, wrong = fields.first, fields.last, errors.last
    solve = page.get_by_role("button", name=said("solver.solve"))
    for typed, told in (("r5 r5 r5 r5", "red 5"), ("j j j j j", "joker")):
        await rack.fill(typed)
        await expect(wrong).to_have_text(said("solver.too-many", tile=told, most=2), ignore_case=True)
        await expect(solve).to_be_disabled()
    # The table and the rack count together.
    await rack.fill("r6 r5 r5")
    await table.fill("r5 r5")
    await expect(wrong).not_to_be_empty()
    await table.fill("b8 b9 b10")
    await expect(wrong).to_be_empty()
    await expect(solve).to_be_enabled()


@pytest.mark.parametrize("position", ["sabra / - / r5 r5 r5 r5 / all", POSITION.replace("sabra", "nobodys")])
async def test_a_link_to_no_position_is_told(site: Site, come: Come, position: str) -> None:
    visitor = await come()
    page = await visitor.open(f"/solver?position={position}")
    await expect(page.get_by_text(said("solver.bad-link"))).to_be_visible()
    await expect(page.locator(".pad")).to_be_visible()


async def test_every_rulebook_is_told_with_drawn_tiles(site: Site, come: Come) -> None:
    visitor = await come()
    page = await visitor.open("/rules")
    for name in ("classic", "club", "sabra", "rummy", "junior", "junior-simplified"):
        await visitor.open(f"/rules/{name}")
        await expect(page.locator("article h2").first).to_be_visible()
        assert await page.locator("article .tile").count() >= 3, name
    visitor.expect("404")
    await visitor.open("/rules/nobodys")
    await expect(page.get_by_text(said("rules.unknown"))).to_be_visible()


@pytest.mark.parametrize(
    ("size", "language"), [(LAPTOP, "fr"), (TABLET, "de"), (PHONE, "de"), (PHONE, "fr"), (PHONE_FLAT, "nl")]
)
async def test_no_word_is_cut_off(site: Site, come: Come, size: ViewportSize, language: str) -> None:
    """Long words in long languages, and the longest of names."""
    visitor = await come(size, language=language)
    visitor.expect("404")
    me = await visitor.me()
    await visitor.rename(LONG)
    await visitor.post("/api/me/locals", {"name": LONG[::-1]})
    house = {"tileset": "xp", "opening": 45, "timeout": "keep-own"}
    bots = (None, None, "novice", "greedy", "keeper", "expert")
    lobby = await put_lobby(site.db, [me], "5" * 64, players=6, rounds=12, bots=bots, house=house)
    result = await play_out(site, visitor, rounds=2)
    for path, ready in (
        ("/", ".choices"),
        ("/new", "form h2"),
        ("/new?tablet", "form h2"),
        ("/join/QQQQ", "form"),
        ("/rules", "#compare"),
        ("/rules/rummy", "article h2"),
        ("/solver", ".pad"),
        (f"/solver?position={POSITION}", "#answer-title"),
        ("/settings", "select"),
        ("/nowhere", "h1"),
        (f"/room/{lobby}", "h2"),
        (f"/room/{result}", "h2"),
    ):
        page = await visitor.open(path)
        await expect(page.locator(ready).first).to_be_visible()
        assert await page.evaluate(CUT) == [], path


async def test_settings_change_the_page_at_once_and_are_kept(site: Site, come: Come) -> None:
    visitor = await come()
    page = await visitor.open("/settings")
    html = page.locator("html")
    await page.get_by_text(said("settings.theme-dark"), exact=True).click()
    await expect(html).to_have_attribute("data-theme", "dark")
    await page.get_by_text(said("settings.hand-left"), exact=True).click()
    marks = page.get_by_role("group", name=said("settings.marks"))
    await marks.get_by_text(said("settings.marks-large"), exact=True).click()
    await page.reload()
    await expect(html).to_have_attribute("data-theme", "dark")
    await expect(html).to_have_attribute("data-marks", "large")
    _, [table] = await at_table(site, [visitor], "b8 b9 b10", "b11 k8 y8 r13", bots=1)
    scene = await table.read(2)
    assert scene.wood is not None
    assert scene.wood["x"] > 200, "the actions are not on the left"


async def test_a_race_is_run(site: Site, come: Come) -> None:
    visitor = await come()
    people = [await visitor.me()]
    room = await put_lobby(
        site.db, people, "2" * 64, game="race", ruleset="junior", players=2, bots=(None, "random"), caller=0
    )
    page = await visitor.open(f"/room/{room}")
    await page.get_by_role("button", name=said("lobby.start"), exact=True).click()
    loose = page.locator("[data-loose]")
    await expect(loose.first).to_be_visible()
    await expect(page.locator(".voice button[aria-pressed]")).to_have_count(0)
    await page.locator('[data-loose="r5"]').focus()
    await page.keyboard.press("Enter")
    await expect(page.locator('[data-place="r5"]')).to_have_class(re.compile("full"))
    # Its button is hidden now: the focus goes on to another that is not.
    await expect(page.locator("[data-loose]:focus")).to_have_attribute("aria-hidden", "false")
    # The bot finds the neighbours.
    await expect(page.locator("[data-place].full")).not_to_have_count(1, timeout=20_000)
    await page.get_by_role("button", name=said("race.leave")).click()
    await expect(page.get_by_role("button", name=said("home.play-now"))).to_be_visible()


async def test_junior_pays_with_stars(site: Site, come: Come) -> None:
    visitor = await come()
    names: list[str | None] = [await visitor.me(), None]
    room = await put_game(site.db, names, "r1 r2 r3", ["r4 b5 b6 k9"], ruleset="junior", bots=(None, "novice"), pool=20)
    table = TablePage(await visitor.open(f"/room/{room}"))
    scene = await table.until(lambda now: bool(now.rack))
    assert len(scene.rack) == 4
    await expect(table.page.locator('[data-seat="0"] .stars')).to_be_visible()
    await table.draw()
    await table.until(lambda now: len(now.rack) == 5)
