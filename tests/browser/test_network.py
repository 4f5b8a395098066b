"""What comes over the network, and when nothing does, or to several pages of one player: nothing is lost by that."""

import gzip
from pathlib import Path

import pytest
from playwright.async_api import Response, expect

from tests.kit.browser import Site, said
from tests.kit.laying import lay
from tests.kit.seats import Come, at_table, match_of, turn_is_back
from tests.kit.servers import ServerProcess
from tests.kit.table_page import Scene, TablePage
from tilerummy.melds import draft

pytestmark = pytest.mark.anyio

TABLE = "b8 b9 b10 | r4 r5 r6 r7 r8 | k1 y1 r1"
PLAY = "b9 b10 b11 | b8 k8 y8 | r4 r5 r6 r7 r8 | k1 y1 r1"
# What a browser itself says about a server that is not there.
GONE = (r"ERR_(CONNECTION|INTERNET|EMPTY|SOCKET)", "WebSocket connection", r"status of 5\d\d", "ERR_FAILED")


async def nothing(_: Scene) -> None:
    """There is nothing to look at."""


async def test_the_server_is_gone_in_the_middle_of_a_turn(site: Site, tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        own = Site(site.browser, server.url, f"sqlite:///{tmp_path / 'games.db'}")
        async with own.visitor() as visitor:
            visitor.expect(*GONE)
            room, [page] = await at_table(own, [visitor], TABLE, "b11 k8 y8 r13 r1' k3", bots=1)
            await page.page.evaluate("window.sameAsBefore = true")
            await lay(page, draft("b8 b9 b10 b11 | r4 r5 r6 r7 r8 | k1 y1 r1"), nothing)
            banner = page.page.get_by_text(said("net.lost")).first
            server.kill()
            await expect(banner).to_be_visible(timeout=20_000)
            # The draft is kept, and it can be gone on with.
            assert (await page.read()).home("b11") is not None
            await lay(page, draft(PLAY), nothing)
            scene = await page.read()
            assert not scene.ready
            assert scene.reason == said("table.why-lost")
            server.start()
            await expect(banner).to_be_hidden(timeout=20_000)
            scene = await page.until(lambda now: now.ready, "it cannot be played after the connection is back")
            assert "b8 k8 y8" in scene.table
            assert await page.page.evaluate("window.sameAsBefore"), "the page was loaded anew"
            version = (await match_of(visitor, room))["version"]
            await page.play()
            scene = await turn_is_back(visitor, room, page, version)
            assert len(scene.rack) == 3
            assert not visitor.complaints


async def test_a_device_without_a_network(site: Site, come: Come) -> None:
    ann, ben = await come(), await come()
    ann.expect(*GONE)
    room, [first, second] = await at_table(site, [ann, ben], TABLE, "b11 k8 y8 r13", "k13 y2 y4")
    await lay(first, draft("b8 b9 b10 b11 | r4 r5 r6 r7 r8 | k1 y1 r1"), nothing)
    await second.until(lambda now: now.tiles.count("?") == 1)
    await ann.context.set_offline(True)
    # The browser knows at once: nobody waits until the server has been silent for long.
    banner = first.page.locator(".banner")
    await expect(banner).to_be_visible(timeout=8_000)
    await lay(first, draft(PLAY), nothing)
    assert (await first.read()).reason == said("table.why-lost")
    await ann.context.set_offline(False)
    await expect(banner).to_be_hidden()
    await first.until(lambda now: now.ready)
    await first.play()
    await second.until(lambda now: "b8 k8 y8" in now.table)
    assert (await match_of(ben, room))["turn"] == 1


async def test_a_page_that_is_loaded_anew_has_the_draft(site: Site, come: Come) -> None:
    _, [page] = await at_table(site, [await come()], TABLE, "b11 k8 y8 r13", bots=1)
    await lay(page, draft(PLAY), nothing)
    await page.until(lambda now: now.ready)
    await page.page.wait_for_timeout(800)
    await page.page.reload()
    await page.is_there()
    await page.until(lambda now: sorted(now.table) == sorted(_tables(PLAY)) and now.ready, "the draft is gone")


async def test_two_tabs_of_one_player(site: Site, come: Come) -> None:
    visitor = await come()
    room, [one] = await at_table(site, [visitor], TABLE, "b11 k8 y8 r13 r1' k3", bots=1)
    other = TablePage(await visitor.tab(f"/room/{room}"))
    await other.until(lambda now: bool(now.rack))
    await one.page.bring_to_front()
    await lay(one, draft(PLAY), nothing)
    # The same player's other page has all of it, face up, and can play it.
    scene = await other.until(lambda now: sorted(now.table) == sorted(_tables(PLAY)), "the other tab does not see it")
    assert "?" not in scene.tiles
    # And whichever of them moves a tile, the newest is what lies in both, also where all is put back.
    begun = sorted(_tables(TABLE))
    await other.page.bring_to_front()
    await other.reset()
    await one.until(lambda now: sorted(now.table) == begun, "the first tab does not follow the second")
    await one.page.bring_to_front()
    await one.undo()
    await other.until(lambda now: sorted(now.table) == sorted(_tables(PLAY)), "the second does not follow again")
    await other.page.bring_to_front()
    await other.until(lambda now: now.ready)
    version = (await match_of(visitor, room))["version"]
    await other.play()
    scenes = [await turn_is_back(visitor, room, page, version) for page in (one, other)]
    assert scenes[0].tiles == scenes[1].tiles
    assert len(scenes[0].rack) == 3


async def test_without_a_server_the_shell_is_still_there(site: Site, tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        own = Site(site.browser, server.url, f"sqlite:///{tmp_path / 'games.db'}")
        async with own.visitor(worker=True) as visitor:
            visitor.expect(*GONE)
            page = await visitor.open("/")
            await expect(page.get_by_role("button", name=said("home.play-now"))).to_be_visible()
            await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
            server.kill()
            await page.reload()
            await expect(page.get_by_role("button", name=said("home.play-now"))).to_be_visible()
            await expect(page.get_by_text(said("shell.offline")).first).to_be_visible(timeout=15_000)
            server.start()
            await expect(page.get_by_text(said("shell.offline")).first).to_be_hidden(timeout=40_000)
            assert not visitor.complaints


async def test_the_way_to_a_game_is_light(site: Site, come: Come) -> None:
    # No other language is longer.
    visitor = await come(language="fr")
    answers: list[Response] = []
    visitor.context.on("response", lambda answer: answers.append(answer))
    page = await visitor.open("/")
    await page.get_by_role("button", name=said("home.play-now", "fr")).click()
    table = TablePage(page)
    await table.is_there()
    await table.until(lambda now: bool(now.rack))
    scripts = {one.url: len(gzip.compress(await one.body())) for one in answers if one.url.endswith(".js")}
    assert len(scripts) > 4
    assert sum(scripts.values()) <= 120_000, scripts


async def test_a_screen_whose_texts_do_not_come_is_asked_for_again(come: Come) -> None:
    visitor = await come()
    visitor.expect(*GONE)
    page = await visitor.open("/")
    await visitor.context.route("**/assets/later-*.js", lambda route: route.abort())
    await page.get_by_role("link", name=said("settings.title")).first.click()
    await expect(page.get_by_role("heading", name=said("shell.load-title"))).to_be_visible()
    await visitor.context.unroute_all()
    await page.get_by_role("button", name=said("shell.reload")).click()
    await expect(page.get_by_role("heading", level=1, name=said("settings.title"))).to_be_visible()
    assert not visitor.complaints


def _tables(written: str) -> list[str]:
    order = {"k1 y1 r1": "r1 k1 y1"}
    return [order.get(meld, meld) for meld in written.split(" | ")]
