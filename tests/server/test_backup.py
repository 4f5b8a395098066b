"""The backup: rooms in every stage go out and come in again; twice changes nothing, bad lines leave nothing."""

import asyncio
import json
import os
from concurrent.futures import ThreadPoolExecutor
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
from tilerummy.server.backup import FORMAT
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


async def player_of(db: str, player: str) -> Player | None:
    async with Store(db) as store:
        return await store.player(player)


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
    by_room = {line["room"]: line for line in lines if "room" in line}
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


def test_everybody_stays_who_they_are(tmp_path: Path) -> None:
    """Also a bot and a person on a device who never sat anywhere, and a guest who never had a room."""
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old, new = f"sqlite:///{tmp_path}/old/games.db", f"sqlite:///{tmp_path}/new/games.db"

    async def first() -> tuple[list[str], str, dict[str, Player]]:
        async with served(tmp_path / "old") as server:
            owner, alone, gone = server.guest(), server.guest(), server.guest()
            await owner.ask("PATCH", "/api/me", {"name": "Ada"})
            await owner.post("/api/me/locals", {"name": "Granny"}, 201)
            made = await owner.post("/api/me/tokens", {"label": "Robot"}, 201)
            ids = [made["id"], *[(await one.get("/api/me"))["id"] for one in (owner, alone, gone)]]
            await gone.ask("DELETE", "/api/me", status=204)
            await server.parts.store.touch(ids, 2e9)
            players = await server.parts.store.players(ids[:3])
            return [one.http.cookies[COOKIE] for one in (owner, alone)], made["token"], players

    cookies, token, players = asyncio.run(first())
    assert exported(old, tmp_path)[1:] == []
    before = exported(old, tmp_path, "--secret")
    assert sorted(len(line["players"]) for line in before[1:]) == [1, 3]
    file = written(tmp_path, before)
    for _ in range(2):
        assert run("import", file, "--db", new).err.startswith("0 rooms made, 0 were there already, 0 lines")
    assert exported(new, tmp_path, "--secret")[1:] == before[1:]

    async def then() -> None:
        async with served(tmp_path / "new") as server:
            assert await server.parts.store.players(list(players)) == players
            owner, alone, bot = server.guest(), server.guest(), server.guest(token)
            for guest, cookie in ((owner, cookies[0]), (alone, cookies[1])):
                guest.http.cookies.set(COOKIE, cookie)
            told = await owner.get("/api/me")
            assert [told["name"], *[one["name"] for one in told["locals"]]] == ["Ada", "Granny"]
            assert [one["label"] for one in await owner.get("/api/me/tokens")] == ["Robot"]
            assert (await alone.get("/api/me"))["id"] in players
            assert (await bot.get("/api/me"))["name"] == "Robot"

    asyncio.run(then())


GUEST = {"id": "eve", "name": "Eve", "kind": "guest", "created_at": 1, "owner": None}
BOT = {**GUEST, "id": "bot", "kind": "bot", "owner": "eve"}
KEY = ["0" * 64, "Robot", 1]
SEAT = {"player": "eve", "ready": False, "word": ""}

