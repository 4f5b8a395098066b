"""`tilerummy play`: whole games, and every way to leave one."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.runner import run
from tests.kit.build import seed
from tilerummy.bots import bot
from tilerummy.cli.options import GAMES, RACE
from tilerummy.cli.race import Race
from tilerummy.cli.screen import Screen
from tilerummy.cli.session import Session
from tilerummy.cli.talk import Line, Quit
from tilerummy.melds import draft_text
from tilerummy.race import fitting
from tilerummy.record import Record, read_record, write_record
from tilerummy.rulesets import RULESETS, ruleset
from tilerummy.solver import Query, solve
from tilerummy.state import Draw, HintUsed, Phase, Play
from tilerummy.texts import LANGUAGES
from tilerummy.view import view


class Script(Line):
    """Answers prompts by a function instead of asking."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        super().__init__()
        self.answer = answer

    def ask(self, prompt: str) -> str:
        line = self.answer(prompt)
        print(prompt, line)
        return line


def session(record: Record, answer: Callable[[Session, str], str], lang: str = "en") -> Session:
    made: list[Session] = []
    made.append(Session(record, 0, lang, Screen(), Script(lambda prompt: answer(made[0], prompt))))
    return made[0]


def as_novice(game: Session, prompt: str) -> str:
    """Type what the novice would play, and Enter once it lies there."""
    if game.state.turn != 0 or game.state.phase is not Phase.PLAYING:
        return ""
    if game.own_turn.sketch.melds != game.own_turn.history[0].melds:
        assert game.own_turn.sketch.verdict.legal
        return ""
    choice = bot("novice").choose(view(game.state, 0), random.Random(len(game.commands)), 1)
    if isinstance(choice, Play):
        lying = {meld.pieces for meld in game.state.table}
        new = [meld for meld in choice.table if meld not in lying]
        return " | ".join(" ".join(map(str, meld)) for meld in new).replace("'", "")
    return "d" if isinstance(choice, Draw) else "p"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", RULESETS)
