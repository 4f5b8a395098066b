"""How people come to a table: by a link, by a code, on one tablet, only to look; and what they are called there."""

import json
import re
from collections.abc import Callable
from importlib.resources import files

import pytest
from playwright.async_api import Dialog, Page, expect

from tests.kit.browser import PHONE, PHONE_FLAT, TABLET, Site, Visitor, said
from tests.kit.laying import lay
from tests.kit.prepared import put_lobby
from tests.kit.seats import Come, at_table, match_of, move
from tests.kit.table_page import New, Scene, TablePage
from tilerummy.melds import draft

pytestmark = pytest.mark.anyio

TABLE = "b8 b9 b10 | r4 r5 r6 r7 r8 | k1 y1 r1"
NAMES = {"en": "English", "fr": "Français", "nl": "Nederlands", "de": "Deutsch"}
MARKUP = "<img src=x onerror=x()>"


async def nothing(_: Scene) -> None:
    """There is nothing to look at."""


def room_of(page: Page) -> str:
    """The id of the room that a page shows."""
    found = re.search(r"/room/([\w-]+)$", page.url)
    assert found, page.url
    return found[1]


async def new_table(host: Visitor, players: int = 2) -> str:
    """Make a table for friends by its form, and return the code that it has."""
    page = await host.open("/new")
    await page.get_by_role("radio", name=str(players), exact=True).check(force=True)
    await page.get_by_role("button", name=said("make.open")).click()
    await page.wait_for_url("**/room/*")
    await expect(page.get_by_role("heading", level=1, name=said("lobby.title-own"))).to_be_visible()
    code: str = (await host.get(f"/api/rooms/{room_of(page)}"))["code"]
    return code


async def test_one_tap_starts_a_game_against_bots(site: Site, come: Come) -> None:
    visitor = await come(PHONE, touch=True)
    page = await visitor.open()
    await page.get_by_role("button", name=said("home.play-now")).tap()
    table = TablePage(page)
    await table.is_there()
    scene = await table.until(lambda now: bool(now.rack))
    assert len(scene.seats) >= 2
    assert len(scene.rack) >= 14


async def test_a_table_is_made_and_joined_by_its_link(site: Site, come: Come) -> None:
    host, friend = await come(), await come(PHONE, touch=True)
    code = await new_table(host)
    await host.page.get_by_role("button", name=said("lobby.qr-show")).click()
    await expect(host.page.locator("img[src$='qr.svg']")).to_be_visible()
    await host.page.keyboard.press("Escape")
    page = await friend.open(f"/join/{code}")
    await page.wait_for_url("**/room/*")
    await page.get_by_role("button", name=said("lobby.sit-down"), exact=True).tap()
    await page.get_by_role("button", name=said("lobby.be-ready"), exact=True).tap()
    start = host.page.get_by_role("button", name=said("lobby.start"), exact=True)
    await expect(start).to_be_enabled()
    await start.click()
    for one in (host, friend):
        await TablePage(one.page).is_there()
        await TablePage(one.page).until(lambda now: len(now.rack) in (14, 15))
    match = await match_of(host, room_of(host.page))
    assert match["players"] == 2


async def test_a_table_is_joined_by_its_code(site: Site, come: Come) -> None:
    host, friend = await come(), await come()
    code = await new_table(host)
    page = await friend.open("/")
    field = page.get_by_role("textbox", name=said("join.code"))
    await field.fill("xx")
    await page.get_by_role("button", name=said("join.join"), exact=True).click()
    await expect(page.get_by_text(said("join.unfinished"))).to_be_visible()
    await field.fill(code.lower())
    await page.get_by_role("button", name=said("join.join"), exact=True).click()
    await page.wait_for_url("**/room/*")
    await page.get_by_role("button", name=said("lobby.sit-down"), exact=True).click()
    await expect(page.get_by_role("button", name=said("lobby.be-ready"), exact=True)).to_be_visible()
    seats = (await host.get(f"/api/rooms/{room_of(page)}"))["seats"]
    assert [seat["kind"] for seat in seats] == ["person", "person"]


