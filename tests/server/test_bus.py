"""The conformance of buses: the same within the process and over Redis, which may come and go."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.kit.services import Redis, free_port
from tilerummy.server.bus import Bus, LocalBus, make_bus
from tilerummy.server.redis_bus import RedisBus

pytestmark = pytest.mark.anyio

Heard = list[tuple[str, dict[str, Any]]]


async def until(condition: Callable[[], bool]) -> None:
    """Wait for it; the tests' own limit is the end of patience."""
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.005)


def listen(bus: Bus, wants: Callable[[str], bool] | None = None) -> tuple[Heard, Callable[[], None]]:
    heard: Heard = []
    return heard, bus.subscribe(lambda room, payload: heard.append((room, payload)), wants)


@asynccontextmanager
async def running(url: str) -> AsyncIterator[Bus]:
    bus = make_bus(url)
    await bus.start()
    try:
        yield bus
    finally:
        await bus.close()


async def test_everybody_hears_in_order(bus: Bus) -> None:
    assert bus.healthy
    first, _ = listen(bus)
    second, _ = listen(bus)
    sent = [(f"room{number % 3}", {"what": "version", "version": number, "name": "Zoë 🦊"}) for number in range(300)]
    for room, payload in sent:
        await bus.publish(room, payload)
    await until(lambda: len(second) == len(sent))
    assert first == second == sent


async def test_publishing_does_not_call_listeners_within(bus: Bus) -> None:
    heard, _ = listen(bus)
    await bus.publish("room", {"what": "version"})
    assert heard == []
    await until(lambda: len(heard) == 1)


async def test_only_what_is_wanted(bus: Bus) -> None:
    some, _ = listen(bus, lambda room: room == "mine")
    everything, _ = listen(bus)
    for room in ("mine", "yours", "mine"):
        await bus.publish(room, {})
    await until(lambda: len(everything) == 3)
    assert some == [("mine", {}), ("mine", {})]


async def test_who_unsubscribed_hears_nothing(bus: Bus) -> None:
    gone, leave = listen(bus)
    heard, _ = listen(bus)
    leave()
    leave()
    await bus.publish("room", {})
    await until(lambda: len(heard) == 1)
    assert gone == []


async def test_listener_that_fails_does_not_silence_others(bus: Bus, caplog: pytest.LogCaptureFixture) -> None:
    def fail(room: str, payload: dict[str, Any]) -> None:
        payload["spoilt"] = True
        raise RuntimeError("mine")

    bus.subscribe(fail)
    heard, _ = listen(bus)
    with caplog.at_level(logging.CRITICAL, "tilerummy"):
        await bus.publish("room", {"version": 1})
        await bus.publish("room", {"version": 2})
        await until(lambda: len(heard) == 2)
    assert heard == [("room", {"version": 1}), ("room", {"version": 2})]


async def test_closed_bus_is_silent(bus: Bus) -> None:
    heard, _ = listen(bus)
    await bus.close()
    await bus.publish("room", {})
    await asyncio.sleep(0.02)
    assert heard == []


async def test_nodes_hear_each_other(redis: Redis) -> None:
    async with running(redis.url) as one, running(redis.url) as two:
        assert one.shared
        heard, _ = listen(two)
        own, _ = listen(one)
        await one.publish("room", {"version": 1})
        await until(lambda: len(heard) == 1 and len(own) == 1)
        async with running(redis.url.replace("/0", "/1")) as stranger:
            theirs, _ = listen(stranger)
            await one.publish("room", {"version": 2})
            await stranger.publish("room", {"version": 3})
            await until(lambda: len(heard) == 2 and len(theirs) == 1)
    assert heard == own == [("room", {"version": 1}), ("room", {"version": 2})]
    assert theirs == [("room", {"version": 3})]


async def test_redis_may_be_killed_and_come_back() -> None:
    with Redis() as server:
        async with running(server.url) as one, running(server.url) as two:
            heard, _ = listen(two)
            for crash in range(2):
                await one.publish("room", {"crash": crash})
                await until(lambda crash=crash: ("room", {"crash": crash}) in heard)  # type: ignore[misc]
                server.kill()
                await until(lambda: not one.healthy and not two.healthy)
                for _ in range(50):
                    await one.publish("room", {"lost": True})
                    await asyncio.sleep(0.002)
                server.start()
                await until(lambda: one.healthy and two.healthy)
            await one.publish("room", {"last": True})
            await until(lambda: ("room", {"last": True}) in heard)


async def test_redis_that_hangs_is_noticed() -> None:
    with Redis() as server:
        async with running(server.url) as bus:
            server.freeze()
            await until(lambda: not bus.healthy)
            await bus.publish("room", {})
            server.thaw()
            await until(lambda: bus.healthy)


async def test_bus_starts_without_redis_and_finds_it_later() -> None:
    server = Redis()
    try:
        async with running(server.url) as bus:
            assert not bus.healthy
            await bus.publish("room", {})
            server.start()
            await until(lambda: bus.healthy)
    finally:
        server.remove()


async def test_messages_of_others_are_ignored(redis: Redis, caplog: pytest.LogCaptureFixture) -> None:
    async with running(redis.url) as bus:
        assert isinstance(bus, RedisBus)
        heard, _ = listen(bus)
        with caplog.at_level(logging.CRITICAL, "tilerummy"):
            await bus._client.publish("tilerummy:0:room", b"\xff not JSON")
            await bus._client.publish(b"tilerummy:0:\xff", b"{}")
            await bus._client.publish("tilerummy:0:room", b"[1]")
            await bus.publish("room", {"version": 1})
            await until(lambda: ("room", {"version": 1}) in heard)
    assert heard == [("\ufffd", {}), ("room", {"version": 1})]


async def test_no_message_is_logged(redis: Redis, caplog: pytest.LogCaptureFixture) -> None:
    """Also where Redis names what it does not take."""
    async with running(redis.url) as bus:
        assert isinstance(bus, RedisBus)
        await bus._client.acl_setuser("default", enabled=True, commands=["-publish"])
        try:
            with caplog.at_level(logging.DEBUG, "tilerummy"):
                await bus.publish("secret-room", {"said": "secret-draft"})
                await until(lambda: "did not take 1 messages" in caplog.text)
        finally:
            await bus._client.acl_setuser("default", enabled=True, commands=["+publish"])
    assert "secret" not in caplog.text


def test_bus_of_a_url() -> None:
    assert isinstance(make_bus(None), LocalBus)
    for url in (f"http://127.0.0.1:{free_port()}", "redis://127.0.0.1:99999", "redis://127.0.0.1?unknown=1"):
        with pytest.raises(ValueError, match="redis"):
            make_bus(url)