# What is wrong with the line of a room in which a match is played.
BAD: list[tuple[dict[str, Any], str]] = [
    ({"room": 5}, "room: text is expected"),
    ({"room": ""}, "room: must have 1 to 64 letters"),
    ({"room": "a/b"}, "room: must have 1 to 64 letters"),
    ({"room": "a\0b"}, "room: must have 1 to 64 letters"),
    ({"room": "x" * 65}, "room: must have 1 to 64 letters"),
    ({"code": {"a": 1}}, "code: text is expected"),
    ({"code": "ABC"}, "code: 5 of the signs ABC"),
    ({"code": "A" * 100}, "code: 5 of the signs ABC"),
    ({"code": "ABCD0"}, "code: 5 of the signs ABC"),
    ({"stage": "asleep"}, "stage: one of lobby"),
    ({"stage": "over"}, "stage: its matches make it playing, not over"),
    ({"seed": "zz"}, "seed: 64 hexadecimal digits are expected"),
    ({"host": "a\0b"}, "host: must have 1 to 64 letters"),
    ({"removed": [{"a": 1}]}, "removed.1: text is expected"),
    ({"created_at": -1}, "created_at: seconds since 1970 are expected"),
    ({"created_at": 1e30}, "created_at: seconds since 1970 are expected"),
    ({"players": [{}]}, "players.1.created_at: seconds"),
    ({"players": [GUEST | {"kind": "cat"}]}, "players.1.kind: one of guest, bot, local"),
    ({"players": [GUEST | {"id": "a\0"}]}, "players.1.id: must have"),
    ({"players": [GUEST, GUEST | {"name": "x" * 5000}]}, "players.2.name: a name has at most 24"),
    ({"players": [GUEST, BOT | {"owner": "nobody"}]}, "players: an owner is not there"),
    ({"players": [GUEST, BOT | {"tokens": [KEY]}, BOT | {"id": "b2", "tokens": [KEY]}]}, "players: an owner is not"),
    ({"players": [GUEST, BOT | {"tokens": [["h", "l", 1]]}]}, "players.2.tokens.1: 64 hexadecimal digits"),
    ({"players": [GUEST, BOT | {"tokens": [5]}]}, "players.2.tokens.1: a list is expected"),
    ({"players": [GUEST | {"tokens": [KEY]}]}, "players.1.tokens.1: a hash, a label and a time are expected, of a bot"),
    ({"setup": {}, "matches": []}, "stage: its matches make it lobby"),
    ({"setup": {"players": 9}}, "setup: "),
    ({"matches": [{}]}, "matches.1.at: seconds since 1970 are expected"),
    ({"matches": {}}, "matches: a list is expected"),
    ({"away": [77]}, "away.1: the seat of a player"),
    ({"away": [0, 77]}, "away.2: the seat of a player"),
    ({"away": [-1]}, "away.1: the seat of a player"),
    ({"away": [True]}, "away.1: the seat of a player"),
    ({"away": [[]]}, "away.1: the seat of a player"),
]
LOBBY: dict[str, Any] = {"stage": "lobby", "gathering": True, "matches": [], "away": []}
# And with one that waits for its players.
BAD_LOBBIES: list[tuple[dict[str, Any], str]] = [
    ({"away": [0]}, "away.1: the seat of a player"),
    ({"seats": [1, 2]}, "seats.1: "),
    ({"seats": [SEAT]}, "seats: 2 are expected, not 1"),
    ({"seats": [SEAT, SEAT]}, "seats: somebody has two of them"),
    ({"seats": [SEAT | {"player": "é"}, SEAT]}, "seats.1: must have 1 to 64 letters"),
    ({"seats": [SEAT | {"word": "x" * 100_000}, SEAT]}, "seats.1: a word has at most 40"),
    ({"seats": [SEAT | {"word": 7}, SEAT]}, "seats.1: str expected"),
]


def test_bad_lines_are_named_and_leave_nothing(tmp_path: Path, store_url: str) -> None:
    (tmp_path / "old").mkdir()

    async def first() -> dict[str, str]:
        async with served(tmp_path / "old") as server:
            return await play(server)

    names = asyncio.run(first())
    header, *lines = exported(f"sqlite:///{tmp_path}/old/games.db", tmp_path)
    by_room = {line["room"]: line for line in lines}
    good, race = by_room[names["running"]], by_room[names["race"]]
    match, run_ = good["matches"][0], race["matches"][0]
    more: list[tuple[dict[str, Any], dict[str, Any], str]] = [
        (good, match | {"record": match["record"] + "1 play r1 r2 r3\n"}, "matches.1.record: line "),
        (good, match | {"seats": [match["seats"][0], None]}, "matches.1.record: it is not of this setup"),
        (good, match | {"at": 1e30}, "matches.1.at: seconds since 1970 are expected"),
        (race, run_ | {"race": [*run_["race"], run_["race"][-1]]}, "matches.1.race: it cannot be run again"),
        (race, run_ | {"race": []}, "matches.1.race: it cannot be run again"),
    ]
    cases = [(good, change, reason) for change, reason in BAD]
    cases += [(good | LOBBY, change, reason) for change, reason in BAD_LOBBIES]
    cases += [(line, {"matches": [change]}, reason) for line, change, reason in more]
    own = {"code": None, "players": [GUEST]}
    bad = [{**line, **own, "room": f"bad{place}", **change} for place, (line, change, _) in enumerate(cases)]
    bad += [{"tilerummy": 99}, {"guest": "eve", "players": [GUEST, BOT | {"owner": "nobody"}]}]
    told = [reason for *_, reason in cases] + ["tilerummy: this reads format 1", "players: an owner is not there"]
    told += ["secret: must have", "input: no JSON"]
    file = Path(written(tmp_path, [*bad, {**header, "secret": ""}]))
    file.write_text(file.read_text() + "{nonsense\n\n" + json.dumps(good) + "\n")
    result = run("import", str(file), "--db", store_url)
    assert result.code == 2
    *lines_told, summary = result.err.splitlines()
    assert summary == f"1 rooms made, 0 were there already, {len(told)} lines cannot be used"
    for number, (line, reason) in enumerate(zip(lines_told, told, strict=True), 1):
        assert line.startswith(f"tilerummy: line {number}: {reason}"), line
    assert list(asyncio.run(rooms_of(store_url))) == [names["running"]]
    assert asyncio.run(player_of(store_url, "eve")) is None