async def test_the_host_goes_to_another_seat_and_stays_the_host(site: Site, come: Come) -> None:
    host, friend = await come(), await come()
    code = await new_table(host, players=3)
    page = await friend.open(f"/join/{code}")
    await page.wait_for_url("**/room/*")
    await page.get_by_role("button", name=said("lobby.sit-down"), exact=True).click()
    await expect(page.get_by_role("button", name=said("lobby.be-ready"), exact=True)).to_be_visible()
    await host.page.locator(".place.open button").click()
    await host.page.get_by_role("dialog").get_by_role("button", name=said("lobby.who-me")).click()
    await expect(host.page.get_by_role("dialog")).to_be_hidden()
    seats = (await host.get(f"/api/rooms/{room_of(page)}"))["seats"]
    assert [(seat["kind"], seat["host"]) for seat in seats] == [("open", False), ("person", False), ("person", True)]
    await expect(host.page.get_by_role("heading", level=1, name=said("lobby.title-own"))).to_be_visible()


async def test_nobody_waits_for_who_sits_at_the_hosts_device(site: Site, come: Come) -> None:
    host, friend = await come(), await come()
    code = await new_table(host, players=3)
    await host.page.locator(".place.open button").first.click()
    dialog = host.page.get_by_role("dialog")
    await dialog.get_by_role("textbox", name=said("lobby.who-name")).fill("Zoe")
    await dialog.get_by_role("button", name=said("lobby.who-add")).click()
    page = await friend.open(f"/join/{code}")
    zoe = page.locator(".place").filter(has_text="Zoe")
    await expect(zoe).to_contain_text(said("lobby.ready"), ignore_case=True)
    await expect(zoe).not_to_contain_text(said("lobby.unready"), ignore_case=True)


async def test_a_code_that_nobody_has_is_told(site: Site, come: Come) -> None:
    visitor = await come()
    visitor.expect("404")
    page = await visitor.open("/join/QQQQQ")
    await expect(page.get_by_text(said("join.not-found", code="QQQQQ")).first).to_be_visible()


async def test_spectators_see_drafts_face_down_and_no_rack(site: Site, come: Come) -> None:
    ann, ben, watcher = await come(), await come(), await come(PHONE)
    room, [first, second] = await at_table(site, [ann, ben], TABLE, "b11 k8 y8 r13", "k13 y2 y4")
    eyes = TablePage(await watcher.open(f"/room/{room}"))
    await eyes.is_there()
    await expect(watcher.page.get_by_text(re.compile("You are watching"))).to_be_visible()
    await lay(first, draft("b9 b10 b11 | b8 k8 y8 | r4 r5 r6 r7 r8 | k1 y1 r1"), nothing)
    for page in (eyes, second):
        scene = await page.until(lambda now: now.tiles.count("?") == 3, "the draft is not seen face down")
        assert not {"b11", "k8", "y8", "r13"} & set(scene.tiles)
    assert not (await eyes.read()).rack
    for looking in (watcher, ben):
        html = await looking.page.content()
        assert not re.search(r"data-tile=\"(b11|k8|y8|r13)\"", html)
        assert "blue 11" not in html
    await first.play()
    for page in (eyes, second):
        await page.until(lambda now: "b11" in now.lying and "?" not in now.tiles, "the play is not seen")
    assert "r13" not in (await eyes.read()).tiles


async def test_who_only_looks_is_not_let_in_where_that_is_not_wanted(site: Site, come: Come) -> None:
    ann, ben, watcher = await come(), await come(), await come()
    room, _ = await at_table(site, [ann, ben], TABLE, "b11 k8 y8 r13", "k13 y2 y4", spectators=False)
    watcher.expect("403", "WebSocket")
    await watcher.open(f"/room/{room}")
    await expect(watcher.page.get_by_text(said("net.watchers-title"))).to_be_visible()


