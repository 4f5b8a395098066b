"""Tables at a real server, over real sockets: from the first seat to the rematch, with people who come and go."""

import asyncio
from random import Random

import pytest
from websockets.exceptions import InvalidStatus

from tests.kit.cluster import Cluster
from tests.kit.lines import Guest, Line
from tests.kit.playing import Seated, play, seated
from tests.kit.servers import ServerProcess
from tilerummy.deal import commitment
from tilerummy.record import read_record

pytestmark = pytest.mark.anyio

AnyServer = ServerProcess | Cluster


async def play_all(table: Seated, luck: Random) -> None:
    """Play the match to its end."""
    async with asyncio.TaskGroup() as group:
        for seat, line in table.lines.items():
            group.create_task(play(line, seat, Random(luck.random()), "novice"))
    for line in table.lines.values():
        await line.until(lambda line=line: line.view["stage"] == "over")  # type: ignore[misc]


async def denied(guest: Guest, room: str) -> int:
    """The status with which somebody is not let in."""
    with pytest.raises(InvalidStatus) as caught:
        await guest.line(room)
    return caught.value.response.status_code


# Before the start


async def test_seats_readiness_and_words(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, players=3) as table, Guest(any_server.url) as third:
        host, other = table.lines[0], table.lines[1]
        await third.me()
        line = await third.line(table.room)
        assert line.you == {"player": await third.me(), "seats": [], "shown": None, "host": False}
        assert (await line.post("sit", seat=1))["code"] == "seat-taken"
        assert (await line.post("sit", seat=3))["code"] == "no-such-seat"
        assert (await line.post("ready", seat=1, ready=True))["code"] == "not-a-seat-of-yours"
        await line.do("sit", seat=2)
        await line.until(lambda: line.you["seats"] == [2] and line.you["shown"] == 2)
        assert (await line.post("sit", seat=2))["code"] == "already-seated"
        await line.do("stand", seat=2)
        assert (await line.post("stand", seat=2))["code"] == "seat-empty"
        await line.do("sit", seat=2)
        # A word is told to nobody else before the start.
        await line.do("word", seat=2, word="  abracadabra ")
        assert line.view["seats"][2]["word"] == "abracadabra"
        await host.reach(line.version)
        assert host.view["seats"][2]["word"] is None
        assert "abracadabra" not in "".join(host.frames)
        assert (await line.post("word", seat=2, word="w" * 41))["type"] == "error"
        # Everybody but the host has to be ready.
        assert (await other.post("start"))["code"] == "not-host"
        await other.do("ready", seat=1, ready=True)
        assert (await host.post("start"))["code"] == "not-ready"
        await line.do("ready", seat=2, ready=True)
        await line.do("ready", seat=2, ready=False)
        assert (await host.post("start"))["code"] == "not-ready"
        await line.do("ready", seat=2, ready=True)
        await host.do("start")
        assert host.match["words"] == ["", "", "abracadabra"]
        assert (await line.post("stand", seat=2))["code"] == "wrong-stage"


async def test_a_word_is_not_told_to_whoever_has_the_seat_afterwards(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, players=3) as table:
        host, other = table.lines[0], table.lines[1]
        await host.do("word", seat=0, word="abracadabra")
        await host.do("sit", seat=2)
        await other.do("sit", seat=0)
        again = await table.guests[1].line(table.room, 1)
        assert again.told("update")
        assert "abracadabra" not in "".join(again.frames)
        mine = await table.guests[0].line(table.room, 1)
        assert mine.events("word-given") == [{"kind": "word-given", "seat": 2, "word": "abracadabra"}]


async def test_the_host_chooses(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, players=4) as table:
        host, other = table.lines[0], table.lines[1]
        await other.do("ready", seat=1, ready=True)
        assert (await host.post("start"))["code"] == "seat-empty"
        assert (await other.post("seat-bot", seat=2, bot="novice"))["code"] == "not-host"
        await host.do("seat-bot", seat=2, bot="novice")
        assert (await host.post("seat-bot", seat=3, bot="grandmaster"))["code"] == "bad-bot"
        assert host.view["seats"][2]["name"] == "novice"
        # Another setup: whoever said ready has not seen it.
        await host.do("change", setup={"players": 3, "bots": [None, None, "novice"], "ruleset": "classic"})
        assert [seat["ready"] for seat in host.view["seats"]] == [False, False, False]
        assert host.view["seats"][2]["bot"] == "novice"
        assert (await host.post("change", setup={"players": 9}))["field"] == "command.setup.players"
        assert (await host.post("change", setup={"house": {"opening": 999}}))["field"] == "command.setup.house.opening"
        # Fewer seats: whoever sat there stands.
        await host.do("change", setup={"players": 2, "bots": [None, "greedy"]})
        assert [seat["kind"] for seat in host.view["seats"]] == ["person", "person"]
        await other.do("leave", seat=1)
        await host.do("start")
        await host.until(lambda: len(host.events("played", "drew")) > 0 or host.match["turn"] == 0)


