"""What a hostile client sends: nothing that can be read, nearly a message, and what is none of its business."""

import copy
import json
import string
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from tilerummy.bots import BOTS, bot
from tilerummy.protocol import PHRASES, RoomView, match_view, table_texts
from tilerummy.rulesets import RULESETS
from tilerummy.state import Play

__all__ = ["NOT_TEXT", "Junk", "Sent"]

Sent = str | bytes | tuple[str, bytes]
"""A text, bytes in a binary frame, or bytes in a text frame, which are no text."""

NOT_TEXT: Final = "not-text"
COLOURS: Final = "rbky"
ODD: Final[Sequence[Any]] = (
    None, True, False, 0, -1, 1, 5, 6, 2**31 - 1, 2**31, 2**63, 10**30, -(10**30), 0.5, 1e308, "", " ", "0", "r5", "j",
    "\x00", "\U0001f600", "‮⁦", "​", "<script>alert(1)</script>", "'; DROP TABLE rooms; --", "../../etc/passwd",
    "${jndi:x}", "x" * 300, [], [[]], {}, {"": ""}, {"kind": "start"}, ["r5 r6 r7"], [None], {"__proto__": 1},
)  # fmt: skip
WORDS: Final = ("luck", "", "<b>x</b>", "‮abc", "x" * 40, "日本", "\U0001f600" * 5, "a\u0301\u0301\u0301", "\x00")