async def test_markup_in_names_and_words_is_text(site: Site, come: Come) -> None:
    host, friend = await come(), await come()
    await host.me()
    await host.rename(MARKUP)
    for one in (host, friend):
        one.context.on("dialog", _tell(one))
    code = await new_table(host)
    await host.page.get_by_role("textbox", name=re.compile("word", re.IGNORECASE)).first.fill("<b>x</b>")
    page = await friend.open(f"/join/{code}")
    await page.wait_for_url("**/room/*")
    await expect(page.get_by_role("heading", level=1)).to_contain_text(MARKUP)
    await page.get_by_role("button", name=said("lobby.sit-down"), exact=True).click()
    await page.get_by_role("button", name=said("lobby.be-ready"), exact=True).click()
    await host.page.get_by_role("button", name=said("lobby.start"), exact=True).click()
    await TablePage(page).is_there()
    await expect(page.locator('[data-seat="0"] .called')).to_have_text(MARKUP)
    assert await page.locator("img[src='x']").count() == 0
    home = await host.open("/")
    await expect(home.get_by_text(MARKUP).first).to_be_visible()
    assert await home.locator("img[src='x']").count() == 0


def _tell(visitor: Visitor) -> Callable[[Dialog], None]:
    return lambda dialog: visitor.troubles.append(f"a dialog opened: {dialog.message}")


async def test_the_tablet_goes_round(site: Site, come: Come) -> None:
    visitor = await come(TABLET, touch=True)
    page = await visitor.open("/")
    await page.get_by_role("link", name=re.compile(said("home.tablet"))).tap()
    await page.get_by_role("textbox", name=said("make.person", number=2)).fill("Zoe")
    await page.get_by_role("button", name=said("make.start")).tap()
    cover = page.get_by_role("dialog")
    table = TablePage(page, "touch")
    await expect(cover).to_be_visible()
    seen: set[int] = set()
    for _ in range(3):
        # Until somebody asks for it, no rack is on the page.
        assert not (await table.read()).rack
        await cover.get_by_role("button").tap()
        scene = await table.until(lambda now: bool(now.rack), "the rack does not come")
        await expect(cover).to_be_hidden()
        await expect(page.locator("[data-tile]:focus")).to_have_count(1)
        assert scene.turn is not None
        seen.add(scene.turn)
        await table.draw()
        held = len(scene.rack)
        drawn = await table.until(lambda now, held=held: len(now.rack) > held)  # type: ignore[misc]
        await expect(cover).to_be_visible()
        told = await cover.inner_text()
        new = {spot.label for spot in drawn.rack} - {spot.label for spot in scene.rack}
        assert not [label for label in new if label in told], "the next player is told what was drawn"
    assert seen == {0, 1}


async def test_a_device_is_turned_in_the_middle_of_a_turn(site: Site, come: Come) -> None:
    visitor = await come(TABLET, touch=True)
    _, [table] = await at_table(site, [visitor], TABLE, "b11 k8 y8 r13", bots=1)
    await table.move("r13", New())
    # Nothing goes wrong on the way, as for everybody who comes; what was laid lies there afterwards.
    for size in (PHONE, PHONE_FLAT, TABLET, PHONE_FLAT, PHONE):
        await table.page.set_viewport_size(size)
        scene = await table.until(lambda now: now.home("r13") is not None)
        assert scene.reason


