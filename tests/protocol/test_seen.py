"""What a receiver sees of whole games: it fits the models and the schema, and no hidden tile is in it."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.kit.build import seed
from tests.kit.moves import timeout_draft
from tests.kit.players import LIVELY
from tests.kit.rooms import Run, next_move, people, started, stored_game
from tests.protocol.test_schema import judge
from tilerummy.legality import check
from tilerummy.melds import Draft, draft
from tilerummy.protocol import (
    SERVER_MESSAGE,
    DraftSeen,
    SayPhrase,
    Seen,
    SetupView,
    Snapshot,
    Update,
    match_view,
    schema,
    seen_table,
)
from tilerummy.rulesets import ruleset
from tilerummy.server.codec import load_event
from tilerummy.server.events import (
    Change,
    GiveWord,
    Happened,
    Leave,
    Move,
    Rematch,
    Room,
    RoomEvent,
    SetReady,
    Setup,
    Sit,
    Stage,
    Start,
)
from tilerummy.server.room import fold
from tilerummy.server.seen import Scene, you
from tilerummy.server.wire import Json, advice, encode, read_setup, setup_view
from tilerummy.state import Draw, Phase, Played, State, TimedOut
from tilerummy.tiles import Tile, tiles
from tilerummy.view import view

_NAMES = {"ada": "Ada", "bob": "Bob", "cleo": "Cleo", "dan": "Dan", "eve": "Eve", "fay": "Fay"}
_TILE = re.compile(r"(?<![\w'])(?:[rbky]\d{1,2}|j)'*(?![\w'])")
_STANDS_FOR = re.compile(r"(?<=j)('*)=[rbky]?\d+")

SETUPS = {
    "classic": Setup(ruleset="classic", players=3, clock=60),
    "club": Setup(ruleset="club", players=4, rounds=2, house={"numbers": 8, "deal": 8, "opening": 15}),
    "sabra": Setup(ruleset="sabra", players=4, clock=86_400 * 2),
    "rummy": Setup(ruleset="rummy", players=2, rounds=2),
    "junior": Setup(ruleset="junior", players=4, first=2, rounds=2),
    "xp": Setup(ruleset="sabra", players=6, house={"tileset": "xp"}),
    "race": Setup(game="race", ruleset="junior", players=3, caller=1),
}


def scene(room: Room, table: Draft | None = None) -> Scene:
    return Scene("r_1", "KMPR7", room, _NAMES, {"ada", "bob"}, table, room.at + 0.5)


def receivers(room: Room) -> list[int | None]:
    return [None, *range(len(room.seats))]


def told(text: str) -> set[Tile]:
    """Every tile that is named in a text, apart from those drawn for the start, which go back into the pile."""
    message = json.loads(text)
    for part in _parts(message):
        part.pop("draws", None)
    plain = _STANDS_FOR.sub(r"\1", json.dumps(message))
    return set(tiles(" ".join(_TILE.findall(plain))))


def _parts(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _parts(inner)


def hidden(room: Room, seat: int | None, events: Iterable[RoomEvent]) -> set[Tile]:
    """The tiles that this seat may not know: in the pool and on others' racks, unless they just came from the table."""
    match = room.match
    if not isinstance(match, State) or match.phase is not Phase.PLAYING:
        return set()
    secret = {one for place, rack in enumerate(match.racks) if place != seat for one in rack} | set(match.pool)
    for event in events:
        if isinstance(event, Happened) and isinstance(event.event, Played | TimedOut):
            secret -= set(event.event.taken)
    return secret


def sent(run: Run, events: tuple[RoomEvent, ...], table: Draft | None) -> Iterator[tuple[int | None, str]]:
    """What each receiver is sent after these events, and when the player to move arranges this table."""
    room, now = run.room, scene(run.room, table)
    first = room.version - len(events) + 1
    numbered = [(first + place, event, room.at) for place, event in enumerate(events)]
    for seat in receivers(room):
        yield seat, encode(now.update(numbered, seat))
        yield seat, encode(now.snapshot(seat, you(room, "ada", people("ada"), seat)))
        shown = now.draft_seen(room.version, seat)
        if shown is not None:
            yield seat, encode(shown)


def draws(run: Run) -> tuple[Move, frozenset[str]]:
    """The command with which the player to move draws."""
    player = run.room.seats[run.match.turn].player
    assert player is not None
    return Move(Draw(run.match.turn)), people(player)


