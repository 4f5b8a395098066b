"""Robots that play whole matches on pages, in browsers of their own, each by its own way to move tiles.

What they play is chosen by a bot from the table and the rack as their page shows them, and laid tile by tile. After
every single move everything is compared: no tile is lost or made, nobody sees a tile that is not theirs to see, every
page shows the same table, which is the server's, and a play can be made exactly when it is legal.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import cycle
from random import Random
from typing import Any, Final

from playwright.async_api import expect

from tests.kit.browser import LAPTOP, PHONE, PHONE_FLAT, TABLET, Site, Visitor
from tests.kit.laying import lay, matches
from tests.kit.lines import Json
from tests.kit.prepared import put_lobby
from tests.kit.table_page import Scene, TablePage, Way
from tilerummy.bots import bot
from tilerummy.legality import check
from tilerummy.melds import Meld, draft_text, read
from tilerummy.protocol import FACE_DOWN, MatchView, match_view
from tilerummy.state import Phase, Play
from tilerummy.view import View

__all__ = ["Game", "Robot", "gathered"]

_PATIENCE: Final = 20.0
_GLANCE: Final = 0.03
_MOST_TURNS: Final = 400


@dataclass(slots=True)
class Robot:
    """Somebody at the table: a seat, a page, a mind."""

    seat: int
    visitor: Visitor
    page: TablePage
    mind: str = "greedy"
    ways: tuple[Way, ...] = ("mouse",)
    """One for each turn, in turn."""


@dataclass(slots=True)
class Game:
    """A match and everybody who plays it on a page; who else sits there is the server's bot."""

    room: str
    robots: Sequence[Robot]
    luck: Random = field(default_factory=lambda: Random(0))
    watchers: Sequence[TablePage] = ()
    turns: int = 0
    moves: int = 0
    plays: int = 0
    changes: int = 0
    """Plays that changed melds on the table."""

    async def start(self) -> None:
        """The host starts by its button; the others are ready."""
        await self.robots[0].visitor.page.get_by_role("button", name="Start").click()

    async def begin(self) -> None:
        """Start, and wait until everybody has the table before them."""
        await self.start()
        for robot in self.robots:
            await robot.page.is_there()

    async def play(self) -> Json:
        """Play to the end of the match; the match as everybody sees it then."""
        while True:
            match = await self._agree()
            if match["phase"] != "playing":
                return match
            mover = next((robot for robot in self.robots if robot.seat == match["turn"]), None)
            if mover is None:
                await asyncio.sleep(_GLANCE)
                continue
            self.turns += 1
            assert self.turns < _MOST_TURNS, "this game does not end"
            await self._turn(mover)

    # Turns

    async def _turn(self, robot: Robot) -> None:
        page = robot.page
        page.way = robot.ways[self.turns % len(robot.ways)]
        base = await page.read()
        view = await self._view(robot, base)
        command = bot(robot.mind).choose(view, self.luck, budget=20)
        if not isinstance(command, Play):
            assert base.drawing, f"nothing can be drawn: {base}"
            await page.draw()
        else:
            self.plays += 1
            kept = {str(meld) for meld in view.table} & {str(_meld(one, view)) for one in command.table}
            self.changes += len(kept) < len(view.table)

            async def look(scene: Scene) -> None:
                await self._look(robot, view, base, scene)

            after = await lay(page, command.table, look)
            assert matches(after, command.table), (after.table, draft_text(command.table))
            assert after.ready, f"a legal play cannot be made: {after.reason}"
            await page.play()
        await self._moved_on(view)

    async def _view(self, robot: Robot, scene: Scene) -> View:
        """What the robot knows; table and rack are what its page shows."""
        match = (await robot.visitor.get(f"/api/rooms/{self.room}"))["match"]
        view = match_view(MatchView.model_validate(match))
        melds = tuple(_meld(one, view) for one in scene.draft)
        assert view.phase is Phase.PLAYING
        assert view.turn == robot.seat
        return replace(view, table=melds, rack=scene.hand)

    async def _look(self, robot: Robot, view: View, base: Scene, scene: Scene) -> None:
        """What has to be true after every move of a tile."""
        self.moves += 1
        assert scene.tiles == base.tiles, "tiles are lost or made"
        assert not scene.loose, f"{scene.loose} are neither in a meld nor on the rack"
        verdict = check(
            view.table,
            view.rack,
            scene.draft,
            view.rules,
            opened=view.opened[robot.seat],
            all_opened=all(view.opened),
        )
        told = await robot.page.until(
            lambda now: now.ready == verdict.legal,
            f"{scene.table} is {'legal' if verdict.legal else verdict.violations}, and the page says otherwise",
        )
        assert verdict.legal or told.reason, f"{scene.table} cannot be played, and nothing says why"
        await self._shown(robot, scene, {str(one) for one in view.rack})

    async def _shown(self, robot: Robot, scene: Scene, rack: set[str]) -> None:
        """Everybody else sees what this robot arranges, its own tiles face down, and so does who asks the server."""
        lying = sorted(
            tuple(FACE_DOWN if one.tile in rack else one.written for one in meld.spots) for meld in scene.melds
        )
        others = [one for one in self.robots if one is not robot]
        for page in [*(one.page for one in others), *self.watchers]:
            seen = await page.until(partial(_lies, lying), f"somebody else does not see {lying}")
            assert not rack & {spot.tile for spot in seen.rack}, "somebody else has tiles of this rack"
        for one in others[:1]:
            match = (await one.visitor.get(f"/api/rooms/{self.room}"))["match"]
            told = match["draft"] or [meld.split() for meld in match["table"]]
            assert sorted(map(tuple, told)) == lying, "the server tells something else than the pages show"

    async def _moved_on(self, view: View) -> None:
        """Wait until the turn is over at the server."""
        first = self.robots[0].visitor
        async with asyncio.timeout(_PATIENCE):
            while True:
                match = (await first.get(f"/api/rooms/{self.room}"))["match"]
                if match["version"] > view.version:
                    return
                await asyncio.sleep(_GLANCE)

    # All pages and the server

    async def _agree(self) -> Json:
        """Wait until every page shows what the server says, unless the server's bots move on meanwhile."""
        wrong: list[str] = []
        try:
            async with asyncio.timeout(_PATIENCE):
                while True:
                    views = [(await one.visitor.get(f"/api/rooms/{self.room}"))["match"] for one in self.robots]
                    first: Json = views[0]
                    if first["phase"] != "playing":
                        return await self._over(first)
                    scenes = [await one.page.read() for one in self.robots]
                    watched = [await one.read() for one in self.watchers]
                    after: Json = (await self.robots[0].visitor.get(f"/api/rooms/{self.room}"))["match"]
                    same = all(view["version"] == after["version"] for view in views)
                    pairs = [*zip(views, scenes, strict=True), *((_public(first), scene) for scene in watched)]
                    wrong = [text for view, scene in pairs for text in _differences(view, scene)]
                    if same and not wrong:
                        return first
                    await asyncio.sleep(_GLANCE)
        except TimeoutError:
            raise AssertionError(f"the pages do not agree with the server: {wrong}") from None

    async def _over(self, match: Json) -> Json:
        for robot in self.robots:
            await expect(robot.visitor.page.get_by_role("heading", level=1)).to_be_visible()
        return match


