"""Nothing overlaps, nothing is cut off, nothing scrolls: the table at every size, empty, crowded, and with six players.

The positions are real ones with every tile of the set somewhere; a hundred and six tiles on the table and thirty on a
rack are from the set of a hundred and sixty.
"""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.kit.browser import LAPTOP, PHONE, SIZES, TABLET, Site, Visitor, said
from tests.kit.prepared import crowded, put_game, put_lobby
from tests.kit.seats import Come, at_table, move, play_out
from tests.kit.servers import ServerProcess
from tests.kit.table_page import New, Rack, TablePage, Within
from tilerummy.melds import draft
from tilerummy.rulesets import ruleset
from tilerummy.texts import LANGUAGES

pytestmark = pytest.mark.anyio

XP = {"tileset": "xp"}
LEAST_TILE = 24.0
LEAST_CONTROL = 44.0
SLACK = 1.0  # pixels that rounding may take

# What must be seen at once, each with its box; what is drawn over everything on purpose is no part of it.
BOXES = """
() => {
  const SAID = ['.who', '.plain', '.time', '.facts', '.words', '.signs'].map((one) => `[data-seat] ${one}`).join();
  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height];
  };
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && element.getBoundingClientRect().width > 1;
  const all = (query) => [...document.querySelectorAll(query)].filter(seen).map((element) => ({
    name: element.dataset.tile ?? element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30),
    box: box(element),
  }));
  return {
    page: [innerWidth, innerHeight],
    scrolls: [...document.querySelectorAll('main, main *')].filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const wide = element.scrollWidth > element.clientWidth + 1 && ['auto', 'scroll'].includes(overflowX);
      const high = element.scrollHeight > element.clientHeight + 1 && ['auto', 'scroll'].includes(overflowY);
      return seen(element) && (wide || high);
    }).map((element) => `${element.tagName} ${element.className}`)
      .concat(document.scrollingElement.scrollHeight > innerHeight + 1 ? ['the page'] : []),
    tiles: all('.stage [data-tile]'),
    melds: all('.stage [data-meld]'),
    rack: all('.stage .rack[role="group"]'),
    header: all('main header.top'),
    seats: all('[data-seat]'),
    top: all('main header.top .title, main header.top [data-pool], [data-seat]'),
    spilt: [...document.querySelectorAll(SAID)].filter((element) => seen(element)
      && getComputedStyle(element).clipPath === 'none'
      && element.getBoundingClientRect().right > element.closest('[data-seat]').getBoundingClientRect().right + 1)
      .map((element) => `${element.className}: ${element.textContent.trim()}`),
    controls: all('main button:not(.stage *), main a:not(.stage *)'),
    actions: all('main .actions > .actions, main .actions .watching'),
    texts: [...document.querySelectorAll('main header.top *, main .actions *')].filter((element) => seen(element)
      && element.childElementCount === 0 && element.textContent.trim() !== ''
      && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).textOverflow !== 'ellipsis'
      && getComputedStyle(element).display !== 'inline' && getComputedStyle(element).clipPath === 'none')
      .map((element) => `${element.className}: ${element.textContent.trim()}`),
  };
}
"""

BANNER = """
() => [...document.querySelectorAll('.banner')].map((one) => one.getBoundingClientRect())
  .map(({ x, y, width, height }) => ({ name: 'the banner', box: [x, y, width, height] }))
"""
# Where what does not move is, from the top.
TOPS = "[...document.querySelectorAll('.stage, header.top, .actions')].map((one) => one.getBoundingClientRect().y)"

# Controls that a finger misses; the keys of the pad are as wide as thirteen of them can be on a phone.
SMALL = """
() => [...document.querySelectorAll('button, select, input:not([type=radio], [type=checkbox]), a.button')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map((element) => ({ element, box: element.getBoundingClientRect() }))
  .filter(({ box }) => box.width > 1 && (box.height < 43.5 || box.width < 43.5))
  .map(({ element, box }) => `${element.className} ${element.textContent.trim()} ${box.width}×${box.height}`)
"""