@pytest.mark.parametrize("name", SETUPS)
def test_whole_games(name: str) -> None:
    luck = Random(name)
    setup = SETUPS[name]
    run = started(setup, *list(_NAMES)[: setup.players])
    turns = 0
    while run.room.stage is Stage.PLAYING:
        events = run.do(*next_move(run.room, luck, LIVELY))
        match = run.room.match
        arranging = isinstance(match, State) and match.phase is Phase.PLAYING
        table = timeout_draft(match, luck) if arranging and isinstance(match, State) else None
        for seat, text in sent(run, events, table):
            message = SERVER_MESSAGE.validate_json(text)
            assert json.loads(message.model_dump_json()) == json.loads(text)
            assert not told(text) & hidden(run.room, seat, events), (seat, text)
            shown = isinstance(match, State) and match.phase is Phase.MATCH_OVER
            assert (run.room.seed in text) == shown
            if turns % 40 == 0:
                judge("ServerMessage").validate(json.loads(text))
            if isinstance(message, Update | Snapshot) and isinstance(match, State):
                assert message.view.match is not None
                assert match_view(message.view.match) == view(match, seat, table)
        turns += 1
    assert turns > 10


def test_the_search_finds_what_it_looks_for() -> None:
    run = started(SETUPS["sabra"], "ada", "bob", "cleo", "dan")
    leak = encode(scene(run.room).view(1))
    assert told(leak) == set(run.match.racks[1])
    assert told(leak) <= hidden(run.room, 0, ())


def test_every_event_that_was_ever_stored() -> None:
    rows = stored_game()["events"]
    events = [(load_event(1, row["kind"], row["data"]), row["at"]) for row in rows]
    kinds, room = set(), None
    for version, (event, at) in enumerate(events, 1):
        room = fold([(event, at)], room)
        for seat in receivers(room):
            seen = {"version": version, "at": at, "event": scene(room).event(event, seat)}
            read = Seen.model_validate_json(encode(seen))
            assert json.loads(read.model_dump_json()) == json.loads(encode(seen))
            kinds.add(read.event.kind if read.event else None)
    assert kinds == {None, *schema()["$defs"]["SeenEvent"]["discriminator"]["mapping"]}


def test_drawn_tiles_are_told_to_one_seat() -> None:
    run = started(SETUPS["sabra"], "ada", "bob", "cleo", "dan")
    mover, drawn = run.match.turn, run.match.pool[0]
    (event,) = run.do(*draws(run))
    for seat in receivers(run.room):
        seen = scene(run.room).event(event, seat)
        assert seen is not None
        assert (seen["count"], seen["tiles"]) == (1, str(drawn) if seat == mover else None)


def test_a_word_is_hidden_until_the_start() -> None:
    run = Run(Setup(players=2))
    for seat, name in enumerate(("ada", "bob")):
        run.do(Sit(seat, name), people(name))
    (given,) = run.do(GiveWord(0, "swordfish"), people("ada"))
    assert scene(run.room).event(given, 0) == {"kind": "word-given", "seat": 0, "word": "swordfish"}
    for other in (None, 1):
        assert scene(run.room).event(given, other) is None
        assert "swordfish" not in encode(scene(run.room).view(other))
    assert scene(run.room).view(0)["seats"][0]["word"] == "swordfish"
    run.do(SetReady(1, True), people("bob"))
    start = run.do(Start(), people("ada"))
    assert "swordfish" in encode(scene(run.room).view(None))
    assert "swordfish" in str(scene(run.room).event(start[0], 1))


def update(run: Run, seat: int | None) -> list[Json | None]:
    """Everything that ever happened in a room, as somebody sees it who asks for it now."""
    events = [(version, event, at) for version, (event, at) in enumerate(run.events, 1)]
    return [one["event"] for one in scene(run.room).update(events, seat)["events"]]


def test_a_word_stays_its_givers_when_the_seat_is_anothers() -> None:
    run = Run(Setup(players=3))
    run.do(Sit(0, "ada"), people("ada"))
    run.do(GiveWord(0, "swordfish"), people("ada"))
    assert {"kind": "word-given", "seat": 0, "word": "swordfish"} in update(run, 0)
    run.do(Sit(2, "ada"), people("ada"))
    run.do(Sit(0, "bob"), people("bob"))
    assert "swordfish" not in encode({"events": update(run, 0)})
    assert {"kind": "word-given", "seat": 2, "word": "swordfish"} in update(run, 2)
    run.do(GiveWord(0, "tea"), people("bob"))
    assert {"kind": "word-given", "seat": 0, "word": "tea"} in update(run, 0)


def played_before(spectators: bool) -> Run:
    """Ada and bob have played; in the lobby of the next match cleo has bob's seat, and dan one that was not there."""
    run = started(Setup(ruleset="junior", players=2, spectators=spectators), "ada", "bob")
    run.play(Random(1))
    run.do(Leave(1), people("bob"))
    run.do(Rematch(seed(2)), people("ada"))
    run.do(Change(replace(run.room.setup, players=3)), people("ada"))
    for seat, name in ((1, "cleo"), (2, "dan")):
        run.do(Sit(seat, name), people(name))
    return run