class Junk:
    """Makes messages for somebody at a table, as that table was last seen."""

    def __init__(self, luck: Random) -> None:
        self._luck = luck
        self._ids: list[str] = []
        self._next = 0
        self.kinds: dict[str, Callable[[RoomView], Sent]] = {
            "bytes": lambda _: luck.randbytes(luck.randrange(300)),
            "broken-text": self._broken_text,
            "no-json": self._no_json,
            "cut": self._cut,
            "deep": self._deep,
            "numbers": self._numbers,
            "mutant": self._mutant,
            "message": lambda view: json.dumps(self._message(view)),
            "command": lambda view: json.dumps(self._command(view)),
            "sensible": lambda view: json.dumps(self._sensible(view)),
            "heap": self._heap,
        }
        self._weights = (2, 1, 3, 3, 1, 3, 16, 16, 24, 30, 1)

    def __call__(self, view: RoomView) -> tuple[str, Sent]:
        """Something to send, and what kind of junk it is."""
        kind = self._luck.choices([*self.kinds], self._weights)[0]
        return kind, self.kinds[kind](view)

    # Nothing that can be read

    def _broken_text(self, view: RoomView) -> Sent:
        good = json.dumps(self._message(view)).encode()
        place = self._luck.randrange(len(good))
        bad = self._luck.choice((b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\xe2\x82"))
        return NOT_TEXT, good[:place] + bad + good[place:]

    def _no_json(self, view: RoomView) -> Sent:
        luck = self._luck
        return luck.choice(
            (
                "".join(
                    chr(luck.choice((luck.randrange(0x20), luck.randrange(0xD800)))) for _ in range(luck.randrange(80))
                ),
                "".join(luck.choices(string.printable + '{}[]":,', k=luck.randrange(120))),
                "{" + ",".join('"type":"ping"' for _ in range(luck.randrange(3))) + ",}",
                '{"type":"ping"}' * 2,
                "\ufeff" + '{"type":"ping"}',
                '{"type":"\\ud800"}',
                "{'type':'ping'}",
                "null",
                "",
            )
        )

    def _cut(self, view: RoomView) -> Sent:
        text = json.dumps(self._message(view))
        return text[: self._luck.randrange(len(text))]

    def _deep(self, view: RoomView) -> Sent:
        many = self._luck.choice((50, 190, 210, 2000, 20_000))
        inside = self._luck.choice(
            ("[" * many + "]" * many, '{"a":' * (many // 3) + "1" + "}" * (many // 3), "[" * many)
        )
        return self._luck.choice(
            (inside, f'{{"type":"draft","on":1,"seat":0,"table":{inside}}}', f'{{"type":{inside}}}')
        )

    def _numbers(self, view: RoomView) -> Sent:
        number = self._luck.choice(
            ("1e999", "-1e999", "9" * 400, "NaN", "Infinity", "-0", "1.0", "0x10", "1e2", "٣", "1_0")
        )
        return self._luck.choice(
            (
                f'{{"type":"resume","version":{number}}}',
                f'{{"type":"show","seat":{number}}}',
                f'{{"type":"draft","on":{number},"seat":0,"table":[]}}',
                f'{{"type":"command","id":"n1","on":0,"command":{{"kind":"draw","seat":{number}}}}}',
                f'{{"type":"command","id":"n2","on":0,"command":{{"kind":"change","setup":{{"rounds":{number}}}}}}}',
                f'{{"type":"command","id":"n3","on":0,"command":{{"kind":"change","setup":{{"house":{{"jokers":{number}}}}}}}}}',
            )
        )

    def _heap(self, view: RoomView) -> Sent:
        """Something large that has to be read to its end before it is refused."""
        luck, size = self._luck, 3000
        return luck.choice(
            (
                json.dumps({"type": "draft", "on": 1, "seat": 0, "table": ["r1"] * size}),
                json.dumps({"type": "draft", "on": 1, "seat": 0, "table": [0] * size}),
                json.dumps({"type": "ping", **{f"x{place}": place for place in range(size)}}),
                json.dumps(
                    self._wrap({"kind": "change", "setup": {"house": {f"x{place}": [] for place in range(size)}}})
                ),
                json.dumps({"type": "draft", "on": view.version, "seat": 0, "table": self._strewn(60)}),
            )
        )

    # Nearly messages

    def _mutant(self, view: RoomView) -> Sent:
        luck, message = self._luck, self._message(view)
        names = ("x", "kind", "type", "seat", "id", "\x00", "constructor")
        for _ in range(luck.choice((1, 1, 1, 2, 3))):
            places = list(_places(message))
            where, key = luck.choice(places)
            what = luck.randrange(4)
            if what == 0:
                del where[key]
            elif what == 1 and isinstance(where, dict):
                where[luck.choice(names)] = copy.deepcopy(luck.choice(ODD))
            elif what == 2 and isinstance(where[key], str):
                where[key] = _spoilt(where[key], luck)
            else:
                where[key] = copy.deepcopy(luck.choice(ODD))
            if not message:
                break
        return json.dumps(message, ensure_ascii=luck.random() < 0.5)

    # Messages

    def _message(self, view: RoomView) -> dict[str, Any]:
        luck = self._luck
        seat, on = self._seat(view), self._version(view)
        match luck.randrange(8):
            case 0:
                return {"type": "ping"}
            case 1:
                return {"type": "resume", "version": on}
            case 2:
                return {"type": "show", "seat": luck.choice((None, seat))}
            case 3:
                return {"type": "phrase", "seat": seat, "phrase": luck.choice(PHRASES)}
            case 4:
                level = luck.choice(("nudge", "point", "reveal"))
                return {"type": "hint", "id": self._id(), "on": on, "seat": seat, "level": level}
            case 5 | 6:
                return {"type": "draft", "on": on, "seat": seat, "table": luck.choice((None, [], self._table(view)))}
            case _:
                return self._command(view)

    def _command(self, view: RoomView) -> dict[str, Any]:
        luck, seat = self._luck, self._seat(view)
        kind = luck.choices(
            ("play", "draw", "pass", "next-round", "call", "tap", "sit", "stand", "remove", "seat-bot", "ready", "word",
             "change", "start", "leave", "return", "sit-in", "rematch", "close"),
            (20, 8, 5, 4, 4, 4, 6, 2, 1, 4, 6, 6, 6, 8, 2, 6, 4, 4, 1),
        )[0]  # fmt: skip
        more: dict[str, Any] = {}
        match kind:
            case "play":
                more = {"seat": seat, "table": self._table(view)}
            case "call" | "tap":
                more = {"seat": seat, "tile": luck.choice((self._tile(), "j", "r99", "", "r5'''", "٣", "r٣"))}
            case "sit":
                more = {"seat": seat, "player": luck.choice((None, "nobody", "p_1", "x" * 64))}
            case "seat-bot":
                more = {"seat": seat, "bot": luck.choice((None, *BOTS, "skynet"))}
            case "ready":
                more = {"seat": seat, "ready": luck.random() < 0.7}
            case "word":
                more = {"seat": seat, "word": luck.choice(WORDS)}
            case "change":
                more = {"setup": self._setup()}
            case "next-round" | "start" | "rematch" | "close":
                more = {}
            case _:
                more = {"seat": seat}
        return self._wrap({"kind": kind, **more}, self._version(view))

    def _sensible(self, view: RoomView) -> dict[str, Any]:
        """What brings the game on, if it is this player's to say."""
        on, match = view.version, view.match
        if view.stage == "lobby":
            free = [seat.seat for seat in view.seats if seat.kind == "open"]
            kinds: Sequence[dict[str, Any]] = (
                {"kind": "start"},
                *({"kind": "sit", "seat": seat} for seat in free),
                *({"kind": "ready", "seat": seat.seat, "ready": True} for seat in view.seats),
                *({"kind": "seat-bot", "seat": seat, "bot": "novice"} for seat in free),
            )
            return self._wrap(self._luck.choice(kinds), on)
        if view.stage == "over":
            return self._wrap({"kind": "rematch"}, on)
        if match is None or match.seat is None or match.turn is None:
            return self._wrap({"kind": "next-round"}, on)
        if match.phase != "playing" or match.turn != match.seat:
            return {"type": "draft", "on": on, "seat": match.seat, "table": match.table}
        chosen = bot("novice").choose(match_view(match), self._luck, 10)
        if isinstance(chosen, Play):
            table = table_texts(chosen.table)
            if self._luck.random() < 0.5:
                return {"type": "draft", "on": on, "seat": match.seat, "table": table}
            return self._wrap({"kind": "play", "seat": match.seat, "table": table}, on)
        return self._wrap({"kind": "draw" if match.pool_size else "pass", "seat": match.seat}, on)

    def _wrap(self, command: dict[str, Any], on: int = 1) -> dict[str, Any]:
        return {"type": "command", "id": self._id(), "on": on, "command": command}

    def _id(self) -> str:
        if self._ids and self._luck.random() < 0.1:
            return self._luck.choice(self._ids)
        self._next += 1
        self._ids = [*self._ids[-50:], f"f{self._next}"]
        return self._ids[-1]

    def _seat(self, view: RoomView) -> int:
        own = view.match.seat if view.match and view.match.seat is not None else 0
        return own if self._luck.random() < 0.6 else self._luck.randrange(6)

    def _version(self, view: RoomView) -> int:
        return self._luck.choice((view.version, view.version, max(0, view.version - 3), 0, 2**31 - 1))

    def _tile(self) -> str:
        luck = self._luck
        return luck.choice((f"{luck.choice(COLOURS)}{luck.randrange(1, 14)}", "j")) + "'" * luck.choice((0, 0, 1, 2))

    def _table(self, view: RoomView) -> list[str]:
        luck, match = self._luck, view.match
        known = [] if match is None else [*match.table]
        rack = [] if match is None or not match.rack else match.rack.split()
        luck.shuffle(rack)
        match luck.randrange(5):
            case 0:
                return [*known, " ".join(rack[: luck.randrange(1, 6)])]
            case 1 if known:
                known[luck.randrange(len(known))] += " " + self._tile()
                return known
            case 2 if known:
                return known[1:]
            case 3:
                return self._strewn(luck.randrange(1, 20))
        return [
            *known,
            " ".join(self._tile() for _ in range(luck.randrange(8))),
            luck.choice(("j=r5", "j=x", "r5=b5", "|")),
        ]

    def _strewn(self, melds: int) -> list[str]:
        """The whole set of tiles in so many heaps."""
        tiles = [f"{colour}{number}{mark}" for colour in COLOURS for number in range(1, 14) for mark in ("", "'")]
        self._luck.shuffle(tiles)
        return [" ".join(tiles[place::melds])[:200].rsplit(" ", 1)[0] for place in range(melds)]

    def _setup(self) -> dict[str, Any]:
        luck = self._luck
        rules = ("jokers", "copies", "opening", "numbers", "deal", "joker_leaves", "x", "rearranging", "stars")
        values: Sequence[Any] = (0, 1, 2, 3, 30, -1, 10**6, "free", "swap", "adding", True, "x")
        house = {luck.choice(rules): luck.choice(values) for _ in range(luck.randrange(3))}
        setup = {
            "game": luck.choice(("match", "match", "race")),
            "ruleset": luck.choice((*RULESETS, "sabra", "nothing")),
            "house": house if luck.random() < 0.5 else {},
            "players": luck.randrange(2, 7),
            "rounds": luck.choice((1, 2, 99)),
            "clock": luck.choice(("none", "rulebook", {"seconds": 2}, {"days": 30}, {"seconds": 0}, {})),
            "bots": [luck.choice((None, *BOTS)) for _ in range(luck.randrange(4))],
            "sit_in": luck.choice((None, "novice")),
            "first": luck.randrange(4),
            "caller": luck.choice((None, None, 0)),
            "spectators": luck.random() < 0.8,
        }
        return {name: value for name, value in setup.items() if luck.random() < 0.6}


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a message that something can be done to."""
    keys: list[Any] = [*value] if isinstance(value, dict) else [*range(len(value))] if isinstance(value, list) else []
    return [place for key in keys for place in ((value, key), *_places(value[key]))]


def _spoilt(text: str, luck: Random) -> str:
    place = luck.randrange(len(text) + 1)
    return text[:place] + luck.choice(("\x00", "'", " ", "=", "|", "\U0001f600", "é", text, "j=r5 ")) + text[place:]
