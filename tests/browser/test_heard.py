"""For who does not see the table: what is said, once and at its time, and that the focus is always somewhere."""

import asyncio
import re

import pytest
from playwright.async_api import Page, expect

from tests.kit.browser import Site, said
from tests.kit.ears import Ears
from tests.kit.laying import lay
from tests.kit.prepared import put_lobby
from tests.kit.seats import Come, at_table, match_of, move, turn_is_back
from tests.kit.table_page import New, Rack, Scene, TablePage, Within
from tilerummy.melds import draft
from tilerummy.rulesets import RULESETS
from tilerummy.texts import sentence

pytestmark = pytest.mark.anyio

TABLE = "b8 b9 b10 | r4 r5 r6 r7 r8 | k1 y1 r1"
RACK = "b11 k8 y8 b2 k13"


async def nothing(_: Scene) -> None:
    """There is nothing to look at."""


async def focus_is_somewhere(page: Page) -> None:
    """The focus is not lost, also a moment later."""
    for _ in range(2):
        await page.wait_for_timeout(150)
        assert await page.evaluate("document.activeElement !== document.body"), "the focus is lost"


async def test_a_hint_is_said_and_the_next_one_is_at_hand(site: Site, come: Come) -> None:
    _, [table] = await at_table(site, [await come()], TABLE, RACK, bots=1)
    page, ears = table.page, await Ears.at(table.page)
    await page.locator('[data-tile="b11"]').focus()
    await page.keyboard.press("h")
    await ears.hears(said("table.hint-nudge"))
    which = page.get_by_role("button", name=re.compile("Show me which"))
    await expect(which).to_be_focused()
    await page.keyboard.press("Enter")
    await ears.hears("You can lay: blue 11")
    await expect(page.locator("#hints")).to_be_hidden()
    await focus_is_somewhere(page)
    assert (await table.read()).spot("b11").label == said("table.hinted", label="blue 11")
    assert (await table.read()).spot("b2").label == "blue 2"
    await page.keyboard.press("h")
    await page.get_by_role("button", name=said("table.hint-how")).press("Enter")
    await ears.hears(said("table.film-hint"))
    await ears.hears("Laid: ")
    await expect(page.locator(".film")).to_be_hidden()
    await focus_is_somewhere(page)


async def test_a_turn_that_ends_closes_its_hint_and_keeps_the_focus(site: Site, come: Come) -> None:
    ann = await come()
    room, [table, _] = await at_table(site, [ann, await come()], TABLE, RACK, "r9 k3 r3")
    page = table.page
    await page.get_by_role("button", name=said("table.hint")).click()
    await expect(page.locator("#hints button").first).to_be_focused()
    await move(ann, room, "draw", seat=0)
    await expect(page.locator("#hints")).to_be_hidden()
    await focus_is_somewhere(page)


async def test_the_question_whether_to_draw_ends_with_its_turn(site: Site, come: Come) -> None:
    ann = await come()
    room, [table, _] = await at_table(site, [ann, await come()], TABLE, RACK, "r9 k3 r3")
    page = table.page
    await table.move("k13", New())
    await table.until(lambda now: now.home("k13") is not None)
    await table.draw()
    dialog = page.get_by_role("dialog", name=re.compile("back"))
    await expect(dialog).to_be_visible()
    await move(ann, room, "draw", seat=0)
    await expect(dialog).to_be_hidden()
    await focus_is_somewhere(page)


async def test_what_just_happened_is_told_step_by_step(site: Site, come: Come) -> None:
    ann, ben = await come(), await come()
    room, [_, table] = await at_table(site, [ann, ben], TABLE, "b11 k8 y8 r13", "k13 y2 y4")
    await move(ann, room, "play", seat=0, table=["b9 b10 b11", "b8 k8 y8", "r4 r5 r6 r7 r8", "r1 k1 y1"])
    await table.until(lambda now: now.home("b11") is not None)
    ears = await Ears.at(table.page)
    await table.page.keyboard.press("w")
    for words in ("What ", "Laid: black 8", "Laid: blue 11"):
        await ears.hears(words)


async def test_what_stands_in_the_way_is_said_once(site: Site, come: Come) -> None:
    """A joker is taken without its tile, and other tiles are moved meanwhile."""
    old, beside = "b5 b6 b7 j=b8", "k1 k2 k3"
    rack = "b9 b10 b8' k5 k4 r13"
    _, [table] = await at_table(site, [await come()], f"{old} | {beside}", rack, bots=1, ruleset="classic")
    ears = await Ears.at(table.page)
    told = sentence("joker-swap", {"meld": old, "face": "b8", "needs": "b8"}, RULESETS["classic"], "en")
    await lay(table, draft(f"b5 b6 b7 | b9 b10 j=b11 | {beside}"), nothing)
    await ears.hears(told)
    await lay(table, draft(f"b5 b6 b7 | b9 b10 j=b11 | {beside} k4"), nothing)
    await table.until(lambda now: now.reason == said("table.why-joker"))
    await lay(table, draft(f"b5 b6 b7 | b9 b10 j=b11 | {beside} k4 k5"), nothing)
    await table.until(lambda now: now.reason == said("table.why-joker"))
    await table.page.keyboard.press("c")
    assert await ears.times(told) == 1
    # Whoever asks is told again, and so is who begins anew.
    await table.page.locator("button.play").click(force=True)
    assert await ears.times(told) == 2
    await table.reset()
    await lay(table, draft(f"b5 b6 b7 | b9 b10 j=b11 | {beside}"), nothing)
    await table.until(lambda now: now.reason == said("table.why-joker"))
    assert await ears.times(told) == 3


