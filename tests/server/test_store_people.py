"""The conformance of stores: players and what proves who they are."""

import asyncio
from dataclasses import replace

import pytest

from tests.kit.stored import answer, room
from tilerummy.server.store import IdTaken, Link, Meta, Player, Seen, Store, Token

pytestmark = pytest.mark.anyio

ANN = Player("ann", "Amber Fox", "guest", 1.0, 2.0)
TOM = Player("tom", "Tom", "local", 3.0, 3.0, "ann")
BOT = Player("bot", "Robot", "bot", 4.0, 4.0, "ann")


async def people(store: Store) -> None:
    for player in (ANN, TOM, BOT, Player("bob", "Bob", "guest", 5.0, 5.0)):
        await store.new_player(player)


async def test_players_come_back_as_they_went(store: Store) -> None:
    await people(store)
    assert await store.player("ann") == ANN
    assert await store.player("eve") is None
    assert await store.players(["ann", "bot", "eve"]) == {"ann": ANN, "bot": BOT}
    assert await store.players([]) == {}
    assert await store.owned_by("ann") == [TOM, BOT]
    with pytest.raises(IdTaken):
        await store.new_player(ANN)


async def test_rename_and_touch(store: Store) -> None:
    await people(store)
    assert await store.rename("ann", "<b>Zoë</b>")
    assert not await store.rename("eve", "Eve")
    await store.touch(["ann", "eve"], 9.0)
    await store.touch(["ann"], 8.0)
    await store.touch([], 8.0)
    assert await store.player("ann") == replace(ANN, name="<b>Zoë</b>", seen_at=9.0)
    assert await store.player("bot") == BOT


async def test_deleted_player_leaves_no_name_and_no_key(store: Store) -> None:
    await people(store)
    await store.new_link(Link("h1", "ann", 120.0))
    await store.new_token(Token("t1", "bot", "mine", 6.0))
    await store.new_token(Token("t2", "bob", "his", 6.0))
    assert await store.delete_player("ann")
    for player in (ANN, TOM, BOT):
        assert await store.player(player.id) == replace(player, name="", owner=None, deleted=True)
    assert await store.use_link("h1", 100.0) is None
    assert await store.token("t1") is None
    assert await store.token("t2") is not None
    assert await store.owned_by("ann") == []
    assert not await store.rename("ann", "Ann")
    assert not await store.delete_player("ann")
    assert not await store.delete_player("eve")
    assert (await store.players(["bob"]))["bob"].name == "Bob"


async def test_export_holds_what_is_kept(store: Store) -> None:
    await people(store)
    await room(store, "room", Meta("lobby", sat={"ann": 0, "tom": 2, "bob": 1}))
    await store.new_token(Token("t1", "bot", "mine", 6.0))
    await store.new_link(Link("h1", "ann", 120.0))
    told = await store.export_player("ann")
    assert told is not None
    assert told["player"]["name"] == "Amber Fox"
    assert [other["id"] for other in told["owned"]] == ["tom", "bot"]
    assert told["tokens"] == [{"player": "bot", "label": "mine", "created_at": 6.0}]
    assert told["links"] == [{"expires_at": 120.0, "used_at": None}]
    sat = [(seat["room"], seat["player"], seat["seat"]) for seat in told["seats"]]
    assert sat == [("room", "ann", 0), ("room", "tom", 2)]
    assert "t1" not in str(told)
    assert "h1" not in str(told)
    assert await store.export_player("eve") is None


async def test_link_works_once_and_in_time(store: Store, store_url: str) -> None:
    await people(store)
    await store.new_link(Link("h1", "ann", 120.0))
    await store.new_link(Link("h2", "ann", 120.0))
    assert await store.use_link("h1", 120.0) is None
    assert await store.use_link("nothing", 100.0) is None
    async with Store(store_url) as other:
        uses = await asyncio.gather(*((store, other)[number % 2].use_link("h2", 100.0) for number in range(10)))
    assert sorted(uses, key=str) == [None] * 9 + ["ann"]


async def test_tokens(store: Store) -> None:
    await people(store)
    one, two = Token("t1", "bot", "one", 6.0), Token("t2", "bot", "two", 7.0)
    await store.new_token(two)
    await store.new_token(one)
    assert await store.token("t1") == one
    assert await store.token("t3") is None
    assert await store.tokens_of("ann", "bot") == [one, two]
    assert await store.tokens_of("bob") == []
    assert await store.tokens_of() == []
    assert await store.delete_token("t1")
    assert not await store.delete_token("t1")
    assert await store.tokens_of("bot") == [two]


async def test_secret_is_made_once(store: Store, store_url: str) -> None:
    async with Store(store_url) as other:
        asked = ((store, other)[number % 2].secret("cookie", lambda number=number: str(number)) for number in range(8))  # type: ignore[misc]
        made = set(await asyncio.gather(*asked))
    assert len(made) == 1
    assert await store.secret("cookie", lambda: "another") in made
    assert await store.secret("other", lambda: "another") == "another"


async def test_sweep_forgets_what_is_over(store: Store) -> None:
    await room(store)
    await store.new_player(ANN)
    await store.see("a", [Seen("room", "ann", 110.0), Seen("room", "bob", 200.0)])
    await store.save_answer("room", answer())
    await store.save_answer("room", replace(answer("c2"), at=140.0))
    await store.new_link(Link("h1", "ann", 120.0))
    await store.new_link(Link("h2", "ann", 180.0))
    await store.sweep(150.0, answers_for=100.0)
    assert await store.present("room", 0.0) == {"bob"}
    assert await store.answer("room", "ann", "c1") is None
    assert await store.answer("room", "ann", "c2") is not None
    assert await store.use_link("h1", 100.0) is None
    assert await store.use_link("h2", 100.0) == "ann"