def test_tiles_of_an_earlier_match_are_not_told_as_ones_own() -> None:
    run = played_before(spectators=True)
    for seat, dealt in ((0, True), (1, False), (2, False), (None, False)):
        (began,) = [event for event in update(run, seat) if event and event["kind"] == "round-began"]
        assert bool(began["rack"]) is dealt
        drew = [event for event in update(run, seat) if event and event["kind"] == "drew"]
        assert {event["seat"] for event in drew if event["tiles"]} == ({0} if dealt else set())


def test_of_a_match_without_spectators_nobody_else_is_told_afterwards() -> None:
    run = played_before(spectators=False)
    lobby = {"opened", "sat", "stood", "ready", "went-away", "rematched", "changed"}
    for seat in (1, 2, None):
        assert {event["kind"] for event in update(run, seat) if event} == lobby
    assert {"played", "drew", "match-ended"} <= {event["kind"] for event in update(run, 0) if event}


def test_seats_and_who_sits_there() -> None:
    run = Run(Setup(players=3, bots=(None, None, "novice")))
    run.do(Sit(0, "ada"), people("ada"))
    mine, open_, bot = scene(run.room).view(0)["seats"]
    assert (mine["name"], mine["kind"], mine["present"], mine["host"]) == ("Ada", "person", True, True)
    assert (open_["name"], open_["kind"], open_["host"]) == (None, "open", False)
    assert (bot["name"], bot["kind"], bot["bot"]) == ("novice", "bot", "novice")
    assert you(run.room, "ada", people("ada", "bob"), None) == {
        "player": "ada",
        "seats": [0],
        "shown": None,
        "host": True,
    }
    assert scene(run.room).presence() == {"type": "presence", "present": [True, False, False]}


def test_the_clock_is_a_persons() -> None:
    run = started(Setup(players=2, clock=60, bots=(None, "novice")), "ada")
    while run.match.turn != 0:
        run.do(*next_move(run.room, Random(1), LIVELY))
    assert scene(run.room).view(0)["clock"] == {
        "seconds": 60,
        "ends": run.room.turn_at + 60,
        "now": run.room.at + 0.5,
    }
    run.do(*draws(run))
    assert run.match.turn == 1
    assert scene(run.room).view(0)["clock"] is None


def test_a_draft_lies_face_down_for_others() -> None:
    run = started(SETUPS["sabra"], "ada", "bob", "cleo", "dan")
    mover = run.match.turn
    other = (mover + 1) % 4
    table = (tuple(piece for one in run.match.racks[mover][:3] for piece in draft(str(one))[0]),)
    now = scene(run.room, table)
    assert now.draft_seen(9, other) == {"type": "draft", "seat": mover, "on": 9, "table": [["?", "?", "?"]]}
    assert now.draft_seen(9, None) == now.draft_seen(9, other)
    own = now.draft_seen(9, mover)
    assert own is not None
    assert DraftSeen.model_validate(own).table == seen_table(table)
    assert scene(run.room).draft_seen(9, None) == {"type": "draft", "seat": mover, "on": 9, "table": None}


def test_a_rematch_shows_nothing_of_what_is_to_come() -> None:
    run = started(SETUPS["race"], "ada", "bob", "cleo")
    run.play(Random(3))
    events = run.do(Rematch(seed(9)), people("ada"))
    now = scene(run.room)
    for seat in receivers(run.room):
        text = encode(now.update([(7, event, 1.0) for event in events], seat))
        assert seed(9) not in text
        assert now.view(seat)["match"] is None


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_a_setup_comes_back_as_it_went(setup: Setup) -> None:
    shown = SetupView.model_validate_json(encode(setup_view(setup)))
    back = read_setup(shown)
    assert isinstance(back, Setup)
    assert back.bots == setup.bots + (None,) * (setup.players - len(setup.bots))
    assert setup_view(back) == setup_view(setup)


def test_advice() -> None:
    verdict = check((), tiles("r5 r6 r7 b1 b2"), draft("r5 r6 r7 | b1 b2 | r5 j j"), ruleset("sabra"), opened=False)
    told = SERVER_MESSAGE.validate_json(encode(advice(12, verdict)))
    assert told.type == "advice"
    assert [meld.reason for meld in told.melds] == [None, "too-short", "joker-unnamed"]
    assert [meld.points for meld in told.melds] == [18, 0, 0]
    assert told.melds[2].args == {"choices": "r5 j=r6 j=r7 / r5 j=5 j=5"}
    assert (told.on, told.legal, told.towards, told.laid) == (12, False, 18, "r5 r6 r7 b1 b2")


def test_models_are_sent_too() -> None:
    said = encode(SayPhrase(seat=1, phrase=":clap"))
    assert json.loads(said) == {"type": "phrase", "seat": 1, "phrase": ":clap"}
