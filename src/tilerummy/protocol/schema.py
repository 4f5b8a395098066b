"""The protocol as one JSON Schema, of the WebSocket and of REST; the page's types are generated from it."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

from tilerummy.protocol.messages import CLIENT_MESSAGE, SERVER_MESSAGE
from tilerummy.protocol.rest import REST_ANSWER, REST_REQUEST

__all__ = ["SCHEMA_ID", "schema"]

SCHEMA_ID: Final = "urn:tilerummy:protocol:1"


_WHOLE: Final[Mapping[str, tuple[JsonSchemaMode, TypeAdapter[Any], str]]] = {
    "ClientMessage": ("validation", CLIENT_MESSAGE, "Everything that a client may send over a room's WebSocket."),
    "ServerMessage": ("serialization", SERVER_MESSAGE, "Everything that the server may send over it."),
    "RestRequest": ("validation", REST_REQUEST, "The body of a request."),
    "RestAnswer": ("serialization", REST_ANSWER, "The body of an answer, or an entry of a list that is one."),
}


class _Untitled(GenerateJsonSchema):
    """Only what has a class has a title: fields would become types of their own in TypeScript."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def schema() -> dict[str, Any]:
    """The schema: whatever travels is one of the four of `_WHOLE`, and `$defs` has every part of them."""
    found, document = TypeAdapter.json_schemas(
        [(name, mode, adapter) for name, (mode, adapter, _) in _WHOLE.items()], schema_generator=_Untitled
    )
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
        "description": "What travels between a tilerummy server and its clients.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in _WHOLE],
        "$defs": {
            **{
                name: {"title": name, "description": description, **found[name, mode]}
                for name, (mode, _, description) in _WHOLE.items()
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
