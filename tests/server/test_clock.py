"""The clock of a real server: every kind of it, its grace, the buzzer, and that a restart does not stop it."""

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.kit.lines import Json, Line
from tests.kit.playing import Seated, find_play, seated
from tests.kit.servers import ServerProcess
from tilerummy.protocol import table_texts
from tilerummy.rulesets import RULESETS, ruleset
from tilerummy.server.folding import GRACE

pytestmark = pytest.mark.anyio

DAY = 86_400


def told(line: Line, kind: str, version: int | None = None) -> Json:
    """The last event of this kind, or the one at this version, with the time at which it happened."""
    seen = [one for message in line.heard for one in message.get("events", ()) if one["event"]]
    found: Json = [one for one in seen if one["event"]["kind"] == kind and version in (None, one["version"])][-1]
    return found


async def test_every_kind_of_clock(shared_server: ServerProcess) -> None:
    for clock, seconds, shown in (
        ("none", None, "none"),
        ("rulebook", RULESETS["classic"].turn_seconds, {"seconds": RULESETS["classic"].turn_seconds}),
        ({"seconds": 90}, 90, {"seconds": 90}),
        ({"days": 3}, 3 * DAY, {"days": 3}),
    ):
        async with seated(shared_server.url, 2, ruleset="classic", clock=clock) as table:
            assert table.host.view["setup"]["clock"] == shown
            assert table.host.view.get("clock") is None
            await table.begin()
            began = told(table.host, "round-began")["at"]
            found = table.host.view["clock"]
            if seconds is None:
                assert found is None
                continue
            assert found["seconds"] == seconds
            assert found["ends"] == pytest.approx(began + seconds)
            assert found["now"] >= began
            # The next turn has its own time.
            seat, line = await table.mover()
            await line.do("draw", seat=seat)
            assert line.view["clock"]["ends"] == pytest.approx(told(line, "drew")["at"] + seconds)
            # A bot has none.
            await table.lines[1 - seat].do("leave", seat=1 - seat)
            handed = [message for message in line.heard if message["type"] == "update"]
            assert all(one["view"]["clock"] is None for one in handed if _bot_moves(one["view"]))


def _bot_moves(view: Json) -> bool:
    match = view["match"]
    return match is not None and match["bots"][match["turn"]] is not None


async def test_the_buzzer(shared_server: ServerProcess) -> None:
    """At the tables of all rulesets that have penalties at once, since most of it is waiting."""
    async with asyncio.TaskGroup() as group:
        for name in [name for name, rules in RULESETS.items() if not rules.stars]:
            group.create_task(buzzer(shared_server.url, name))


async def buzzer(url: str, name: str) -> None:
    """A legal draft is played; an illegal one, and none, cost what the rulebook says."""
    rules = ruleset(name, {"opening": 3})
    async with seated(url, 2, ruleset=name, house={"opening": 3}, clock={"seconds": 1}) as table:
        await table.begin()
        while True:
            seat, line = await table.mover()
            version, ends = line.version, line.view["clock"]["ends"]
            loose = line.match["rack"].split()[0]
            if (await line.draft(seat, [*line.match["table"], loose], on=version))["type"] == "advice":
                break  # otherwise this machine was too busy, and the next turn is as good
            await table.host.reach(version + 1)
        await line.reach(version + 1)
        out = told(line, "timed-out", version + 1)
        assert out["at"] >= ends + GRACE
        assert (out["event"]["seat"], out["event"]["count"]) == (seat, rules.timeout_draws)
        assert out["event"]["laid"] == ""
        assert len(out["event"]["penalty"].split()) == rules.timeout_draws
        other = table.lines[1 - seat]
        await other.reach(version + 1)
        assert told(other, "timed-out", version + 1)["event"]["penalty"] is None
        # Nothing touched.
        await other.reach(version + 2)
        out = told(other, "timed-out", version + 2)
        assert (out["event"]["seat"], out["event"]["count"]) == (1 - seat, rules.untouched_draws)
        # A whole play that was only not confirmed.
        await table.host.reach(version + 2)
        while True:
            seat, line, command = await find_play(table)
            version = line.version
            advice = await line.draft(seat, table_texts(command.table), on=version)
            if advice["type"] == "advice":
                break
            await table.host.reach(version + 1)
        assert advice["legal"]
        await line.reach(version + 1)
        played = told(line, "played", version + 1)["event"]
        assert (played["seat"], played["buzzer"], played["opens"]) == (seat, True, True)
        for place, somebody in table.lines.items():
            await somebody.do("leave", seat=place)


