"""The schema: it is one, it says what the models say, and every example of docs/protocol.md is held against it."""

import json
import re
import subprocess
import sys
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from tests.kit.wires import CLIENT, COMMANDS, SERVER, commanded, examples
from tilerummy import protocol
from tilerummy.protocol import Message, schema
from tilerummy.server import room
from tilerummy.server.app import create_app
from tilerummy.server.settings import Settings

_PARTS = {
    "client": "ClientMessage",
    "server": "ServerMessage",
    "command": "WireCommand",
    "event": "SeenEvent",
    "match": "MatchView",
    "race": "RaceView",
    "seen": "Seen",
}


@cache
def judge(part: str) -> Draft202012Validator:
    return Draft202012Validator({**schema(), "anyOf": [{"$ref": f"#/$defs/{part}"}]})


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema())
    assert len(json.dumps(schema())) > 10_000


def test_it_is_printed() -> None:
    command = [sys.executable, "-m", "tilerummy.protocol"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert json.loads(printed) == schema()


@pytest.mark.parametrize(("kind", "text"), examples())
def test_examples_of_the_page(kind: str, text: str) -> None:
    if kind in _PARTS:
        judge(_PARTS[kind]).validate(json.loads(text))
    else:
        model: type[Message] = getattr(protocol, kind)
        model.model_validate_json(text)


def test_the_page_tells_every_code_and_kind() -> None:
    with open("docs/protocol.md", encoding="utf-8") as page:
        told = page.read()
    parts = schema()["$defs"]
    kinds = [*parts["SeenEvent"]["discriminator"]["mapping"], *parts["WireCommand"]["discriminator"]["mapping"]]
    for word in [*room.REFUSALS, *kinds]:
        assert f"`{word}`" in told or f'"{word}"' in told, word


@pytest.mark.parametrize("message", [*CLIENT, *map(commanded, COMMANDS)], ids=json.dumps)
def test_the_schema_is_as_strict_as_the_models(message: dict[str, Any]) -> None:
    strict = judge("ClientMessage")
    for field in message:
        left = {key: value for key, value in message.items() if key != field}
        with pytest.raises(ValidationError):
            strict.validate(left)
    with pytest.raises(ValidationError):
        strict.validate(message | {"colour": "red"})


def test_nothing_that_the_server_sends_is_left_out() -> None:
    """A page need not ask whether a field is there."""
    asked = {"Setup", *(one["$ref"].rpartition("/")[2] for one in schema()["$defs"]["RestRequest"]["anyOf"])}
    for name, part in schema()["$defs"].items():
        reached = name not in asked and not name.endswith("Command")
        if reached and part.get("type") == "object":
            assert set(part["required"]) == set(part["properties"]), name


def test_no_part_is_called_twice() -> None:
    titles = [part["title"] for part in schema()["$defs"].values()]
    assert len(set(titles)) == len(titles)
    assert all(re.fullmatch(r"[A-Z][A-Za-z]+", name) for name in schema()["$defs"])


def test_every_body_of_the_rest_api_is_in_it() -> None:
    """What OpenAPI describes the page has types of, but for what operators ask."""
    described = create_app(Settings()).openapi()["components"]["schemas"]
    names = {name.partition("-")[0] for name in described}  # some differ in what is read and what is written
    assert names - {"Health", "Readiness", "Language"} <= set(schema()["$defs"])


def test_both_ways() -> None:
    for message in SERVER:
        judge("ServerMessage").validate(message)
    for message in CLIENT:
        judge("ClientMessage").validate(message)


def test_recorded_frames_are_what_the_server_sends_now() -> None:
    """The page's tests follow a room by them; scripts/frames.py records them anew."""
    with open("tests/truth/frames.json", encoding="utf-8") as file:
        recorded = json.load(file)
    for frame in [*recorded["first"], *recorded["second"]]:
        judge("ServerMessage").validate(frame)
    judge("RoomView").validate(recorded["end"])
