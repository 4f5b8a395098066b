"""Drafts with advice, face down for the others, and hints: at a real server, over real sockets."""

from pathlib import Path

import pytest

from tests.kit.cluster import Cluster
from tests.kit.lines import Guest, Line
from tests.kit.playing import find_play, seated
from tests.kit.served import served
from tests.kit.servers import ServerProcess
from tilerummy.protocol import AskHint, table_texts
from tilerummy.record import read_record
from tilerummy.server.identity import Actor
from tilerummy.state import HintUsed, State

pytestmark = pytest.mark.anyio

AnyServer = ServerProcess | Cluster


def face_down(table: list[str], lying: list[str]) -> list[list[str]]:
    """A draft as the others see it, who know only what lies."""
    known = {piece for meld in lying for piece in meld.split()}
    return [[piece if piece in known else "?" for piece in meld.split()] for meld in table]


async def sees(line: Line, draft: list[list[str]] | None) -> None:
    """Wait until somebody sees this draft."""
    await line.until(lambda: line.told("draft") and line.told("draft")[-1]["table"] == draft)


async def test_advice_and_what_the_others_see(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, house={"opening": 3}) as table, Guest(any_server.url) as watcher:
        watching = await watcher.line(table.room)
        await table.begin()
        seat, line, command = await find_play(table)
        other = table.lines[1 - seat]
        tab = await table.guests[seat].line(table.room)
        lying, rack = line.match["table"], line.match["rack"].split()
        # A tile alone is no meld, and nothing towards the opening.
        advice = await line.draft(seat, [*lying, rack[0]])
        assert not advice["legal"]
        assert [meld["ok"] for meld in advice["melds"]] == [True] * len(lying) + [False]
        assert advice["melds"][-1]["reason"] == "too-short"
        assert {violation["code"] for violation in advice["violations"]} >= {"meld"}
        assert advice["laid"] == rack[0]
        assert advice["on"] == line.version
        for somebody in (other, watching):
            await sees(somebody, face_down([*lying, rack[0]], lying))
        await sees(tab, [meld.split() for meld in [*lying, rack[0]]])
        # A whole play: its melds, its points, and what they are towards the opening.
        play = table_texts(command.table)
        advice = await line.draft(seat, play)
        assert advice["legal"]
        assert advice["violations"] == []
        assert advice["towards"] == (None if line.match["opened"][seat] else advice["points"])
        assert all(meld["ok"] and meld["points"] > 0 for meld in advice["melds"])
        await sees(other, face_down(play, lying))
        # It is still there for whoever comes back, and as face down as before for the others.
        for somebody in (line, other, watching):
            await somebody.cut()
            await somebody.open()
        assert line.match["draft"] == [meld.split() for meld in play]
        assert other.match["draft"] == watching.match["draft"] == face_down(play, lying)
        assert (await watcher.get(f"/api/rooms/{table.room}"))["match"]["draft"] == face_down(play, lying)
        # Put back, and gone with the turn.
        assert (await line.draft(seat, None))["laid"] == ""
        await sees(other, None)
        await line.draft(seat, play)
        await line.do("draw", seat=seat)
        await other.reach(line.version)
        assert other.match["draft"] is None
        await other.cut()
        await other.open()
        assert other.match["draft"] is None


async def test_points_towards_the_opening(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, house={"opening": 150}) as table:
        await table.begin()
        seat, line = await table.mover()
        advice = await line.draft(seat, [line.match["rack"].split()[0]])
        assert advice["towards"] == 0
        opening = next(violation for violation in advice["violations"] if violation["code"] == "opening")
        assert opening["args"]["needed"] == 150