async def test_the_host_passes_on(any_server: AnyServer) -> None:
    async with seated(any_server.url, 3) as table:
        first, second, third = table.lines.values()
        await first.do("stand", seat=0)
        await second.until(lambda: second.you["host"])
        assert (await first.post("close"))["code"] == "not-host"
        # A host whose connection is gone does not keep the others waiting.
        await second.cut()
        await third.until(lambda: third.you["host"])
        assert third.events("host-passed")[-1] == {"kind": "host-passed", "seat": 2}
        assert third.view["seats"][1]["kind"] == "person"
        assert not third.view["seats"][1]["present"]
        # Nor one who was gone before.
        await third.do("stand", seat=2)
        assert third.view["seats"][1]["host"]
        await first.do("sit", seat=0)
        await first.until(lambda: first.you["host"])
        await first.do("close")
        assert first.view["stage"] == "closed"
        assert (await first.post("sit", seat=0))["code"] == "wrong-stage"


async def test_whoever_is_sent_away_cannot_come_back(any_server: AnyServer) -> None:
    async with seated(any_server.url, 3) as table:
        host, other, line = table.lines.values()
        guest = table.guests[2]
        assert (await other.post("remove", seat=2))["code"] == "not-host"
        await host.do("remove", seat=2)
        await line.until(lambda: line.closed is not None)
        assert (line.bye, line.closed) == ("was-removed", 1000)
        assert host.events("removed") == [{"kind": "removed", "seat": 2}]
        assert (await guest.post(table.room, "sit", seat=2)).code == "was-removed"
        assert (await guest.request("GET", f"/api/rooms/{table.room}")).code == "was-removed"
        assert await denied(guest, table.room) == 403
        # Somebody on the same device does not get in either.
        local = await guest.ask("POST", "/api/me/locals", {"name": "Somebody Else"})
        assert (await guest.post(table.room, "sit", seat=2, player=local["id"])).code == "was-removed"
        assert host.view["seats"][2]["kind"] == "open"
        await host.do("seat-bot", seat=2, bot="random")
        await other.do("ready", seat=1, ready=True)
        await host.do("start")
        assert (await other.post("remove", seat=0))["code"] == "wrong-stage"


async def test_one_of_a_device_is_sent_away_and_the_other_stays(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, players=3) as table:
        host, line, guest = table.lines[0], table.lines[1], table.guests[1]
        local = (await guest.ask("POST", "/api/me/locals", {"name": "Little One"}))["id"]
        await line.do("sit", seat=2, player=local)
        await host.do("remove", seat=2)
        await line.until(lambda: line.you["seats"] == [1])
        await line.cut()
        await line.open()
        assert line.you["seats"] == [1]


async def test_spectators_only_where_they_are_welcome(any_server: AnyServer) -> None:
    for welcome in (True, False):
        async with seated(any_server.url, 2, spectators=welcome) as table, Guest(any_server.url) as watcher:
            watching = await watcher.line(table.room)
            await table.begin()
            if welcome:
                await watching.until(lambda watching=watching: watching.view["stage"] == "playing")  # type: ignore[misc]
                assert watching.match["seat"] is None
                assert watching.match["rack"] == ""
                assert (await watching.post("draw", seat=table.turn))["code"] == "not-seated"
            else:
                await watching.until(lambda watching=watching: watching.closed is not None)  # type: ignore[misc]
                assert watching.bye == "no-spectators"
                assert "round-began" not in "".join(watching.frames)
                assert (await watcher.request("GET", f"/api/rooms/{table.room}")).code == "no-spectators"
                assert await denied(watcher, table.room) == 403
            again = await table.guests[1].line(table.room)
            assert again.you["shown"] == 1


