"""The WebSocket protocol as one JSON Schema; the page's types are generated from it."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from tilerummy.protocol.messages import CLIENT_MESSAGE, SERVER_MESSAGE

__all__ = ["SCHEMA_ID", "schema"]

SCHEMA_ID: Final = "urn:tilerummy:protocol:1"


class _Untitled(GenerateJsonSchema):
    """Only what has a class has a title: fields would become types of their own in TypeScript."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema() -> dict[str, Any]:
    """The schema: a message is a ClientMessage or a ServerMessage, and `$defs` has every part of them."""
    found, document = TypeAdapter.json_schemas(
        [("client", "validation", CLIENT_MESSAGE), ("server", "serialization", SERVER_MESSAGE)],
        schema_generator=_Untitled,
    )
    client, server = found["client", "validation"], found["server", "serialization"]
    parts = document["$defs"]
    named = {
        "Level": parts["AskHint"]["properties"]["level"],
        "Phrase": parts["SayPhrase"]["properties"]["phrase"],
        "SeenEvent": parts["Seen"]["properties"]["event"]["anyOf"][0],
        "WireCommand": parts["SendCommand"]["properties"]["command"],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "Protocol",
        "description": "What travels between a tilerummy server and its clients, over a WebSocket of a room.",
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": {
            "ClientMessage": {"title": "ClientMessage", "description": "Everything that a client may send.", **client},
            "ServerMessage": {
                "title": "ServerMessage",
                "description": "Everything that the server may send.",
                **server,
            },
            **{name: {"title": name, **part} for name, part in named.items()},
            **{name: _refer(part, named) for name, part in parts.items()},
        },
    }


def _refer(part: Any, named: Mapping[str, Any]) -> Any:
    """Call those parts by their names that have one, so that they have one in TypeScript too."""
    for name, meant in named.items():
        if part == meant:
            return {"$ref": f"#/$defs/{name}"}
    if isinstance(part, dict):
        return {key: _refer(value, named) for key, value in part.items()}
    return [_refer(value, named) for value in part] if isinstance(part, list) else part
