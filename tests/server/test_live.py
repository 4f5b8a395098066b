"""A room in memory: what its connections are told, and how often it has to be written for that."""

import json
from dataclasses import dataclass, field

import pytest

from tilerummy.server.events import Opened, Sat, Setup, Start
from tilerummy.server.identity import Actor
from tilerummy.server.live import Live
from tilerummy.server.room import apply, fold

ADA = Actor("ada", frozenset({"ada", "bea"}))
BOB = Actor("bob", frozenset({"bob"}))


@dataclass(eq=False)
class Tab:
    """A connection that keeps what it is sent."""

    actor: Actor | None
    chosen: int | None = None
    sent: list[str] = field(default_factory=list)

    def send(self, text: str) -> None:
        self.sent.append(text)

    def end(self, code: str) -> None:
        raise AssertionError(code)


def playing() -> Live:
    """A room in which Ada and Bea play on one device, with Bob on another."""
    began = (Opened(Setup(players=3), "ada", "5e" * 32), Sat(0, "ada"), Sat(1, "bea"), Sat(2, "bob"))
    room = fold((event, 0.0) for event in began)
    started = apply(room, Start(), frozenset({"ada", "bea", "bob"}))
    assert isinstance(started, tuple)
    return Live("r1", "KMPR7", fold(((event, 1.0) for event in started), room), {"ada": "Ada"})


def test_everybody_is_told_their_own_and_whoever_watches_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    live, written = playing(), list[object]()

    def counted(message: object) -> str:
        written.append(message)
        return json.dumps(message)

    monkeypatch.setattr("tilerummy.server.live.encode", counted)
    tabs = [Tab(ADA, 0), Tab(ADA, 1), Tab(ADA), Tab(BOB), Tab(BOB), *(Tab(None) for _ in range(50))]
    live.sessions.update(tabs)
    live.tell_all(2.0)
    assert len(written) == 5
    for tab in tabs:
        (sent,) = tab.sent
        assert json.loads(sent) == json.loads(live.snapshot(tab, 2.0))
    first, second, hidden, bob, _, stranger, *_ = (json.loads(tab.sent[0]) for tab in tabs)
    assert [one["you"]["shown"] for one in (first, second, hidden, bob, stranger)] == [0, 1, None, 2, None]
    racks = [one["view"]["match"]["rack"] for one in (first, second, bob)]
    assert len(set(racks)) == 3
    assert hidden["view"]["match"]["rack"] == stranger["view"]["match"]["rack"] == ""
    assert (hidden["you"]["seats"], stranger["you"]["seats"]) == ([0, 1], [])