@dataclass(frozen=True, slots=True)
class Box:
    """Something that is drawn."""

    name: str
    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Where it ends."""
        return self.y + self.height

    def overlaps(self, other: "Box", slack: float = SLACK) -> bool:
        """Whether both cover some of the page."""
        across = min(self.right, other.right) - max(self.x, other.x)
        down = min(self.bottom, other.bottom) - max(self.y, other.y)
        return across > slack and down > slack

    def inside(self, width: float, height: float) -> bool:
        """Whether all of it is on a page of this size."""
        return self.x >= -SLACK and self.y >= -SLACK and self.right <= width + SLACK and self.bottom <= height + SLACK


def boxes(some: list[dict[str, Any]]) -> list[Box]:
    return [Box(one["name"], *one["box"]) for one in some]


async def troubles(page: Page, *, overlapping_rack: bool = False) -> list[str]:
    """What is wrong with the layout of a table as it is drawn now."""
    seen = await page.evaluate(BOXES)
    width, height = seen["page"]
    tiles, melds, rack, header, seats, controls, actions = (
        boxes(seen[name]) for name in ("tiles", "melds", "rack", "header", "seats", "controls", "actions")
    )
    found = [f"{name} scrolls" for name in seen["scrolls"]]
    found += [f"{text} is cut off" for text in seen["texts"]]
    found += [f"{text} is wider than its seat" for text in seen["spilt"]]
    found += [f"above the table: {a} and {b}" for a, b in combinations(boxes(seen["top"]), 2) if a.overlaps(b)]
    everything = [*tiles, *melds, *rack, *header, *seats, *controls, *actions]
    found += [f"{one} is not on the page" for one in everything if not one.inside(width, height)]
    found += [f"{one} is too narrow" for one in tiles if one.width < LEAST_TILE]
    found += [
        f"{one} is too small for a finger" for one in controls if min(one.width, one.height) < LEAST_CONTROL - SLACK / 2
    ]
    for name, some in (("melds", melds), ("seats", seats), ("controls", controls)):
        found += [f"{name}: {a} and {b}" for a, b in combinations(some, 2) if a.overlaps(b)]
    wood = rack[0] if rack else None
    racked = [one for one in tiles if wood and one.overlaps(wood)]
    laid = [one for one in tiles if one not in racked]
    for some in (laid, [] if overlapping_rack else racked):
        found += [f"tiles: {a} and {b}" for a, b in combinations(some, 2) if a.overlaps(b)]
    for one in laid:
        if not any(_holds(meld, one) for meld in melds):
            found.append(f"{one} lies in no meld")
    for area in (*header, *rack, *actions):
        found += [f"{one} under {area}" for one in (*melds, *laid) if one.overlaps(area)]
    for a, b in combinations((*header, *rack, *actions), 2):
        if a.overlaps(b):
            found.append(f"{a} and {b}")
    return found


def _holds(meld: Box, tile: Box) -> bool:
    return (
        meld.x - SLACK <= tile.x
        and tile.right <= meld.right + SLACK
        and meld.y - SLACK <= tile.y
        and tile.bottom <= meld.bottom + 4
    )


async def sit(site: Site, visitor: Visitor, table: str, rack: str, players: int = 2, **setup: Any) -> TablePage:
    """Somebody at a table with so many bots, who wait for them."""
    _, [page] = await at_table(site, [visitor], table, rack, bots=players - 1, **setup)
    await page.read(4)
    return page


async def fits(page: TablePage) -> None:
    """Nothing is wrong with the layout of this table."""
    await page.read(3)
    assert not (found := await troubles(page.page)), "\n".join(found)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_a_table_of_106_tiles_and_a_rack_of_30_can_be_played_at(site: Site, come: Come, size: Any) -> None:
    touch = size["width"] < LAPTOP["width"]
    table, rack = crowded(ruleset("sabra", XP), 106, 30)
    page = await sit(site, await come(size, touch=touch), table, rack, house=XP)
    page.way = "touch" if touch else "mouse"
    scene = await page.read()
    assert len(scene.lying) == 106
    assert len(scene.rack) == 30
    await fits(page)
    # Every tile can be taken hold of, and there is a place for one more meld.
    for spot in [*scene.rack, *(spot for meld in scene.melds for spot in meld.spots)]:
        await page.grip(scene, spot.tile)
    name = scene.rack[0].tile
    await page.move(name, New())
    scene = await page.until(lambda now: now.home(name) is not None)
    other = scene.rack[0].tile
    home = scene.home(name)
    assert home
    await page.move(other, Within(home.id, 1))
    scene = await page.until(lambda now: now.home(other) is not None)
    await fits(page)
    await page.move(other, Rack())
    await page.until(lambda now: now.home(other) is None)


TRIPLES = (("", "r", "b", "k"), ("'", "b", "k", "y"), ("''", "r", "b", "y"))


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_as_many_small_melds_as_there_can_be_and_a_first_one(site: Site, come: Come, size: Any) -> None:
    visitor = await come(size)
    melds = [f"{a}{n}{copy} {b}{n}{copy} {c}{n}{copy}" for n in range(1, 14) for copy, a, b, c in TRIPLES][:35]
    rules = ruleset("sabra", XP)
    used = [str(piece.tile) for meld in draft(" | ".join(melds)) for piece in meld]
    left = [str(one) for one in rules.tiles() if str(one) not in used]
    page = await sit(site, visitor, " | ".join(melds), " ".join(left[:30]), house=XP)
    assert len((await page.read()).melds) == 35
    await fits(page)
    page = await sit(site, visitor, "", "r1 r2 r3 b5 k8 k9 y1 y13 b13 k13 r13 j b2 b3", opened=False)
    await fits(page)
    await page.move("r1", New())
    await page.until(lambda now: now.home("r1") is not None)
    await fits(page)


async def test_six_players_and_160_tiles_on_a_laptop(site: Site, come: Come) -> None:
    table, rack = crowded(ruleset("sabra", XP), 124, 14)
    visitor = await come(LAPTOP)
    bots: dict[str, Any] = {"bots": (None, *["novice"] * 5)}
    racks = [rack]
    room = await put_game(
        site.db, [await visitor.me(), *[None] * 5], table, [*racks, *_few(table, rack)], house=XP, **bots
    )
    page = TablePage(await visitor.open(f"/room/{room}"))
    scene = await page.until(lambda now: bool(now.rack))
    assert len(scene.seats) == 6
    assert len(scene.lying) + sum(scene.seats.values()) + scene.pool == 160
    await fits(page)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_who_has_not_opened_is_told_within_its_seat(site: Site, come: Come, language: str) -> None:
    for size, players in ((LAPTOP, 3), (LAPTOP, 4), (TABLET, 2), (TABLET, 3), (TABLET, 4)):
        visitor = await come(size, language=language)
        await fits(await sit(site, visitor, "", "r1 r2 r3 b5", players, opened=False))


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_bots_of_one_name_can_be_told_apart(site: Site, come: Come, size: Any) -> None:
    page = await sit(site, await come(size), "b8 b9 b10", "b11 k8 y8 r13", 6, house=XP)
    await fits(page)
    numbers = await page.page.evaluate(
        """() => [...document.querySelectorAll('[data-seat] .called')].slice(1).map((element) => {
          const text = [...element.childNodes].find((one) => one.nodeType === Node.TEXT_NODE && one.data.trim());
          const range = document.createRange();
          range.selectNodeContents(text);
          const [here, all] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
          return here.right <= all.right + 1 ? text.data.trim() : 'cut off';
        })"""
    )
    assert numbers == ["1", "2", "3", "4", "5"]


def _few(table: str, rack: str) -> list[str]:
    """Small racks for five others."""
    used = {str(piece.tile) for meld in draft(table) for piece in meld} | set(rack.split())
    left = [str(one) for one in ruleset("sabra", XP).tiles() if str(one) not in used]
    return [" ".join(left[seat * 4 : seat * 4 + 4]) for seat in range(5)]


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_six_players_with_long_names(site: Site, come: Come, size: Any) -> None:
    people = [await come(size), *[await come() for _ in range(5)]]
    for place, visitor in enumerate(people):
        await visitor.me()
        await visitor.rename(f"Wolfeschlegelstein {place:05}")
    # The others are not there, which is told beside their names too.
    names: list[str | None] = [await visitor.me() for visitor in people]
    room = await put_game(site.db, names, "b8 b9 b10", ["b11 k8 y8 r13"], house=XP, clock=600)
    page = TablePage(await people[0].open(f"/room/{room}"))
    await page.until(lambda now: len(now.rack) == 4 and len(now.seats) == 6)
    await fits(page)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_what_opens_over_the_table_is_all_on_the_page(site: Site, come: Come, size: Any) -> None:
    page = await sit(site, await come(size), "b8 b9 b10 | r4 r5 r6 r7 r8", "b11 k8 y8 r13")
    view = page.page
    for name, inside in (("table.hint", "#hints"), ("table.more", "#more"), ("table.say", "#phrases")):
        await view.get_by_role("button", name=said(name), exact=True).click()
        await expect(view.locator(inside)).to_be_visible()
        await expect(view.locator(f"{inside} button").last).to_be_visible()
        await _fits(view, inside)
        await view.keyboard.press("Escape")
    await view.keyboard.press("?")
    await _fits(view, "dialog[open]")
    await view.keyboard.press("Escape")
    await view.keyboard.press("t")
    typing = await _fits(view, "form.typing")
    # It is not in the way of what can be done meanwhile.
    seen = await view.evaluate(BOXES)
    assert not [one for one in boxes(seen["actions"]) if one.overlaps(typing)]


# The tiles that lie still below what is told just above the rack, and what would be touched instead of them.
COVERED = """
() => {
  const told = document.querySelector('.caption')?.getBoundingClientRect();
  const middle = (tile) => {
    const { x, y, width, height } = tile.getBoundingClientRect();
    return [x + width / 2, y + height * 0.55];
  };
  const below = told && [...document.querySelectorAll('.stage [data-tile]')].filter((tile) => {
    const [x, y] = middle(tile);
    const still = tile.getAnimations().length === 0;
    return still && told.left < x && x < told.right && told.top < y && y < told.bottom;
  });
  const other = (tile) => document.elementFromPoint(...middle(tile))?.closest('[data-tile]') !== tile;
  return told && below.length > 0 && below.filter(other).map((tile) => tile.dataset.tile);
}
"""
FULL = "r4 r5 r6 | b8 b9 b10 | k1 k2 k3 k4 k5 | r13 b13 y13 | y4 y5 y6 y7 | r10 b10' k10 y10 | r1 j r3 | b1 b2 b3 b4"
FULLER = f"{FULL} | r5' b5 k5' y5' | r9 r10' r11 r12 | k6 k7 k8 k9"


async def test_what_is_told_above_the_rack_is_in_nobodys_way(site: Site, come: Come) -> None:
    ann, ben = await come(), await come(PHONE, touch=True)
    rack = "k8' y8 r2 r9' b6 b7 k3' y3 y13' k12 b13'"
    room, [_, page] = await at_table(site, [ann, ben], FULLER, "b11 k13", rack)
    await move(ann, room, "play", seat=0, table=FULLER.replace("b8 b9 b10", "b8 b9 b10 b11").split(" | "))
    covered = await (await page.page.wait_for_function(COVERED)).json_value()
    assert not covered
    # Whoever has a tile in the hand is looking for a place for it.
    scene = await page.read()
    await page.page.touchscreen.tap(*await page.grip(scene, "r2"))
    await page.until(lambda now: now.spot("r2").selected)
    assert await page.page.evaluate(COVERED) is None


# What a browser itself says about a server that is not there.
GONE = (r"ERR_(CONNECTION|EMPTY|SOCKET)", "WebSocket connection", r"status of 5\d\d", "ERR_FAILED")
PLACES = "[...document.querySelectorAll('.stage [data-tile], .stage [data-meld]')].map((one) => one.style.cssText)"


async def test_no_tile_moves_when_the_connection_is_lost(site: Site, tmp_path: Path) -> None:
    table, rack = crowded(ruleset("sabra", XP), 106, 30)
    async with AsyncExitStack() as stack:
        server = stack.enter_context(ServerProcess(tmp_path))
        own = Site(site.browser, server.url, f"sqlite:///{tmp_path / 'games.db'}")
        pages: list[tuple[Visitor, TablePage, Any]] = []
        # The longest words for it, and the shortest.
        for language, size in [*(("de", size) for size in SIZES.values()), ("en", PHONE)]:
            visitor = await stack.enter_async_context(own.visitor(size, language=language))
            visitor.expect(*GONE)
            page = await sit(own, visitor, table, rack, house=XP)
            pages.append((visitor, page, [await page.page.evaluate(PLACES), *(await page.page.evaluate(TOPS))]))
        server.kill()
        for visitor, page, before in pages:
            banner = page.page.locator(".banner")
            await expect(banner).to_be_visible()
            await fits(page)
            assert [await page.page.evaluate(PLACES), *(await page.page.evaluate(TOPS))] == before
            seen = await page.page.evaluate(BOXES)
            [found] = boxes(await page.page.evaluate(BANNER))
            areas = [*boxes(seen["tiles"]), *boxes(seen["melds"]), *boxes(seen["rack"]), *boxes(seen["actions"])]
            # The clocks are at the seats: where there is room for both, they are seen.
            roomy = seen["page"] in ([PHONE["width"], PHONE["height"]], [LAPTOP["width"], LAPTOP["height"]])
            assert not [one for one in (*areas, *(boxes(seen["seats"]) if roomy else ())) if one.overlaps(found)]
            assert found.inside(*seen["page"])
            assert await banner.evaluate("(one) => one.scrollHeight <= one.clientHeight && one.clientHeight < 70")
            assert not await page.page.evaluate(SMALL)
            assert not visitor.complaints


async def _fits(page: Page, query: str) -> Box:
    shown = page.locator(query)
    await shown.evaluate("(one) => Promise.all(one.getAnimations().map((risen) => risen.finished))")
    box = await shown.bounding_box()
    assert box is not None
    size = page.viewport_size
    assert size is not None
    found = Box(query, box["x"], box["y"], box["width"], box["height"])
    assert found.inside(size["width"], size["height"]), f"{found} is not on the page of {size}"
    return found


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_no_other_screen_is_wider_than_the_page(site: Site, come: Come, size: Any) -> None:
    visitor = await come(size)
    me = await visitor.me()
    lobby = await put_lobby(site.db, [me], "1" * 64, players=4, bots=(None, "novice", None, "greedy"))
    for path, ready in (
        ("/", ".choices"),
        ("/new", "form h2"),
        ("/join", "form"),
        ("/rules", "#compare"),
        ("/rules/classic", "article h2"),
        ("/solver", ".pad"),
        ("/solver?position=sabra / b8 b9 b10 | r1 r2 r3 / b11 k8 y8 r13 / all", "#answer-title"),
        ("/settings", "select"),
        ("/nowhere", "h1"),
        (f"/room/{lobby}", "h2"),
    ):
        page = await visitor.open(path)
        await expect(page.locator(ready).first).to_be_visible()
        await fits_across(page, path)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_no_other_stage_of_a_room_is_wider_than_the_page(site: Site, come: Come, size: Any) -> None:
    visitor = await come(size)
    me = await visitor.me()
    # Two people on one device, so that the next one is asked for.
    local = (await visitor.post("/api/me/locals", {"name": "Zoe"}))["id"]
    room = await put_game(site.db, [me, local], "b8 b9 b10", ["b11 k8 y8", "k13 y2 y4"])
    page = await visitor.open(f"/room/{room}")
    await expect(page.get_by_role("dialog").get_by_role("button")).to_be_visible()
    await fits_across(page, "the hand-over")
    # It waits for its caller.
    racing: dict[str, Any] = {"game": "race", "ruleset": "junior", "players": 4, "caller": 0}
    bots = (None, "random", "random", "random")
    race = await put_lobby(site.db, [me], "2" * 64, bots=bots, **racing)
    page = await visitor.open(f"/room/{race}")
    await page.get_by_role("button", name=said("lobby.start"), exact=True).click()
    await expect(page.locator("[data-loose]").first).to_be_visible()
    await fits_across(page, "the race")
    room = await play_out(site, visitor)
    page = await visitor.open(f"/room/{room}")
    await expect(page.get_by_role("button", name=said("result.rematch"))).to_be_visible()
    await fits_across(page, "the result")


async def fits_across(page: Page, what: str) -> None:
    """Nothing is wider than the page, and what a finger touches is large enough."""
    wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{what} is {wide} px wider than the page"
    small = await page.evaluate(SMALL)
    assert not small, f"{what}: too small for a finger: {small}"