def test_a_code_that_is_taken_is_not_taken_away(tmp_path: Path, store_url: str) -> None:
    old = f"sqlite:///{tmp_path}/old.db"
    run_ = started(Setup(players=2), "ada", "bob")
    asyncio.run(keep(old, stored_of(run_), run_.room))
    header, line = exported(old, tmp_path)
    file = written(tmp_path, [header, line, line | {"room": "other", "players": [GUEST]}])
    assert run("import", file, "--db", store_url).err.startswith("2 rooms made")
    assert [line["code"] for line in exported(store_url, tmp_path)[1:]] == [None, "ABCDE"]
    assert asyncio.run(player_of(store_url, "eve")) == Player("eve", "Eve", "guest", 1.0, 1.0)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/games.db"
    for file in ("none", "."):
        assert run("import", str(tmp_path / file), "--db", db).reason.startswith("FILE: ")
    assert not (tmp_path / "games.db").exists()
    last = tmp_path / "last"
    last.write_text("the last backup")
    assert run("export", str(last), "--db", db).reason == f"db: {tmp_path}/games.db: there is no such file"
    assert last.read_text() == "the last backup"
    assert not (tmp_path / "games.db").exists()
    assert run("migrate", "--db", db).code == 0
    assert run("export", str(tmp_path / "none" / "x"), "--db", db).reason.startswith("FILE: ")
    assert run("export", str(tmp_path / "x"), "--db", "mysql://x/y").reason.startswith("db: sqlite:///FILE")
    assert run("export", "--db", db).reason.startswith("Missing argument")


def test_what_is_no_file_stays_what_it_is(tmp_path: Path) -> None:
    """A pipe is written to, and where a link leads, there the backup is; a part of one is nowhere left."""
    db = f"sqlite:///{tmp_path}/games.db"
    assert run("migrate", "--db", db).code == 0
    pipe, link, far = tmp_path / "pipe", tmp_path / "link", tmp_path / "far"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as thread:
        heard = thread.submit(pipe.read_text)
        assert run("export", str(pipe), "--db", db).code == 0
        assert json.loads(heard.result(60))["tilerummy"] == FORMAT
    assert pipe.is_fifo()
    link.symlink_to(far)
    for _ in range(2):
        assert run("export", str(link), "--db", db).code == 0
        assert link.is_symlink()
        assert json.loads(far.read_text())["tilerummy"] == FORMAT
        assert far.stat().st_mode & 0o777 == 0o600
    assert not [one.name for one in tmp_path.iterdir() if one.suffix == ".part"]


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


async def keep(db: str, stored: list[Stored], room: Room) -> None:
    async with Store(db) as store:
        for name in ("ada", "bob", "cleo", "dan"):
            await store.new_player(Player(name, name.title(), "guest", 1.0, 2.0))
        await store.create_room("room", "ABCDE", stored, meta_of(None, room, [], 0))


def test_a_room_in_which_everything_happened_comes_back(tmp_path: Path, store_url: str) -> None:
    game = stored_game()
    stored = [
        Stored(one["version"], one["at"], game["schema"], one["kind"], one["data"], one["cause"])
        for one in game["events"]
    ]
    old = f"sqlite:///{tmp_path}/old.db"
    asyncio.run(keep(old, stored, read_history(stored).room))
    _, before = exported(old, tmp_path)
    assert run("import", written(tmp_path, [before]), "--db", store_url).code == 0
    unready = [{**seat, "ready": False} for seat in before["seats"]]  # which nobody is once it has begun
    assert exported(store_url, tmp_path)[1:] == [{**before, "code": None, "seats": unready}]


@pytest.mark.parametrize("number", range(6))
def test_any_room_comes_back(tmp_path: Path, number: int) -> None:
    luck = Random(number)
    ruleset = luck.choice(list(RULESETS))
    run_ = started(Setup(ruleset=ruleset, players=3, rounds=luck.choice((1, 2))), "ada", "bob", "cleo")
    run_.play(luck, Habits(lays=0.9, lets_time_run_out=0.05, asks=0.05, leaves=0.05), lambda room: room.version > 60)
    old, new = f"sqlite:///{tmp_path}/old.db", f"sqlite:///{tmp_path}/new.db"

    asyncio.run(keep(old, stored_of(run_), run_.room))
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
