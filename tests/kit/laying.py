"""Hands: how a table becomes another one, tile by tile, whatever the page makes of each move on the way."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from tests.kit.table_page import Lying, New, Rack, Scene, TablePage, Target, Within
from tilerummy.melds import Draft, Piece, draft_text

__all__ = ["lay", "matches"]

Look = Callable[[Scene], Awaitable[None]]


async def lay(page: TablePage, wanted: Draft, look: Look) -> Scene:
    """Move one tile after the other until this table lies there, and look after each move."""
    if page.way == "typed":
        wrong = await page.type(draft_text(wanted))
        assert not wrong, f"{draft_text(wanted)} is not understood: {wrong}"
        await page.close_typing()
        scene = await page.read()
        await look(scene)
        return await _name_jokers(page, wanted, look)
    most = 12 + 4 * sum(len(meld) for meld in wanted)
    scene = await page.read()
    for _ in range(most):
        step = _next(scene, wanted)
        if step is None:
            return await _name_jokers(page, wanted, look)
        before = sorted(scene.table)
        await page.move(*step)
        scene = await page.until(partial(_has_changed, before), f"{step} does nothing")
        await look(scene)
    raise AssertionError(f"{draft_text(wanted)} does not come about: {(await page.read()).table}")


def matches(scene: Scene, wanted: Draft) -> bool:
    """Whether this table lies there, tile by tile, the jokers standing for what they should.

    Which of several jokers in a meld is which nobody can see, so it is the page that chooses.
    """
    return sorted(map(_seen, scene.draft)) == sorted(map(_seen, wanted))


def _seen(meld: Sequence[Piece]) -> tuple[list[str], list[str]]:
    """The tiles of a meld, and what its jokers stand for."""
    return sorted(str(piece.tile) for piece in meld), sorted(str(piece.face) for piece in meld if piece.tile.is_joker)


def _next(scene: Scene, wanted: Draft) -> tuple[str, Target] | None:
    """The next tile to move, and where to.

    What does not belong to a meld leaves it before anything comes to it: the page divides a meld that something is put
    into where it does not belong. Tiles go where only such ones lie that stay together, or wait in a meld of their own.
    """
    goals = [tuple(str(piece.tile) for piece in meld) for meld in wanted]
    homes = _homes(scene.melds, goals)
    taken = {home.id for home in homes.values()}
    for meld in scene.melds:
        for name in meld.tiles:
            goal = next((goal for goal in goals if name in goal), None)
            if goal is None:
                return name, Rack()
            home = homes.get(goal)
            if home is not None and home.id == meld.id:
                continue
            if home is None or set(home.tiles) <= set(goal):
                return name, _target(name, goal, home)
            if meld.id in taken:
                return name, New()
    for goal in goals:
        home = homes.get(goal)
        for name in goal:
            if home is None or name not in home.tiles:
                return name, _target(name, goal, home)
    return None


def _homes(melds: Sequence[Lying], goals: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], Lying]:
    """For each meld that is wanted the one that it grows from: those with most in common first, each once."""
    pairs = [
        (-len(set(goal) & set(meld.tiles)), len(meld.tiles), meld.id, place)
        for place, goal in enumerate(goals)
        for meld in melds
        if set(goal) & set(meld.tiles)
    ]
    by_id = {meld.id: meld for meld in melds}
    homes: dict[tuple[str, ...], Lying] = {}
    for _, _, id, place in sorted(pairs):
        if goals[place] not in homes and all(meld.id != id for meld in homes.values()):
            homes[goals[place]] = by_id[id]
    return homes


def _target(name: str, goal: tuple[str, ...], home: Lying | None) -> Target:
    if home is None:
        return New()
    at = goal.index(name)
    staying = [one for one in home.tiles if one != name]
    before = [index for index, one in enumerate(staying) if one in goal and goal.index(one) < at]
    return Within(home.id, max(before) + 1 if before else 0)


async def _name_jokers(page: TablePage, wanted: Draft, look: Look) -> Scene:
    """Let every joker stand for what it should."""
    for _ in range(12):
        scene = await page.read()
        if matches(scene, wanted):
            return scene
        goals = [_seen(meld) for meld in wanted]
        wrong = next(meld for meld, lying in zip(scene.melds, scene.draft, strict=True) if _seen(lying) not in goals)
        assert any(spot.stands for spot in wrong.spots), f"{draft_text(wanted)} was laid, and {scene.table} lies there"
        before = wrong.text
        await page.turn_jokers(wrong.id)
        await page.until(partial(_reads_otherwise, wrong.id, before), "the joker stays what it is")
        await look(await page.read())
    raise AssertionError(f"the jokers of {draft_text(wanted)} do not come about: {(await page.read()).table}")


def _has_changed(before: list[str], scene: Scene) -> bool:
    return sorted(scene.table) != before and not scene.carrying


def _reads_otherwise(id: int, before: str, scene: Scene) -> bool:
    return scene.meld(id).text != before
