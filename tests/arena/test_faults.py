"""Whatever a bot does wrong, it has lost that game, the reason is told, the run goes on; nothing is left running."""

import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.arena.runs import settings
from tilerummy import bots
from tilerummy.arena import Settings, contest, external, processes, report_json
from tilerummy.arena.limits import Overrun, within
from tilerummy.arena.results import Reason, deal_json, read_deal
from tilerummy.arena.settings import deal_seed
from tilerummy.arena.table import Local, play_deal, play_game
from tilerummy.bots.turn import rest
from tilerummy.rulesets import ruleset
from tilerummy.scoring import rack_value
from tilerummy.state import Draw, HandOver, Pass, Play
from tilerummy.view import View

RUDE = Path(__file__).parent / "rude.py"


def against(how: str, *more: str, games: int = 2, move_time: float = 20.0) -> Settings:
    command = " ".join((sys.executable, str(RUDE), how, *more))
    return settings(f"rude=cmd:{command},random", games, move_time=move_time)


@pytest.mark.parametrize(
    ("how", "reason", "detail"),
    [
        ("crash", "crash", "status 1: RuntimeError: no idea what to do"),
        ("die", "crash", "ended by signal 9"),
        ("paint", "crash", "status 1: \ufffd]0;mine\ufffd\ufffd[31mred\ufffd\ufffd"),
        ("leave", "crash", "ended with status 3"),
        ("nonsense", "nonsense", "not JSON"),
        ("list", "nonsense", "must be a JSON object"),
        ("field", "nonsense", "table is missing"),
        ("tile", "nonsense", "table.0: 'x5' has no known colour"),
        ("kind", "nonsense", "kind must be one of play, draw, pass"),
        ("long", "nonsense", "longer than 65536 bytes"),
        ("endless", "nonsense", "longer than 65536 bytes"),
        ("cheat", "illegal", "illegal (conserve"),
        ("seat", "illegal", "not-your-turn"),
        ("pass", "illegal", "must-draw"),
        ("version", "nonsense", "protocol: 1, not 99"),
    ],
)
def test_a_program_that_misbehaves_has_lost(how: str, reason: str, detail: str) -> None:
    report = contest(against(how)).report()
    assert (report.games, [one.wins for one in report.bots]) == (2, [0, 2])
    assert [one.errors for one in report.bots] == [2, 0]
    for error in report.errors:
        assert (error.bot, error.reason) == ("rude", reason)
        assert detail in error.detail
        assert error.detail.isprintable()
    assert report.bots[0].score.value < 0 < report.bots[1].score.value
    assert not external._RUNNING


@pytest.mark.parametrize("how", ["hang", "deaf"])
def test_a_program_that_hangs_has_lost(how: str) -> None:
    report = contest(against(how, move_time=0.5)).report()
    assert [(error.reason, error.detail) for error in report.errors] == [("time", "no answer after 0.5 s")] * 2
    rude = report.bots[0]
    assert rude.slowest >= 0.5
    assert rude.seconds >= 2 * 0.5
    assert rude.moves == (6 if how == "hang" else 2)  # the one that overran among them
    assert not external._RUNNING


def test_a_program_that_closes_its_output_has_lost() -> None:
    errors = contest(against("mute")).report().errors
    assert [(error.reason, error.detail) for error in errors] == [("crash", "it closed its output")] * 2


def test_a_program_that_never_starts_to_speak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "START_TIME", 0.3)
    errors = contest(against("late", move_time=0.2)).report().errors
    assert [(error.reason, error.detail) for error in errors] == [("time", "no answer after 0.3 s")] * 2


def test_a_program_that_is_not_there() -> None:
    errors = contest(settings("gone=cmd:/nowhere/at-all,random", 2)).report().errors
    assert [error.detail for error in errors] == ["/nowhere/at-all cannot be started: No such file or directory"] * 2


@pytest.mark.parametrize("how", ["shout", "stay", "draw"])
def test_noise_and_idleness_are_no_fault(how: str) -> None:
    """However much comes on standard error; and who stays after the end is ended."""
    report = contest(against(how)).report()
    assert report.errors == ()
    assert report.bots[1].wins == 2  # who only draws does not win
    assert not external._RUNNING