async def test_a_move_in_the_grace_is_in_time(shared_server: ServerProcess) -> None:
    async with seated(shared_server.url, 2, clock={"seconds": 1}) as table:
        await table.begin()
        while True:
            seat, line = await table.mover()
            version, ends = line.version, line.view["clock"]["ends"]
            await asyncio.sleep(max(0.0, ends - line.view["clock"]["now"]))
            while (await line.ping())["now"] <= ends:
                await asyncio.sleep(0.02)
            answer = await line.post("draw", seat=seat, on=version)
            if answer["type"] == "ack":  # otherwise this machine was too busy, and the next turn is as good
                break
            await table.host.reach(version + 1)
        assert ends < told(line, "drew")["at"] < ends + GRACE + 1
        for place, somebody in table.lines.items():
            await somebody.do("leave", seat=place)


# A restart


async def test_a_restart_loses_nothing(tmp_path: Path) -> None:
    """Whoever is in mid-game goes on as if nothing had been: clocks, drafts, answers, seats."""
    with ServerProcess(tmp_path, away_seconds=0.3) as server:
        async with AsyncExitStack() as stack:
            long = await stack.enter_async_context(seated(server.url, 2, clock={"seconds": 600}))
            late = await stack.enter_async_context(seated(server.url, 2, ruleset="club", clock={"seconds": 2}))
            saved = await stack.enter_async_context(seated(server.url, 2, clock={"seconds": 2}))
            alone = await stack.enter_async_context(seated(server.url, 2, sit_in="novice"))
            for table in (long, late, saved, alone):
                await table.begin()
            seat, line = await long.mover()
            draft = [line.match["rack"].split()[0]]
            await line.draft(seat, draft)
            hint = await line.hint(seat, "nudge", id="hint")
            other = long.lines[1 - seat]
            refusal = await other.post("draw", seat=1 - seat, id="too-early")
            said = await other.post("leave", seat=seat, id="not-mine")
            ends, version = line.view["clock"]["ends"], hint["version"]
            assert server.stop() == 0
            for somebody in (line, other):
                await somebody.until(lambda somebody=somebody: somebody.closed is not None)  # type: ignore[misc]
                assert (somebody.bye, somebody.closed) == ("restart", 1001)
            down = max(table.host.view["clock"]["ends"] for table in (late, saved)) + GRACE
            await asyncio.sleep(max(0.0, down - time.time()))
            launched = time.time()
            await asyncio.to_thread(server.start)
            # Where the time ran out while no server was there, whoever comes back soon may still move.
            mover = saved.lines[saved.turn]
            await mover.open()
            await mover.do("draw", seat=saved.turn)
            # Time went on; the draft lies as it lay, for the others face down; answers are what they were.
            await line.open(version)
            await other.open(version)
            assert (line.version, line.view["clock"]["ends"]) == (version, ends)
            assert line.match["draft"] == [draft]
            assert other.match["draft"] == [["?"]]
            assert await line.hint(seat, "nudge", id="hint") == hint
            assert await other.post("draw", seat=1 - seat, id="too-early") == refusal
            assert await other.post("leave", seat=seat, id="not-mine") == said
            await line.do("draw", seat=seat)
            # A bot sits in for whoever does not come back.
            await alone.host.open()
            await alone.host.until(lambda: alone.host.match["bots"] == [None, "novice"])
            await watch_time_out(late, launched)
        assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


async def watch_time_out(table: Seated, launched: float) -> None:
    """Nobody comes back to move: the time is over, but not at once."""
    line = table.lines[table.turn]
    await line.open()
    assert line.events("timed-out") == []
    await line.happened("timed-out")
    assert told(line, "timed-out")["at"] >= launched + 10