# Matches


async def test_rounds_and_a_rematch(any_server: AnyServer) -> None:
    luck = Random(11)
    async with seated(any_server.url, 2, ruleset="junior", rounds=2) as table, Guest(any_server.url) as watcher:
        host, other = table.lines[0], table.lines[1]
        watching = await watcher.line(table.room)
        await table.begin()
        first = host.view["commitment"]
        await play_all(table, luck)
        assert [event["round"] for event in host.events("round-ended")] == [1, 2]
        assert commitment(host.match["seed"]) == first
        assert len(host.match["scores"]) == 2
        assert (await watching.post("rematch"))["code"] == "not-seated"
        await other.do("rematch")
        await host.reach(other.version)
        assert host.view["stage"] == "lobby"
        assert host.view["match"] is None
        assert host.view["commitment"] != first
        assert [seat["ready"] for seat in host.view["seats"]] == [False, True]
        assert (await other.post("start"))["code"] == "not-host"
        await host.do("change", setup={**host.view["setup"], "rounds": 1})
        await other.do("ready", seat=1, ready=True)
        await host.do("start")
        await other.reach(host.version)
        assert host.view["matches"] == 2
        await play_all(table, luck)
        records = [await watcher.get(f"/api/rooms/{table.room}/record?match={number}") for number in (1, 2)]
        assert [read_record(text).rounds for text in records] == [2, 1]
        assert commitment(read_record(records[0]).seed) == first
        assert (await watcher.request("GET", f"/api/rooms/{table.room}/record?match=3")).code == "no-record"
        await host.do("close")
        assert (await watcher.request("GET", f"/api/rooms/{table.room}/record?match=2")).status == 200


async def test_only_players_begin_the_next_round(any_server: AnyServer) -> None:
    async with (
        seated(any_server.url, 1, ruleset="junior", rounds=2, players=2, bots=[None, "random"]) as table,
        Guest(any_server.url) as watcher,
    ):
        watching = await watcher.line(table.room)
        host = table.host
        await host.do("start")
        assert (await host.post("next-round"))["code"] == "round-running"
        await host.do("leave", seat=0)
        await host.happened("round-ended")
        assert (await watching.post("next-round"))["code"] == "not-seated"
        assert len(host.match["racks"]) == 2
        assert host.match["seed"] is None
        await host.do("next-round")
        await host.happened("match-ended")


# Coming and going


async def test_leaving_in_mid_game_and_returning(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, players=3, bots=[None, None, "novice"]) as table:
        host, other = table.lines[0], table.lines[1]
        await table.begin()
        await other.do("leave", seat=1)
        assert other.view["seats"][1] | {"name": None} == {
            "seat": 1, "name": None, "kind": "person", "bot": "novice", "ready": True, "present": True, "away": True,
            "host": False, "word": None,
        }  # fmt: skip
        assert (await other.post("leave", seat=1))["code"] == "seat-unchanged"
        async with Guest(any_server.url) as somebody:
            assert (await somebody.post(table.room, "sit", seat=1)).code == "wrong-stage"
            assert (await somebody.post(table.room, "return", seat=1)).code == "not-a-seat-of-yours"
        # The others go on, and the bot plays for whoever left.
        for _ in range(2):
            await host.until(lambda: host.match["turn"] == 0)
            await host.do("draw", seat=0)
        await host.until(lambda: any(event["seat"] == 1 for event in host.events("drew", "played")))
        # Coming back with the connection alone does not take the seat from the bot: they had left.
        await other.cut()
        await other.open()
        assert other.match["bots"][1] == "novice"
        assert (await other.post("draw", seat=1))["code"] in ("bot-plays", "not-your-turn")
        await other.do("return", seat=1)
        assert other.match["bots"][1] is None
        assert not other.view["seats"][1]["away"]
        assert len(other.match["rack"].split()) == other.match["rack_sizes"][1]


async def test_a_bot_sits_in_until_they_are_back(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, sit_in="greedy") as table:
        host, other = table.lines[0], table.lines[1]
        await table.begin()
        assert (await host.post("sit-in", seat=1))["code"] == "player-present"
        await other.cut()
        assert await host.happened("handed-over") == {"kind": "handed-over", "seat": 1, "bot": "greedy"}
        assert not host.view["seats"][1]["away"]
        # Two tabs, of which one goes, are no reason.
        await other.open()
        assert await host.happened("handed-over", count=2) == {"kind": "handed-over", "seat": 1, "bot": None}
        assert host.told("presence")[-1] == {"type": "presence", "present": [True, True]}
        await other.reach(host.version)
        if other.match["turn"] == 1:
            await other.do("draw", seat=1)


