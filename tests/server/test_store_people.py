"""The conformance of stores: players and what proves who they are."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from tests.kit.served import served
from tests.kit.stored import answer, room
from tilerummy.server import node
from tilerummy.server.store import Draft, IdTaken, Link, Meta, Player, PlayerKind, Seen, Store, Stored, Token

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
    words = [("ann", "luck"), ("bob", "secret"), ("tom", "tea")]
    for version, (player, word) in enumerate(words, 2):
        given = Stored(version, 1000.0 + version, 1, "WordGiven", {"seat": 0, "word": word}, None, player)
        await store.append("room", version - 1, [given], None, Meta("lobby"))
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
    assert told["words"] == [
        {"room": "room", "player": "ann", "word": "luck", "at": 1002.0},
        {"room": "room", "player": "tom", "word": "tea", "at": 1004.0},
    ]
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


async def test_errors_do_not_repeat_what_was_to_be_kept(store: Store) -> None:
    with pytest.raises(IntegrityError) as raised:
        await store.new_token(Token("secret hash", "nobody", "secret label", 6.0))
    assert "INSERT INTO tokens" in str(raised.value)
    assert "secret" not in str(raised.value)


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
    await store.see("a", [Seen("room", "ann", 110.0), Seen("room", "bob", 200.0), Seen("room", "cid", 140.0)])
    await store.save_answer("room", answer())
    await store.save_answer("room", replace(answer("c2"), at=140.0))
    await store.new_link(Link("h1", "ann", 120.0))
    await store.new_link(Link("h2", "ann", 180.0))
    await store.sweep(150.0, seen_for=20.0, answers_for=100.0)
    assert await store.present(["room"], 0.0, "b") == {"room": {"bob", "cid"}}
    assert await store.answer("room", "ann", "c1") is None
    assert await store.answer("room", "ann", "c2") is not None
    assert await store.use_link("h1", 100.0) is None
    assert await store.use_link("h2", 100.0) == "ann"


async def test_sweep_forgets_rooms_in_which_nothing_was_played(store: Store) -> None:
    empty, played = {"matches": 0}, {"matches": 1}
    kept = {"open": Meta("lobby", listing=empty), "played": Meta("closed", listing=played)}
    rows = {f"empty-{number}": Meta("closed", listing=empty, sat={"ann": 0}) for number in range(450)} | kept
    await asyncio.gather(*(room(store, name, meta, at=100.0) for name, meta in rows.items()))
    for name in ("later", "watched"):
        await room(store, name, Meta("closed", listing=empty), at=160.0 if name == "later" else 100.0)
    await store.see("a", [Seen("watched", "ann", 1000.0)])
    await store.save_answer("empty-0", replace(answer(), at=199.0))
    await store.save_drafts([Draft("empty-0", 1, 0, [], 5.0)])
    await store.sweep(200.0, rooms_for=50.0)
    assert [row.id async for row in store.all_rooms()] == ["later", "open", "played", "watched"]
    assert await store.events_since("empty-0") == []
    assert await store.seats_of("empty-0") == {}
    assert await store.answer("empty-0", "ann", "c1") is None
    assert await store.draft("empty-0") is None
    assert await store.rooms_of("ann") == []


async def test_sweep_forgets_players_who_never_did_anything(store: Store) -> None:
    """And not whoever sits or sat somewhere, has a bot, was here lately, or has somebody on the device who did."""

    async def new(id: str, *, seen: float = 100.0, owner: str | None = None, kind: PlayerKind = "guest") -> None:
        await store.new_player(Player(id, id, kind, 90.0, seen, owner))

    await asyncio.gather(*(new(f"nobody-{number}") for number in range(450)))
    for id in ("alone", "gone", "seated", "maker", "parent", "left"):
        await new(id)
    await new("lately", seen=160.0)
    for owner in ("alone", "parent", "lately"):
        await new(f"local-of-{owner}", owner=owner, kind="local")
    await new("bot", owner="maker", kind="bot")
    await store.new_token(Token("t1", "bot", "mine", 6.0))
    await store.new_link(Link("h1", "alone", 1000.0))
    sat = {"seated": 0, "local-of-parent": 1, "left": 2}
    await room(store, "room", Meta("closed", listing={"matches": 1}, sat=sat), at=100.0)
    for id in ("gone", "left"):
        await store.delete_player(id)
    await store.sweep(200.0, players_for=50.0)
    everybody = [f"nobody-{number}" for number in range(450)]
    everybody += ["alone", "gone", "local-of-alone", "seated", "maker", "bot", "parent", "local-of-parent", "left"]
    there = await store.players([*everybody, "lately", "local-of-lately"])
    assert sorted(there) == sorted(
        ["seated", "maker", "bot", "parent", "local-of-parent", "left", "lately", "local-of-lately"]
    )
    assert await store.use_link("h1", 150.0) is None
    assert await store.token("t1") is not None


async def test_a_server_sweeps_soon_after_its_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not only once it has run for an hour, as some never do."""
    assert node._FIRST_SWEEP <= 60
    monkeypatch.setattr(node, "_FIRST_SWEEP", 0.0)
    async with Store(f"sqlite:///{tmp_path}/games.db") as store:
        await store.new_player(ANN)
        async with served(tmp_path), asyncio.timeout(60):
            while await store.player("ann") is not None:
                await asyncio.sleep(0.02)


async def test_nodes_may_sweep_at_once(store: Store, store_url: str) -> None:
    gone = Meta("closed", listing={"matches": 0})
    await asyncio.gather(*(room(store, f"empty-{number}", gone, at=100.0) for number in range(300)))
    await asyncio.gather(*(store.new_player(replace(ANN, id=f"p{number}")) for number in range(300)))
    async with Store(store_url) as other:
        await asyncio.gather(*(one.sweep(1e9) for one in (store, other, store, other)))
    assert [row.id async for row in store.all_rooms()] == []
    assert await store.players([f"p{number}" for number in range(300)]) == {}