@asynccontextmanager
async def gathered(
    site: Site,
    ways: Sequence[tuple[Way, ...]],
    seed: str,
    luck: Random,
    minds: Sequence[str] = ("greedy",),
    **setup: Any,
) -> AsyncIterator[Game]:
    """A room before the start with a robot on each seat, each with a browser of its own; the deal is the seed's.

    Who touches has a phone or a tablet, in turn; everybody else a laptop. What went wrong on a page is told at the end.
    """
    small = cycle((PHONE, PHONE_FLAT, TABLET))
    async with AsyncExitStack() as stack:
        visitors = []
        for some in ways:
            touch = "touch" in some
            size = next(small) if touch else LAPTOP
            visitors.append(await stack.enter_async_context(site.visitor(size, touch=touch)))
        people = [await visitor.me() for visitor in visitors]
        room = await put_lobby(site.db, people, seed, players=len(people), **setup)
        robots = []
        for seat, (visitor, some) in enumerate(zip(visitors, ways, strict=True)):
            page = await visitor.open(f"/room/{room}")
            robots.append(Robot(seat, visitor, TablePage(page), minds[seat % len(minds)], some))
        yield Game(room, robots, luck)
        complaints = {robot.seat: robot.visitor.complaints for robot in robots}
        assert not any(complaints.values()), complaints


def _lies(wanted: list[tuple[str, ...]], scene: Scene) -> bool:
    """Whether exactly these melds lie there; whatever lies face down is nobody's in particular."""
    return wanted == sorted(
        tuple(FACE_DOWN if one.tile.startswith(FACE_DOWN) else one.written for one in meld.spots)
        for meld in scene.melds
    )


def _public(match: Json) -> Json:
    return {**match, "rack": "", "seat": None}


def _meld(written: object, view: View) -> Meld:
    found = read(written, view.rules.numbers, view.rules.groups)
    assert isinstance(found, Meld), f"{written} is no meld: {found}"
    return found


def _differences(match: Json, scene: Scene) -> list[str]:
    """In what a page differs from what the server says."""
    rules = MatchView.model_validate(match)
    total = match_view(rules).rules.total
    found = {
        "table": (_sorted(match["table"]), _sorted(scene.table)),
        "rack": (sorted(match["rack"].split()), sorted(spot.tile for spot in scene.rack)),
        "racks": (dict(enumerate(match["rack_sizes"])), scene.seats),
        "pool": (match["pool_size"], scene.pool),
        "turn": (match["turn"], scene.turn),
        "all tiles": (total, len(scene.lying) + sum(scene.seats.values()) + scene.pool),
    }
    return [f"{what}: {there} there, {here} here" for what, (there, here) in found.items() if there != here]


def _sorted(table: Sequence[str]) -> list[str]:
    return sorted(" ".join(sorted(meld.split())) for meld in table)
