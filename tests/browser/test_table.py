"""A turn at the table: every way to move tiles, and what the page says about them meanwhile."""

import asyncio
import re
from typing import Literal

import pytest
from playwright.async_api import ViewportSize, expect

from tests.kit.browser import LAPTOP, PHONE, PHONE_FLAT, TABLET, Site, said, unbroken
from tests.kit.laying import lay
from tests.kit.prepared import put_lobby
from tests.kit.seats import Come, at_table, match_of, move, turn_is_back
from tests.kit.table_page import New, Point, Rack, Scene, TablePage, Within
from tilerummy.melds import draft
from tilerummy.rulesets import RULESETS
from tilerummy.texts import sentence, tiles_name
from tilerummy.tiles import tiles

pytestmark = pytest.mark.anyio

TABLE = "b8 b9 b10 | r4 r5 r6 r7 r8 | k1 y1 r1"
RACK = "b11 r6' k8 y8 b2 k13 j"


async def nothing(_: Scene) -> None:
    """There is nothing to look at."""


async def tables(page: TablePage, *melds: str) -> Scene:
    """Wait until these melds lie there, and no others."""
    wanted = sorted(melds)
    return await page.until(lambda scene: sorted(scene.table) == wanted, f"{wanted} do not lie there")


# By mouse


async def test_tiles_are_dragged_to_a_meld_between_two_tiles_to_the_felt_and_back(site: Site, come: Come) -> None:
    _, [page] = await at_table(site, [await come()], TABLE, RACK, bots=1)
    begun = await page.read()
    await page.move("b11", Within(_id(begun, "b10"), 3))
    await tables(page, "b8 b9 b10 b11", "r4 r5 r6 r7 r8", "r1 k1 y1")
    # Between two tiles: the second 6 divides the run.
    await page.move("r6'", Within(_id(begun, "r4"), 2))
    scene = await page.until(lambda now: len(now.melds) == 4, "the run is not divided")
    assert sorted(len(meld.spots) for meld in scene.melds) == [3, 3, 3, 4]
    assert {meld.text for meld in scene.melds} >= {"r6 r7 r8"} or {meld.text for meld in scene.melds} >= {"r6' r7 r8"}
    await page.move("k13", New())
    scene = await page.until(lambda now: ("k13",) in [meld.tiles for meld in now.melds])
    assert scene.home("k13")
    assert not scene.ready
    await page.move("k13", Rack())
    scene = await page.until(lambda now: now.home("k13") is None)
    assert scene.ready
    assert scene.reason == ""
    # What lay on the table before stays there.
    await page.move("k1", Rack())
    await expect(page.page.locator(".say")).to_contain_text("Stays on the table")
    assert (await page.read()).home("k1") is not None


async def test_a_selection_and_a_whole_meld_are_dragged(site: Site, come: Come) -> None:
    _, [page] = await at_table(site, [await come()], TABLE, RACK, bots=1)
    await page.move(["k8", "y8"], New())
    scene = await page.until(lambda now: ("k8", "y8") in [meld.tiles for meld in now.melds])
    pair, blue = scene.home("k8"), scene.home("b8")
    assert pair is not None
    assert blue is not None
    await page.move("b8", Within(pair.id, 0))
    await page.move("b11", Within(blue.id, 2))
    scene = await tables(page, "b8 k8 y8", "b9 b10 b11", "r4 r5 r6 r7 r8", "r1 k1 y1")
    assert scene.ready
    # By its handle a meld goes in front of all others.
    last, first = scene.melds[-1], scene.melds[0]
    await page.drag_meld(last.id, Point(first.x - 4, first.y + first.height / 2))
    await page.until(lambda now: now.melds[0].id == last.id, "the meld does not move")


