"""`tilerummy play`: a game in the terminal against bots."""

import datetime
import re
import secrets
from pathlib import Path
from typing import Annotated

import typer

from tilerummy.bots import BOTS
from tilerummy.cli.options import GAMES, RACE, House, Lang, chosen
from tilerummy.cli.race import Race
from tilerummy.cli.screen import Screen
from tilerummy.cli.session import Session
from tilerummy.cli.talk import Line, Quit
from tilerummy.contract import BadInput, rules_written
from tilerummy.game import MAX_ROUNDS
from tilerummy.record import MAX_NAME, Record, write_record
from tilerummy.rulesets import MIN_PLAYERS, RULESETS, BadRuleset, Ruleset
from tilerummy.texts import terminal, title, word
from tilerummy.tiles import shorten

__all__ = ["play"]

_DEFAULT = "sabra"
_SEATS = 3


def play(
    ruleset: Annotated[
        str | None, typer.Option(metavar="ID", help=f"The rules: {', '.join(GAMES)} ({_DEFAULT} from a pipe).")
    ] = None,
    house: House = None,
    seats: Annotated[
        int | None, typer.Option(metavar="N", help=f"How many play, you included ({_SEATS} from a pipe).")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help=f"The other players, such as novice,random: {', '.join(BOTS)}."),
    ] = None,
    seed: Annotated[str | None, typer.Option(metavar="HEX", help="Deal from this seed instead of a new one.")] = None,
    rounds: Annotated[int, typer.Option(metavar="N", help="Rounds of the match.")] = 1,
    name: Annotated[str | None, typer.Option(help="Your name.")] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Keep the game in this new file, also when you quit."),
    ] = None,
    lang: Lang = None,
) -> None:
    """Play against bots, here in the terminal. Type ? in the game to see what can be typed.

    At a terminal, what you do not say with an option is asked. From a pipe nothing is asked, and the game ends where
    the input ends.
    """
    speech, line = chosen(lang), Line()
    screen = Screen()
    if record is not None:
        _check_record(record)
    asking = _Asking(line, screen, speech)
    id = ruleset or asking.ruleset()
    if id == RACE:
        _refuse_for_race(house=house, bots=bots, rounds=rounds, record=record)
    rules = rules_written("junior" if id == RACE else id, house or [])
    held = _bots(bots)
    count = seats or (len(held) + 1 if held else asking.seats(rules, id))
    try:
        rules.check_players(count)
    except BadRuleset as error:
        raise BadInput(f"--seats: {error.reason}") from None
    if len(held) >= count:
        raise BadInput(f"--bots: {len(held)} bots and you are more than {count} seats")
    if not 1 <= rounds <= MAX_ROUNDS:
        raise BadInput(f"--rounds: a number from 1 to {MAX_ROUNDS}, not {rounds}")
    names = (_name(name or asking.name(rules), rules, speech), *_bot_names(count - 1, rules, speech))
    fresh = _seed(seed)
    try:
        if id == RACE:
            Race(names, speech, screen, line, fresh).run()
            return
        players = (None, *(held[place % len(held)] if held else "novice" for place in range(count - 1)))
        date = datetime.datetime.now(datetime.UTC).date().isoformat()
        setup = Record(rules=rules, seed=fresh, names=names, rounds=rounds, bots=players, date=date)
        _run(Session(setup, 0, speech, screen, line), record)
    except Quit:
        screen.say(terminal("goodbye", {}, rules, speech))


def _run(session: Session, path: Path | None) -> None:
    try:
        session.run()
    finally:
        if path is not None:
            _save(session, path)


def _save(session: Session, path: Path) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(write_record(session.record))
    except OSError as error:
        raise BadInput(f"--record: {shorten(str(path))}: {error.strerror}") from None
    session.screen.say(session.text("saved", name=path.name), "dim")


class _Asking:
    """Asks a person for what no option says; a pipe is asked nothing."""

    def __init__(self, line: Line, screen: Screen, lang: str) -> None:
        self.line = line
        self.screen = screen
        self.lang = lang

    def ruleset(self) -> str:
        """Which rules: a number from the list, or an id."""
        if not self.line.interactive:
            return _DEFAULT
        rules = RULESETS[_DEFAULT]
        self.screen.title(terminal("choose-ruleset", {}, rules, self.lang))
        for number, id in enumerate(GAMES, 1):
            self.screen.say(title(id, self.lang), mark=f"{number}  ", indent=2)
        while True:
            answer = self._ask("choose", rules, _DEFAULT).lower()
            if answer in GAMES:
                return answer
            if answer.isascii() and answer.isdigit() and len(answer) < 3 and 1 <= int(answer) <= len(GAMES):
                return GAMES[int(answer) - 1]

    def seats(self, rules: Ruleset, id: str) -> int:
        """How many play."""
        usual = min(_SEATS, rules.players) if id != RACE else MIN_PLAYERS
        while self.line.interactive:
            answer = self._ask("choose-players", rules, f"{usual}", f" {MIN_PLAYERS}–{rules.players}")
            if answer.isascii() and answer.isdigit() and MIN_PLAYERS <= int(answer[:3]) <= rules.players:
                return int(answer)
        return usual

    def name(self, rules: Ruleset) -> str:
        """The person's name."""
        usual = word("player", rules, self.lang)
        return self._ask("choose-name", rules, usual) if self.line.interactive else usual

    def _ask(self, key: str, rules: Ruleset, usual: str, more: str = "") -> str:
        return self.line.ask(f"{terminal(key, {}, rules, self.lang)}{more} [{usual}]") or usual


def _refuse_for_race(**given: object) -> None:
    for option, value in given.items():
        if value and not (option == "rounds" and value == 1):
            raise BadInput(f"--{option}: not for {RACE}")


def _check_record(path: Path) -> None:
    if path.exists():
        raise BadInput(f"--record: {shorten(str(path))} is there already")
    if not path.parent.is_dir():
        raise BadInput(f"--record: there is no folder {shorten(str(path.parent))}")


def _bots(written: str | None) -> list[str]:
    if written is None:
        return []
    names = [name.strip() for name in written.split(",")]
    for name in names:
        if name not in BOTS:
            raise BadInput(f"--bots: no bot is called {shorten(name)}; there are {', '.join(BOTS)}")
    return names


def _bot_names(count: int, rules: Ruleset, lang: str) -> list[str]:
    return [terminal("bot", {"number": number}, rules, lang) for number in range(1, count + 1)]


def _name(written: str, rules: Ruleset, lang: str) -> str:
    name = " ".join(written.split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise BadInput(f"--name: 1 to {MAX_NAME} printable letters, not {shorten(written)}")
    if name in _bot_names(rules.players, rules, lang):
        raise BadInput(f"--name: {shorten(name)} is what a bot is called")
    return name


def _seed(written: str | None) -> str:
    """A seed of 64 digits; a shorter one is filled up with zeros in front."""
    if written is None:
        return secrets.token_hex(32)
    if not re.fullmatch(r"[0-9a-f]{1,64}", written.lower(), re.ASCII):
        raise BadInput(f"--seed: 1 to 64 hexadecimal digits, not {shorten(written)}")
    return written.lower().zfill(64)
