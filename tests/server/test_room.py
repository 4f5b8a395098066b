"""Rooms: seats, hosts, leaving and coming back, matches and races in them, and what is due."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.kit.build import seed
from tests.kit.rooms import Run, people, started
from tilerummy import game, race
from tilerummy.deal import MAX_WORD
from tilerummy.legality import Violation
from tilerummy.race import Call, Found, RaceState, Tap, fitting
from tilerummy.rulesets import BadRuleset, ruleset
from tilerummy.server.events import (
    Back,
    BotSeated,
    CameBack,
    Change,
    Changed,
    Close,
    GiveWord,
    Happened,
    HostPassed,
    Leave,
    Move,
    Opened,
    PassHost,
    ReadySet,
    Rematch,
    Rematched,
    Remove,
    Removed,
    Return,
    RoomEvent,
    Sat,
    Seat,
    SeatBot,
    SetReady,
    Setup,
    Sit,
    SitIn,
    Stage,
    Stand,
    Start,
    Stood,
    WentAway,
    WordGiven,
)
from tilerummy.server.room import (
    GRACE,
    MOST_VERSIONS,
    REFUSALS,
    Due,
    Task,
    actor_seats,
    apply,
    check_setup,
    due,
    fold,
)
from tilerummy.state import (
    Draw,
    HandedOver,
    HandOver,
    HintUsed,
    NextRound,
    Phase,
    Refusal,
    RoundBegan,
    Started,
    State,
    Timeout,
)
from tilerummy.tiles import tile

ADA, BOB, CLEO, EVE = (people(name) for name in ("ada", "bob", "cleo", "eve"))
TWO = Setup(players=2)
RACE = Setup("race", "junior", players=3)
HOUR = 3600.0


def seated(setup: Setup, *names: str) -> Run:
    run = Run(setup)
    for seat, name in enumerate(names):
        run.do(Sit(seat, name), people(name))
    return run


def players(run: Run) -> list[str | None]:
    return [seat.player for seat in run.room.seats]


# Setups


def test_codes_are_new() -> None:
    assert not {*REFUSALS} & {*game.REFUSALS, *race.REFUSALS}
    assert len(set(REFUSALS)) == len(REFUSALS)


@pytest.mark.parametrize(
    "setup",
    [
        Setup(),
        Setup(ruleset="classic", house={"tileset": "xp"}, players=6, clock=60, bots=(None, "novice"), sit_in="random"),
        Setup(ruleset="junior", first=3, rounds=3, clock=3 * 86_400),
        Setup(clock=3599, sit_in="novice"),
        RACE,
        replace(RACE, caller=2, public=True),
        Setup(house={"starter": "host"}, first=1),
    ],
)
def test_good_setups(setup: Setup) -> None:
    check_setup(setup)


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("game", {"game": "chess"}),
        ("ruleset", {"ruleset": "poker"}),
        ("house.opening", {"house": {"opening": 1000}}),
        ("players", {"players": 1}),
        ("players", {"players": 5}),
        ("rounds", {"rounds": 0}),
        ("rounds", {"rounds": 100}),
        ("clock", {"clock": 0}),
        ("clock", {"clock": 31 * 86_400}),
        ("bots", {"bots": ("novice",) * 5}),
        ("bots.1", {"bots": (None, "hal")}),
        ("sit_in", {"sit_in": "hal"}),
        ("caller", {"caller": 1}),
        ("first", {"ruleset": "junior", "first": 4}),
        ("first", {"ruleset": "junior", "first": -1}),
        ("ruleset", {"game": "race"}),
        ("house", {"game": "race", "ruleset": "junior", "house": {"jokers": 2}}),
        ("rounds", {"game": "race", "ruleset": "junior", "rounds": 2}),
        ("clock", {"game": "race", "ruleset": "junior", "clock": 60}),
        ("caller", {"game": "race", "ruleset": "junior", "bots": ("novice",), "caller": 0}),
        ("sit_in", {"game": "race", "ruleset": "junior", "sit_in": "novice"}),
        ("caller", {"game": "race", "ruleset": "junior", "caller": 4}),
        # what would do nothing
        ("first", {"first": 1}),
        ("first", {"ruleset": "junior", "house": {"starter": "highest"}, "first": 1}),
        ("first", {"game": "race", "ruleset": "junior", "first": 1}),
        ("hints", {"game": "race", "ruleset": "junior", "hints": False}),
        ("sit_in", {"clock": 3600, "sit_in": "novice"}),
    ],
)
def test_bad_setups(field: str, changes: Mapping[str, Any]) -> None:
    setup = Setup(**changes)
    with pytest.raises(BadRuleset) as refused:
        check_setup(setup)
    assert refused.value.field == field
    assert seated(Setup(), "ada").refused(Change(setup), ADA) == "bad-setup"


# The lobby


def test_a_room_is_the_fold_of_its_events() -> None:
    with pytest.raises(ValueError, match="begins"):
        fold([])
    with pytest.raises(ValueError, match="opening"):
        fold([(Stood(0), 0.0)])
    run = Run(TWO)
    with pytest.raises(ValueError, match="once"):
        fold([(Opened(TWO, "ada", seed(1)), 0.0)], run.room)
    assert (run.room.version, run.room.at, run.room.stage) == (1, 1000.0, Stage.LOBBY)


def test_sitting_down() -> None:
    run = seated(Setup(), "ada", "bob")
    assert players(run) == ["ada", "bob", None, None]
    assert run.refused(Sit(0, "ada"), ADA) == "already-seated"
    assert run.refused(Sit(1, "ada"), ADA) == "seat-taken"
    assert run.refused(Sit(1, "cleo"), CLEO) == "seat-taken"
    assert run.refused(Sit(4, "cleo"), CLEO) == "no-such-seat"
    assert run.refused(Sit(-1, "cleo"), CLEO) == "no-such-seat"
    assert run.refused(Sit(2, "bob's brother"), CLEO) == "no-such-player"
    assert run.do(Sit(2, "tim"), people("bob", "tim")) == (Sat(2, "tim"),)
    assert actor_seats(run.room, people("bob", "tim")) == (1, 2)
    assert actor_seats(run.room, None) == actor_seats(run.room, EVE) == ()


def test_whoever_changes_seats_stays_who_they_are() -> None:
    run = seated(replace(Setup(), bots=(None, None, "novice")), "ada", "bob")
    assert run.do(Sit(3, "ada"), ADA) == (Stood(0), Sat(3, "ada"))
    assert (players(run), run.room.host) == ([None, "bob", None, "ada"], "ada")
    assert run.refused(Sit(0, "ada"), BOB) == "no-such-player", "nobody is moved by others"
    run.do(GiveWord(1, "tea"), BOB)
    run.do(SetReady(1, True), BOB)
    run.do(Sit(2, "bob"), BOB)  # where a bot would play
    assert run.room.seats[2] == Seat("bob", "novice", ready=True, word="tea")
    assert run.room.seats[1] == Seat()
    run.do(Sit(0, "tim"), people("bob", "tim"))
    assert run.do(Sit(1, "tim"), people("bob", "tim")) == (Stood(0), Sat(1, "tim"))
    assert (players(run), run.room.host) == ([None, "tim", "bob", "ada"], "ada")
    alone = Run(TWO)
    alone.do(Sit(0, "bob"), BOB)
    assert alone.do(Sit(1, "bob"), BOB) == (Stood(0), Sat(1, "bob")), "the only one stays the host"
    assert alone.room.host == "bob"


def test_nobody_changes_seats_in_mid_game() -> None:
    run = started(replace(TWO, players=3, bots=(None, None, "novice")), "ada", "bob")
    assert run.refused(Sit(2, "ada"), ADA) == "wrong-stage"


def test_whoever_sits_first_is_the_host() -> None:
    run = Run(TWO)
    assert run.do(Sit(1, "bob"), BOB) == (Sat(1, "bob"), HostPassed("bob"))
    assert run.do(Sit(0, "ada"), ADA) == (Sat(0, "ada"),)
    assert run.room.host == "bob"


def test_the_host_role_passes_to_the_next_person() -> None:
    run = seated(Setup(), "ada", "bob", "cleo")
    run.do(Stand(1), BOB)
    assert run.do(Stand(0), ADA) == (Stood(0), HostPassed("cleo"))
    assert run.do(Leave(2), CLEO) == (Stood(2),)
    assert run.room.host == "cleo"
    assert run.do(Sit(3, "bob"), BOB) == (Sat(3, "bob"), HostPassed("bob"))


def test_a_person_is_the_host_before_any_bot() -> None:
    run = Run(Setup(), bots=people("robby", "hal"))
    for seat, name in enumerate(("ada", "robby", "hal", "bob")):
        run.do(Sit(seat, name), people(name))
    assert run.do(Stand(0), ADA) == (Stood(0), HostPassed("bob")), "the bots come next, but bob is a person"
    assert run.do(Leave(3), BOB) == (Stood(3),), "where only bots are left, a person keeps the role"
    assert run.do(Stand(2), people("hal")) == (Stood(2),)
    assert run.do(Sit(2, "hal"), people("hal")) == (Sat(2, "hal"),), "nor does a bot take it that sits down"
    assert run.do(Sit(0, "ada"), ADA) == (Sat(0, "ada"), HostPassed("ada")), "but the next person does"
    assert run.do(Sit(3, "bob"), BOB) == (Sat(3, "bob"),)
    assert run.do(Remove(0), ADA) == (Stood(0), HostPassed("bob"))


def test_bots_among_themselves_have_a_host() -> None:
    run = Run(Setup(), "robby", bots=people("robby", "hal"))
    for seat, name in enumerate(("robby", "hal", "ada")):
        assert run.do(Sit(seat, name), people(name)) == (Sat(seat, name),), "the bot that made the room stays its host"
    assert run.do(Stand(2), ADA) == (Stood(2),)
    assert run.do(Stand(0), people("robby")) == (Stood(0), HostPassed("hal"))
    run.do(Stand(1), people("hal"))
    assert run.do(Sit(1, "robby"), people("robby")) == (Sat(1, "robby"), HostPassed("robby"))


def test_bots_that_play_again_do_not_wait_for_a_host_who_left() -> None:
    run = Run(RACE, bots=people("robby", "hal"))
    for seat, name in enumerate(("ada", "robby", "hal")):
        run.do(Sit(seat, name), people(name))
    run.do(Start(), people("ada", "robby", "hal"))
    run.play(Random(1))
    run.do(Leave(0), ADA)
    again = (Rematched(seed(2)), Stood(0), HostPassed("robby"), ReadySet(2, True))
    assert run.do(Rematch(seed(2)), people("hal")) == again


def test_whoever_is_removed_stays_away() -> None:
    run = seated(Setup(), "ada", "bob")
    assert run.refused(Remove(2), ADA) == "seat-empty"
    assert run.do(Remove(1), ADA) == (Removed(1),)
    assert run.room.removed == BOB
    assert run.refused(Sit(1, "bob"), BOB) == "was-removed"
    assert run.refused(Sit(1, "tim"), people("bob", "tim")) == "was-removed"
    assert run.refused(Sit(1, "bob"), None) == "was-removed"
    assert run.do(Remove(0), ADA) == (Stood(0),), "nobody sends oneself away for good"


def test_bots_are_chosen_for_empty_seats() -> None:
    run = seated(replace(TWO, bots=("random",)), "ada")
    assert run.refused(SeatBot(1, "hal"), ADA) == "bad-bot"
    assert run.refused(SeatBot(2, None), ADA) == "no-such-seat"
    assert run.refused(Start(), ADA) == "seat-empty"
    assert run.do(SeatBot(1, "novice"), ADA) == (BotSeated(1, "novice"),)
    assert run.room.setup.bots == ("random", "novice")
    run.do(Start(), ADA)
    assert run.match.bots == (None, "novice")
    assert seated(replace(RACE, caller=1), "ada").refused(SeatBot(1, "novice"), ADA) == "bad-bot"


def test_a_start_needs_everybody() -> None:
    run = seated(replace(TWO, players=3), "ada", "bob", "tim")
    assert run.refused(Start(), ADA) == "not-ready"
    run.do(SetReady(1, True), BOB)
    assert run.refused(Start(), ADA) == "not-ready"
    assert run.refused(Start(), None) == "not-ready"
    started_events = run.do(Start(), people("ada", "tim"))  # on one device
    assert [type(event.event) for event in started_events if isinstance(event, Happened)] == [Started, RoundBegan]
    assert (run.room.stage, run.room.matches) == (Stage.PLAYING, 1)


def test_words_go_into_the_shuffle() -> None:
    run = seated(TWO, "ada", "bob")
    run.do(GiveWord(0, " luck "), ADA)
    assert run.refused(GiveWord(1, "x" * (MAX_WORD + 1)), BOB) == "bad-word"
    assert run.refused(GiveWord(1, "a\nb"), BOB) == "bad-word"
    run.do(SetReady(1, True), BOB)
    run.do(Start(), ADA)
    assert run.match.words == ("luck", "")
    assert run.match == game.fold(game.begin(ruleset("sabra"), players=2, seed=seed(1), words=["luck"]))


def test_a_change_unsettles_everybody() -> None:
    run = seated(Setup(), "ada", "bob", "cleo", "dan")
    run.do(SetReady(1, True), BOB)
    run.do(GiveWord(1, "tea"), BOB)
    setup = replace(TWO, ruleset="club", bots=(None, "random"))
    assert run.do(Change(setup), ADA) == (Stood(2), Stood(3), Changed(setup))
    assert run.room.seats == (Seat("ada"), Seat("bob", "random", ready=False, word="tea"))
    run.do(Change(replace(setup, players=4)), ADA)
    assert players(run) == ["ada", "bob", None, None]


def test_a_room_knows_since_when_it_may_be_watched() -> None:
    run = seated(replace(TWO, spectators=False), "ada")
    run.do(Change(TWO), ADA)
    opened = run.room.version
    assert run.room.watched_from == opened
    run.do(Change(replace(TWO, rounds=2)), ADA)
    run.do(Change(replace(TWO, spectators=False)), ADA)
    assert run.room.watched_from == opened
    run.do(Change(TWO), ADA)
    assert run.room.watched_from == run.room.version


def test_a_host_whose_seat_goes_passes_the_role_on() -> None:
    run = seated(Setup(), "cleo", "bob")
    run.do(Sit(3, "ada"), ADA)
    run.do(PassHost(3), None)
    assert run.do(Change(TWO), ADA) == (Stood(3), HostPassed("cleo"), Changed(TWO))


def test_whoever_sits_where_no_seat_will_be_moves_to_a_free_one() -> None:
    run = seated(replace(TWO, players=3), "ada")
    run.do(Sit(2, "bob"), BOB)
    run.do(GiveWord(2, "tea"), BOB)
    run.do(SetReady(2, True), BOB)
    assert run.do(Change(TWO), ADA) == (Stood(2), Sat(1, "bob"), WordGiven(1, "tea"), Changed(TWO))
    assert run.room.seats == (Seat("ada"), Seat("bob", word="tea"))


def test_the_host_and_people_move_first_and_to_seats_that_no_bot_is_for() -> None:
    run = Run(replace(Setup(), house={"tileset": "xp"}, players=6), bots=people("robby"))
    for seat, name in ((0, "cleo"), (3, "robby"), (4, "bob"), (5, "ada")):
        run.do(Sit(seat, name), people(name))
    run.do(PassHost(5), None)
    setup = replace(Setup(), players=3, bots=(None, "novice"))
    moved = (Stood(5), Sat(2, "ada"), Stood(4), Sat(1, "bob"))
    assert run.do(Change(setup), ADA) == (*moved, Stood(3), Changed(setup))
    assert (players(run), run.room.host) == (["cleo", "bob", "ada"], "ada")


@pytest.mark.parametrize(
    "setup",
    [
        replace(TWO, first=1),
        replace(TWO, clock=86_400, sit_in="novice"),
        replace(RACE, players=2, first=1, hints=False),
    ],
)
def test_a_room_that_was_made_before_such_a_choice_was_refused_still_starts(setup: Setup) -> None:
    run = seated(setup, "ada", "bob")
    run.do(Start(), ADA | BOB)
    run.play(Random(1))
    assert run.room.stage is Stage.OVER


def test_a_setup_that_this_version_no_longer_knows_does_not_start() -> None:
    run = seated(TWO, "ada", "bob")
    old = replace(run.room, setup=replace(TWO, house={"bluffing": True}))
    assert apply(old, Start(), ADA | BOB) == Refusal("bad-setup")


# Leaving and coming back


def test_a_leaver_is_played_for_and_may_return() -> None:
    run = started(TWO, "ada", "bob")
    assert run.do(Leave(1), BOB) == (Happened(HandedOver(1, "novice")), WentAway(1))
    assert (run.match.bots, run.room.away) == ((None, "novice"), frozenset({1}))
    assert run.refused(Leave(1), BOB) == "seat-unchanged"
    assert run.refused(SitIn(1), None) == "seat-unchanged"
    assert run.refused(Back(1), None) == "seat-unchanged"
    assert run.do(Return(1), BOB) == (Happened(HandedOver(1, None)), CameBack(1))
    assert (run.match.bots, run.room.away) == ((None, None), frozenset())
    assert run.refused(Return(1), BOB) == "seat-unchanged"


def test_a_bot_sits_in_while_the_connection_is_gone() -> None:
    run = started(replace(TWO, sit_in="random"), "ada", "bob")
    assert run.refused(SitIn(1), ADA) == "player-present"
    assert run.do(SitIn(1, gone=True), ADA) == (Happened(HandedOver(1, "random")),)
    assert run.room.away == frozenset()
    assert run.do(Back(1), None) == (Happened(HandedOver(1, None)),)
    run.do(SitIn(1), None)
    assert run.do(Leave(1), None) == (WentAway(1),)
    assert run.do(Return(1), BOB) == (Happened(HandedOver(1, None)), CameBack(1))
    run.do(SitIn(1), None)
    assert run.do(Return(1), BOB) == (Happened(HandedOver(1, None)),)


def test_a_seat_that_was_a_bots_from_the_start_stays_one() -> None:
    run = started(replace(TWO, bots=(None, "random")), "ada")
    for command in (Leave(1), Return(1), SitIn(1), Back(1), Move(HandOver(1, None))):
        assert run.refused(command, None) == "seat-empty"
    run.do(Leave(0), ADA)
    assert run.refused(Move(HandOver(0, None)), None) == "seat-empty"
    assert run.refused(Move(Draw(2)), None) == "no-such-seat"


def test_nobody_moves_for_a_bot_and_no_bot_for_somebody() -> None:
    run = started(replace(TWO, bots=(None, "random")), "ada")
    bot = Move(Draw(1))
    if run.match.turn == 1:
        assert run.refused(bot, ADA) == "not-a-seat-of-yours"
        assert run.refused(Move(Timeout(1)), None) == "bot-plays"
        run.do(bot, None)
    thought = Move(Draw(0))
    assert run.refused(thought, None) == "not-a-seat-of-yours"
    run.do(Leave(0), ADA)
    assert run.refused(thought, ADA) == "bot-plays"
    assert run.refused(Move(HintUsed(0, "nudge")), ADA) == "bot-plays"
    run.do(thought, None)


def test_hints_may_be_forbidden() -> None:
    run = started(replace(TWO, hints=False), "ada", "bob")
    turn = run.match.turn
    assert run.refused(Move(HintUsed(turn, "nudge")), (ADA, BOB)[turn]) == "no-hints"


# Matches


@pytest.mark.parametrize("first", [0, 1])
def test_the_host_says_who_begins_where_the_rulebook_says_so(first: int) -> None:
    assert started(Setup(ruleset="junior", players=2, first=first), "ada", "bob").match.turn == first


def test_the_turn_is_known_by_its_version() -> None:
    run = started(replace(TWO, rounds=2), "ada", "bob")
    began = run.room.turn_version
    assert (began, run.room.turn_at) == (run.room.version, run.room.at)
    run.do(Move(HintUsed(run.match.turn, "nudge")), (ADA, BOB)[run.match.turn])
    run.do(Leave(0), ADA)
    run.do(Return(0), ADA)
    assert run.room.turn_version == began < run.room.version
    run.do(Move(Draw(run.match.turn)), (ADA, BOB)[run.match.turn])
    assert (run.room.turn_version, run.room.turn_at) == (run.room.version, run.room.at)


def test_a_match_of_two_rounds_and_another_match() -> None:
    run = started(replace(TWO, players=3, rounds=2, bots=(None, None, "random")), "ada", "bob")
    luck = Random(1)
    run.play(luck, until=lambda room: isinstance(room.match, State) and room.match.phase is Phase.ROUND_OVER)
    assert run.room.stage is Stage.PLAYING
    assert due(run.room, 1.0) == Due(run.room.turn_at + 60, Task.ROUND)
    for clock, lasts in ((120, 60), (3 * 24 * HOUR, 3 * 24 * HOUR)):  # whoever comes every third day sees the racks
        slow = replace(run.room, setup=replace(run.room.setup, clock=int(clock)))
        assert due(slow, 1.0) == Due(run.room.turn_at + lasts, Task.ROUND)
    run.do(Leave(0), ADA)
    run.do(Return(0), ADA)
    assert due(run.room, 1.0) == Due(run.room.turn_at + 60, Task.ROUND), "who comes and goes does not put it off"
    run.do(Move(NextRound()), BOB)
    assert run.room.turn_version == run.room.version
    run.do(Leave(0), ADA)
    run.play(luck)
    assert (run.room.stage, run.match.phase) == (Stage.OVER, Phase.MATCH_OVER)
    assert run.do(Leave(1), BOB) == (WentAway(1),)
    assert run.do(Return(1), BOB) == (CameBack(1),)
    assert run.refused(Rematch(seed(2)), EVE) == "not-seated"
    assert run.do(Rematch(seed(2)), BOB) == (Rematched(seed(2)), Stood(0), HostPassed("bob"), ReadySet(1, True))
    assert (run.room.stage, run.room.match, run.room.seed, run.room.away) == (Stage.LOBBY, None, seed(2), frozenset())
    run.do(SeatBot(0, "random"), BOB)
    run.do(Start(), BOB)
    assert (run.room.matches, run.match.seed, run.match.bots) == (2, seed(2), ("random", None, "random"))


def test_a_leaver_who_asks_for_another_match_is_back() -> None:
    run = started(RACE, "ada", "bob", "cleo")
    run.play(Random(2))
    run.do(Leave(0), ADA)
    run.do(Leave(1), BOB)
    events: tuple[RoomEvent, ...] = (Rematched(seed(2)), Stood(1), ReadySet(0, True))
    assert run.do(Rematch(seed(2)), ADA) == events
    assert players(run) == ["ada", None, "cleo"]


def test_events_of_the_other_game_do_not_fold() -> None:
    match, racing = started(TWO, "ada", "bob"), started(RACE, "ada", "bob", "cleo")
    with pytest.raises(ValueError, match="in a match"):
        fold([(Happened(Found(0, tile("r5"))), 0.0)], match.room)
    with pytest.raises(ValueError, match="in a race"):
        fold([(Happened(HandedOver(0, None)), 0.0)], racing.room)


# Races


def test_a_race() -> None:
    run = started(RACE, "ada", "bob", "cleo")
    assert run.refused(Move(Tap(3, tile("r5"))), ADA) == "no-such-seat"
    assert due(run.room, 2.0) == Due(run.room.at + 2, Task.CALL)
    assert run.refused(Move(Tap(0, tile("r5"))), ADA) == "no-call"
    run.do(Move(Call(None, tile("r5"))), None)
    called = run.room.version
    assert run.room.turn_version == called
    assert due(run.room, 2.0) == Due(run.room.at + 7 * 24 * HOUR, Task.EXPIRE)
    run.do(Move(Tap(0, tile("r6"))), ADA)
    assert run.room.turn_version == called
    late = run.ask(Move(Tap(1, tile("r6"))), BOB)
    assert late == Refusal("too-late", (Violation("too-late", (tile("r6"),), {"seat": 0}),))
    assert run.ask(Move(Tap(1, tile("j"))), BOB) == Refusal("no-such-tile", (Violation("no-such-tile", (tile("j"),)),))
    run.do(Move(Tap(1, tile("r4"))), BOB)
    assert run.room.turn_version == run.room.version
    assert run.race.stars == (1, 1, 0)
    assert due(run.room, 2.0) == Due(run.room.at + 2, Task.CALL)
    run.play(Random(1))
    assert run.room.stage is Stage.OVER


def test_bots_of_a_race_find_tiles_but_take_their_time() -> None:
    run = started(replace(RACE, bots=(None, None, "novice")), "ada", "bob")
    run.do(Move(Call(None, tile("r5"))), None)
    found = due(run.room, 2.0)
    assert found is not None
    assert found.task is Task.BOT
    assert 6 <= found.at - run.room.at <= 18
    assert found == due(run.room, 2.0)
    assert due(run.room, 0.0) == Due(run.room.at, Task.BOT)
    assert run.refused(Move(Tap(1, tile("r6"))), None) == "not-a-seat-of-yours"
    run.do(Move(Tap(2, tile("r6"))), None)
    assert run.race.stars == (0, 0, 1)


def test_the_host_passes_the_role_on() -> None:
    run = seated(Setup(), "ada", "bob")
    assert run.refused(PassHost(0), BOB) == "not-host"
    assert run.refused(PassHost(0), ADA) == "seat-unchanged"
    assert run.refused(PassHost(3), ADA) == "seat-empty"
    assert run.do(PassHost(1), ADA) == (HostPassed("bob"),)
    assert run.room.host == "bob"


def test_the_program_calls_for_a_caller_who_left() -> None:
    run = started(replace(RACE, caller=2), "ada", "bob", "cleo")
    one = tile("k3")
    assert due(run.room, 0.0) == Due(run.room.at + 7 * 24 * HOUR, Task.EXPIRE)
    assert run.refused(Move(Call(0, one)), None) == "not-a-seat-of-yours"
    assert run.do(Leave(2), CLEO) == (WentAway(2),)
    assert due(run.room, 0.0) == Due(run.room.turn_at, Task.CALL)
    run.do(Move(Call(2, one)), None)
    assert run.room.away == {2}
    assert run.refused(Back(2), None) == "seat-unchanged", "whoever left comes back when they say so"
    assert run.do(Return(2), CLEO) == (CameBack(2),)
    assert isinstance(run.room.match, RaceState)
    assert fitting(run.room.match) == (tile("k2"), tile("k4"))


def test_the_server_calls_for_a_caller_whose_connection_is_gone() -> None:
    run = started(replace(RACE, caller=2), "ada", "bob", "cleo")
    assert run.refused(SitIn(2, gone=True), ADA) == "wrong-game"
    run.do(Move(Call(2, tile("k3"))), None)
    assert run.room.away == frozenset()


def test_whoever_plays_on_in_a_race_is_back() -> None:
    run = started(replace(RACE, caller=2), "ada", "bob", "cleo")
    run.do(Leave(0), ADA)
    run.do(Leave(2), CLEO)
    assert run.do(Move(Call(2, tile("k3"))), CLEO)[0] == CameBack(2)
    assert run.refused(Move(Tap(0, tile("k7"))), ADA) == "wrong-tile"
    assert run.room.away == {0}
    assert run.do(Move(Tap(0, tile("k4"))), ADA)[0] == CameBack(0)
    run.do(Move(Tap(1, tile("k5"))), BOB)
    run.play(Random(4))
    run.do(Rematch(seed(2)), BOB)
    assert players(run) == ["ada", "bob", "cleo"]


# What is due


def test_lobbies_and_results_expire() -> None:
    run = seated(RACE, "ada", "bob", "cleo")
    assert due(run.room, 1.0) == Due(run.room.at + 2 * HOUR, Task.EXPIRE)
    run.do(Start(), ADA | BOB | CLEO)
    run.play(Random(3))
    assert due(run.room, 1.0) == Due(run.room.at + 24 * HOUR, Task.EXPIRE)
    run.do(Close("expired"), None)
    assert (run.room.stage, due(run.room, 1.0)) == (Stage.CLOSED, None)
    assert run.room.match is not None


@pytest.mark.parametrize(
    ("clock", "lobby", "result"),
    [
        (60, 2 * HOUR, 24 * HOUR),
        (5 * HOUR, 5 * HOUR, 24 * HOUR),
        (24 * HOUR, 7 * 24 * HOUR, 7 * 24 * HOUR),
        (3 * 24 * HOUR, 7 * 24 * HOUR, 7 * 24 * HOUR),
        (30 * 24 * HOUR, 30 * 24 * HOUR, 30 * 24 * HOUR),
    ],
)
def test_a_table_lasts_at_least_as_long_as_a_turn(clock: float, lobby: float, result: float) -> None:
    run = seated(replace(TWO, clock=int(clock)), "ada", "bob")
    assert due(run.room, 1.0) == Due(run.room.at + lobby, Task.EXPIRE)
    over = replace(run.room, stage=Stage.OVER)
    assert due(over, 1.0) == Due(run.room.at + result, Task.EXPIRE)


def test_a_game_without_a_clock_waits_for_a_week() -> None:
    run = started(TWO, "ada", "bob")
    assert due(run.room, 1.0) == Due(run.room.at + 7 * 24 * HOUR, Task.EXPIRE)


def test_the_clock_runs_for_people_and_the_pace_is_the_bots() -> None:
    run = started(replace(TWO, clock=60), "ada", "bob")
    turn, began = run.match.turn, run.room.turn_at
    clock, pace = Due(began + 60 + GRACE, Task.CLOCK), Due(began + 1.2, Task.BOT)
    assert due(run.room, 1.2) == clock
    run.do(SitIn(turn), None)
    assert due(run.room, 1.2) == pace
    run.do(Back(turn), None)
    assert due(run.room, 1.2) == clock
    run.do(SitIn(1 - turn), None)
    assert due(run.room, 1.2) == clock
    run.do(Move(Timeout(turn)), None)
    assert due(run.room, 1.2) == Due(run.room.at + 1.2, Task.BOT)


# A room that is used for years


def test_a_worn_out_lobby_takes_nothing_new() -> None:
    run = seated(TWO, "ada", "bob")
    run.room = replace(run.room, version=MOST_VERSIONS)
    assert run.refused(SetReady(1, True), BOB) == "worn-out"
    assert run.refused(Start(), ADA) == "worn-out"
    run.do(Leave(1), BOB)
    run.do(Close("host"), ADA)


def test_a_worn_out_match_goes_on_to_its_end() -> None:
    run = started(TWO, "ada", "bob")
    run.room = replace(run.room, version=MOST_VERSIONS)
    turn = run.match.turn
    assert run.refused(Move(HintUsed(turn, "nudge")), (ADA, BOB)[turn]) == "worn-out"
    run.do(Move(Draw(turn)), (ADA, BOB)[turn])
    run.do(Leave(0), ADA)
