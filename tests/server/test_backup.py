"""The backup: rooms in every stage go out and come in again; twice changes nothing, bad lines leave nothing."""

import asyncio
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cli.runner import run
from tests.kit.players import Habits
from tests.kit.rooms import Run, started, stored_game
from tests.kit.served import Served, served
from tilerummy.record import read_record
from tilerummy.rulesets import RULESETS
from tilerummy.server.events import Room, Setup, Stage
from tilerummy.server.history import read_history, record_text
from tilerummy.server.identity import COOKIE
from tilerummy.server.keeping import meta_of, stored_events
from tilerummy.server.store import Player, Store, Stored
from tilerummy.state import State


def exported(db: str, folder: Path, *more: str) -> list[dict[str, Any]]:
    file = folder / "backup.jsonl"
    result = run("export", str(file), "--db", db, *more)
    assert (result.code, result.out) == (0, ""), result
    assert file.stat().st_mode & 0o777 == 0o600
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def written(folder: Path, lines: list[dict[str, Any]]) -> str:
    file = folder / "again.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return str(file)


async def rooms_of(db: str) -> dict[str, tuple[Room, list[Stored]]]:
    async with Store(db) as store:
        found = {}
        async for row in store.all_rooms():
            stored = await store.events_since(row.id)
            found[row.id] = (read_history(stored).room, stored)
            assert row.stage == found[row.id][0].stage.value
            assert row.version == len(stored)
        return found


async def play(server: Served) -> dict[str, str]:
    """One room of each kind; the cookie of the host of all."""
    ada, bob = server.guest(), server.guest()
    await ada.ask("PATCH", "/api/me", {"name": "Ada"})
    lobby = (await ada.new_room(players=3, house={"opening": 40}))["room"]
    await bob.do(lobby, "sit", seat=2)
    await bob.do(lobby, "ready", seat=2, ready=True)
    await ada.do(lobby, "word", seat=0, word="luck")
    running = (await ada.new_room(players=2, clock={"seconds": 300}))["room"]
    await bob.do(running, "sit", seat=1)
    await bob.do(running, "word", seat=1, word="fortune")
    await bob.do(running, "ready", seat=1, ready=True)
    await ada.do(running, "start")
    for _ in range(3):
        for guest, seat in ((ada, 0), (bob, 1)):
            await guest.do(running, "draw", seat=seat)
    over = (await ada.new_room(players=2, bots=[None, "novice"]))["room"]
    await ada.do(over, "start")
    await ada.do(over, "leave", seat=0)
    for _ in range(3000):
        if (await ada.get(f"/api/rooms/{over}"))["stage"] == "over":
            break
        await asyncio.sleep(0.02)
    await ada.do(over, "return", seat=0)
    await ada.do(over, "rematch")
    await ada.do(over, "start")
    race = (await ada.new_room(players=2, game="race", ruleset="junior", caller=0))["room"]
    await bob.do(race, "sit", seat=1)
    await bob.do(race, "ready", seat=1, ready=True)
    await ada.do(race, "start")
    await ada.do(race, "call", seat=0, tile="r5")
    await bob.do(race, "tap", seat=1, tile="r6")
    closed = (await ada.new_room(players=2))["room"]
    await ada.do(closed, "close")
    return {
        "lobby": lobby,
        "running": running,
        "again": over,
        "race": race,
        "closed": closed,
        "cookie": ada.http.cookies[COOKIE],
    }