async def test_drafts_that_are_none(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2) as table, Guest(any_server.url) as watcher:
        await table.begin()
        seat, line = await table.mover()
        other, watching = table.lines[1 - seat], await watcher.line(table.room)
        rack = line.match["rack"].split()
        for sender, whose, code in (
            (other, seat, "not-a-seat-of-yours"),
            (other, 1 - seat, "not-your-turn"),
            (watching, seat, "not-a-seat-of-yours"),
            (line, 1 - seat, "not-a-seat-of-yours"),
        ):
            assert (await sender.draft(whose, [rack[0]]))["code"] == code
        for written, field in ((["r99"], "table.0"), ([f"{rack[0]} {rack[0]}"], "table"), (["r1'''"], "table.0")):
            answer = await line.draft(seat, written)
            assert (answer["code"], answer["field"]) == ("bad-table", field)
        # Somebody else's tile is told to be none of one's own, and to the others nothing.
        theirs = other.match["rack"].split()[0]
        advice = await line.draft(seat, [theirs])
        conserve = next(violation for violation in advice["violations"] if violation["code"] == "conserve")
        assert conserve["args"]["foreign"] == theirs
        await sees(other, [["?"]])
        seen = line.version
        await line.do("draw", seat=seat)
        assert (await line.draft(seat, [rack[0]], on=seen))["code"] == "not-your-turn"


async def test_hints(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, house={"opening": 3}) as table, Guest(any_server.url) as watcher:
        watching = await watcher.line(table.room)
        await table.begin()
        seat, line, _ = await find_play(table)
        other = table.lines[1 - seat]
        assert (await other.hint(1 - seat, "nudge"))["code"] == "not-your-turn"
        assert (await other.hint(seat, "nudge"))["code"] == "not-a-seat-of-yours"
        assert (await watching.hint(seat, "nudge"))["code"] == "not-seated"
        nudge = (await line.hint(seat, "nudge"))["hint"]
        assert nudge == {"level": "nudge", "can_play": True, "laid": None, "after": None, "steps": []}
        point = (await line.hint(seat, "point"))["hint"]
        assert set(point["laid"].split()) <= set(line.match["rack"].split())
        assert point["after"] is None
        answer = await line.hint(seat, "reveal", id="all-of-it")
        reveal = answer["hint"]
        assert reveal["laid"] == point["laid"]
        assert reveal["steps"]
        again = len(line.heard)
        await line.send(type="hint", id="all-of-it", on=line.version, seat=seat, level="nudge")
        await line.ping()
        assert answer in line.heard[again:]
        await line.reach(answer["version"])
        await line.do("play", seat=seat, table=reveal["after"])
        # Everybody sees that there were hints, and nobody else what they told; the record keeps them.
        await watching.reach(line.version)
        given = watching.events("hint-given")
        assert given == [{"kind": "hint-given", "seat": seat, "level": level} for level in ("nudge", "point", "reveal")]
        assert watching.match["hints"][seat] == 3
        assert not any('"hint":{' in frame for frame in (*other.frames, *watching.frames))
        for place, somebody in table.lines.items():
            await somebody.do("leave", seat=place)
        await watching.until(lambda: watching.view["stage"] == "over")
        record = read_record(await watcher.get(f"/api/rooms/{table.room}/record"))
        used = [command for command in record.commands if isinstance(command, HintUsed)]
        assert used == [HintUsed(seat, level) for level in ("nudge", "point", "reveal")]


async def test_no_hints_where_the_table_has_none(any_server: AnyServer) -> None:
    async with seated(any_server.url, 2, hints=False) as table:
        await table.begin()
        seat, line = await table.mover()
        assert (await line.hint(seat, "nudge"))["code"] == "no-hints"
        assert line.events("hint-given") == []


async def test_a_hint_for_a_turn_that_only_the_store_knows_is_given_whole(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        ann, bob = server.guest(), server.guest()
        room = (await ann.new_room(players=2, house={"opening": 0}))["room"]
        await bob.do(room, "sit", seat=1)
        await bob.do(room, "ready", seat=1, ready=True)
        await ann.do(room, "start")
        node = server.parts.node
        live = await node.hall.open(room)
        before = live.room
        assert isinstance(before.match, State)
        drew = await (ann, bob)[before.match.turn].do(room, "draw", seat=before.match.turn)
        next_up = live.room.seats[1 - before.match.turn].player
        assert next_up is not None
        live.room, live.stale = before, True  # as a node is that has not heard of it
        sent = AskHint(id="h", on=drew["version"], seat=1 - before.match.turn, level="nudge")
        answer = await node.hint(live, Actor(next_up, frozenset({next_up})), sent)
        assert answer["type"] == "ack"
        assert answer["hint"]["level"] == "nudge"
