"""Whole games at a real server, in every ruleset: all that was sent is searched for what its receiver may not know."""

import asyncio
import json
from dataclasses import replace
from random import Random, SystemRandom
from typing import Any

import pytest

from tests.kit.cluster import Cluster
from tests.kit.leaks import Frame, Receiver, Truth, leaks, receiver
from tests.kit.lines import Guest, Line
from tests.kit.playing import Habits, Seated, play, seated
from tests.kit.servers import ServerProcess
from tilerummy.bots import bot
from tilerummy.protocol import table_texts, wire_command
from tilerummy.rulesets import RULESETS
from tilerummy.state import Play
from tilerummy.tiles import tile

pytestmark = pytest.mark.anyio

HABITS = Habits(drafts=50, probes=10, hints=8, phrases=5, drops=4, looks=10)
GAMES: dict[str, tuple[int, dict[str, Any], Habits]] = {
    "classic": (
        2,
        {"players": 3, "bots": [None, None, "novice"], "clock": {"seconds": 1}},
        replace(HABITS, daydreams=1),
    ),
    "club": (2, {}, HABITS),
    "sabra": (3, {"players": 4, "bots": [None, None, None, "greedy"]}, HABITS),
    "rummy": (3, {}, HABITS),
    "junior": (3, {"rounds": 3, "players": 4, "bots": [None, None, None, "random"]}, replace(HABITS, hints=0)),
    "xp": (5, {"ruleset": "sabra", "house": {"tileset": "xp"}, "players": 6, "bots": [None] * 5 + ["novice"]}, HABITS),
}


def luck() -> Random:
    """Another run of luck each time; its seed is told."""
    seed = SystemRandom().randrange(2**32)
    print(f"Random({seed})")
    return Random(seed)


def test_every_ruleset_is_played() -> None:
    assert {setup.get("ruleset", name) for name, (_, setup, _) in GAMES.items()} == set(RULESETS)


async def watch(table: Seated, stranger: Guest, watcher: Guest) -> tuple[Line, Line, Line]:
    """A second tab of the player on seat 1, a spectator, and somebody who is nobody."""
    await watcher.me()
    return (
        await table.guests[1].line(table.room),
        await watcher.line(table.room),
        await stranger.line(table.room),
    )


@pytest.mark.parametrize("name", GAMES)
async def test_nobody_sees_what_they_may_not(shared_server: ServerProcess, name: str) -> None:
    chance = luck()
    people, setup, habits = GAMES[name]
    url = shared_server.url
    async with (
        seated(url, people, **{"ruleset": name, "public": True, **setup}) as table,
        Guest(url) as watcher,
        Guest(url) as stranger,
    ):
        tab, watching, strange = await watch(table, stranger, watcher)
        words = {seat: f"wish{seat}of{chance.randrange(10**9)}" for seat in table.lines}
        for seat, word in words.items():
            await table.lines[seat].do("word", seat=seat, word=word)
        for guest in (*table.guests.values(), watcher, stranger):
            await guest.get(f"/api/rooms/{table.room}")
        await table.begin()
        minds = ("greedy", "novice")
        async with asyncio.TaskGroup() as group:
            for seat, line in table.lines.items():
                own = replace(habits, daydreams=0) if seat else habits
                group.create_task(play(line, seat, Random(chance.random()), minds[seat % 2], own))
            group.create_task(look(watcher, watching))
            group.create_task(look(stranger, strange))
        last = table.host.version
        for line in (tab, watching, strange, *table.lines.values()):
            await line.reach(last)
        for guest in (*table.guests.values(), watcher, stranger):
            for path in ("/api/me/rooms", "/api/rooms?stage=over", f"/api/rooms/{table.room}"):
                await guest.get(path)
        record = await stranger.get(f"/api/rooms/{table.room}/record")
        truth = Truth.read(record, watching)
        assert truth.seed in json.dumps(table.host.view)
        assert tuple(words.values()) == truth.words[:people]
        everybody = [
            *(receiver(f"seat {seat}", {seat}, line, table.guests[seat]) for seat, line in table.lines.items()),
            receiver("the other tab of seat 1", {1}, tab),
            receiver("a spectator", (), watching, watcher),
            receiver("a stranger", (), strange, stranger),
        ]
    assert [found for who in everybody for found in leaks(who, [truth], words)] == []
    kinds = {message["type"] for line in table.lines.values() for message in line.heard}
    assert {"snapshot", "update", "ack", "draft", "presence"} <= kinds
    assert tab.told("draft")