def test_all_games_go_out_and_come_in_again(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()

    async def first() -> dict[str, str]:
        async with served(tmp_path / "old") as server:
            return await play(server)

    names = asyncio.run(first())
    old, new = f"sqlite:///{tmp_path}/old/games.db", f"sqlite:///{tmp_path}/new/games.db"
    header, *lines = exported(old, tmp_path, "--secret")
    assert header["tilerummy"] == 1
    by_room = {line["room"]: line for line in lines}
    assert by_room.keys() == {names[one] for one in ("lobby", "running", "again", "race", "closed")}
    again = by_room[names["again"]]
    assert [read_record(match["record"]).names[0] for match in again["matches"]] == ["Ada", "Ada"]
    assert '[Result "*"]' in again["matches"][1]["record"]
    assert '[Result "*"]' not in again["matches"][0]["record"]
    file = written(tmp_path, [header, *lines])
    result = run("import", file, "--db", new)
    assert (result.code, result.out) == (0, "")
    assert result.err == "5 rooms made, 0 were there already, 0 lines cannot be used\n"
    before, after = asyncio.run(rooms_of(old)), asyncio.run(rooms_of(new))
    assert before.keys() == after.keys()
    for id, (room, _) in before.items():
        made = after[id][0]
        assert (made.stage, made.setup, made.host, made.matches, made.away) == (
            room.stage,
            room.setup,
            room.host,
            room.matches,
            room.away,
        )
        assert [seat.player for seat in made.seats] == [seat.player for seat in room.seats]
        if room.stage is Stage.LOBBY:
            assert (made.seats, made.seed) == (room.seats, room.seed)
        elif isinstance(room.match, State):
            assert isinstance(made.match, State)
            assert (made.match.racks, made.match.pool, made.match.turn) == (
                room.match.racks,
                room.match.pool,
                room.match.turn,
            )
        else:
            assert made.match == room.match
    # A second time changes nothing, and what goes out again is the same but for its times.
    assert "0 rooms made, 5 were there already" in run("import", file, "--db", new).err
    assert {id: len(stored) for id, (_, stored) in asyncio.run(rooms_of(new)).items()} == {
        id: len(stored) for id, (_, stored) in after.items()
    }
    _, *lines_again = exported(new, tmp_path)
    timeless = ("at", "updated_at")
    for line in lines_again:
        was = by_room[line["room"]]
        assert [
            {k: v for k, v in match.items() if k not in timeless} | {"record": undated(match)}
            for match in line["matches"]
        ] == [
            {k: v for k, v in match.items() if k not in timeless} | {"record": undated(match)}
            for match in was["matches"]
        ]

    async def go_on() -> None:
        async with served(tmp_path / "new") as server:
            ada = server.guest()
            ada.http.cookies.set(COOKIE, names["cookie"])
            view = await ada.get(f"/api/rooms/{names['running']}")
            assert view["match"]["rack"]
            assert view["clock"]["ends"] - view["clock"]["now"] > 200
            mine = view["match"]["turn"] == 0
            answer = await ada.do(names["running"], "draw", seat=0)
            assert answer["type"] == ("ack" if mine else "refused")

    asyncio.run(go_on())


def undated(match: dict[str, Any]) -> str:
    lines = match.get("record", "").splitlines()
    return "\n".join(line for line in lines if not line.startswith("[Date"))


def test_without_the_secret_it_stays_where_it_is(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/games.db"

    async def first() -> str:
        async with served(tmp_path) as server:
            await play(server)
            return await server.parts.store.secret("cookies", str)

    secret = asyncio.run(first())
    assert all("secret" not in line for line in exported(db, tmp_path))
    assert exported(db, tmp_path, "--secret")[0]["secret"] == secret


BAD: list[tuple[dict[str, Any], str]] = [
    ({"room": 5}, "room: text is expected"),
    ({"stage": "asleep"}, "stage: one of lobby"),
    ({"stage": "over"}, "stage: its matches make it playing, not over"),
    ({"players": [{}]}, "players.kind: text is expected"),
    ({"setup": {}, "matches": []}, "stage: its matches make it lobby"),
    ({"setup": {"players": 9}}, "setup: "),
    ({"matches": [{}]}, "matches.1.at: a number is expected"),
    ({"matches": {}}, "matches: a list is expected"),
    ({"away": [77]}, ""),
]


def test_bad_lines_are_named_and_leave_nothing(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()

    async def first() -> str:
        async with served(tmp_path / "old") as server:
            return (await play(server))["running"]

    running = asyncio.run(first())
    header, *lines = exported(f"sqlite:///{tmp_path}/old/games.db", tmp_path)
    good = next(line for line in lines if line["room"] == running)
    record = good["matches"][0]["record"]
    bad = [{**good, "room": f"bad{place}", "code": None, **change} for place, (change, _) in enumerate(BAD[:-1])]
    bad.append({**good, "room": "cheat", "matches": [{**good["matches"][0], "record": record + "1 play r1 r2 r3\n"}]})
    bad.append({"tilerummy": 99})
    new = f"sqlite:///{tmp_path}/new.db"
    file = Path(written(tmp_path, [header, *bad]))
    file.write_text(file.read_text() + "{nonsense\n\n" + json.dumps(good) + "\n")
    result = run("import", str(file), "--db", new)
    assert result.code == 2
    *told, summary = result.err.splitlines()
    assert summary == f"1 rooms made, 0 were there already, {len(bad) + 1} lines cannot be used"
    for place, (_, reason) in enumerate(BAD[:-1]):
        assert told[place].startswith(f"tilerummy: line {place + 2}: {reason}"), told[place]
    assert "matches.1.record: line " in told[len(BAD) - 1]
    assert list(asyncio.run(rooms_of(new))) == [running]


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/games.db"
    assert run("import", str(tmp_path / "none"), "--db", db).reason.startswith("FILE: ")
    assert run("export", str(tmp_path / "none" / "x"), "--db", db).reason.startswith("FILE: ")
    assert run("export", str(tmp_path / "x"), "--db", "mysql://x/y").reason.startswith("db: sqlite:///FILE")
    assert run("export", "--db", db).reason.startswith("Missing argument")


# History


def stored_of(run_: Run) -> list[Stored]:
    """The events of a room as the hall stores them."""
    stored: list[Stored] = []
    for (event, at), caused in zip(run_.events, run_.causes, strict=True):
        stored += stored_events([event], len(stored), at, caused and caused[0], None)
    return stored


def test_the_record_of_a_stored_game() -> None:
    """Whoever left and came back, bots that sat in, hints and time-outs: the record tells it as the match saw it."""
    game = stored_game()
    stored = [
        Stored(one["version"], one["at"], game["schema"], one["kind"], one["data"], one["cause"])
        for one in game["events"]
    ]
    match, race = read_history(stored).played
    names = ("Ada", "Bob", "Cleo")
    assert undated({"record": record_text(match, names)}) == "\n".join(game["record"])
    assert match.over
    assert record_text(race, names) is None


@pytest.mark.parametrize("number", range(6))
def test_any_room_comes_back(tmp_path: Path, number: int) -> None:
    luck = Random(number)
    ruleset = luck.choice(list(RULESETS))
    run_ = started(Setup(ruleset=ruleset, players=3, rounds=luck.choice((1, 2))), "ada", "bob", "cleo")
    run_.play(luck, Habits(lays=0.9, lets_time_run_out=0.05, asks=0.05, leaves=0.05), lambda room: room.version > 60)
    old, new = f"sqlite:///{tmp_path}/old.db", f"sqlite:///{tmp_path}/new.db"

    async def keep() -> None:
        async with Store(old) as store:
            for name in ("ada", "bob", "cleo"):
                await store.new_player(Player(name, name.title(), "guest", 1.0, 1.0))
            meta = meta_of(None, run_.room, [event for event, _ in run_.events], 0)
            await store.create_room("room", "ABCDE", stored_of(run_), meta)

    asyncio.run(keep())
    assert run("import", written(tmp_path, exported(old, tmp_path)), "--db", new).code == 0
    made = asyncio.run(rooms_of(new))["room"][0]
    assert made.match is not None
    assert isinstance(made.match, State)
    assert made.match.racks == run_.match.racks
    assert made.match.scores == run_.match.scores
    assert made.match.bots == run_.match.bots
    assert {tile for meld in made.match.table for tile in meld.tiles} == {
        tile for meld in run_.match.table for tile in meld.tiles
    }
    assert (made.stage, made.away) == (run_.room.stage, run_.room.away)