async def test_a_pen_drags_a_tile_and_a_meld_by_its_handle(site: Site, come: Come) -> None:
    visitor = await come(TABLET)
    _, [page] = await at_table(site, [visitor], TABLE, RACK, bots=1)
    pen = await visitor.context.new_cdp_session(page.page)

    async def draw(kind: str, at: Point, *, down: bool = True) -> None:
        pressed = {"button": "none" if kind == "mouseMoved" else "left", "buttons": int(down), "clickCount": 1}
        await pen.send("Input.dispatchMouseEvent", {"type": kind, **at._asdict(), **pressed, "pointerType": "pen"})

    async def drag(start: Point, end: Point) -> None:
        await draw("mousePressed", start)
        for share in (0.2, 0.6, 1.0):
            await draw("mouseMoved", Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share))
        await draw("mouseReleased", end, down=False)

    scene = await page.read(2)
    last = scene.spot("b10")
    await drag(await page.grip(scene, "b11"), Point(last.x + last.width - 2, last.y + last.height / 2))
    scene = await page.until(lambda now: now.home("b11") == now.home("b10"), "the pen drags no tile")
    last, first = scene.melds[-1].spots[0], scene.melds[0]
    await draw("mouseMoved", Point(last.x + last.width / 2, last.y + last.height / 2), down=False)
    handle = await page.page.locator(".handle.pointed").bounding_box()
    assert handle
    knob = Point(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    await drag(knob, Point(first.x - 4, first.y + first.height / 2))
    await page.until(lambda now: now.melds[0].id == scene.melds[-1].id, "the pen drags no meld")


async def test_undo_redo_reset_and_sorting(site: Site, come: Come) -> None:
    _, [page] = await at_table(site, [await come()], TABLE, RACK, bots=1)
    begun = await page.read()
    await page.move("b11", Within(begun.melds[0].id, 3))
    one = await page.until(lambda now: now.home("b11") is not None)
    await page.move(["k8", "y8"], New())
    two = await page.until(lambda now: now.home("k8") is not None)
    await page.undo()
    await tables(page, *one.table)
    await page.redo()
    await tables(page, *two.table)
    for name, there in (("undo", one), ("undo", begun), ("redo", one), ("reset", begun)):
        await page.page.get_by_role("button", name=_label(name)).click()
        await tables(page, *there.table)
    assert not (await page.read()).ready
    # By number, by colour; a group of the rack's own first, then what fits the table, then the rest by colour.
    await sorted_by(page, "number", "b2 r6' k8 y8 b11 k13 j")
    await sorted_by(page, "colour", "r6' b2 b11 k8 k13 y8 j")
    await sorted_by(page, "playable", "k8 y8 j b11 r6' b2 k13")


async def sorted_by(page: TablePage, by: Literal["colour", "number", "playable"], rack: str) -> None:
    """Sort the rack, and wait until it is in this order."""
    await page.sort(by)
    await page.until(lambda now: [spot.tile for spot in now.rack] == rack.split(), f"by {by} it should be {rack}")


def _label(name: str) -> str:
    return {"undo": "Undo", "redo": "Redo", "reset": "Put everything back"}[name]


async def test_two_clicks_send_a_tile_where_it_fits_and_back(site: Site, come: Come) -> None:
    _, [page] = await at_table(site, [await come()], TABLE, RACK, bots=1)
    await page.page.locator('[data-tile="b11"]').dblclick()
    scene = await page.until(lambda now: now.home("b11") is not None)
    assert scene.home("b11") == scene.home("b10")
    await asyncio.sleep(0.4)
    await page.page.locator('[data-tile="b11"]').dblclick()
    await page.until(lambda now: now.home("b11") is None)


async def test_a_joker_shows_what_it_stands_for_and_can_be_turned(site: Site, come: Come) -> None:
    _, [page] = await at_table(site, [await come()], TABLE, "k8 y8 j b5 b6", bots=1)
    for name in ("b5", "b6", "j"):
        scene = await page.read()
        home = scene.home("b5")
        await page.move(name, Within(home.id, 2) if home else New())
    scene = await page.until(lambda now: any(meld.text == "b5 b6 j=b7" for meld in now.melds))
    home = scene.home("j")
    assert home
    assert scene.spot("j").label == "joker as blue 7"
    await page.turn_jokers(home.id)
    await page.until(lambda now: any(meld.text == "j=b4 b5 b6" for meld in now.melds), "the joker does not turn")
    page.way = "keys"
    await page.turn_jokers(home.id)
    await page.until(lambda now: any(meld.text == "b5 b6 j=b7" for meld in now.melds), "no key turns the joker")
    assert await page.page.evaluate("document.activeElement.closest('.stage') !== null"), "the focus is lost"


async def test_who_begins_is_told_also_after_a_joker_and_a_tie(site: Site, come: Come) -> None:
    visitor = await come()
    seed = "b233c090327b1b9dd34c4a07112b770a3d1040c49839af760a78f7eeeb9e5846"
    bots = (None, "random", "random")
    room = await put_lobby(site.db, [await visitor.me()], seed, players=3, ruleset="sabra", bots=bots)
    page = TablePage(await visitor.open(f"/room/{room}"))
    await page.page.get_by_role("button", name=said("lobby.start"), exact=True).click()
    await page.is_there()
    drawn = page.page.get_by_role("list", name=said("table.start-draws")).get_by_role("listitem")
    await expect(drawn).to_have_count(3)
    await expect(drawn.first.locator(".tile")).to_have_count(3)


# By touch


@pytest.mark.parametrize("size", [PHONE, PHONE_FLAT, TABLET], ids=["phone", "phone lying", "tablet"])
async def test_a_turn_by_touch(site: Site, come: Come, size: dict[str, int]) -> None:
    visitor = await come(size, touch=True)
    room, [page] = await at_table(site, [visitor], TABLE, RACK, bots=1)
    page.way = "touch"
    await lay(page, draft("b9 b10 b11 | b8 k8 y8 | r4 r5 r6 r7 r8 | k1 y1 r1"), nothing)
    # A finger drags, too.
    await page.drag_by_finger("r6'", Within(_id(await page.read(), "r7"), 2))
    await page.until(lambda now: len(now.melds) == 5, "nothing was dragged by the finger")
    # So does one that rested for a moment first: a tile of the rack, and all of a meld.
    await page.drag_by_finger("b2", New(), long=True)
    await page.until(lambda now: now.home("b2") is not None, "nothing was dragged after a long press")
    await page.drag_by_finger("b2", Rack(), long=True)
    await page.until(lambda now: now.home("b2") is None)
    await page.drag_by_finger("k8", Rack(), long=True)
    scene = await page.until(lambda now: now.home("k8") is None, "no meld was dragged after a long press")
    assert scene.home("y8") is None
    assert scene.home("b8") is not None
    await page.page.keyboard.press("Control+z")
    await page.until(lambda now: now.home("k8") is not None)
    await page.until(lambda now: now.ready)
    version = (await match_of(visitor, room))["version"]
    await page.play()
    scene = await turn_is_back(visitor, room, page, version)
    assert len(scene.rack) == 3
    assert {"b11", "k8", "y8", "r6'"} <= set(scene.lying)


def _id(scene: Scene, name: str) -> int:
    home = scene.home(name)
    assert home is not None
    return home.id


# By keyboard


async def test_a_turn_by_keyboard_alone(site: Site, come: Come) -> None:
    visitor = await come()
    room, [page] = await at_table(site, [visitor], TABLE, RACK, bots=1)
    page.way = "keys"
    keys = page.page.keyboard
    # The tiles are one stop for the Tab key.
    for _ in range(12):
        await keys.press("Tab")
        if any(spot.focused for spot in (await page.read()).rack):
            break
    scene = await page.read()
    assert any(spot.focused for spot in scene.rack), "Tab does not come to the rack"
    await page.move("b11", Within(scene.melds[0].id, 3))
    scene = await page.until(lambda now: now.home("b11") is not None)
    assert scene.spot("b11").focused, "the focus is lost"
    await page.move(["k8", "y8"], New())
    scene = await page.until(lambda now: now.home("k8") is not None)
    await page.move("b8", Within(_id(scene, "k8"), 0))
    await page.until(lambda now: now.ready)
    await keys.press("z")
    await keys.press("y")
    scene = await page.until(lambda now: now.ready)
    assert any(spot.focused for meld in scene.melds for spot in meld.spots), "the focus is lost"
    before = (await match_of(visitor, room))["version"]
    await keys.press("p")
    scene = await turn_is_back(visitor, room, page, before)
    assert len(scene.rack) == 4
    await keys.press("d")
    await page.until(lambda now: len(now.rack) == 5, "nothing was drawn by key")


async def test_the_help_tells_every_key_and_escape_closes_it(site: Site, come: Come) -> None:
    _, [page] = await at_table(site, [await come()], TABLE, RACK, bots=1)
    await page.page.keyboard.press("?")
    dialog = page.page.get_by_role("dialog")
    await expect(dialog).to_be_visible()
    for key in "JMZYXCNBPDHTW":
        await expect(dialog.locator("kbd", has_text=re.compile(f"^{key}$")).first).to_be_visible()
    await page.page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()


async def test_typed_notation_lays_draws_and_says_what_it_does_not_understand(site: Site, come: Come) -> None:
    visitor = await come()
    room, [page] = await at_table(site, [visitor], TABLE, RACK, bots=1)
    page.way = "typed"
    assert "r14" in await page.type("r14 r5")
    assert "b3" in await page.type("b2 b3 b4")
    assert await page.type("b9 b10 b11 | b8 k8 y8") == ""
    scene = await tables(page, "b9 b10 b11", "b8 k8 y8", "r4 r5 r6 r7 r8", "r1 k1 y1")
    assert scene.ready
    assert await page.type("undo") == ""
    await page.until(lambda now: len(now.melds) == 3)
    assert await page.type("B8, K8 Y8") == ""
    assert await page.type("b9 b10 b11") == ""
    version = (await match_of(visitor, room))["version"]
    assert await page.type("play") == ""
    held = len((await turn_is_back(visitor, room, page, version)).rack)
    assert held == 4
    assert await page.type("draw") == ""
    await page.until(lambda now: len(now.rack) == held + 1)
    assert len((await match_of(visitor, room))["rack"].split()) == held + 1


# What the page says meanwhile


async def test_the_opening_is_counted_and_told(site: Site, come: Come) -> None:
    _, [page] = await at_table(site, [await come()], "", "r1 r2 r3 k10 y10 b10 b4", bots=1, opened=False)
    meter = page.page.locator(".meter")
    await lay(page, draft("r1 r2 r3"), nothing)
    scene = await page.read()
    assert not scene.ready
    assert scene.reason == said("table.why-opening", points=6, needed=30)
    await expect(meter).to_have_text(re.compile(r"6\s*/\s*30"))
    # Whoever presses although it says no is told.
    await page.page.locator("button.play").click(force=True)
    await expect(page.page.get_by_role("status").first).to_contain_text("30")
    assert (await page.read()).table == ("r1 r2 r3",)
    await lay(page, draft("r1 r2 r3 | k10 y10 b10"), nothing)
    await page.until(lambda now: now.ready)
    await expect(meter).to_have_text(re.compile(r"36\s*/\s*30"))
    await page.move("b4", New())
    scene = await page.until(lambda now: not now.ready)
    assert "unfinished" in scene.reason
    assert len([meld for meld in scene.melds if meld.broken]) == 1


@pytest.mark.parametrize("size", [PHONE, PHONE_FLAT], ids=["phone", "phone lying"])
async def test_points_are_told_beside_an_unfinished_meld(site: Site, come: Come, size: ViewportSize) -> None:
    """On a laptop the meter shows them whatever the reason is."""
    rack = "r1 r2 r3 k10 y10 b10 b4"
    _, [page] = await at_table(site, [await come(size)], "", rack, bots=1, opened=False)
    await lay(page, draft("r1 r2 r3"), nothing)
    await page.move("b4", New())
    scene = await page.until(lambda now: "unfinished" in now.reason)
    assert re.search(r"\b6\s*/\s*30$", scene.reason)


async def told(page: TablePage, short: str, *sentences: str) -> None:
    """Wait until the button says this in a few words, and the sentences stand beside it."""
    scene = await page.until(lambda now: now.reason == short, f"nobody says {short!r}")
    assert not scene.ready
    await expect(page.page.locator(".sentences")).to_have_text(unbroken(" ".join(sentences)))


@pytest.mark.parametrize(("rules", "until"), [("club", "next-turn"), ("rummy", "all-opened")])
async def test_a_table_that_is_not_open_yet_is_told(site: Site, come: Come, rules: str, until: str) -> None:
    ann, ben = await come(), await come()
    racks = ("b9 k10 y10 r10 k3", "b10 b11 b12 k5")
    room, [page, _] = await at_table(site, [ann, ben], "", *racks, ruleset=rules, opened=False)
    await move(ann, room, "draw", seat=0)
    await move(ben, room, "play", seat=1, table=["b10 b11 b12"])
    await page.until(lambda now: now.turn == 0 and now.table == ("b10 b11 b12",))
    await lay(page, draft("b9 b10 b11 b12 | r10 k10 y10"), nothing)
    locked = sentence("table-locked", {"meld": "b10 b11 b12", "until": until}, RULESETS[rules], "en")
    await told(page, said("table.why-locked"), locked)
    await expect(page.page.locator(".stage .note")).to_have_text([said("table.note-whole")])
    # What is one's own may lie beside it.
    await page.move("b9", Rack())
    assert (await page.until(lambda now: now.ready)).reason == ""


OLD, BESIDE, LANDING = "b5 b6 b7 j=b8", "k1 k2 k3", "k1 k2 k3 j=k4 k5"
TAKEN = f"b5 b6 b7 | b9 b10 j=b11 | {BESIDE}"
SWAP = {"meld": OLD, "face": "b8", "needs": "b8"}
LACKING = "joker: the blue 8 first"


@pytest.mark.parametrize(
    ("rules", "laid", "broken", "notes"),
    [
        ("classic", TAKEN, {"joker-swap": SWAP}, {LACKING}),
        ("rummy", TAKEN, {"joker-swap": SWAP}, {LACKING, "must stay together"}),
        (
            "club",
            f"b5 b6 b7 | {LANDING}",
            {"joker-new-meld": {"meld": BESIDE, "landing": LANDING}},
            {"joker: into a new meld"},
        ),
    ],
    ids=["classic", "rummy", "club"],
)
async def test_what_a_joker_needs_is_told_in_the_rulebooks_words(
    site: Site, come: Come, rules: str, laid: str, broken: dict[str, dict[str, str]], notes: set[str]
) -> None:
    """Every meld is one: only what becomes of the joker is in the way, and that is told once."""
    rack = "b9 b10 b8' k5"
    _, [page] = await at_table(site, [await come()], f"{OLD} | {BESIDE}", rack, bots=1, ruleset=rules)
    await lay(page, draft(laid), nothing)
    await told(
        page, said("table.why-joker"), *(sentence(code, args, RULESETS[rules], "en") for code, args in broken.items())
    )
    assert set(await page.page.locator(".stage .note").all_inner_texts()) == notes
    await page.reset()
    await lay(page, draft(f"b5 b6 b7 b8' | b9 b10 j=b11 | {BESIDE}"), nothing)
    await page.until(lambda now: now.ready)
    await expect(page.page.locator(".sentences")).to_have_text("")


async def test_the_next_turn_is_prepared_while_somebody_else_plays(site: Site, come: Come) -> None:
    ann, ben = await come(), await come()
    room, [first, second] = await at_table(site, [ann, ben], TABLE, "b11 k13 y4", "r9 k8 y8 r3 b7")
    await lay(second, draft("b7 b8 b9 b10 | k8 y8 | r4 r5 r6 r7 r8 r9 | k1 y1 r1"), nothing)
    scene = await second.until(lambda now: "prepared" in now.label)
    assert not scene.ready
    # Others do not see what is only prepared.
    assert sorted((await first.read()).table) == sorted(["b8 b9 b10", "r4 r5 r6 r7 r8", "r1 k1 y1"])
    await lay(first, draft("b8 b9 b10 b11 | r4 r5 r6 r7 r8 | k1 y1 r1"), nothing)
    await first.until(lambda now: now.ready)
    await first.play()
    # What still has its place lies there, and what became of the rest is told.
    scene = await second.until(lambda now: now.turn == 1)
    assert scene.home("r9") == scene.home("r8"), "what was prepared is gone"
    there = tiles("b8 b9 b10 b11 r4 r5 r6 r7 r8 k1 y1 r1 r9 k8 y8 r3 b7")
    assert sorted(scene.tiles) == sorted(map(str, there))
    if scene.home("b7") is None:
        await expect(second.page.locator(".say")).to_contain_text("blue 7")
    await lay(second, draft("b7 b8 b9 b10 b11 | r4 r5 r6 r7 r8 r9 | k1 y1 r1"), nothing)
    await second.until(lambda now: now.ready)
    await second.play()
    await first.until(lambda now: now.home("r9") is not None and now.home("b7") is not None)
    assert sorted((await match_of(ben, room))["rack"].split()) == ["k8", "r3", "y8"]


async def test_drawing_with_tiles_on_the_table_asks_first(site: Site, come: Come) -> None:
    _, [page] = await at_table(site, [await come()], TABLE, RACK, bots=1)
    await page.move("k13", New())
    await page.until(lambda now: now.home("k13") is not None)
    await page.draw()
    dialog = page.page.get_by_role("dialog", name=re.compile("back"))
    await dialog.get_by_role("button", name=said("table.draw-no")).click()
    assert (await page.read()).home("k13") is not None
    await page.draw()
    await dialog.get_by_role("button", name=said("table.draw"), exact=True).click()
    scene = await page.until(lambda now: len(now.rack) == 8)
    assert scene.home("k13") is None


@pytest.mark.parametrize("motion", [False, True], ids=["still", "moving"])
async def test_a_drawn_tile_glows_for_a_moment(site: Site, come: Come, motion: bool) -> None:
    _, [page] = await at_table(site, [await come(motion=motion)], TABLE, RACK, bots=1)
    glowing = ".stage .tile.glowing"
    glow = f"getComputedStyle(document.querySelector('{glowing}') ?? document.body, '::after')"
    seen = asyncio.create_task(
        page.page.wait_for_function(f"() => {glow}.boxShadow !== 'none' && {glow}.opacity > 0.5")
    )
    await page.draw()
    await seen
    await expect(page.page.locator(glowing)).to_have_count(0)


async def test_hints_nudge_point_reveal_and_play(site: Site, come: Come) -> None:
    visitor = await come()
    room, [page] = await at_table(site, [visitor], TABLE, "b11 k8 y8 b2 k13", bots=1)
    view = page.page
    await view.get_by_role("button", name=said("table.hint"), exact=True).click()
    await expect(view.get_by_text(said("table.hint-nudge"))).to_be_visible()
    await view.get_by_role("button", name=re.compile("Show me which")).click()
    hinted = view.locator(".tile.hinted")
    await expect(hinted).to_have_count(3)
    await view.get_by_role("button", name=said("table.hint"), exact=True).click()
    await view.get_by_role("button", name=said("table.hint-how")).click()
    film = view.locator(".film")
    await expect(film).to_be_visible()
    await page.until(lambda now: now.home("b11") is not None, "the film does not show the play")
    await expect(film).to_be_hidden()
    # Nothing was laid by that.
    assert (await page.read()).home("b11") is None
    best = view.get_by_role("button", name=said("table.hint-best"))
    if not await best.is_visible():
        await view.get_by_role("button", name=said("table.hint"), exact=True).click()
    version = (await match_of(visitor, room))["version"]
    await best.click()
    await turn_is_back(visitor, room, page, version)
    match = await match_of(visitor, room)
    assert match["hints"][0] == 3
    assert "b11" not in match["rack"]


async def test_what_just_happened_is_shown_again(site: Site, come: Come) -> None:
    ann, ben = await come(), await come()
    room, [_, second] = await at_table(site, [ann, ben], TABLE, "b11 k8 y8 r13", "k13 y2 y4")
    await move(ann, room, "play", seat=0, table=["b9 b10 b11", "b8 k8 y8", "r4 r5 r6 r7 r8", "r1 k1 y1"])
    await second.until(lambda now: now.home("b11") is not None)
    # The last play stays lit, also for who comes anew.
    for _ in range(2):
        for name in ("b11", "k8", "y8"):
            await expect(second.page.locator(f'[data-tile="{name}"] .lit')).to_be_visible()
        await second.page.reload()
        await second.until(lambda now: now.home("b11") is not None)
    await second.page.keyboard.press("w")
    film = second.page.locator(".film")
    await expect(film).to_be_visible()
    await second.until(lambda now: now.home("b11") is None, "the film does not begin with the table before")
    await second.until(lambda now: now.home("b11") is not None, "the film does not end with the table after")
    await second.page.keyboard.press("Escape")
    await expect(film).to_be_hidden()


async def test_a_legal_draft_is_played_at_the_buzzer(site: Site, come: Come) -> None:
    ann, ben = await come(), await come()
    room, [_, page] = await at_table(site, [ann, ben], TABLE, "b13 k13 y4", "k8 y8 b11 r13 r3", clock=14)
    await move(ann, room, "draw", "not-your-turn", seat=0)
    await page.until(lambda now: now.turn == 1)
    await expect(page.page.locator('[data-seat="1"] span:is(.time, .seconds)').first).to_be_visible()
    await page.type("b9 b10 b11 | b8 k8 y8")
    await page.until(lambda now: now.ready and now.turn == 1)
    await page.until(lambda now: now.turn == 0, "the time does not run out")
    toast = page.page.locator(".toast .text")
    await expect(toast).to_have_text(re.compile("^Just in time: .+ is complete and counts"))
    scene = await page.read()
    assert sorted(spot.tile for spot in scene.rack) == ["r13", "r3"]
    assert "b8 k8 y8" in (await match_of(ben, room))["table"]


async def test_time_out_with_nothing_legal_is_told(site: Site, come: Come) -> None:
    ann, ben, rack = await come(), await come(), "k8 y8 b12 r13 r3"
    room, [_, page] = await at_table(site, [ann, ben], TABLE, "b13 k13 y4", rack, clock=12)
    await move(ann, room, "draw", "not-your-turn", seat=0)
    await page.until(lambda now: now.turn == 1)
    await page.type("k8 y8")
    await page.until(lambda now: now.home("k8") is not None)
    await page.until(lambda now: now.turn == 0, "the time does not run out")
    match = await match_of(ben, room)
    drawn = [one for one in match["rack"].split() if one not in rack.split()]
    toast = page.page.locator(".toast .text")
    await expect(toast).to_have_text(re.compile("^Time is up!"))
    names = tiles_name(" ".join(drawn), RULESETS["sabra"], "en")
    await expect(toast).to_contain_text(unbroken(f"You draw: {names}."))
    assert sorted(match["table"]) == sorted(["b8 b9 b10", "r4 r5 r6 r7 r8", "r1 k1 y1"])
    assert set(rack.split()) < set(match["rack"].split())
    # What was unfinished is prepared for the next turn, or back on the rack: nothing of it is lost.
    scene = await page.until(lambda now: len(now.tiles) == 11 + len(match["rack"].split()))
    assert set(rack.split()) < set(scene.tiles)


async def test_wide_and_narrow_pages_say_the_same(site: Site, come: Come) -> None:
    for size in (LAPTOP, PHONE):
        _, [page] = await at_table(site, [await come(size)], "", "r1 r2 r3 b4", bots=1, opened=False)
        await lay(page, draft("r1 r2 r3"), nothing)
        assert (await page.read()).reason == said("table.why-opening", points=6, needed=30)
