"""The conformance of stores: the same on SQLite and PostgreSQL."""

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.kit.stored import LOBBY, PLAYING, answer, event, found, room
from tilerummy.server.store import (
    Answered,
    CodeTaken,
    Conflict,
    Draft,
    IdTaken,
    Meta,
    RoomRow,
    Seen,
    Store,
    Stored,
    Unavailable,
    rooms,
)

pytestmark = pytest.mark.anyio

# --- events ---


async def test_events_come_back_as_they_went(store: Store) -> None:
    kept = [
        Stored(1, 1700000000.123456, 1, "Opened", {"setup": {"house": {}}, "seed": "ab" * 32}, None, None),
        Stored(2, 1700000001.5, 2, "Sat", {"name": "Zoë 🦊 \0 \ud800", "list": [1, 2.5, None]}, {"kind": "sit"}, "ann"),
        Stored(3, 1700000001.5, 1, "Stood", [], None, "ann"),
    ]
    await store.create_room("room", "ABCD", kept[:1], LOBBY)
    await store.append("room", 1, kept[1:], None, LOBBY)
    assert await store.events_since("room") == kept
    assert await store.events_since("room", 1) == kept[1:]
    assert await store.events_since("room", 3) == []
    assert await store.events_since("room", 10**30) == []
    assert await store.events_since("another") == []


async def test_row_says_what_the_last_append_said(store: Store) -> None:
    opened = Meta("lobby", public=True, listing={"name": "Ann’s"}, due_at=50.0, due_task="expire")
    await store.create_room("room", "ABCD", [event(1), event(2)], opened)
    made = RoomRow("room", "ABCD", 2, "lobby", True, {"name": "Ann’s"}, 50.0, "expire", 1001.0, 1002.0)
    assert await found(store, "room") == made
    await store.append("room", 2, [event(3)], None, Meta("playing", listing={"seats": [1]}))
    assert await found(store, "ABCD") == RoomRow(
        "room", "ABCD", 3, "playing", False, {"seats": [1]}, None, None, 1001.0, 1003.0
    )


async def test_append_without_events_changes_the_row_only(store: Store) -> None:
    await room(store)
    await store.append("room", 1, [], answer(version=1), Meta("lobby", due_at=9.0, due_task="clock"))
    row = await found(store, "room")
    assert (row.version, row.updated_at, row.due_at) == (1, 1001.0, 9.0)
    assert await store.answer("room", "ann", "c1") == answer(version=1)
    with pytest.raises(Conflict):
        await store.append("room", 2, [], None, LOBBY)


async def test_append_at_another_version_is_a_conflict(store: Store) -> None:
    await room(store)
    for expected in (0, 2, 7):
        with pytest.raises(Conflict):
            await store.append("room", expected, [event(expected + 1)], answer(), PLAYING)
    with pytest.raises(Conflict):
        await store.append("another", 1, [event(2)], None, PLAYING)
    assert (await found(store, "room")).stage == "lobby"
    assert await store.events_since("room", 1) == []
    assert await store.answer("room", "ann", "c1") is None


@pytest.mark.parametrize("versions", [[3], [2, 2], [2, 4], [1]])
async def test_versions_have_no_gap(store: Store, versions: list[int]) -> None:
    await room(store)
    with pytest.raises(ValueError, match="without a gap"):
        await store.append("room", 1, [event(version) for version in versions], None, LOBBY)


async def test_one_of_many_appends_at_a_version_wins(store: Store, store_url: str) -> None:
    await room(store)
    async with Store(store_url) as other:
        attempts = [
            (store, other)[number % 2].append("room", 1, [event(2, by=number), event(3)], answer(f"c{number}"), PLAYING)
            for number in range(20)
        ]
        outcomes = await asyncio.gather(*attempts, return_exceptions=True)
    assert Counter(type(outcome) for outcome in outcomes) == {type(None): 1, Conflict: 19}
    winner = outcomes.index(None)
    assert [kept.data for kept in await store.events_since("room", 1)] == [{"by": winner}, {}]
    kept = [number for number in range(20) if await store.answer("room", "ann", f"c{number}")]
    assert kept == [winner]


async def test_everybody_who_tries_again_gets_in(store: Store, store_url: str) -> None:
    await room(store)

    async def insist(node: Store, number: int) -> None:
        while True:
            version = (await found(node, "room")).version
            try:
                return await node.append("room", version, [event(version + 1, by=number)], None, PLAYING)
            except Conflict:
                pass

    async with Store(store_url) as other:
        await asyncio.gather(*(insist((store, other)[number % 2], number) for number in range(12)))
    kept = await store.events_since("room")
    assert [one.version for one in kept] == list(range(1, 14))
    assert sorted(one.data["by"] for one in kept[1:]) == list(range(12))