async def test_going_back_forth_and_straight_there(site: Site, come: Come) -> None:
    visitor = await come()
    page = await visitor.open("/")
    await page.get_by_role("link", name=re.compile(f"^{said('home.rules')}")).click()
    await page.wait_for_url("**/rules")
    await page.get_by_role("link", name="Sabra").first.click()
    await page.wait_for_url("**/rules/sabra")
    await expect(page.get_by_role("heading", level=1, name="Sabra")).to_be_visible()
    await page.go_back()
    await page.wait_for_url("**/rules")
    await page.go_back()
    await expect(page.get_by_role("button", name=said("home.play-now"))).to_be_visible()
    await page.go_forward()
    await page.wait_for_url("**/rules")
    await expect(page.get_by_role("heading", level=1, name=said("rules.title"))).to_be_visible()
    for path, heading in (
        ("/settings", said("settings.title")),
        ("/solver", said("solver.title")),
        ("/new", said("make.title")),
        ("/join", said("join.title")),
        ("/rules/junior", "Junior"),
        ("/no/such/place", said("home.lost-title")),
    ):
        await visitor.open(path)
        await expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()
    await visitor.open("/settings")
    await page.get_by_role("button", name=said("shell.back")).click()
    await expect(page.get_by_role("button", name=said("home.play-now"))).to_be_visible()


async def test_the_way_back_leads_from_an_answer_to_its_tiles(site: Site, come: Come) -> None:
    visitor = await come()
    page = await visitor.open("/")
    await page.get_by_role("link", name=re.compile(f"^{said('home.solver')}")).click()
    await page.get_by_role("button", name=said("solver.example")).click()
    title, pad, rack = page.locator("#answer-title"), page.locator(".pad"), page.locator(".rack .tile-button")
    await expect(title).to_be_visible()
    held = 7  # tiles of the example's rack
    for back in (page.go_back, page.get_by_role("button", name=re.compile("^Change the tiles")).click):
        await back()
        await expect(pad).to_be_visible()
        await expect(rack).to_have_count(held)
        await page.go_forward()
        await expect(title).to_be_visible()
    await page.get_by_role("button", name=said("shell.back"), exact=True).click()
    await expect(pad).to_be_visible()
    await page.get_by_role("button", name=said("shell.back"), exact=True).click()
    await expect(page.get_by_role("button", name=said("home.play-now"))).to_be_visible()


async def test_a_place_on_the_same_page_is_no_step_to_come_back_over(site: Site, come: Come) -> None:
    visitor = await come()
    page = await visitor.open("/rules")
    await page.get_by_role("link", name="Sabra").first.click()
    await page.get_by_role("link", name="The joker").click()
    await expect(page).to_have_url(re.compile("/rules/sabra#joker$"))
    await expect(page.locator("#joker")).to_be_focused()
    await expect(page.locator("#joker")).to_be_in_viewport()
    await page.get_by_role("button", name=said("shell.back")).click()
    await expect(page.get_by_role("heading", level=1, name=said("rules.title"))).to_be_visible()


async def test_the_way_back_from_a_table_leads_home_and_to_it_again(site: Site, come: Come) -> None:
    visitor = await come()
    page = await visitor.open("/")
    await page.get_by_role("button", name=said("home.play-now")).click()
    table = TablePage(page)
    await table.is_there()
    scene = await table.until(lambda now: bool(now.rack))
    room = room_of(page)
    await page.go_back()
    await expect(page.get_by_role("button", name=said("home.play-now"))).to_be_visible()
    await page.get_by_role("link", name=re.compile("Sabra")).first.click()
    await page.wait_for_url(f"**/room/{room}")
    again = await table.until(lambda now: bool(now.rack))
    assert {spot.tile for spot in scene.rack} <= {spot.tile for spot in again.rack}
    await page.reload()
    await table.until(lambda now: len(now.rack) == len(again.rack))


