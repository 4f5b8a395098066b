"""The stored form: whole games round-trip, a game of every schema still folds, and anything else is refused."""

import json
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.cases import CASES, Case
from tests.kit.machine import QUICK
from tests.kit.players import LIVELY
from tests.kit.rooms import started, stored_game
from tilerummy import race, state
from tilerummy.melds import draft
from tilerummy.record import Step, read_record
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.server import codec
from tilerummy.server.codec import SCHEMA, BadStored, dump, dump_event, load, load_event
from tilerummy.server.events import Happened, Move, Rematched, RoomCommand, RoomEvent, Sat, Setup, Stage
from tilerummy.server.room import fold
from tilerummy.state import Play, State, Timeout

TRUTH = json.loads((Path(__file__).parent.parent / "truth" / "stored_game.json").read_text("utf-8"))
KINDS = sorted(kind.__name__ for kind in get_args(RoomEvent))


def as_json(value: object) -> Any:
    return json.loads(json.dumps(value))


def stored(schema: int, rows: list[dict[str, Any]]) -> list[tuple[RoomEvent, float]]:
    return [(load_event(schema, row["kind"], row["data"]), row["at"]) for row in rows]


# A game of schema 1


def test_a_stored_game_folds_to_the_result_of_its_record() -> None:
    events = stored(TRUTH["schema"], TRUTH["events"])
    rematch = next(place for place, (event, _) in enumerate(events) if isinstance(event, Rematched))
    record = read_record("\n".join(TRUTH["record"]))
    steps: list[Step] = list(record.replay())
    assert steps[-1].state == fold(events[:rematch]).match
    room = fold(events)
    assert isinstance(room.match, race.RaceState)
    assert (room.stage, room.version, room.matches) == (Stage.CLOSED, TRUTH["events"][-1]["version"], 2)
    assert (room.match.stars, room.match.winners) == ((24, 0), (0,))


def test_a_stored_game_has_events_of_every_kind() -> None:
    assert sorted({row["kind"] for row in TRUTH["events"]}) == KINDS
    within = {row["data"]["event"]["kind"] for row in TRUTH["events"] if row["kind"] == "Happened"}
    assert within == {kind.__name__ for kind in (*get_args(state.Event), *get_args(race.RaceEvent))}


def test_the_causes_of_a_stored_game_are_commands() -> None:
    causes = [row["cause"] for row in TRUTH["events"] if row["cause"]]
    assert [dump(load(RoomCommand, cause)) for cause in causes] == causes


def test_a_game_is_stored_today_as_it_was() -> None:
    """While the schema is that of the file; a change of the form is a new schema, with an upcast."""
    if TRUTH["schema"] == SCHEMA:
        for row in TRUTH["events"]:
            assert dump_event(load_event(SCHEMA, row["kind"], row["data"])) == (row["kind"], row["data"])


def test_the_script_writes_a_game_that_folds() -> None:
    game = as_json(stored_game())
    assert fold(stored(game["schema"], game["events"])).stage is Stage.CLOSED


# Round trips


@pytest.mark.parametrize("case", CASES, ids=str)
def test_whole_games_round_trip(case: Case) -> None:
    names = ("ada", "bob", "cleo", "dan", "eve", "fay")[: case.players]
    run = started(Setup(ruleset=case.rules.id, house=case.rules.house, players=case.players), *names)
    assert isinstance(run.room.match, State)
    assert run.room.match.rules == case.rules
    run.play(Random(case.players), LIVELY)
    rows = [(*dump_event(event), at) for event, at in run.events]
    back = [(load_event(SCHEMA, kind, data), at) for kind, data, at in as_json(rows)]
    assert back == run.events
    assert fold(back) == run.room
    for cause in run.causes:
        assert cause is None or load(RoomCommand, as_json(dump(cause[0]))) == cause[0]


@pytest.mark.parametrize("table", [(), ((),), ((), ()), draft("r5 r6 j=r7 | j' | b1'' k1 j=1")])
def test_drafts_round_trip(table: Any) -> None:
    for command in (Move(Play(0, table)), Move(Timeout(3, table)), Move(Timeout(3))):
        assert load(RoomCommand, as_json(dump(command))) == command