async def test_somebody_who_was_gone_before_the_start_is_played_for(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, sit_in="novice") as table:
        host, other = table.lines[0], table.lines[1]
        await other.do("ready", seat=1, ready=True)
        await other.cut()
        await host.until(lambda: host.told("presence")[-1:] == [{"type": "presence", "present": [True, False]}])
        await host.do("start")
        assert (await host.happened("handed-over"))["seat"] == 1


async def test_others_may_ask_for_a_bot(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2) as table, Guest(any_server.url) as watcher:
        host, other = table.lines[0], table.lines[1]
        await table.begin()
        await other.cut()
        await host.until(lambda: host.told("presence")[-1:] == [{"type": "presence", "present": [True, False]}])
        assert (await watcher.post(table.room, "sit-in", seat=1)).code == "not-seated"
        while (answer := await host.post("sit-in", seat=1))["type"] == "refused":
            assert answer["code"] == "player-present"
            await asyncio.sleep(0.05)
        assert host.match["bots"][1] == "novice"
        await other.open()
        await other.until(lambda: other.match["bots"][1] is None)


async def test_nobody_is_gone_where_a_turn_may_take_days(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, clock={"days": 2}) as table:
        host, other = table.lines[0], table.lines[1]
        await table.begin()
        await other.cut()
        await host.until(lambda: host.told("presence")[-1:] == [{"type": "presence", "present": [True, False]}])
        await asyncio.sleep(0.5)  # longer than the server waits for somebody
        assert (await host.post("sit-in", seat=1))["code"] == "player-present"
        assert host.match["bots"] == [None, None]


async def test_two_tabs_of_one_player(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, sit_in="novice") as table:
        host, first = table.lines[0], table.lines[1]
        second = await table.guests[1].line(table.room)
        await table.begin()
        await second.reach(first.version)
        assert second.match == first.match
        before = len(host.told("presence"))
        await first.close()
        assert (await host.ping())["version"] == host.version
        assert len(host.told("presence")) == before
        seat, line = (1, second) if table.turn else (0, host)
        await line.do("draw", seat=seat)
        assert all(bot is None for bot in host.match["bots"])


async def test_several_people_on_one_device(any_server: AnyServer) -> None:
    async with seated(any_server.url, 1, players=3, bots=[None, None, "novice"]) as table:
        guest, line = table.guests[0], table.host
        local = (await guest.ask("POST", "/api/me/locals", {"name": "Granny"}))["id"]
        await line.do("sit", seat=1, player=local)
        await line.until(lambda: line.you["seats"] == [0, 1])
        assert line.you["shown"] is None
        assert line.view["seats"][1]["name"] == "Granny"
        async with Guest(any_server.url) as other:
            assert (await other.post(table.room, "sit", seat=2, player=local)).code == "no-such-player"
        await line.do("start")
        assert line.match["rack"] == ""
        racks = {}
        for seat in (0, 1):
            shown = await line.show(seat)
            assert shown["you"]["shown"] == shown["view"]["match"]["seat"] == seat
            racks[seat] = shown["view"]["match"]["rack"]
            assert len(racks[seat].split()) >= 14
        assert racks[0] != racks[1]
        assert (await line.show(2))["code"] == "not-a-seat-of-yours"
        hidden = await line.show(None)
        assert hidden["view"]["match"]["rack"] == ""
        # Whoever is to move may, whatever is shown; and what they draw is told when their rack is.
        await line.until(lambda: line.match["turn"] in (0, 1))
        seat = line.match["turn"]
        await line.do("draw", seat=seat)
        assert next(event for event in line.events("drew") if event["seat"] == seat)["tiles"] is None
        assert (await line.show(seat))["view"]["match"]["rack"].startswith(racks[seat])


# Versions and answers