def gone(number: int) -> bool:
    """Whether a process has ended; whoever has to wait for it may not have done so yet."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_what_a_program_leaves_behind_is_ended(tmp_path: Path) -> None:
    marker = tmp_path / "child"
    errors = contest(against("family", str(marker), move_time=3600.0)).report().errors
    assert {(error.bot, error.reason, error.detail) for error in errors} == {
        ("rude", "crash", "it ended with status 0")
    }, "nobody waits for what its child may say"
    child = int(marker.read_text())
    for _ in range(500):
        if gone(child):
            return
        time.sleep(0.01)
    os.kill(child, 9)
    pytest.fail("a child is left")


def test_faults_are_the_same_in_other_processes() -> None:
    run = against("cheat")
    there, here = contest(run, engine=processes(2)).report(), contest(run).report()
    assert there.errors == here.errors
    assert [one.scores for one in there.bots] == [one.scores for one in here.bots]


# Our own bots


class Wrong:
    """A bot that answers as it is told to."""

    name = "wrong"
    description = "Wrong."

    def __init__(self, answer: Callable[[View], object]) -> None:
        self.answer = answer

    def choose(self, view: View, rng: random.Random, budget: int) -> Play | Draw | Pass:
        return self.answer(view)  # type: ignore[return-value]


def stuck(view: View) -> object:
    while True:
        try:
            while True:
                pass
        except Exception:
            continue


def slow(view: View) -> object:
    time.sleep(0.3)
    return rest(view)


@pytest.mark.parametrize(
    ("answer", "reason", "detail"),
    [
        (lambda view: 1 / 0, "crash", "ZeroDivisionError: division by zero"),
        (lambda view: sys.exit(4), "crash", "SystemExit: 4"),
        (lambda view: None, "illegal", "NoneType is no play, draw or pass"),
        (lambda view: HandOver(view.turn, "greedy"), "illegal", "HandOver is no play, draw or pass"),
        (lambda view: Draw(1 - view.turn), "illegal", "not-your-turn"),
        (lambda view: Play(view.turn, ((1, 2, 3),)), "illegal", "AttributeError"),  # type: ignore[arg-type]
        (stuck, "time", "no move after 0.2 s"),
        (slow, "time", "no move after 0.2 s"),
    ],
)
def test_a_bot_of_ours_that_is_wrong_has_lost(
    monkeypatch: pytest.MonkeyPatch, answer: Callable[[View], object], reason: str, detail: str
) -> None:
    monkeypatch.setitem(bots.BOTS, "wrong", Wrong(answer))
    run = settings("wrong,random", 2, move_time=0.2 if reason == "time" else 20.0)
    report = contest(run).report()
    assert [(error.bot, error.reason) for error in report.errors] == [("wrong", reason)] * 2
    assert all(error.detail.startswith(detail) for error in report.errors)
    assert [one.wins for one in report.bots] == [0, 2]
    wrong = report.bots[0]
    assert wrong.moves == 2  # each of which lost a game
    assert wrong.seconds >= wrong.slowest >= (0.2 if reason == "time" else 0)


def test_what_a_kept_fault_says_is_shown_plainly() -> None:
    kept = deal_json(play_deal(settings("gone=cmd:/nowhere,random", 2), 0, 0))
    kept["games"][0]["fault"]["detail"] = "\x1b[2J gone \u202e"
    fault = read_deal(kept).games[0].fault
    assert fault is not None
    assert fault.detail == "\ufffd[2J gone \ufffd"


@pytest.mark.parametrize("field", ["deal", "lineup"])
def test_a_kept_deal_has_whole_numbers(field: str) -> None:
    kept = deal_json(play_deal(settings("random,novice", 2), 0, 0))
    assert read_deal(kept) is not None
    with pytest.raises(TypeError):
        read_deal({**kept, field: 2.5})


def test_the_others_share_a_game_that_somebody_forfeits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bots.BOTS, "wrong", Wrong(lambda view: None))
    result = play_deal(settings("wrong,random,novice"), 0, 0)
    for game in result.games:
        seat = game.lineup.index(0)
        assert [game.places[other] for other in range(3)] == [3 if other == seat else 1 for other in range(3)]
        assert [game.share(other) for other in range(3)] == [0 if other == seat else 0.5 for other in range(3)]
        worst = game.scores[seat]
        assert worst < 0
        assert [game.scores[other] for other in range(3) if other != seat] == [-worst // 2] * 2
    report = contest(settings("wrong,random,novice", 3)).report()
    assert [one.wins for one in report.bots] == [0, 1.5, 1.5]
    assert report_json(report, 0)["bots"][0]["errors"] == 3


def test_who_forfeits_pays_for_the_own_rack(monkeypatch: pytest.MonkeyPatch) -> None:
    racks: list[int] = []

    def wrong(view: View) -> object:
        racks.append(rack_value(view.rack, view.rules))
        return None

    monkeypatch.setitem(bots.BOTS, "wrong", Wrong(wrong))
    game = play_deal(settings("wrong,random"), 0, 0).games[0]
    assert game.scores == (-racks[0], racks[0])


def test_a_forfeit_costs_all_stars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bots.BOTS, "wrong", Wrong(lambda view: None))
    for game in play_deal(settings("wrong,novice", rules="junior"), 0, 0).games:
        assert game.scores[game.lineup.index(0)] == 0
        assert min(game.scores) >= 0


def test_a_game_without_an_end_is_nobodys() -> None:
    run = settings("random,novice")
    players = [Local(one, "x", 20) for one in run.entrants]
    game = play_game(ruleset("sabra"), players, (0, 1), deal_seed(1, 1), 20, most=5)
    assert game.fault is not None
    assert (game.fault.seat, game.fault.reason) == (None, Reason.TURNS)
    assert (game.places, game.scores) == ((1, 1), (0, 0))


def test_time_is_over() -> None:
    assert within(5, lambda: 7) == 7
    with pytest.raises(Overrun):
        within(0.05, lambda: time.sleep(5))