async def test_where_a_tile_is_carried_by_keys_is_said(site: Site, come: Come) -> None:
    _, [table] = await at_table(site, [await come()], TABLE, "r6' b11 k8", bots=1)
    table.way = "keys"
    run = (await table.read()).home("r4")
    assert run is not None
    ears = await Ears.at(table.page)
    await table.move("r6'", Within(run.id, 2))
    await table.until(lambda now: len(now.melds) == 4)
    # Between which tiles it goes, as the run is divided there; on the way there nothing is told at length.
    await ears.hears("On the left: red 5. Here: red 4-5-6-7-8")
    for name, place in (("b11", New()), ("b11", Rack())):
        await table.move(name, place)
    await table.until(lambda now: now.ready)
    await ears.hears("Your rack: 2 tiles")


async def test_steps_back_and_forth_and_ones_own_turn_are_said(site: Site, come: Come) -> None:
    visitor = await come()
    room, [table] = await at_table(site, [visitor], TABLE, RACK, bots=1)
    begun, ears = await table.read(), await Ears.at(table.page)
    await table.move("b11", Within(begun.melds[0].id, 3))
    await table.until(lambda now: now.ready)
    await table.page.keyboard.press("z")
    await ears.hears(said("table.done-undo"))
    await table.page.get_by_role("button", name=said("table.redo")).click()
    await ears.hears(said("table.done-redo"))
    assert await table.type("reset") == ""
    await ears.hears(said("table.done-reset"))
    assert await table.type("undo") == ""
    assert await ears.times(said("table.done-undo")) == 2
    assert await ears.times(said("table.type-laid")) == 0
    await table.until(lambda now: now.ready)
    version = (await match_of(visitor, room))["version"]
    await table.play()
    await turn_is_back(visitor, room, table, version)
    await ears.hears("You lay 1 tile: blue 11.")


async def test_what_others_say_is_heard(site: Site, come: Come) -> None:
    ann, ben = await come(), await come()
    _, [first, second] = await at_table(site, [ann, ben], TABLE, RACK, "r9 k3 r3")
    names = [(await one.get("/api/me"))["name"] for one in (ann, ben)]
    mine, others = await Ears.at(first.page), await Ears.at(second.page)
    for phrase in ("Hello!", "claps"):
        await first.page.get_by_role("button", name=said("table.say")).click()
        await first.page.locator("#phrases").get_by_role("button", name=phrase).click()
        await others.hears(f"{names[0]}: Hello!" if phrase == "Hello!" else f"{names[0]} claps.")
    assert not [one for one in await mine.heard() if "Hello!" in one]


async def test_who_begins_is_said(site: Site, come: Come) -> None:
    visitor = await come()
    room = await put_lobby(site.db, [await visitor.me()], "3" * 64, players=2, ruleset="sabra", bots=(None, "random"))
    page = await visitor.open(f"/room/{room}")
    start = page.get_by_role("button", name=said("lobby.start"), exact=True)
    await expect(start).to_be_visible()
    ears = await Ears.at(page)
    await start.click()
    await TablePage(page).is_there()
    await ears.hears("begin")


async def test_a_key_that_is_held_draws_once(site: Site, come: Come) -> None:
    visitor = await come()
    room, [table] = await at_table(site, [visitor], TABLE, RACK, bots=1)
    version = (await match_of(visitor, room))["version"]
    await table.page.keyboard.down("d")
    await turn_is_back(visitor, room, table, version)
    held = len((await match_of(visitor, room))["rack"].split())
    for _ in range(3):
        await table.page.keyboard.down("d")
        await asyncio.sleep(0.2)
    assert len((await match_of(visitor, room))["rack"].split()) == held == 6
    await table.page.keyboard.up("d")
    await table.page.keyboard.press("d")
    await table.until(lambda now: len(now.rack) == held + 1)


async def test_what_is_typed_out_of_turn_is_answered(site: Site, come: Come) -> None:
    ann, ben = await come(), await come()
    _, [_, table] = await at_table(site, [ann, ben], TABLE, RACK, "r9 k3 r3")
    answer = sentence("not-your-turn", {}, RULESETS["sabra"], "en")
    for word in ("play", "draw", "pass"):
        assert await table.type(word) == answer
    assert await table.type("  ") == ""
    assert await table.type("r9") == ""
