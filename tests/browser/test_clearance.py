"""What comes and goes on a screen covers nothing that is needed, cuts nothing off, and moves nothing below it."""

import asyncio
import re
from functools import partial
from typing import Any, Literal

import pytest
from playwright.async_api import Locator, Page, expect

from tests.kit.browser import LAPTOP, PHONE, PHONE_FLAT, SIZES, TABLET, Site, said
from tests.kit.prepared import crowded, put_game, put_lobby
from tests.kit.seats import Come, at_table, move
from tests.kit.table_page import Scene, TablePage, Within
from tilerummy.rulesets import ruleset

pytestmark = pytest.mark.anyio

XP = {"tileset": "xp"}
SLACK = 1.0  # pixels that rounding may take

# How much is drawn beyond the right and the lower edge of what holds it.
SPILT = """
(all) => all.map((one) => [one.getBoundingClientRect(), one.closest('li').getBoundingClientRect()])
  .map(([inner, outer]) => Math.max(inner.right - outer.right, inner.bottom - outer.bottom, outer.left - inner.left))
"""


async def _box(found: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom."""
    box = await found.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


async def _scrolls(page: Page) -> bool:
    return bool(await page.evaluate("document.scrollingElement.scrollHeight > innerHeight"))


# What a film tells once it tells the step with these words, and where it and what it might lie on are: all at once, as
# a film does not wait.
FILMED = """
(words) => {
  const told = document.querySelector('.film');
  const box = (one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const seen = (query) => [...document.querySelectorAll(query)].filter((one) => one.checkVisibility()).map(box);
  return told?.textContent.includes(words) && told.getAnimations().length === 0 && {
    text: told.textContent,
    film: box(told),
    others: seen('header .title, [data-pool]'),
    tiles: seen('.stage [data-tile]'),
    seats: getComputedStyle(document.querySelector('ol.seats')).opacity,
  };
}
"""


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_a_film_is_told_in_the_place_of_the_seats(site: Site, come: Come, size: Any) -> None:
    ann, ben = await come(), await come(size)
    room, [_, page] = await at_table(site, [ann, ben], "b8 b9 b10 | r4 r5 r6", "b11 k8", "k13 y2")
    await move(ann, room, "play", seat=0, table=["b8 b9 b10 b11", "r4 r5 r6"])
    await page.until(lambda now: now.home("b11") is not None)
    view = page.page
    filmed = asyncio.create_task(view.wait_for_function(FILMED, arg="blue 11"))
    await view.keyboard.press("w")
    seen = await (await filmed).json_value()
    assert said("table.film-play", name=(await ann.get("/api/me"))["name"]) in seen["text"]
    assert seen["seats"] == "0"
    left, top, right, bottom = seen["film"]
    assert min(left, top) >= 0
    assert right <= size["width"]
    for x, y, end, low in seen["others"]:
        assert end <= left + SLACK or x >= right - SLACK or low <= top + SLACK or y >= bottom - SLACK
    assert bottom <= min(y for _, y, _, _ in seen["tiles"])
    await view.keyboard.press("Escape")
    await expect(view.locator("ol.seats")).to_have_css("opacity", "1")


@pytest.mark.parametrize("size", [PHONE, PHONE_FLAT], ids=["phone", "phone lying"])
async def test_a_film_of_many_steps_is_told_in_one_line(site: Site, come: Come, size: Any) -> None:
    ann, ben = await come(), await come(size)
    groups = " | ".join(" ".join(f"{colour}{number}" for colour in "rbky") for number in range(1, 14))
    runs = [" ".join(f"{colour}{number}" for number in range(1, 14)) for colour in "rbky"]
    room, [_, page] = await at_table(site, [ann, ben], groups, "r1' r2' r3' b9'", "k13' y2'")
    await move(ann, room, "play", seat=0, table=[*runs, "r1' r2' r3'"])
    await page.until(lambda now: now.turn == 1)
    await page.page.keyboard.press("w")
    film = page.page.locator(".film")
    await expect(film.locator(".dots")).to_have_text(re.compile(r"\d\s*/\s*\d\d"))
    await film.evaluate("(one) => Promise.all(one.getAnimations().map((risen) => risen.finished))")
    _, top, _, bottom = await _box(film)
    inner = [await _box(one) for one in await film.locator("> *").all()]
    assert top >= 0
    assert all(top - SLACK <= y and low <= bottom + SLACK for _, y, _, low in inner)
    _, seats, _, _ = await _box(page.page.locator("ol.seats"))
    assert top >= seats - SLACK


# Notes that lie on each other, and numbers of another meld's tiles that one of them lies on.
COVERED = """
() => {
  const box = (one) => one.getBoundingClientRect();
  const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const meet = (a, b) => across(a, b) > 1 && down(a, b) > 1;
  const notes = [...document.querySelectorAll('.stage .note')].map((one) => [one.textContent, box(one)]);
  const numbers = [...document.querySelectorAll('.stage .numeral')].map((one) => [one.textContent, box(one)]);
  return {
    notes: notes.map(([text]) => text),
    covered: notes.flatMap(([text, note], at) => [...notes.slice(at + 1), ...numbers]
      .filter(([, other]) => meet(note, other)).map(([other]) => `${text} on ${other}`)),
  };
}
"""


def _lies(name: str, scene: Scene) -> bool:
    return scene.home(name) is not None


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("language", ["en", "fr"])
async def test_notes_of_melds_beside_each_other_cover_nothing(site: Site, come: Come, size: Any, language: str) -> None:
    table, rack = crowded(ruleset("sabra", XP), 106, 20)
    _, [page] = await at_table(site, [await come(size, language=language)], table, rack, bots=1, house=XP)
    begun = await page.read()
    for place, broken in enumerate((1, 4, 8, 12)):
        name = (await page.read()).rack[place].tile
        await page.move(name, Within(begun.melds[broken].id, 1))
        await page.until(partial(_lies, name))
    await page.read(4)
    seen = await page.page.evaluate(COVERED)
    assert len(seen["notes"]) >= 6
    assert not seen["covered"]


@pytest.mark.parametrize("players", [4, 6])
async def test_the_ring_of_a_clock_is_clear_of_the_name(site: Site, come: Come, players: int) -> None:
    visitor = await come(PHONE, touch=True)
    _, [page] = await at_table(site, [visitor], "b8 b9 b10", "b11 k8", bots=players - 1, house=XP, clock=600)
    _, _, _, ring = await _box(page.page.locator(".ring"))
    _, name, _, _ = await _box(page.page.locator("[data-seat]", has=page.page.locator(".ring")).locator(".name"))
    assert ring <= name + SLACK


@pytest.mark.parametrize(("book", "heads"), [("classic", "columnheader"), ("sabra", "rowheader")])
@pytest.mark.parametrize("players", [4, 6])
async def test_a_phone_shows_the_whole_score_sheet(
    site: Site, come: Come, players: int, book: str, heads: Literal["columnheader", "rowheader"]
) -> None:
    visitor = await come(PHONE, touch=True)
    bots = (None, *["novice"] * (players - 1))
    racks, people = ["b11"], [await visitor.me(), *[None] * (players - 1)]
    room = await put_game(site.db, people, "b8 b9 b10", racks, bots=bots, house=XP, rounds=2, ruleset=book)
    page = TablePage(await visitor.open(f"/room/{room}"))
    await page.is_there()
    await move(visitor, room, "play", seat=0, table=["b8 b9 b10 b11"])
    sheet = page.page.get_by_role("group", name=said("result.sheet"))
    await expect(sheet.get_by_role(heads)).to_have_count(players)  # as the rulebook prints it
    assert await sheet.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    cells = sheet.locator("td, th[scope=row]")
    assert not await cells.evaluate_all("(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length")
    # Bots of one name are told apart.
    for number in range(1, players):
        shown = sheet.get_by_role(heads).nth(number).locator(".name")
        x, _, right, _ = await _box(shown)
        end = await shown.evaluate(
            """(one) => {
              const range = document.createRange();
              range.selectNodeContents(one.lastChild);
              return range.getBoundingClientRect().right;
            }"""
        )
        assert x < end <= right + SLACK


async def test_nothing_in_a_race_moves_when_a_tile_is_called(site: Site, come: Come) -> None:
    for size in SIZES.values():
        visitor = await come(size, touch=True)
        race: dict[str, Any] = {"game": "race", "ruleset": "junior", "players": 4, "caller": 0}
        bots = (None, "random", "random", "random")
        lobby = await put_lobby(site.db, [await visitor.me()], "2" * 64, bots=bots, **race)
        page = await visitor.open(f"/room/{lobby}")
        await page.get_by_role("button", name=said("lobby.start"), exact=True).click()
        tiles = page.locator("[data-loose]")
        await expect(tiles.first).to_be_visible()
        spilt = await page.locator("li[data-seat] :is(.face, .stars, .name)").evaluate_all(SPILT)
        assert max(spilt) <= 0, spilt
        # Bots of one name are told apart.
        cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
        assert not await page.locator("li[data-seat] .name", has_text=said("make.bot-random")).evaluate_all(cut)
        places = "[...document.querySelectorAll('.rows, [data-loose]')].map((one) => one.getBoundingClientRect().y)"
        before = await page.evaluate(places)
        await tiles.first.click()
        await expect(page.locator(".called")).to_be_visible()
        assert await page.evaluate(places) == pytest.approx(before, abs=SLACK)


@pytest.mark.parametrize("size", [LAPTOP, TABLET], ids=["laptop", "tablet"])
async def test_a_lobby_does_not_scroll_for_nothing(site: Site, come: Come, size: Any) -> None:
    visitor = await come(size)
    lobby = await put_lobby(site.db, [await visitor.me()], "1" * 64, players=4, bots=(None, "novice", None, "greedy"))
    page = await visitor.open(f"/room/{lobby}")
    await expect(page.get_by_role("button", name=said("lobby.fill"))).to_be_visible()
    assert not await _scrolls(page)


async def test_no_key_of_the_solver_is_under_what_is_said(site: Site, come: Come) -> None:
    visitor = await come(PHONE, touch=True)
    tops = []
    for table in ("b8 b9 b10", "b8 b9"):
        page = await visitor.open(f"/solver?position=sabra / {table} / / all")
        solve = page.get_by_role("button", name=said("solver.solve"))
        await expect(solve).to_be_disabled()
        _, top, _, _ = await _box(page.locator(".go"))
        keys = page.locator(".pad [data-key]")
        assert max([(await _box(key))[3] for key in await keys.all()]) <= top + SLACK
        tops.append((await _box(keys.first))[1])
        # It is said at the button, and whatever is scrolled below it does not shine through.
        await expect(solve).to_contain_text(".")
        assert await page.locator(".go").evaluate("(one) => !getComputedStyle(one).backgroundColor.startsWith('rgba')")
    assert tops[0] == tops[1], "the keys moved"