def test_rulesets_are_stored_by_name_and_house_rules() -> None:
    rules = ruleset("sabra", {"tileset": "xp", "timeout": "restore"})
    data = as_json(dump(rules))
    assert data["id"] == "sabra"
    assert data["house"] == {"players": 6, "copies": 3, "jokers": 4, "timeout": "restore"}
    assert load(Ruleset, {"id": data["id"], "house": data["house"]}) == rules


# Versions


def test_fields_with_a_default_may_be_missing() -> None:
    assert load(Setup, {"players": 3}) == Setup(players=3)


def test_events_of_an_older_schema_are_brought_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two schemas ago it was called Joined; one schema ago seats counted from 1."""

    def renamed(kind: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return ("Sat", data) if kind == "Joined" else (kind, data)

    def from_zero(kind: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return kind, {**data, "seat": data["seat"] - 1}

    monkeypatch.setattr(codec, "SCHEMA", 3)
    monkeypatch.setattr(codec, "UPCASTS", {1: renamed, 2: from_zero})
    assert load_event(1, "Joined", {"seat": 2, "player": "ada"}) == Sat(1, "ada")
    assert load_event(2, "Sat", {"seat": 2, "player": "ada"}) == Sat(1, "ada")
    assert load_event(3, "Sat", {"seat": 2, "player": "ada"}) == Sat(2, "ada")


def test_every_older_schema_has_an_upcast() -> None:
    assert [*codec.UPCASTS] == [*range(1, SCHEMA)]


@pytest.mark.parametrize("schema", [0, SCHEMA + 1])
def test_other_schemas_are_refused(schema: int) -> None:
    with pytest.raises(BadStored, match="schema"):
        load_event(schema, "Stood", {"seat": 0})


# What is none of ours


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("Flew", {}),
        ("Stood", {}),
        ("Stood", {"seat": 0, "colour": "red"}),
        ("Stood", {"seat": "0"}),
        ("Stood", {"seat": True}),
        ("Stood", {"seat": 1.0}),
        ("Closed", {"reason": None}),
        ("Happened", {"event": {"seat": 0}}),
        ("Happened", {"event": {"kind": "Stood", "seat": 0}}),
        ("Happened", {"event": "Passed"}),
        ("Happened", {"event": {"kind": "Drew", "seat": 0, "tiles": "r14", "stars": 0}}),
        ("Happened", {"event": {"kind": "Drew", "seat": 0, "tiles": ["r1"], "stars": 0}}),
        ("Happened", {"event": {"kind": "RaceEnded", "winners": 0}}),
        ("Changed", {"setup": []}),
        ("Changed", {"setup": {"house": []}}),
        ("Changed", {"setup": {"kind": "Seat"}}),
    ],
)
def test_other_data_is_refused(kind: str, data: dict[str, Any]) -> None:
    with pytest.raises(BadStored):
        load_event(SCHEMA, kind, data)


def test_tables_of_what_is_no_meld_are_refused() -> None:
    row = next(row for row in TRUTH["events"] if row["data"].get("event", {}).get("kind") == "Played")
    data = as_json(row["data"])
    data["event"]["table"] = ["r5 r6"]
    with pytest.raises(BadStored, match="no meld"):
        load_event(SCHEMA, row["kind"], data)


def test_what_has_no_stored_form_is_a_bug() -> None:
    with pytest.raises(TypeError, match="stored form"):
        dump(1.5)
    with pytest.raises(TypeError, match="told apart"):
        codec._form(int | str)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(QUICK, max_examples=400)
@given(st.data())
def test_stored_data_with_anything_in_it_is_read_or_refused(data: st.DataObject) -> None:
    """Replace a part of a stored event, however deep, by anything."""
    row = as_json(data.draw(st.sampled_from(TRUTH["events"])))
    part: Any = row
    place: Any = "data"
    while isinstance(part[place], dict | list) and part[place] and data.draw(st.booleans()):
        part = part[place]
        place = data.draw(st.sampled_from([*part] if isinstance(part, dict) else range(len(part))))
    part[place] = data.draw(JSON)
    if isinstance(row["data"], dict):
        try:
            event = load_event(SCHEMA, row["kind"], row["data"])
        except BadStored:
            return
        assert load_event(SCHEMA, *as_json(dump_event(event))) == event
        assert not isinstance(event, Happened) or isinstance(event.event, state.Event | race.RaceEvent)