@pytest.mark.parametrize("language", ["en", "fr", "nl", "de"])
async def test_every_language_is_spoken_everywhere_at_once(site: Site, come: Come, language: str) -> None:
    start = "nl" if language == "en" else "en"
    visitor = await come(language=start)
    page = await visitor.open("/settings")
    await expect(page.get_by_role("heading", level=1)).to_have_text(said("settings.title", start))
    await page.get_by_label(said("settings.language", start)).select_option(label=NAMES[language])
    await expect(page.get_by_role("heading", level=1)).to_have_text(said("settings.title", language))
    await expect(page.locator("html")).to_have_attribute("lang", language)
    # It is kept, and is spoken at the table too, in the rulebook's words.
    _, [table] = await at_table(site, [visitor], TABLE, "b11 k8 y8 r13", bots=1)
    scene = await table.read()
    assert scene.label == said("table.play-none", language)
    assert scene.draw_label == said("table.draw", language)
    colours = {"en": "blue", "fr": "bleu", "nl": "blauw", "de": "blau"}
    assert colours[language] in scene.spot("b11").label.lower()
    await table.move("r13", New())
    scene = await table.until(lambda now: now.home("r13") is not None)
    assert scene.reason
    assert await page.get_by_role("button", name=said("table.undo", language)).is_visible()
    # Another tab of the same device follows.
    other = await visitor.tab("/settings")
    await expect(other.get_by_role("heading", level=1)).to_have_text(said("settings.title", language))
    await other.get_by_label(said("settings.language", language)).select_option(label=NAMES[start])
    await expect(page.locator("button.draw .label")).to_have_text(said("table.draw", start))


async def test_a_newcomers_name_is_in_the_language_that_the_page_is_set_to(site: Site, come: Come) -> None:
    """A chosen language goes before the browser's."""
    visitor = await come(language="de")
    await visitor.settle(language="fr")
    page = await visitor.open("/")
    named = page.locator("button.name .text")
    await expect(named).not_to_be_empty()
    animal, manner = (await named.inner_text()).split()
    words = json.loads(files("tilerummy.server").joinpath("names.json").read_text("utf-8"))["fr"]
    assert animal in words["animals"]
    assert manner in words["manners"]


async def test_a_tables_rules_are_told_with_its_house_rules(site: Site, come: Come) -> None:
    visitor = await come(language="fr")
    me = await visitor.me()
    house = {"tileset": "xp", "opening": 40}
    lobby = await put_lobby(site.db, [me], "4" * 64, players=2, rounds=3, bots=(None, "novice"), house=house)
    page = await visitor.open(f"/room/{lobby}")
    # In the words of its rulebook, before anybody has chosen another's.
    await expect(page.locator(".summary")).to_contain_text("3 jeux")
    await expect(page.locator(".summary")).to_contain_text("Les pièces")
    await page.locator(".summary a").click()
    await expect(page.locator("article")).to_contain_text("au moins 40 points")
    await visitor.open(f"/room/{lobby}")
    await page.get_by_role("button", name=said("lobby.start", "fr"), exact=True).click()
    await page.locator("header.top a.game").click()
    await expect(page.locator("article")).to_contain_text("au moins 40 points")


async def test_a_bot_plays_for_who_leaves_and_they_come_back(site: Site, come: Come) -> None:
    ann, ben = await come(), await come()
    room, [first, _] = await at_table(site, [ann, ben], TABLE, "b11 k8 y8 r13", "k13 y2 y4")
    page = first.page
    await page.get_by_role("button", name=said("table.more")).click()
    await page.get_by_role("button", name=said("table.leave")).click()
    await page.get_by_role("dialog").get_by_role("button", name=said("table.leave"), exact=True).click()
    await expect(page.get_by_role("button", name=said("home.play-now"))).to_be_visible()
    await expect(ben.page.locator('[data-seat="0"]')).to_contain_text("bot")
    await ann.open(f"/room/{room}")
    # Settings and help are for who is away, too.
    await page.get_by_role("button", name=said("table.more")).click()
    await expect(page.locator("#more")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name=said("table.return")).click()
    await expect(page.locator("button.draw")).to_be_visible()
    assert (await match_of(ann, room))["bots"] == [None, None]
    await move(ben, room, "draw", "not-your-turn", seat=1)