async def test_appends_of_many_rooms_at_once(store: Store) -> None:
    names = [await room(store, f"room{number}") for number in range(30)]
    tries = [store.append(name, 1, [event(2)], None, PLAYING) for name in names for _ in range(2)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert Counter(type(outcome) for outcome in outcomes) == {type(None): 30, Conflict: 30}
    assert await store.versions([*names, "nowhere"]) == dict.fromkeys(names, 2)
    assert await store.versions([]) == {}


async def test_cancelled_append_is_whole_or_nothing(store: Store) -> None:
    await room(store)
    version = 1
    for turns in range(12):
        task = asyncio.create_task(store.append("room", version, [event(version + 1)], answer(f"c{turns}"), PLAYING))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await store.release("nobody")  # whatever was under way is over
        kept = await store.events_since("room")
        assert [one.version for one in kept] == list(range(1, len(kept) + 1))
        assert (await found(store, "room")).version == len(kept)
        assert (await store.answer("room", "ann", f"c{turns}") is not None) == (len(kept) > version)
        version = len(kept)


# --- names ---


async def test_codes_and_ids_are_taken_once(store: Store) -> None:
    await room(store, "room", code="ABCD")
    with pytest.raises(CodeTaken):
        await room(store, "other", code="ABCD")
    with pytest.raises(IdTaken):
        await room(store, "room", code="EFGH")
    assert await store.find_room("other") is None
    assert await store.find_room("EFGH") is None
    await room(store, "nameless")
    await room(store, "nameless too")


async def test_code_that_was_freed_is_another_rooms(store: Store) -> None:
    await room(store, "room", code="ABCD")
    await store.append("room", 1, [event(2)], None, Meta("closed", free_code=True))
    assert await store.find_room("ABCD") is None
    await room(store, "other", code="ABCD")
    assert (await found(store, "ABCD")).id == "other"
    assert (await found(store, "room")).code is None


async def test_id_goes_before_another_rooms_code(store: Store) -> None:
    await room(store, "first", code="second")
    await room(store, "second", code="first")
    assert (await found(store, "first")).id == "first"


@pytest.mark.parametrize("name", ["", "\0", "\ud800", "x" * 5000, "' OR 1=1 --", "Ä"])
async def test_what_cannot_be_is_not_found(store: Store, name: str) -> None:
    await room(store)
    assert await store.find_room(name) is None
    assert await store.player(name) is None
    assert await store.answer("room", name, name) is None
    assert await store.public_rooms(before=name) == []


# --- answers ---


async def test_command_is_answered_once(store: Store) -> None:
    await room(store)
    await store.append("room", 1, [event(2)], answer(version=2), PLAYING)
    with pytest.raises(Answered) as raised:
        await store.append("room", 2, [event(3)], answer(version=3), Meta("over"))
    assert raised.value.answer == answer(version=2)
    row = await found(store, "room")
    assert (row.version, row.stage, len(await store.events_since("room"))) == (2, "playing", 2)
    await store.append("room", 2, [event(3)], answer("c1", "bob", version=3), PLAYING)
    await store.append("room", 3, [event(4)], answer("c2", version=4), PLAYING)


async def test_first_answer_stands(store: Store) -> None:
    await room(store)
    assert await store.save_answer("room", answer(code="not-host")) == answer(code="not-host")
    assert await store.save_answer("room", answer(code="stale")) == answer(code="not-host")
    assert await store.answer("room", "ann", "c1") == answer(code="not-host")
    assert await store.answer("room", "bob", "c1") is None


# --- drafts ---


async def test_draft_is_the_last_one(store: Store) -> None:
    await room(store)
    await room(store, "other")
    assert await store.draft("room") is None
    first = Draft("room", 1, 0, ["r1 r2 r3"], 5.0)
    await store.save_drafts([first, Draft("other", 1, 1, [], 5.0)])
    assert await store.draft("room") == first
    last = replace(first, data=["r1 r2 r3 r4"], at=6.0)
    await store.save_drafts([replace(first, at=5.5), last])
    assert await store.draft("room") == last
    await store.save_drafts([])


async def test_late_draft_of_an_earlier_turn_is_not_kept(store: Store) -> None:
    await room(store)
    now = Draft("room", 4, 1, ["b1 b2 b3"], 6.0)
    await store.save_drafts([now])
    await store.save_drafts([Draft("room", 1, 0, ["r1 r2 r3"], 7.0)])
    assert await store.draft("room") == now


async def test_append_clears_the_draft_where_it_says_so(store: Store) -> None:
    await room(store)
    await store.save_drafts([Draft("room", 1, 0, [], 5.0)])
    await store.append("room", 1, [event(2)], None, PLAYING)
    assert await store.draft("room") is not None
    with pytest.raises(Conflict):
        await store.append("room", 1, [event(2)], None, replace(PLAYING, clear_draft=True))
    assert await store.draft("room") is not None
    await store.append("room", 2, [event(3)], None, replace(PLAYING, clear_draft=True))
    assert await store.draft("room") is None


# --- lists ---


def ids(rows: Sequence[RoomRow]) -> list[str]:
    return [row.id for row in rows]


async def test_public_rooms_newest_first_page_by_page(store: Store) -> None:
    public = Meta("lobby", public=True)
    for number in range(5):
        await room(store, f"room{number}", public, at=1000.0 + number // 2)
    await room(store, "private", at=1010.0)
    newest = ["room4", "room3", "room2", "room1", "room0"]
    assert ids(await store.public_rooms()) == newest
    assert ids(await store.public_rooms(limit=2)) == newest[:2]
    for last, _ in pairwise(newest):
        assert ids(await store.public_rooms(before=last)) == newest[newest.index(last) + 1 :]
    await store.append("room3", 1, [event(2)], None, Meta("playing", public=True))
    assert ids(await store.public_rooms(stages=["playing"])) == ["room3"]
    assert ids(await store.public_rooms(stages=["playing", "lobby", "over"], limit=2)) == newest[:2]
    assert ids(await store.public_rooms(stages=["closed"])) == []


async def test_rooms_of_those_who_sat(store: Store) -> None:
    await room(store, "one", Meta("lobby", sat={"ann": 0, "bob": 1}), at=1.0)
    await room(store, "two", Meta("lobby", sat={"ann": 0}), at=2.0)
    await store.append("one", 1, [event(2)], None, Meta("lobby", sat={"cid": 2}, stood=frozenset({"bob", "dan"})))
    assert ids(await store.rooms_of("ann")) == ["two", "one"]
    assert ids(await store.rooms_of("ann", before="two")) == ["one"]
    assert ids(await store.rooms_of("ann", limit=1)) == ["two"]
    assert ids(await store.rooms_of("bob")) == []
    assert ids(await store.rooms_of("cid", "bob", "ann")) == ["two", "one"]
    assert await store.seats_of("one") == {"ann": 0, "cid": 2}
    await store.append("one", 2, [event(3)], None, Meta("lobby", sat={"ann": 3}))
    assert await store.seats_of("one") == {"ann": 3, "cid": 2}


async def test_all_rooms(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "_PAGE", 3)
    names = [await room(store, f"room{number}") for number in range(7)]
    assert [row.id async for row in store.all_rooms()] == names


# --- clocks ---


async def due(store: Store, name: str, at: float | None) -> str:
    return await room(store, name, Meta("playing", due_at=at, due_task="clock"))


async def test_due_rooms_are_claimed_once(store: Store) -> None:
    for name, at in (("later", 200.0), ("second", 90.0), ("first", 80.0), ("never", None), ("third", 100.0)):
        await due(store, name, at)
    assert await store.next_due() == 80.0
    assert await store.claim_due(50.0, "a", 5.0) == []
    assert await store.claim_due(100.0, "a", 5.0, limit=2) == ["first", "second"]
    assert await store.claim_due(100.0, "b", 5.0) == ["third"]
    assert await store.claim_due(104.9, "b", 5.0) == []
    assert await store.claim_due(105.0, "b", 5.0, limit=1) == ["first"]


async def test_released_room_may_be_claimed_again(store: Store) -> None:
    await due(store, "room", 80.0)
    assert await store.claim_due(100.0, "a", 5.0) == ["room"]
    await store.release("b")
    assert await store.claim_due(100.0, "b", 5.0) == []
    await store.release("a")
    assert await store.claim_due(100.0, "b", 5.0) == ["room"]
    await store.release()
    assert await store.claim_due(100.0, "c", 5.0) == ["room"]


async def test_claimed_room_is_held_or_given_back(store: Store) -> None:
    names = [await due(store, name, 80.0) for name in ("first", "second")]
    assert await store.claim_due(100.0, "a", 5.0) == names
    await store.hold("b", names, 101.0)
    assert await store.claim_due(101.0, "b", 5.0) == []
    await store.hold("a", ["first"], 120.0)
    await store.hold("a", ["second"], 101.0)
    await store.hold("a", [], 0.0)
    assert await store.claim_due(101.0, "b", 50.0) == ["second"]
    assert await store.claim_due(119.9, "b", 50.0) == []
    assert await store.claim_due(120.0, "b", 50.0) == ["first"]


async def test_some_tasks_are_left_to_others(store: Store) -> None:
    for task in ("bot", "clock", "expire"):
        await room(store, task, Meta("playing", due_at=80.0, due_task=task))
    assert await store.claim_due(100.0, "a", 5.0, without=["bot", "clock", "expire"]) == []
    assert await store.claim_due(100.0, "a", 5.0, without=["expire", "bot"]) == ["clock"]
    assert await store.claim_due(100.0, "a", 5.0) == ["bot", "expire"]


async def test_room_that_is_done_is_not_due(store: Store) -> None:
    await due(store, "room", 80.0)
    await store.append("room", 1, [event(2)], None, Meta("playing", due_at=150.0, due_task="bot"))
    assert await store.claim_due(100.0, "a", 5.0) == []
    await store.append("room", 2, [event(3)], None, Meta("over"))
    assert await store.claim_due(1000.0, "a", 5.0) == []
    assert await store.next_due() is None


async def test_two_nodes_never_have_the_same_room(store: Store, store_url: str) -> None:
    names = {await due(store, f"room{number:02}", 50.0 + number) for number in range(40)}
    async with Store(store_url) as other:
        claims = [(store, "a"), (other, "b")] * 8
        claimed = await asyncio.gather(*(node.claim_due(100.0, name, 5.0, limit=5) for node, name in claims))
        rest = [await node.claim_due(100.0, name, 5.0, limit=50) for node, name in claims[:2]]
    given = [name for part in (*claimed, *rest) for name in part]
    assert len(given) == len(set(given))
    assert set(given) == names
    assert all(len(part) <= 5 for part in claimed)


async def test_claim_does_not_wait_for_an_append(store: Store, store_url: str) -> None:
    names = [await due(store, f"room{number}", 50.0) for number in range(10)]
    async with Store(store_url) as other:
        appends = [other.append(name, 1, [event(2)], None, Meta("over")) for name in names]
        claim = asyncio.create_task(store.claim_due(100.0, "a", 5.0))
        await asyncio.gather(claim, *appends)
    assert set(claim.result()) <= set(names)
    assert await store.versions(names) == dict.fromkeys(names, 2)


# --- presence ---


async def test_present_through_other_nodes(store: Store) -> None:
    async def present(name: str, now: float, node: str = "c") -> frozenset[str]:
        return (await store.present(["nowhere", name], now, node))[name]

    await room(store)
    await room(store, "other")
    await store.see("a", [Seen("room", "ann", 110.0), Seen("room", "bob", 105.0), Seen("other", "cid", 110.0)])
    await store.see("b", [Seen("room", "ann", 120.0)])
    await store.see("b", [])
    assert await present("room", 100.0) == {"ann", "bob"}
    assert await present("room", 100.0, "a") == {"ann"}
    assert await present("room", 100.0, "b") == {"ann", "bob"}
    assert await present("room", 107.0) == {"ann"}
    await store.see("a", [Seen("room", "ann", 0.0), Seen("room", "bob", 130.0)])
    assert await present("room", 107.0) == {"ann", "bob"}
    assert await present("room", 125.0) == {"bob"}
    assert await present("other", 100.0) == {"cid"}
    assert await present("nowhere", 100.0) == frozenset()
    assert await store.present([], 100.0, "c") == {}


async def test_when_somebody_was_there_last(store: Store) -> None:
    await room(store)
    assert await store.last_seen("room") == 0.0
    await store.see("a", [Seen("room", "ann", 110.0), Seen("room", "bob", 105.0)])
    await store.see("b", [Seen("room", "ann", 107.0)])
    assert await store.last_seen("room") == 110.0
    await store.see("a", [Seen("room", "ann", 99.0)])
    assert await store.last_seen("room") == 107.0


# --- the database ---


async def test_everything_is_there_after_closing(store: Store, store_url: str) -> None:
    await room(store, "room", code="ABCD")
    await store.ping()
    await store.close()
    with pytest.raises(Unavailable):
        await store.ping()
    with pytest.raises(Unavailable):
        await store.release("a")
    async with Store(store_url) as again:
        assert await again.events_since("room") == [event(1)]


async def test_only_the_owner_may_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "games.db"
    async with Store(f"sqlite:///{path}") as store:
        await room(store)
        for file in path.parent.iterdir():
            assert file.stat().st_mode & 0o77 == 0, file


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "this is not the URL of a database"),
        ("games.db", "this is not the URL of a database"),
        ("mysql://host/games", "this program knows sqlite and postgresql"),
        ("sqlite://", "SQLite needs a file"),
        ("sqlite:///:memory:", "SQLite needs a file"),
        ("sqlite:///games.db?uri=true", "SQLite's file is all that can be said"),
        ("postgresql://h/d?dsn=x", "after the question mark only host, passfile, password, port, ssl, "),
        ("postgresql://h/d?ssl=perhaps", "ssl is one of disable, allow, prefer, require, verify-ca, verify-full"),
        ("postgresql://h:99999/d", "postgresql://USER:PASSWORD@HOST:PORT/NAME is expected"),
    ],
)
def test_other_databases_are_refused(url: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        Store(url)


def test_a_folder_may_be_called_memory() -> None:
    assert Store("sqlite:////home/memory/games.db").embedded
