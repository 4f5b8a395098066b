"""The conformance of stores: what a backup writes and brings back."""

from dataclasses import replace

import pytest

from tests.kit.stored import LOBBY, event, room
from tilerummy.server.store import CodeTaken, IdTaken, Misfit, Player, Store, Token

pytestmark = pytest.mark.anyio

ANN = Player("ann", "Amber Fox", "guest", 1.0, 2.0)
TOM = Player("tom", "Tom", "local", 3.0, 3.0, "ann")
BOT = Player("bot", "Robot", "bot", 4.0, 4.0, "ann")
KEY = Token("t1", "bot", "mine", 6.0)
FAMILY = [ANN, TOM, BOT]


async def test_all_guests_with_theirs(store: Store) -> None:
    """Whoever was deleted is left out, and those of many guests stay apart."""
    many = [replace(ANN, id=f"guest-{number:03}") for number in range(210)]
    locals_ = [replace(TOM, id=f"local-{number:03}", owner=f"guest-{number:03}") for number in range(0, 210, 30)]
    await store.restore_players([*FAMILY, *many, *locals_], [])
    await store.delete_player("guest-000")
    await store.delete_player("tom")
    found = [family async for family in store.all_guests()]
    theirs = {one.owner: [one] for one in locals_}
    assert found == [[ANN, BOT], *([guest, *theirs.get(guest.id, [])] for guest in many[1:])]


async def test_players_come_back_once(store: Store) -> None:
    """Who is there already stays as they are, and gets no key."""
    await store.restore_players(FAMILY, [KEY])
    assert await store.players(["ann", "tom", "bot"]) == {"ann": ANN, "tom": TOM, "bot": BOT}
    assert await store.token("t1") == KEY
    await store.restore_players([replace(one, name="Eve") for one in FAMILY], [KEY, replace(KEY, token_hash="t2")])
    assert await store.players(["ann", "tom", "bot"]) == {"ann": ANN, "tom": TOM, "bot": BOT}
    assert await store.token("t2") is None


@pytest.mark.parametrize(
    ("some", "keys"),
    [
        ([ANN, replace(TOM, owner="nobody")], []),
        ([ANN, BOT, replace(BOT, id="other")], [KEY, replace(KEY, player="other")]),
    ],
)
async def test_players_who_do_not_fit_are_not_kept(store: Store, some: list[Player], keys: list[Token]) -> None:
    with pytest.raises(Misfit):
        await store.restore_players(some, keys)
    with pytest.raises(Misfit):
        await store.restore_room("room", None, [event(1)], LOBBY, some, keys)
    assert await store.players([one.id for one in some]) == {}
    assert await store.find_room("room") is None


async def test_a_room_comes_back_with_its_players_or_not_at_all(store: Store) -> None:
    await room(store, "there", code="ABCDE")
    with pytest.raises(IdTaken):
        await store.restore_room("there", None, [event(1)], LOBBY, FAMILY, [KEY])
    with pytest.raises(CodeTaken):
        await store.restore_room("room", "ABCDE", [event(1)], LOBBY, FAMILY, [KEY])
    assert await store.players(["ann", "tom", "bot"]) == {}
    await store.restore_room("room", "FGHJK", [event(1)], LOBBY, FAMILY, [KEY])
    assert await store.players(["ann", "tom", "bot"]) == {"ann": ANN, "tom": TOM, "bot": BOT}
    assert await store.token("t1") == KEY
    assert await store.versions(["room", "there"]) == {"room": 1, "there": 1}
