"""A search for tiles, seeds and words in what somebody was sent, which they could not know at that moment.

The truth is kept outside the server: a match that is over is dealt again from the seed in its record, and played again,
and what a room's spectator was told says at which version of the room each of its events happened.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tests.kit.lines import LATEST, Guest, Line
from tilerummy.deal import commitment
from tilerummy.protocol import SERVER_MESSAGE, MatchView, RoomView, match_view
from tilerummy.record import Record, read_record
from tilerummy.state import Event, Phase, State, fold
from tilerummy.tiles import Tile, tile
from tilerummy.view import view

__all__ = ["Frame", "Receiver", "Truth", "frames_of", "leaks", "receiver"]

Json = dict[str, Any]

# A joker's face, as in j=r7, is no tile; ids and words that happen to hold the letters of one are none either.
TILE: Final = re.compile(r"(?<![\w=-])(?:j|[rbky](?:1[0-3]|[1-9]))'*(?![\w'-])")
SEED: Final = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
MATCH_EVENTS: Final = {
    "Started": "started",
    "RoundBegan": "round-began",
    "Played": "played",
    "Drew": "drew",
    "Passed": "passed",
    "TimedOut": "timed-out",
    "HintGiven": "hint-given",
    "HandedOver": "handed-over",
    "RoundEnded": "round-ended",
    "MatchEnded": "match-ended",
}


@dataclass(frozen=True, slots=True)
class Frame:
    """Something that somebody was sent, and what they themselves had sent by then."""

    text: str
    sent: Collection[Tile] = ()


@dataclass(frozen=True, slots=True)
class Receiver:
    """Whose frames these are: the seats whose racks they may see; nobody's for a spectator."""

    name: str
    seats: frozenset[int]
    frames: Sequence[Frame]


def frames_of(line: Line) -> list[Frame]:
    """What a line was sent."""
    sent = frozenset(_tiles(line.sent))
    return [Frame(text, sent) for text in line.frames]


def receiver(name: str, seats: Iterable[int], *sources: Line | Guest) -> Receiver:
    """Somebody with all that they were told, over lines and by REST."""
    frames: list[Frame] = []
    for source in sources:
        if isinstance(source, Line):
            frames += frames_of(source)
        else:
            frames += [Frame(said.text) for said in source.heard if not said.what.endswith("/record")]
    return Receiver(name, frozenset(seats), frames)


class Truth:
    """What lay where in a match, version by version of the room."""

    def __init__(self, record: Record, told: Mapping[int, Json | None], number: int = 1) -> None:
        """`told` is what a spectator saw of the room's events, by version; the record is that of this match."""
        starts = [version for version, event in sorted(told.items()) if event and event["kind"] == "started"]
        first = starts[number - 1]
        kinds = set(MATCH_EVENTS.values())
        after = [(version, event) for version, event in sorted(told.items()) if version >= first and event]
        last = next((version for version, event in after if event["kind"] == "rematched"), LATEST)
        seen = [(version, event) for version, event in after if version < last]
        moves = [(version, event) for version, event in seen if event["kind"] in kinds]
        self.seed, self.words = record.seed, record.words
        self.began, self.ended = first, last
        self._states: dict[int, State] = {}
        self._public: dict[int, frozenset[Tile]] = {}
        state: State | None = None
        public: frozenset[Tile] = frozenset()
        for (version, event), true in zip(moves, _replayed(record), strict=True):
            assert event["kind"] == MATCH_EVENTS[type(true).__name__], (version, event, true)
            state = fold([true], state)
            public = frozenset() if event["kind"] == "round-began" else public
            public |= {one for meld in state.table for one in meld.tiles}
            self._states[version], self._public[version] = state, public
        assert state is not None
        assert state.phase is Phase.MATCH_OVER
        self.over = moves[-1][0]
        self._versions = sorted(self._states)

    @classmethod
    def read(cls, record: str, *lines: Line, number: int = 1) -> "Truth":
        """The truth of a record as the server gave it, and of what these lines were told."""
        told: dict[int, Json | None] = {}
        for line in lines:
            for message in line.heard:
                told |= {one["version"]: one["event"] for one in message.get("events", ()) if one["event"] is not None}
        return cls(read_record(record), told, number)

    def at(self, version: int) -> State | None:
        """The state of the match at this version of the room; None before it was dealt, and after it was put away."""
        known = self._version(version)
        return None if known is None else self._states[known]

    def hidden(self, version: int, seats: Collection[int]) -> frozenset[Tile]:
        """What somebody with these seats cannot know: the pool, and the racks of others, less what lay on the table."""
        known = self._version(version)
        if known is None:
            return frozenset()
        state = self._states[known]
        if state.phase is not Phase.PLAYING:
            return frozenset(state.pool)  # the racks are shown
        others = (rack for seat, rack in enumerate(state.racks) if seat not in seats)
        return frozenset(one for rack in others for one in rack).union(state.pool) - self._public[known]

    def _version(self, version: int) -> int | None:
        place = bisect_right(self._versions, version)
        return self._versions[place - 1] if place and version < self.ended else None