def test_a_game_to_its_end(id: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("Ada", "Bot 1", "Bot 2")
    setup = Record(rules=ruleset(id), seed=seed(3), names=names, bots=(None, "novice", "random"))
    game = session(setup, as_novice, lang)
    game.run()
    assert game.state.phase is Phase.MATCH_OVER
    assert any(isinstance(command, Play) and command.seat == 0 for command in game.commands)
    written = write_record(game.record)
    assert write_record(read_record(written)) == written
    out = capsys.readouterr().out
    assert setup.seed in out
    assert game.sealed in out
    told = {"en": "the same", "fr": "les mêmes", "nl": "dezelfde", "de": "dieselben"}
    assert told[lang] in " ".join(out.splitlines()[-2:])
    assert not re.search(r"[{}]|\[(?!\d)", out)


def test_a_match_of_two_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    setup = Record(rules=ruleset("rummy"), seed=seed(4), names=("Ada", "Bo"), rounds=2, bots=(None, "novice"))
    game = session(setup, as_novice)
    game.run()
    out = capsys.readouterr().out
    assert "Round 2" in out
    sheet = re.findall(r"^ +(Round 1|Round 2|Total) .*[+−0]", out, re.MULTILINE)
    assert sheet == ["Round 1", "Total", "Round 1", "Round 2", "Total"]
    assert len(game.state.scores) == 2


def lines(*some: str, rest: str = "d\np\n" * 200) -> str:
    return "".join(f"{line}\n" for line in some) + rest


@pytest.mark.parametrize("id", RULESETS)
def test_from_a_pipe(id: str) -> None:
    result = run("play", "--ruleset", id, "--seed", "7", "--name", "Ada", stdin=lines("?", "h", "s", "t", "u", "x", ""))
    assert (result.code, result.err) == (0, "")
    assert "\x1b" not in result.out
    assert "Dealt again from this seed: the same tiles" in result.out
    assert (
        result.out
        == run(
            "play", "--ruleset", id, "--seed", "7", "--name", "Ada", stdin=lines("?", "h", "s", "t", "u", "x", "")
        ).out
    )


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_end_of_the_input_ends_the_game(id: str, lang: str) -> None:
    result = run("play", "--ruleset", id, "--lang", lang, stdin="?\n")
    assert (result.code, result.err) == (0, "")
    bye = {
        "en": "Until next time!",
        "fr": "À la prochaine",
        "nl": "Tot de volgende keer!",
        "de": "Bis zum nächsten Mal!",
    }
    assert bye[lang] in result.out.splitlines()[-1]


def test_nonsense_without_end_ends_too() -> None:
    result = run("play", stdin="y\n" * 10_000)
    assert result.code == 0
    assert len(result.out) < 100_000
    assert run("play", "--ruleset", RACE, stdin="y\n" * 10_000).code == 0
    assert run("play", stdin=b"\xff\xfe\x00\n" * 20 + b"r" * 1_000_000).code == 0


def test_the_record_is_kept(tmp_path: Path) -> None:
    for number, typed in enumerate(["d\n", "d\nq\nn\nq\ny\n", lines()]):
        file = tmp_path / f"{number}.txt"
        result = run("play", "--seed", "7", "--record", str(file), stdin=typed)
        assert (result.code, result.err) == (0, "")
        assert file.name in result.out
        assert read_record(file.read_text("utf-8")).commands
        assert run("replay", str(file)).code == 0
    again = run("play", "--record", str(tmp_path / "0.txt"), stdin="")
    assert again.reason.startswith("--record: ")
    assert run("play", "--record", str(tmp_path / "no" / "file")).reason.startswith("--record: there is no folder")


def test_a_draft_is_not_thrown_away_by_accident(capsys: pytest.CaptureFixture[str]) -> None:
    typed = iter(["+ r13", "d", "t", "d", "u", "u", "+ r13", "r", "p", "c", "+ r13", "c", "d", "d"])

    def answer(game: Session, prompt: str) -> str:
        own = game.state.racks[0][0]
        try:
            return next(typed).replace("r13", str(own).replace("'", ""))
        except StopIteration:
            raise Quit from None

    setup = Record(rules=ruleset("sabra"), seed=seed(3), names=("Ada", "Bo"), bots=(None, "novice"))
    game = session(setup, answer)
    with pytest.raises(Quit):
        game.run()
    out = capsys.readouterr().out
    assert out.count("What you arranged would be lost.") == 3
    assert out.count("There is nothing to undo.") == 1
    assert "You cannot pass" in out
    assert "You have not laid anything yet." in out
    assert sum(isinstance(command, Draw) and command.seat == 0 for command in game.commands) == 1


def test_hints_grow(capsys: pytest.CaptureFixture[str]) -> None:
    asked = 0
    told = ""

    def answer(game: Session, prompt: str) -> str:
        nonlocal asked, told
        if any(isinstance(command, HintUsed) for command in game.commands):
            asked += 1
        if asked > 2:
            raise Quit
        told = capsys.readouterr().out
        return "d" if "nothing that you could lay" in told else "h"

    setup = Record(rules=ruleset("junior"), seed=seed(3), names=("Ada", "Bo"), bots=(None, "novice"))
    game = session(setup, answer)
    with pytest.raises(Quit):
        game.run()
    assert [command.level for command in game.commands if isinstance(command, HintUsed)] == ["nudge", "point", "reveal"]
    best = solve(Query(game.rules, game.state.table, game.state.racks[0], game.state.opened[0], all(game.state.opened)))
    shown = capsys.readouterr().out
    assert best.tiles
    assert "You can lay: " in told
    assert "  1. " in shown
    assert draft_text(best.after[best.unchanged :]) in shown


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("--ruleset", "poker"), "ruleset: no ruleset is called 'poker'"),
        (("--house", "opening=x"), "house.opening: "),
        (("--seats", "1"), "--seats: sabra is for 2 to 4 players, not 1"),
        (("--seats", "6"), "--seats: 6 players need the 160 tiles"),
        (("--seats", "9" * 5000), "Invalid value for '--seats'"),
        (("--seats", "x"), "Invalid value for '--seats'"),
        (("--bots", "novice,genius"), "--bots: no bot is called 'genius'"),
        (("--bots", ""), "--bots: no bot is called ''"),
        (("--bots", "novice,novice,novice", "--seats", "3"), "--bots: 3 bots and you are more than 3 seats"),
        (("--seed", "xyz"), "--seed: 1 to 64 hexadecimal digits"),
        (("--seed", "1" * 65), "--seed: 1 to 64 hexadecimal digits"),
        (("--rounds", "0"), "--rounds: a number from 1 to 99, not 0"),
        (("--name", "x" * 41), "--name: 1 to 40 printable letters"),
        (("--name", " "), "--name: 1 to 40 printable letters"),
        (("--name", "a\x1bb"), "--name: 1 to 40 printable letters"),
        (("--name", "Bot 1"), "--name: 'Bot 1' is what a bot is called"),
        (("--ruleset", RACE, "--house", "opening=0"), "--house: not for junior-simplified"),
        (("--ruleset", RACE, "--rounds", "2"), "--rounds: not for junior-simplified"),
        (("--ruleset", RACE, "--record", "x.txt"), "--record: not for junior-simplified"),
        (("--ruleset", RACE, "--bots", "novice"), "--bots: not for junior-simplified"),
        (("--lang", "xx"), "Invalid value for '--lang'"),
    ],
)
def test_bad_options(args: tuple[str, ...], reason: str) -> None:
    assert run("play", *args).reason.startswith(reason)


def test_six_at_the_table() -> None:
    result = run("play", "--house", "tileset=xp", "--seats", "6", "--bots", "novice,random", stdin="d\n")
    assert result.code == 0
    assert "Bot 5 (novice)" in result.out
    assert run("play", "--bots", "random", stdin="d\n").out.count("Bot 1 (random)") == 1


# The race


def race(answer: Callable[[Race], str], clock: Callable[[], float] = lambda: 0.0) -> Race:
    made: list[Race] = []
    made.append(Race(("Ada", "Bot 1", "Bot 2"), "en", Screen(), Script(lambda prompt: answer(made[0])), seed(1), clock))
    return made[0]


def test_a_race_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    run = race(lambda game: str(fitting(game.state)[0]))
    run.run()
    assert run.state.winners == (0,)
    out = capsys.readouterr().out
    assert "The program calls: " in out
    assert f"Ada wins with {run.state.stars[0]} stars!" in out


def test_a_race_that_the_bots_win(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever says nothing leaves the tile to the others; a wrong one costs nothing."""
    tries = iter(["b1", "zz", "j", "r11"] * 400)
    run = race(lambda game: next(tries) if len(game.state.placed) < 2 else "")
    with pytest.raises(Quit):
        run.run()
    run = race(lambda game: "")
    run.run()
    assert 0 not in run.state.winners


def test_who_is_slow_is_too_late(capsys: pytest.CaptureFixture[str]) -> None:
    now = iter(range(0, 100_000, 100))
    run = race(lambda game: str(fitting(game.state)[0]), clock=lambda: float(next(now)))
    run.run()
    assert "Too late, somebody was quicker: " in capsys.readouterr().out