async def test_a_device_of_two_shows_nobody_else_s_tiles(any_server: ServerProcess | Cluster) -> None:
    """Two people pass it around, on seats 0 and 2; the rack of either is shown to nobody else, nor seat 1's to them."""
    chance, url = luck(), any_server.url
    async with seated(url, 2, ruleset="sabra", players=3) as table, Guest(url) as watcher:
        tablet, phone = table.lines[0], table.lines[1]
        watching = await watcher.line(table.room)
        local = (await table.guests[0].ask("POST", "/api/me/locals", {"name": "Granny"}))["id"]
        await tablet.do("sit", seat=2, player=local)
        for line, seat in ((phone, 1), (tablet, 2)):
            await line.do("ready", seat=seat, ready=True)
        await tablet.do("start")
        await phone.reach(tablet.version)
        async with asyncio.TaskGroup() as group:
            group.create_task(play(phone, 1, Random(chance.random()), "greedy", HABITS))
            group.create_task(pass_around(tablet, (0, 2), Random(chance.random())))
        for line in (phone, tablet, watching):
            await line.until(lambda line=line: line.view["stage"] == "over")  # type: ignore[misc]
        truth = Truth.read(await watcher.get(f"/api/rooms/{table.room}/record"), watching)
        everybody = [
            receiver("the tablet", {0, 2}, tablet, table.guests[0]),
            receiver("the phone", {1}, phone, table.guests[1]),
            receiver("a spectator", (), watching, watcher),
        ]
    assert [found for who in everybody for found in leaks(who, [truth])] == []
    assert {message["you"]["shown"] for message in tablet.told("snapshot")} == {None, 0, 2}


async def pass_around(line: Line, seats: tuple[int, ...], luck: Random) -> None:
    """Whoever's turn it is takes the device, plays, and hides the rack again."""
    while True:
        await line.until(lambda: line.view["stage"] != "playing" or line.match["turn"] in seats)
        if line.view["stage"] != "playing":
            return
        seat, on = line.match["turn"], line.version
        await line.show(seat)
        command = await asyncio.to_thread(bot("novice").choose, line.position(), luck, 1)
        if isinstance(command, Play):
            await line.draft(seat, table_texts(command.table), on=on)
        await line.post(**wire_command(command).model_dump(), on=on)
        await line.show(None)


async def look(guest: Guest, line: Line) -> None:
    """Ask for the room again and again, until its match is over."""
    while line.view["stage"] != "over":
        await guest.get(f"/api/rooms/{line.room}")
        seen = line.version
        await line.until(lambda seen=seen: line.version > seen + 7 or line.view["stage"] == "over")  # type: ignore[misc]


async def test_a_race_keeps_its_seed(shared_server: ServerProcess) -> None:
    """Nothing else of it is hidden; but whoever had the seed would know what is called next."""
    async with (
        seated(shared_server.url, 2, game="race", ruleset="junior", players=3, bots=[None, None, "novice"]) as table,
        Guest(shared_server.url) as stranger,
    ):
        await table.begin()
        watching = await stranger.line(table.room)
        async with asyncio.TaskGroup() as group:
            for seat, line in table.lines.items():
                group.create_task(race(line, seat))
        everybody = [receiver(f"seat {seat}", {seat}, line, table.guests[seat]) for seat, line in table.lines.items()]
        everybody.append(receiver("a spectator", (), watching, stranger))
        assert (await stranger.request("GET", f"/api/rooms/{table.room}/record")).code == "race-has-no-record"
    assert [found for who in everybody for found in leaks(who, [])] == []
    assert table.host.events("race-ended")


async def race(line: Line, seat: int) -> None:
    """Tap on a tile beside every one that is called, until the race is over."""
    while line.view["stage"] == "playing":
        await line.until(lambda: line.view["stage"] != "playing" or line.view["race"]["open"])
        if line.view["stage"] == "playing":
            called = line.view["race"]["called"]
            near = int(called[1:]) + (1 if seat else -1)
            on = line.version
            if 1 <= near <= 10:
                await line.post("tap", seat=seat, tile=f"{called[0]}{near}")
            await line.until(lambda on=on: line.version > on)  # type: ignore[misc]


# The search itself