def _replayed(record: Record) -> list[Event]:
    return [*record.start(), *(event for step in record.replay() for event in step.events)]


def leaks(who: Receiver, truths: Sequence[Truth], words: Mapping[int, str] | None = None) -> list[str]:
    """Everything that this receiver was told and may not know; nothing, if all is well.

    Each frame also has to be a message of the protocol with no field more, and each view of a match to be exactly what
    that seat sees. `words` are those that players gave for the shuffle of the first match, by seat.
    """
    search = _Search(who, truths, words or {})
    return [f"{who.name}: {found}: {frame.text[:400]}" for frame in who.frames for found in search.frame(frame)]


class _Search:
    """One receiver's frames, in the order in which they came."""

    def __init__(self, who: Receiver, truths: Sequence[Truth], words: Mapping[int, str]) -> None:
        self.who, self.truths, self.words = who, truths, words
        self.commitments = {found for frame in who.frames for found in SEED.findall(frame.text)}

    def frame(self, frame: Frame) -> Iterator[str]:
        if not frame.text.startswith("{"):
            yield from self._tiles(frame.text, 0, frozenset())
            yield from self._secrets(frame.text, 0)
            return
        message: Json = json.loads(frame.text)
        # What has no version has nothing of a match in it.
        version = int(message.get("version") or message.get("on") or 0)
        yield from self._secrets(frame.text, version)
        match message.get("type"):
            case "snapshot" | "update":
                SERVER_MESSAGE.validate_json(frame.text)
                yield from self._seen(message.pop("view"), message.get("you"))
                for one in message.pop("events", ()):
                    yield from self._event(one["version"], one["event"], self._seat)
                yield from self._tiles(message, version, frozenset())
            case "draft":
                SERVER_MESSAGE.validate_json(frame.text)
                yield from self._draft(message["table"], version, message["seat"] in self.who.seats)
                yield from self._tiles(message, version, self.who.seats)
            case "ack" | "refused" | "advice" | "error":
                SERVER_MESSAGE.validate_json(frame.text)
                _drop(message, "choices")  # what a joker of the sender's own draft may stand for
                yield from self._steps((message.get("hint") or {}).pop("steps", ()), version)
                yield from self._tiles(message, version, self.who.seats, frame.sent)
            case None if "seats" in message:
                RoomView.model_validate_json(frame.text)
                yield from self._seen(message, None)
            case None:
                yield from self._tiles(message, version, frozenset())
            case _:
                SERVER_MESSAGE.validate_json(frame.text)
                yield from self._tiles(message, version, frozenset())

    _seat: int | None = None

    def _seen(self, room: Json, you: Json | None) -> Iterator[str]:
        """A view; whose it is, it says itself, and it has to be one of the receiver's own."""
        match, version = room.pop("match"), room["version"]
        if you is not None:
            self._seat = you["shown"]
        if match is not None:
            if you is not None and match["seat"] != you["shown"]:
                yield f"the rack of seat {match['seat']} where seat {you['shown']} is shown"
            self._seat = match["seat"]
        if self._seat is not None and self._seat not in self.who.seats:
            yield f"the view of seat {self._seat}"
        for seat in room["seats"]:
            if seat["word"] and seat["seat"] not in self.who.seats:
                yield f"the word of seat {seat['seat']}"
        if room.pop("race") is not None:
            yield from self._tiles(room, version, frozenset())
            return
        yield from self._tiles(room, version, frozenset())
        if match is not None:
            yield from self._match(match, version)

    def _match(self, match: Json, version: int) -> Iterator[str]:
        truth = self._truth(version)
        if truth is None:
            yield "a match that is not known"
            return
        state = truth.at(version)
        assert state is not None
        own = self._seat is not None and self._seat == match["turn"]
        yield from self._draft(match["draft"], version, own)
        shown = replace(match_view(MatchView.model_validate(match)), draft=None)
        if shown != view(state, self._seat):
            yield "a view that is not what this seat sees"
        _drop(match, "draws")  # the same for all, and just compared
        yield from self._tiles(match, version, {self._seat} - {None})

    def _event(self, version: int, event: Json | None, seat: int | None) -> Iterator[str]:
        if event is None:
            return
        if event["kind"] in ("called", "found"):  # nothing of a race is hidden
            return
        if event["kind"] == "round-began":
            truth = self._truth(version)
            state = truth.at(version) if truth else None
            drawn = [[(one.seat, str(one.tile)) for one in some] for some in state.draws] if state else []
            if [[(one["seat"], one["tile"]) for one in some] for some in event.pop("draws")] != drawn:
                yield "other tiles than those that were drawn for the start"
        if event["kind"] == "word-given" and event["seat"] not in self.who.seats:
            yield "a word of somebody else"
        if event.get("tiles") is not None and event["kind"] == "drew" and event["seat"] != seat:
            yield "a tile that somebody else drew"
        if event.get("penalty") is not None and event["seat"] != seat:
            yield "tiles that somebody else had to draw"
        yield from self._tiles(event, version, set() if seat is None else {seat})

    def _draft(self, table: list[list[str]] | None, version: int, own: bool) -> Iterator[str]:
        """Of somebody else's draft only what lies on the table is seen."""
        truth = self._truth(version)
        state = truth.at(version) if truth else None
        lying = {one for meld in state.table for one in meld.tiles} if state else set()
        for piece in [piece for meld in table or () for piece in meld]:
            if not own and piece != "?" and not lying.issuperset(_tiles([piece])):
                yield f"{piece} in the draft of somebody else"

    def _steps(self, steps: Collection[Json], version: int) -> Iterator[str]:
        """The steps of a hint do not tell copies apart: one of them has to be known."""
        truth = self._truth(version)
        state = truth.at(version) if truth else None
        tiles = frozenset(state.rules.tiles()) if truth and state else frozenset[Tile]()
        known = tiles - truth.hidden(version, self.who.seats) if truth else tiles
        kinds = {one.kind for one in known}
        for one in _tiles(_strings(list(steps))):
            if one.kind not in kinds:
                yield f"{one} in a step at version {version}"

    def _truth(self, version: int) -> Truth | None:
        return next((truth for truth in self.truths if truth.at(version) is not None), None)

    def _tiles(
        self, value: object, version: int, seats: Collection[int | None], sent: Collection[Tile] = ()
    ) -> Iterator[str]:
        found = set(_tiles(_strings(value)))
        truth = self._truth(version)
        if truth is not None:
            found &= truth.hidden(version, {seat for seat in seats if seat is not None})
        for one in sorted(found.difference(sent)):
            yield f"{one} at version {version}"

    def _secrets(self, text: str, version: int) -> Iterator[str]:
        """Seeds are known by their commitments, whether or not their match was ever played to its end."""
        for found in set(SEED.findall(text)):
            shown = any(found == truth.seed and version >= truth.over for truth in self.truths)
            if commitment(found) in self.commitments and not shown:
                yield f"the seed {found}"
        for truth in self.truths:
            if truth.seed in text and version < truth.over:
                yield f"the seed {truth.seed}"
        for seat, word in self.words.items():
            if seat not in self.who.seats and word in text and version < self.truths[0].began:
                yield f"the word of seat {seat}"


def _tiles(texts: Iterable[str]) -> list[Tile]:
    found = (match for text in texts for match in TILE.findall(text))
    return [tile(written) for written in found if written.count("'") < (4 if written.startswith("j") else 3)]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield str(key)
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)


def _drop(value: object, key: str) -> None:
    """Leave out every field of this name, however deep."""
    if isinstance(value, dict):
        value.pop(key, None)
        for part in value.values():
            _drop(part, key)
    elif isinstance(value, list):
        for part in value:
            _drop(part, key)
