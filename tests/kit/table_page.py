"""The table on a page: what lies there, read from the elements that everybody sees, and every way to move tiles.

Nothing is asked of the page's own state. Where tiles lie follows from the groups of melds and of the rack, which own
their tiles for those who do not see them; where to press follows from where they are drawn.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal, NamedTuple

from playwright.async_api import Locator, Page

from tilerummy.melds import Draft, draft
from tilerummy.tiles import Tile, tile

__all__ = ["Lying", "New", "Rack", "Scene", "Spot", "TablePage", "Way", "Within"]

Way = Literal["mouse", "touch", "keys", "typed"]
"""How somebody moves tiles."""

_PATIENCE: Final = 20.0
_GLANCE: Final = 0.02
_FRAMES: Final = 2
_LONG: Final = 0.7  # seconds after which a press is a long one for certain
_MOST_TABS: Final = 60
_DOUBLE: Final = 0.35  # seconds within which a second tap on the same tile means something else

# All at once, so that nothing moves between two looks; places are where things come to rest.
_READ: Final = """
async (frames) => {
  for (let at = 0; at < frames; at += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  const stage = document.querySelector('.stage');
  const base = stage?.getBoundingClientRect() ?? { x: 0, y: 0, width: 0, height: 0 };
  const rest = (element) => {
    const { left, top, translate } = element.style;
    const [x, y] = translate.split(' ').map(parseFloat);
    return { x: base.x + (parseFloat(left) || 0) + (x || 0), y: base.y + (parseFloat(top) || 0) + (y || 0) };
  };
  const stands = (element) => {
    const shown = element.querySelector('.stands');
    const colour = ['r', 'b', 'k', 'y'].find((one) => shown?.classList.contains(one)) ?? '';
    return shown ? colour + shown.textContent.trim() : null;
  };
  const tiles = new Map([...document.querySelectorAll('.stage [data-tile]')].map((element) => [element.id, {
    tile: element.dataset.tile,
    as: stands(element),
    label: element.getAttribute('aria-label'),
    selected: element.getAttribute('aria-pressed') === 'true',
    focused: element === document.activeElement,
    ...rest(element),
    width: element.offsetWidth,
  }]));
  const named = (element) => (element.getAttribute('aria-owns') ?? '').split(' ').filter(Boolean);
  const owned = (element) => named(element).map((id) => tiles.get(id));
  const melds = [...document.querySelectorAll('.stage [data-meld]')].map((element) => ({
    id: Number(element.dataset.meld),
    ...rest(element),
    width: parseFloat(element.style.width),
    height: parseFloat(element.style.height),
    broken: element.classList.contains('broken'),
    target: element.classList.contains('target'),
    tiles: owned(element),
  }));
  const wood = document.querySelector('.stage .rack[role="group"]');
  const rack = wood && { ...rest(wood), width: parseFloat(wood.style.width), height: parseFloat(wood.style.height) };
  const play = document.querySelector('.actions button.play');
  const draw = document.querySelector('.actions button.draw');
  const text = (element) => element?.textContent.trim() ?? '';
  return {
    melds,
    rack: wood ? owned(wood) : [],
    wood: rack,
    felt: {
      top: document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0,
      bottom: Math.min(...[wood, document.querySelector('main .actions')]
        .map((one) => one?.getBoundingClientRect().top ?? base.height)),
      width: base.width,
    },
    ready: play?.getAttribute('aria-disabled') === 'false',
    label: text(play?.querySelector('.label')),
    reason: text(play?.querySelector('.why')),
    busy: play?.querySelector('[role="status"], .spinner') != null,
    drawing: draw !== null && !draw.disabled && draw.getAttribute('aria-disabled') !== 'true',
    drawLabel: text(draw?.querySelector('.label')),
    seats: [...document.querySelectorAll('[data-seat]')].map((element) => ({
      seat: Number(element.dataset.seat),
      name: text(element.querySelector('.called')),
      tiles: parseInt(text(element.querySelector('.signs')), 10),
      turn: element.getAttribute('aria-current') === 'step',
    })),
    pool: parseInt(text(document.querySelector('[data-pool] .count')) || '-1', 10),
    carrying: stage?.classList.contains('carrying') ?? false,
    loose: [...tiles.values()].filter((one) => !melds.some((meld) => meld.tiles.includes(one))
      && !(wood ? owned(wood) : []).includes(one)).map((one) => one.tile),
    screen: document.querySelector('main.play') ? 'table' : location.pathname,
  };
}
"""
_AT: Final = """
([x, y]) => {
  const element = document.elementFromPoint(x, y);
  return {
    tile: element?.closest('[data-tile]')?.dataset.tile ?? null,
    stage: element?.closest('.stage') !== null && element?.closest('button') === null,
    what: element ? `${element.tagName.toLowerCase()}.${[...element.classList].join('.')}` : 'nothing',
  };
}
"""


class Point(NamedTuple):
    """A place on the page."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Spot:
    """A tile where it comes to rest: its text, and what a joker is said to stand for."""

    tile: str
    stands: str | None
    x: float
    y: float
    width: float
    label: str
    selected: bool
    focused: bool

    @property
    def written(self) -> str:
        """As the notation writes it."""
        return f"{self.tile}={self.stands}" if self.stands else self.tile

    @property
    def height(self) -> float:
        """By its width."""
        return self.width * 1.32


@dataclass(frozen=True, slots=True)
class Lying:
    """A meld as it lies on a page, finished or not."""

    id: int
    x: float
    y: float
    width: float
    height: float
    broken: bool
    target: bool
    spots: tuple[Spot, ...]

    @property
    def tiles(self) -> tuple[str, ...]:
        """Its tiles, in their order."""
        return tuple(spot.tile for spot in self.spots)

    @property
    def text(self) -> str:
        """As the notation writes it, the jokers named as they are shown."""
        return " ".join(spot.written for spot in self.spots)


@dataclass(frozen=True, slots=True)
class Within:
    """A place in a meld: before the tile of this index, of those that stay; behind all of them."""

    meld: int
    index: int


@dataclass(frozen=True, slots=True)
class New:
    """A meld of its own."""


@dataclass(frozen=True, slots=True)
class Rack:
    """Back on the rack."""


Target = Within | New | Rack


@dataclass(frozen=True, slots=True)
class Scene:
    """A page's table at one moment."""

    melds: tuple[Lying, ...]
    rack: tuple[Spot, ...]
    ready: bool
    reason: str
    label: str
    drawing: bool
    draw_label: str
    seats: dict[int, int]
    names: dict[int, str]
    turn: int | None
    pool: int
    carrying: bool
    loose: tuple[str, ...]
    screen: str
    wood: dict[str, float] | None
    felt: dict[str, float] = field(default_factory=dict)

    @property
    def table(self) -> tuple[str, ...]:
        """The table as written, meld by meld."""
        return tuple(meld.text for meld in self.melds)

    @property
    def draft(self) -> Draft:
        """The table as the rules judge it."""
        return draft(" | ".join(self.table)) if self.melds else ()

    @property
    def lying(self) -> list[str]:
        """All tiles on the table."""
        return [one for meld in self.melds for one in meld.tiles]

    @property
    def hand(self) -> tuple[Tile, ...]:
        """The tiles of the rack."""
        return tuple(tile(spot.tile) for spot in self.rack)

    @property
    def tiles(self) -> list[str]:
        """All tiles that are seen, those that lie face down as `?`, in one order."""
        seen = [*self.lying, *(spot.tile for spot in self.rack)]
        return sorted("?" if one.startswith("?") else one for one in seen)

    def home(self, name: str) -> Lying | None:
        """The meld that a tile lies in; None on the rack."""
        return next((meld for meld in self.melds if name in meld.tiles), None)

    def spot(self, name: str) -> Spot:
        """A tile, wherever it is."""
        spots = [*self.rack, *(spot for meld in self.melds for spot in meld.spots)]
        return next(spot for spot in spots if spot.tile == name)

    def meld(self, id: int) -> Lying:
        """The meld of this id."""
        return next(meld for meld in self.melds if meld.id == id)


class TablePage:
    """A page with a table on it, and hands."""

    def __init__(self, page: Page, way: Way = "mouse") -> None:
        self.page = page
        self.way = way
        self._tapped = 0.0

    # What is seen

    async def read(self, frames: int = 0) -> Scene:
        """What is on the page now, or after so many frames: what follows from a change of sizes comes a frame later."""
        seen = await self.page.evaluate(_READ, frames)
        return _scene(seen)

    async def until(self, what: Callable[[Scene], bool], why: str = "") -> Scene:
        """Look until something is so."""
        scene = await self.read()
        try:
            async with asyncio.timeout(_PATIENCE):
                while not what(scene):
                    await asyncio.sleep(_GLANCE)
                    scene = await self.read()
        except TimeoutError:
            raise AssertionError(f"{why or 'the page does not come to it'}: {scene}") from None
        return scene

    async def is_there(self) -> None:
        """Wait until the table is drawn."""
        await self.page.wait_for_selector("main.play .stage")

    # Moving tiles

    async def move(self, names: str | Sequence[str], to: Target) -> None:
        """Move a tile, or several that lie together, in this page's way."""
        tiles = [names] if isinstance(names, str) else list(names)
        scene = await self.read(_FRAMES)
        match self.way:
            case "mouse":
                await self.drag(scene, tiles, to)
            case "touch":
                await self.tap(scene, tiles, to)
            case "keys":
                await self.carry(scene, tiles, to)
            case "typed":
                raise AssertionError("whoever types lays whole melds")

    async def drag(self, scene: Scene, names: Sequence[str], to: Target) -> None:
        """Drag with the mouse: one tile, or a selection by one of its tiles."""
        mouse = self.page.mouse
        if len(names) > 1:
            await self._select(scene, names, self._click)
        start = await self.grip(scene, names[0])
        end = await self._place(scene, names, to)
        await mouse.move(*start)
        await mouse.down()
        await mouse.move(start.x + (9 if end.x > start.x else -9), start.y - 4)
        await mouse.move(*end, steps=2)
        await mouse.up()

    async def drag_meld(self, id: int, end: Point) -> None:
        """Drag a whole meld by its handle."""
        mouse = self.page.mouse
        meld = (await self.read(_FRAMES)).meld(id)
        await mouse.move(meld.x + meld.width / 2, meld.y + meld.height / 2)
        handle = await self.page.locator(f'[data-handle="{id}"]').bounding_box()
        assert handle is not None
        await mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
        await mouse.down()
        await mouse.move(handle["x"] + 20, handle["y"] + 20)
        await mouse.move(*end, steps=3)
        await mouse.up()

    async def drag_by_finger(self, name: str, to: Target, *, long: bool = False) -> None:
        """Drag with a finger; what it holds is seen above it. A long press on a meld takes all of it."""
        scene = await self.read(_FRAMES)
        home = scene.home(name) if long else None
        held = [name] if home is None else list(home.tiles)
        start, end = await self.grip(scene, name), await self._place(scene, held, to)
        above = scene.spot(name).height * 0.62 * 0.75
        finger = await self.page.context.new_cdp_session(self.page)

        async def touch(kind: str, *points: Point) -> None:
            where = [{"x": point.x, "y": point.y} for point in points]
            await finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

        goal = Point(end.x, end.y + above)
        await touch("touchStart", start)
        if long:
            await asyncio.sleep(_LONG)
        for share in (0.1, 0.4, 0.7, 1.0):
            await touch("touchMove", Point(start.x + (goal.x - start.x) * share, start.y + (goal.y - start.y) * share))
        # A finger that comes to rest first does not fling anything, which would swallow the next tap.
        await asyncio.sleep(0.2)
        await touch("touchMove", goal)
        await touch("touchEnd")
        await finger.detach()

    async def tap(self, scene: Scene, names: Sequence[str], to: Target) -> None:
        """Tap the tiles, then tap where they go; a tap that a busy machine takes for a long press is done again."""
        await asyncio.sleep(max(0.0, self._tapped + _DOUBLE - time.monotonic()))
        for name in names:
            await self._tap_until(await self.grip(scene, name), partial(_is_selected, name))
        place = await self._place(scene, names, to)
        await self._tap_until(place, lambda now: not any(now.spot(name).selected for name in names))
        self._tapped = time.monotonic()

    async def _tap_until(self, at: Point, what: Callable[[Scene], bool]) -> None:
        for _ in range(3):
            await self._touch(at)
            for _ in range(40):
                if what(await self.read()):
                    return
                await asyncio.sleep(_GLANCE)
        raise AssertionError(f"a tap at {at} does nothing")

    async def carry(self, scene: Scene, names: Sequence[str], to: Target) -> None:
        """Move by keyboard alone: go there, pick up, go on, put down."""
        press = self.page.keyboard.press
        for name in names[1:]:
            await self._walk(scene, name)
            await press("Space")
        await self._walk(scene, names[0])
        if len(names) > 1:
            await press("Space")
        await press("Enter")
        await self._aim(scene, names, to)
        await press("Enter")

    async def type(self, text: str) -> str:
        """Type a line of the notation, and return what is said to be wrong with it."""
        form = self.page.locator("form.typing")
        if not await form.is_visible():
            await self.page.keyboard.press("t")
        await form.get_by_role("textbox").fill(text)
        await self.page.keyboard.press("Enter")
        alert = form.get_by_role("alert")
        return (await alert.inner_text()) if await alert.is_visible() else ""

    async def close_typing(self) -> None:
        """Put the line away."""
        form = self.page.locator("form.typing")
        if await form.is_visible():
            await form.get_by_role("textbox").press("Escape")

    async def turn_jokers(self, id: int) -> None:
        """Let the jokers of a meld stand for something else."""
        meld = (await self.read()).meld(id)
        boxes = await self.page.locator("button.turn").all()
        for button in boxes:
            box = await button.bounding_box()
            if box and meld.x - 30 < box["x"] < meld.x + meld.width + 30 and abs(box["y"] - meld.y) < meld.height + 30:
                await self._press(button)
                return
        raise AssertionError(f"nothing turns the jokers of {meld.text}")

    async def _press(self, button: Locator) -> None:
        """A button, in this page's way: whoever has no pointer comes to it with the Tab key."""
        match self.way:
            case "mouse":
                await button.click()
            case "touch":
                await button.tap()
            case "keys" | "typed":
                for _ in range(_MOST_TABS):
                    if await button.evaluate("(one) => one === document.activeElement"):
                        break
                    await self.page.keyboard.press("Tab")
                else:
                    raise AssertionError(f"the Tab key does not come to {button}")
                await self.page.keyboard.press("Enter")

    # The actions

    async def play(self) -> None:
        """Play what lies there."""
        await self._act("button.play", "p")

    async def draw(self) -> None:
        """Draw a tile, or pass."""
        await self._act("button.draw", "d")

    async def undo(self) -> None:
        """One step back."""
        await self.page.keyboard.press("z")

    async def redo(self) -> None:
        """One step forward again."""
        await self.page.keyboard.press("y")

    async def reset(self) -> None:
        """Everything back as it was when the turn began."""
        await self.page.keyboard.press("x")

    async def sort(self, by: Literal["colour", "number", "playable"]) -> None:
        """Sort the rack."""
        await self.page.keyboard.press({"colour": "c", "number": "n", "playable": "b"}[by])

    async def _act(self, button: str, key: str) -> None:
        if self.way in ("keys", "typed"):
            await self.close_typing()
            await self.page.keyboard.press(key)
        else:
            found = self.page.locator(f".actions {button}")
            await (found.tap() if self.way == "touch" else found.click())

    # Where to press

    async def _click(self, at: Point) -> None:
        await self.page.mouse.click(*at)

    async def _touch(self, at: Point) -> None:
        await self.page.touchscreen.tap(*at)

    async def _select(self, scene: Scene, names: Sequence[str], press: Callable[[Point], Any]) -> None:
        for name in names:
            await press(await self.grip(scene, name))

    async def grip(self, scene: Scene, name: str) -> Point:
        """A point at which a tile can be taken hold of; what covers all of it makes the test fail."""
        spot = scene.spot(name)
        covered = ""
        for across, down in ((0.5, 0.55), (0.25, 0.75), (0.8, 0.8), (0.15, 0.5), (0.5, 0.9), (0.85, 0.3)):
            at = Point(spot.x + spot.width * across, spot.y + spot.height * down)
            found = await self.page.evaluate(_AT, list(at))
            if found["tile"] == name:
                return at
            covered = found["tile"] or found["what"]
        raise AssertionError(f"{name} at {spot} cannot be taken hold of: {covered} covers it")

    async def _place(self, scene: Scene, names: Sequence[str], to: Target) -> Point:
        match to:
            case Within(meld=id, index=index):
                meld = scene.meld(id)
                staying = [spot for spot in meld.spots if spot.tile not in names]
                first, last = meld.spots[0], meld.spots[-1]
                middle = first.y + first.height / 2
                if index == 0:
                    return Point(first.x + 2, middle)
                if index >= len(staying):
                    return Point(last.x + last.width - 2, middle)
                before, after = staying[index - 1], staying[index]
                return Point((before.x + after.x) / 2 + first.width / 2, middle)
            case Rack():
                assert scene.wood is not None
                right = max((spot.x + spot.width for spot in scene.rack), default=scene.wood["x"] + 8)
                edge = scene.wood["x"] + scene.wood["width"]
                return Point(min(right + 8, edge - 5), scene.wood["y"] + scene.wood["height"] / 2)
            case New():
                return await self._free(scene)

    async def _free(self, scene: Scene) -> Point:
        """The point on the felt that is farthest from every meld and every control, as a finger would choose it."""
        tile = scene.melds[0].spots[0].width if scene.melds else 40.0
        aside = _gap([(one.y, one.x, one.width) for one in scene.melds], 0.45 * tile)
        above = _gap([(0.0, one.y, one.height) for one in _rows(scene.melds)], 0.2 * tile)
        rack = scene.rack[0].height if scene.rack else 0.0
        top, bottom = scene.felt["top"] + 4, scene.felt["bottom"] - max(8.0, 0.2 * rack)

        def room(point: Point) -> float:
            away = [min(point.y - top, bottom - point.y)]
            for one in scene.melds:
                across = max(one.x - aside - point.x, point.x - one.x - one.width - aside)
                down = max(one.y - above - point.y, point.y - one.y - one.height - above)
                away.append(max(across, down))
            return min(away)

        points = [Point(x, y) for y in _steps(bottom, top, -6) for x in _steps(scene.felt["width"] - 8, 4, -6)]
        free = sorted((point for point in points if room(point) > 1), key=room, reverse=True)
        for point in free[:: max(1, len(free) // 40)]:
            if (await self.page.evaluate(_AT, list(point)))["stage"]:
                return point
        raise AssertionError(f"there is no free felt for a new meld: {scene.table}")

    # Where keys lead

    async def _walk(self, scene: Scene, name: str) -> None:
        """Give a tile the focus with the arrow keys."""
        order = [*scene.lying, *(spot.tile for spot in scene.rack)]
        press = self.page.keyboard.press
        now = next((one.tile for one in await self._spots() if one.focused), None)
        if now is None:
            await press("ArrowRight")
            now = next(one.tile for one in await self._spots() if one.focused)
        on_rack = len(scene.lying)
        if (order.index(now) >= on_rack) != (order.index(name) >= on_rack):
            await press("j")
            now = next(one.tile for one in await self._spots() if one.focused)
        steps = order.index(name) - order.index(now)
        for _ in range(abs(steps)):
            await press("ArrowRight" if steps > 0 else "ArrowLeft")
        focused = [one.tile for one in await self._spots() if one.focused]
        assert focused == [name], f"the arrow keys led to {focused}, not to {name}"

    async def _spots(self) -> list[Spot]:
        scene = await self.read()
        return [*scene.rack, *(spot for meld in scene.melds for spot in meld.spots)]

    async def _aim(self, scene: Scene, names: Sequence[str], to: Target) -> None:
        """Lead what is in the hand to its place: places in the melds, then a new meld, then the rack, one by one."""
        places: list[tuple[str, int, int]] = []
        for meld in scene.melds:
            staying = [one for one in meld.tiles if one not in names]
            if staying:
                places += [("meld", meld.id, index) for index in range(len(staying) + 1)]
        places.append(("new", 0, 0))
        places += [("rack", 0, index) for index in range(len([s for s in scene.rack if s.tile not in names]) + 1)]
        home = scene.home(names[0])
        row = [spot.tile for spot in scene.rack] if home is None else list(home.tiles)
        index = len([one for one in row[: row.index(names[0])] if one not in names])
        now: tuple[str, int, int] | None = ("rack", 0, index) if home is None else ("meld", home.id, index)
        if home is not None and set(home.tiles) <= set(names):
            now = None  # a whole meld lies where it can be put down as a new one; the arrows begin there
        goal = places[-1]
        if not isinstance(to, Rack):
            goal = ("new", 0, 0) if isinstance(to, New) else ("meld", to.meld, to.index)
        press = self.page.keyboard.press
        if now is None:
            await press("ArrowRight")
            now = ("new", 0, 0)
        if (now[0] == "rack") != (goal[0] == "rack"):
            await press("j")
            now = next(place for place in places if (place[0] == "rack") == (goal[0] == "rack"))
        steps = places.index(goal) - places.index(now)
        for _ in range(abs(steps)):
            await press("ArrowRight" if steps > 0 else "ArrowLeft")
        target = [meld.id for meld in (await self.read()).melds if meld.target]
        assert target == ([goal[1]] if goal[0] == "meld" else []), f"the keys aim at {target}, not at {goal}"


def _is_selected(name: str, scene: Scene) -> bool:
    return scene.spot(name).selected


def _scene(seen: dict[str, Any]) -> Scene:
    def spot(one: dict[str, Any]) -> Spot:
        return Spot(
            one["tile"], one["as"], one["x"], one["y"], one["width"], one["label"], one["selected"], one["focused"]
        )

    melds = tuple(
        Lying(
            one["id"],
            one["x"],
            one["y"],
            one["width"],
            one["height"],
            one["broken"],
            one["target"],
            tuple(map(spot, one["tiles"])),
        )
        for one in seen["melds"]
    )
    return Scene(
        melds=melds,
        rack=tuple(map(spot, seen["rack"])),
        ready=seen["ready"],
        reason=seen["reason"],
        label=seen["label"],
        drawing=seen["drawing"],
        draw_label=seen["drawLabel"],
        seats={one["seat"]: one["tiles"] for one in seen["seats"]},
        names={one["seat"]: one["name"] for one in seen["seats"]},
        turn=next((one["seat"] for one in seen["seats"] if one["turn"]), None),
        pool=seen["pool"],
        carrying=seen["carrying"],
        loose=tuple(seen["loose"]),
        screen=seen["screen"],
        wood=seen["wood"],
        felt=seen["felt"],
    )


def _rows(melds: Sequence[Lying]) -> list[Lying]:
    """One meld of each row."""
    return list({round(meld.y): meld for meld in melds}.values())


def _gap(boxes: Sequence[tuple[float, float, float]], reach: float) -> float:
    """How far a meld reaches beyond its box, by the gaps between neighbours: (line, start, length) of each."""
    lines: dict[int, list[tuple[float, float]]] = {}
    for line, start, length in boxes:
        lines.setdefault(round(line), []).append((start, length))
    gaps = [
        after[0] - before[0] - before[1]
        for line in lines.values()
        for before, after in zip(sorted(line), sorted(line)[1:], strict=False)
    ]
    gap = min(gaps, default=reach)
    return max(gap / 2, min(reach, gap))


def _steps(start: float, end: float, step: float) -> list[float]:
    return [start + step * place for place in range(int((end - start) / step) + 1)]