@pytest.fixture(scope="module")
async def searched(shared_server: ServerProcess) -> tuple[Truth, Receiver, Receiver]:
    """A match that was played, with what seat 0 and a spectator were sent."""
    async with seated(shared_server.url, 2, ruleset="sabra") as table, Guest(shared_server.url) as watcher:
        watching = await watcher.line(table.room)
        await table.host.do("word", seat=0, word="hocuspocus")
        await table.begin()
        chance = Random(7)
        async with asyncio.TaskGroup() as group:
            for seat, line in table.lines.items():
                group.create_task(play(line, seat, Random(chance.random()), "greedy", Habits(drafts=100)))
        await watching.reach(table.host.version)
        truth = Truth.read(await watcher.get(f"/api/rooms/{table.room}/record"), watching)
        return truth, receiver("seat 0", {0}, table.host), receiver("a spectator", (), watching)


def doctored(who: Receiver, kind: str, change: Any, place: int = 0) -> Receiver:
    """The receiver with one of its frames of this type changed."""
    found = [at for at, frame in enumerate(who.frames) if json.loads(frame.text)["type"] == kind]
    at = found[place]
    message = json.loads(who.frames[at].text)
    change(message)
    frames = [*who.frames[:at], Frame(json.dumps(message)), *who.frames[at + 1 :]]
    return Receiver(who.name, who.seats, frames)


async def test_the_search_finds_nothing_where_nothing_is(searched: tuple[Truth, Receiver, Receiver]) -> None:
    truth, own, watching = searched
    assert leaks(own, [truth], {0: "hocuspocus"}) == leaks(watching, [truth], {0: "hocuspocus"}) == []


async def test_the_search_finds_tiles(searched: tuple[Truth, Receiver, Receiver]) -> None:
    truth, own, watching = searched
    state = truth.at(truth.began + 1)
    assert state is not None
    mine, theirs, pool = str(state.racks[0][0]), str(state.racks[1][0]), str(state.pool[-1])

    def dealt(message: dict[str, Any]) -> None:
        message["events"][1]["event"]["rack"] += f" {theirs}"

    def shown(message: dict[str, Any]) -> None:
        message["view"]["match"]["rack"] += f" {pool}"

    def named(message: dict[str, Any]) -> None:
        message["view"]["seats"][0]["name"] = f"the one with {theirs}"

    began = next(
        place
        for place, message in enumerate([json.loads(frame.text) for frame in own.frames if '"update"' in frame.text])
        if any(one["event"] and one["event"]["kind"] == "round-began" for one in message["events"])
    )
    for change, what in ((dealt, theirs), (shown, pool), (named, theirs)):
        found = leaks(doctored(own, "update", change, began), [truth])
        assert any(f"{what} at version" in one for one in found), (change, found)
    # What one may know, another may not.
    assert leaks(Receiver("seat 1", frozenset({1}), own.frames), [truth])
    drafts = [json.loads(frame.text) for frame in watching.frames if json.loads(frame.text)["type"] == "draft"]
    place = next(at for at, message in enumerate(drafts) if message["seat"] == 0 and message["table"])
    rack = truth.at(drafts[place]["on"])
    assert rack is not None

    def open_draft(message: dict[str, Any]) -> None:
        message["table"][-1][0] = str(rack.racks[0][0])

    assert "in the draft of somebody else" in leaks(doctored(watching, "draft", open_draft, place), [truth])[0]
    assert tile(mine) in truth.hidden(truth.began + 1, {1})


async def test_the_search_finds_seeds_and_words(searched: tuple[Truth, Receiver, Receiver]) -> None:
    truth, own, watching = searched

    def seed(message: dict[str, Any]) -> None:
        message["view"]["seats"][1]["name"] = truth.seed

    def word(message: dict[str, Any]) -> None:
        message["view"]["seats"][0]["word"] = "hocuspocus"

    assert any("the seed" in one for one in leaks(doctored(own, "update", seed), [truth]))
    assert any("the seed" in one for one in leaks(doctored(own, "update", seed), []))
    assert any("the word" in one for one in leaks(doctored(watching, "snapshot", word), [truth]))
    later = doctored(own, "update", seed, -1)
    assert not any("the seed" in one for one in leaks(later, [truth]))
    assert any("more" in one for one in [str(error) for error in unknown_field(own, truth)])


def unknown_field(who: Receiver, truth: Truth) -> list[Exception]:
    """What is said about a message with a field more than the protocol has."""
    with pytest.raises(ValueError, match="more") as caught:
        leaks(doctored(who, "update", lambda message: message.update(more=1)), [truth])
    return [caught.value]
