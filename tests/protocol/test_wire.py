"""Between the wire and the room: every command becomes one of the room's, and answers become messages."""

import json
from dataclasses import replace

import pytest

from tests.kit.wires import COMMANDS, commanded
from tilerummy.melds import draft, read
from tilerummy.protocol import (
    Ack,
    BadField,
    CallCommand,
    ChangeCommand,
    DayClock,
    ErrorMessage,
    PlayCommand,
    Refused,
    SecondClock,
    SendCommand,
    SitCommand,
    SitInCommand,
    WireCommand,
    parse,
)
from tilerummy.protocol import Setup as SetupGiven
from tilerummy.rulesets import ruleset
from tilerummy.server import events
from tilerummy.server.events import Change, Close, Move, Rematch, Setup, Sit, SitIn
from tilerummy.server.thinking import hint
from tilerummy.server.wire import encode, error, hint_seen, new_seed, read_setup, refused, room_command
from tilerummy.solver import Query
from tilerummy.state import NextRound, Refusal
from tilerummy.tiles import tiles


@pytest.mark.parametrize("command", COMMANDS, ids=json.dumps)
def test_every_command_is_one_of_the_rooms(command: dict[str, object]) -> None:
    message = parse(json.dumps(commanded(command)))
    assert isinstance(message, SendCommand)
    found = room_command(message.command, "ada")
    assert isinstance(found, events.RoomCommand)
    for field in command.keys() & {"seat", "ready", "word", "bot", "player"}:
        assert getattr(found.command if isinstance(found, Move) else found, field) == command[field]


def test_who_sits_and_who_is_gone() -> None:
    assert room_command(SitCommand(seat=1), "ada") == Sit(1, "ada")
    assert room_command(SitCommand(seat=1, player="kid"), "ada") == Sit(1, "kid")
    assert room_command(SitInCommand(seat=1), "ada") == SitIn(1, False)
    assert room_command(SitInCommand(seat=1), "ada", gone=True) == SitIn(1, True)


def test_a_rematch_has_a_new_seed() -> None:
    assert room_command(parse_command({"kind": "rematch"}), "ada", seed=lambda: "ab" * 32) == Rematch("ab" * 32)
    assert len(new_seed()) == 64
    assert new_seed() != new_seed()
    assert room_command(parse_command({"kind": "close"}), "ada") == Close()
    assert room_command(parse_command({"kind": "next-round"}), "ada") == Move(NextRound())


def parse_command(command: dict[str, object]) -> WireCommand:
    message = parse(json.dumps(commanded(command)))
    assert isinstance(message, SendCommand)
    return message.command


def test_a_tile_that_is_none_is_named() -> None:
    bad = room_command(PlayCommand(seat=0, table=["r1 r2 r3", "r4 r99"]), "ada")
    assert isinstance(bad, BadField)
    assert (bad.field, bad.message) == ("command.table.1", "command.table.1: 'r99' has no number from 1 to 13")
    bad = room_command(CallCommand(seat=0, tile="x"), "ada")
    assert isinstance(bad, BadField)
    assert bad.field == "command.tile"
    assert bad.message.startswith("command.tile: 'x' is no tile")


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"ruleset": "poker"}, "ruleset"),
        ({"house": {"opening": 999}}, "house.opening"),
        ({"house": {"flush": True}}, "house.flush"),
        ({"players": 6}, "players"),
        ({"bots": [None, "deep-blue"]}, "bots.1"),
        ({"bots": [None] * 5}, "bots"),
        ({"sit_in": "deep-blue"}, "sit_in"),
        ({"caller": 1}, "caller"),
        ({"players": 2, "first": 3}, "first"),
        ({"game": "race", "ruleset": "sabra"}, "ruleset"),
        ({"ruleset": "poker", "clock": "rulebook"}, "ruleset"),
        ({"ruleset": "junior", "clock": "rulebook"}, "clock"),
        ({"ruleset": "sabra", "house": {"turn_seconds": 0}, "clock": "rulebook"}, "clock"),
        ({"game": "race", "ruleset": "junior", "clock": "rulebook"}, "clock"),
        ({"players": 2, "first": 1}, "first"),
        ({"game": "race", "ruleset": "junior", "hints": False}, "hints"),
        ({"game": "race", "ruleset": "junior", "house": {"opening": 3}}, "house"),
        ({"game": "race", "ruleset": "junior", "rounds": 2}, "rounds"),
    ],
)
def test_the_field_of_a_setup_to_change_is_named(given: dict[str, object], field: str) -> None:
    setup = SetupGiven.model_validate(given)
    bad = read_setup(setup)
    assert isinstance(bad, BadField)
    assert bad.field == field
    assert bad.message.startswith(f"{field}: ")
    sent = room_command(ChangeCommand(setup=setup), "ada")
    assert isinstance(sent, BadField)
    assert sent == BadField(f"command.setup.{field}", f"command.setup.{bad.message}")


def test_clocks() -> None:
    def clock(ruleset: str, clock: object) -> int | None:
        setup = read_setup(SetupGiven.model_validate({"ruleset": ruleset, "clock": clock}))
        assert isinstance(setup, Setup)
        return setup.clock

    assert clock("classic", "none") is None
    assert clock("classic", "rulebook") == 60
    assert clock("sabra", "rulebook") == 120
    assert clock("classic", SecondClock(seconds=90)) == 90
    assert clock("classic", DayClock(days=3)) == 3 * 86_400


def test_a_usual_setup_is_the_rooms_usual_one() -> None:
    assert read_setup(SetupGiven()) == Setup()
    assert room_command(ChangeCommand(setup=SetupGiven(players=3)), "ada") == Change(replace(Setup(), players=3))


def test_a_refusal_is_told() -> None:
    told = Refused.model_validate_json(encode(refused("c1", Refusal("not-host"), 9)))
    assert (told.type, told.code, told.id, told.version) == ("refused", "not-host", "c1", 9)


def test_an_error_is_told() -> None:
    told = ErrorMessage.model_validate_json(encode(error("bad-table", "no", "table", "c1")))
    assert (told.type, told.code, told.field, told.message, told.id) == ("error", "bad-table", "table", "no", "c1")


def test_a_hint_tells_what_its_level_tells() -> None:
    table = tuple(meld for part in draft("b8 b9 b10 | r1 r2 r3") if not isinstance(meld := read(part), tuple))
    query = Query(ruleset("sabra"), table, tiles("b11 k8 y8"))
    seen = {}
    for level in ("nudge", "point", "reveal"):
        found = hint_seen(level, hint(query, level))
        told = Ack.model_validate_json(encode({"type": "ack", "id": "h", "version": 1, "hint": found}))
        assert told.hint is not None
        seen[level] = told.hint
        assert told.hint.can_play
    assert (seen["nudge"].laid, seen["nudge"].after, seen["nudge"].steps) == (None, None, [])
    assert (seen["point"].laid, seen["point"].after) == ("b11 k8 y8", None)
    assert seen["reveal"].after is not None
    assert len(seen["reveal"].after) == 3
    assert {step.verb for step in seen["reveal"].steps} == {"lay", "move"}