async def test_resuming_from_a_version(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2) as table:
        host, other = table.lines[0], table.lines[1]
        await table.begin()
        known = other.version
        await other.cut()
        if host.match["turn"] == 1:
            await table.guests[1].do(table.room, "draw", seat=1)
            await host.until(lambda: host.match["turn"] == 0)
        await host.do("draw", seat=0)
        place = len(other.heard)
        await other.open(known)
        update, snapshot = [one for one in other.heard[place:] if one["type"] in ("update", "snapshot")][:2]
        assert [one["version"] for one in update["events"]] == list(range(known + 1, host.version + 1))
        assert snapshot["type"] == "snapshot"
        assert snapshot["version"] == host.version
        drew = update["events"][-1]["event"]
        assert drew["kind"] == "drew"
        assert drew["tiles"] is None
        # The same without a new connection; from nowhere, or from the future, there is a snapshot alone.
        again = await other.answer("update", type="resume", version=known)
        assert again["events"] == update["events"]
        await other.ping()
        for version in (0, host.version, host.version + 1000):
            place = len(other.heard)
            await other.answer("snapshot", type="resume", version=version)
            await other.ping()
            assert [one["type"] for one in other.heard[place:]] == ["snapshot", "heartbeat"]
        heartbeat = await other.ping()
        assert heartbeat["version"] == host.version


async def test_after_a_long_gap_a_snapshot_comes_alone(any_server: AnyServer) -> None:
    async with seated(any_server.url, 1, players=2, bots=[None, "novice"]) as table:
        line = table.host
        for place in range(201):
            what = {"kind": "ready", "seat": 0, "ready": place % 2 == 0}
            await line.send(type="command", id=f"c{place}", on=0, command=what)
        await line.until(lambda: line.version == 203)
        await line.ping()
        newer = line.version - 200
        for version, first in ((newer, "update"), (newer - 1, "snapshot")):
            place = len(line.heard)
            await line.send(type="resume", version=version)
            await line.ping()
            assert line.heard[place]["type"] == first


async def test_the_same_id_gets_the_same_answer(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2) as table:
        host, other = table.lines[0], table.lines[1]
        guest = table.guests[1]
        ready = await other.do("ready", seat=1, ready=True, id="once")
        refusal = await other.post("start", id="never")
        assert refusal["code"] == "not-host"
        await host.do("word", seat=0, word="later")
        tab = await guest.line(table.room)
        version = tab.version
        for line in (other, tab):
            assert await line.post("ready", seat=1, ready=True, id="once") == ready
            # Whatever else is asked by an old id: it is the old command that is answered.
            assert await line.post("ready", seat=1, ready=False, id="once") == ready
            assert await line.post("start", id="never") == refusal
        assert (await guest.post(table.room, "stand", id="once", seat=1)).json == ready
        assert (await guest.post(table.room, "ready", id="never", seat=1, ready=False)).json == refusal
        assert (await tab.ping())["version"] == version
        # Ids are each player's own.
        assert (await host.do("word", seat=0, word="mine", id="once"))["version"] == version + 1


async def test_a_move_for_an_earlier_turn_is_stale(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2) as table:
        await table.begin()
        seat, line = await table.mover()
        seen = line.version
        await line.do("draw", seat=seat)
        other = 1 - seat
        await table.lines[other].reach(line.version)
        assert (await table.lines[other].post("draw", seat=other, on=seen))["code"] == "stale"
        await table.lines[other].do("draw", seat=other)
        await line.reach(table.lines[other].version)
        assert (await line.post("draw", seat=seat, on=seen))["code"] == "stale"


async def test_phrases(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2) as table, Guest(any_server.url) as watcher:
        watching = await watcher.line(table.room)
        await table.lines[1].send(type="phrase", seat=1, phrase=":clap")
        said = {"type": "phrase", "seat": 1, "phrase": ":clap"}
        everybody: list[Line] = [*table.lines.values(), watching]
        for line in everybody:
            await line.until(lambda line=line: line.told("phrase") == [said])  # type: ignore[misc]
        for line, seat in ((watching, 1), (table.lines[1], 0)):
            answer = await line.answer("error", type="phrase", seat=seat, phrase="hello")
            assert (answer["code"], answer["field"]) == ("not-a-seat-of-yours", "seat")
        answer = await table.host.answer("error", type="phrase", seat=0, phrase="you are a fool")
        assert (answer["code"], answer["field"]) == ("bad-message", "phrase")
        assert len(table.host.told("phrase")) == 1
