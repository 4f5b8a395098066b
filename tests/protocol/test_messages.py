"""Messages: each reads back as it was written, and what is wrong with one is said by its field."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from tests.kit.wires import CLIENT, COMMANDS, SERVER, commanded
from tilerummy.protocol import CLIENT_MESSAGE, SERVER_MESSAGE, ErrorMessage, Ping, blame, parse, parse_server
from tilerummy.protocol.commands import BadField, game_command, wire_command
from tilerummy.race import Call, Tap
from tilerummy.state import Draw, NextRound, Pass, Play
from tilerummy.tiles import tile

Json = dict[str, Any]
SENT = [*CLIENT, *map(commanded, COMMANDS)]


def tags(adapter: Any) -> set[str]:
    return set(adapter.json_schema()["discriminator"]["mapping"])


def error(message: object) -> ErrorMessage:
    found = parse(message if isinstance(message, str | bytes) else json.dumps(message))
    assert isinstance(found, ErrorMessage), found
    return found


@pytest.mark.parametrize("message", SENT, ids=json.dumps)
def test_what_a_client_sends_reads_back(message: Json) -> None:
    found = parse(json.dumps(message))
    assert not isinstance(found, ErrorMessage), found
    assert parse(to_json(found)) == found
    written = json.loads(to_json(found))
    assert {**written, "command": None} == {**message, "command": None}


@pytest.mark.parametrize("message", SERVER, ids=lambda message: str(message["type"]))
def test_what_the_server_sends_reads_back(message: Json) -> None:
    found = parse_server(json.dumps(message))
    assert found is not None
    assert json.loads(to_json(found)) == message


def test_there_is_an_example_of_every_message() -> None:
    assert {message["type"] for message in CLIENT} == tags(CLIENT_MESSAGE)
    assert {message["type"] for message in SERVER} | {"update"} == tags(SERVER_MESSAGE)
    kinds = {
        literal
        for part in CLIENT_MESSAGE.json_schema()["$defs"].values()
        if (literal := part.get("properties", {}).get("kind", {}).get("const"))
    }
    assert {command["kind"] for command in COMMANDS} == kinds


@pytest.mark.parametrize("message", SENT, ids=json.dumps)
def test_an_unknown_field_is_named(message: Json) -> None:
    assert error(message | {"colour": "red"}).field == "colour"
    if "command" in message:
        inner = {**message, "command": message["command"] | {"colour": "red"}}
        assert error(inner).field == "command.colour"
        assert error(inner).id == message["id"]


@pytest.mark.parametrize("message", SENT, ids=json.dumps)
def test_a_missing_or_wrong_field_is_named(message: Json) -> None:
    for field in message.keys() - {"type"}:
        left = {key: value for key, value in message.items() if key != field}
        assert error(left).field == field
        assert error(message | {field: [[]]}).field in (field, f"{field}.0", f"{field}.kind")


PLAY: Json = {"kind": "play", "seat": 0, "table": []}


@pytest.mark.parametrize(
    ("message", "field", "said"),
    [
        ({"type": "dance"}, "type", "must be one of command, draft, hint"),
        ({}, "type", "is missing"),
        (commanded({"kind": "dance"}), "command.kind", "must be one of play, draw"),
        (commanded({"seat": 1}), "command.kind", "is missing"),
        (commanded(PLAY) | {"command": []}, "command", "must be an object"),
        (commanded(PLAY | {"seat": "0"}), "command.seat", "must be a whole number"),
        (commanded(PLAY | {"seat": True}), "command.seat", "must be a whole number"),
        (commanded(PLAY | {"seat": 6}), "command.seat", "must be less than 6"),
        (commanded(PLAY | {"seat": -1}), "command.seat", "must be at least 0"),
        (commanded(PLAY | {"table": ["r1"] * 61}), "command.table", "must have at most 60 entries"),
        (commanded(PLAY | {"table": ["r1", "r" * 201]}), "command.table.1", "must have at most 200 characters"),
        (commanded(PLAY | {"table": "r1 r2 r3"}), "command.table", "must be a list"),
        (commanded({"kind": "word", "seat": 0, "word": "w" * 41}), "command.word", "must have at most 40 characters"),
        (commanded({"kind": "ready", "seat": 0, "ready": 1}), "command.ready", "must be true or false"),
        (commanded({"kind": "seat-bot", "seat": 0, "bot": "../x"}), "command.bot", "1 to 40 letters from a to z"),
        (commanded(PLAY) | {"id": "x" * 65}, "id", "must have 1 to 64 letters from a to z, digits, - or _"),
        (commanded(PLAY) | {"id": "no blanks"}, "id", "must have 1 to 64 letters from a to z, digits, - or _"),
        (commanded({"kind": "call", "seat": 0, "tile": ""}), "command.tile", "must not be empty"),
        (commanded(PLAY) | {"on": 2**31}, "on", "must be at most"),
        (commanded(PLAY) | {"on": 1.5}, "on", "must be a whole number"),
        ({"type": "phrase", "seat": 0, "phrase": "<b>"}, "phrase", "must be 'hello', 'thanks'"),
        ({"type": "hint", "id": "a", "on": 1, "seat": 0, "level": "all"}, "level", "must be 'nudge', 'point' or"),
        ({"type": "draft", "on": 1, "seat": 0, "table": [3]}, "table.0", "must be text"),
        (
            commanded({"kind": "change", "setup": {"clock": "fast"}}),
            "command.setup.clock",
            'must be "none", "rulebook"',
        ),
        (commanded({"kind": "change", "setup": {"clock": {"days": 31}}}), "command.setup.clock", '{"days": 1 to 30}'),
        (commanded({"kind": "change", "setup": {"clock": {"hours": 1}}}), "command.setup.clock", "1 to 2592000"),
        (
            commanded({"kind": "change", "setup": {"house": {"opening": 30.5}}}),
            "command.setup.house.opening",
            "must be a whole number from 0 to 200",
        ),
        (
            commanded({"kind": "change", "setup": {"house": {"groups": None}}}),
            "command.setup.house.groups",
            "must be true or false",
        ),
        (
            commanded({"kind": "change", "setup": {"house": {"tileset": []}}}),
            "command.setup.house.tileset",
            "must be one of standard, xp, xp-quick, junior",
        ),
        (
            commanded({"kind": "change", "setup": {"house": {"openning": None}}}),
            "command.setup.house.openning",
            "is no rule; the rules are tileset, players",
        ),
        (commanded({"kind": "change", "setup": {"bots": ["a"] * 7}}), "command.setup.bots", "at most 6 entries"),
        ({"type": "ping", "\n<script>" + "x" * 99: 1}, "'\\n<script>xxxxxxxxxxxxxxx…'", "is not a field here"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_said(message: Json, field: str, said: str) -> None:
    found = error(message)
    assert found.field == field
    assert found.message.startswith(field)
    assert said in found.message
    assert "\n" not in found.message
    assert "pydantic" not in found.message


@pytest.mark.parametrize("text", ["", "{", "no", b"\xff\xfe", '{"type": "ping"}}', "[" * 5000, '"\\ud800"'])
def test_what_is_no_json_is_said(text: str | bytes) -> None:
    found = error(text)
    assert (found.code, found.field, found.message) == ("bad-message", None, "the message is not JSON")


@pytest.mark.parametrize("text", ["[]", "3", "null", '"ping"', "NaN"])
def test_a_message_is_an_object(text: str) -> None:
    assert error(text).field is None
    assert error(text).message == "the message must be a JSON object"


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(st.data())
def test_nothing_that_comes_in_is_more_than_an_error(data: st.DataObject) -> None:
    message = json.loads(json.dumps(data.draw(st.sampled_from(SENT))))
    place = message
    if "command" in message and data.draw(st.booleans()):
        place = message["command"]
    key = data.draw(st.sampled_from(sorted(place)) | st.text(max_size=8))
    place[key] = data.draw(_values)
    found = parse(json.dumps(message))
    if isinstance(found, ErrorMessage):
        assert len(found.message) < 400
        assert "cannot be used here" not in found.message
    else:
        assert parse(to_json(found)) == found


def test_a_newer_server_is_understood() -> None:
    assert parse_server('{"type": "weather", "rain": true}') is None
    newer = parse_server('{"type": "bye", "code": "restart", "soon": true}')
    assert newer is not None
    assert newer.type == "bye"
    with pytest.raises(ValueError, match="code"):
        parse_server('{"type": "bye"}')


def test_blame_of_a_request() -> None:
    found = blame({"type": "missing", "loc": ("name",)})
    assert found == BadField("name", "name is missing")
    assert blame({"type": "new_kind_of_error", "loc": ()}).message == "body cannot be used here"


@pytest.mark.parametrize(
    "command", [Play(1, ()), Draw(0), Pass(2), NextRound(), Call(0, tile("r5")), Tap(1, tile("b10"))]
)
def test_commands_of_the_game_travel(command: Play | Draw | Pass | NextRound | Call | Tap) -> None:
    assert game_command(wire_command(command)) == command


def test_what_is_no_command_of_the_game() -> None:
    with pytest.raises(ValueError, match="program"):
        wire_command(Call(None, tile("r5")))
    assert parse('{"type": "ping"}') == Ping()
