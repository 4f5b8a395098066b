"""`tilerummy replay`: step through the record of a game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from tilerummy.cli.inputs import read_bytes
from tilerummy.cli.options import Json, Lang, chosen
from tilerummy.cli.screen import Screen, print_json
from tilerummy.cli.talk import Line, Quit, is_terminal
from tilerummy.cli.tell import Teller
from tilerummy.contract import BadInput, decoded
from tilerummy.record import BadRecord, Record, read_record
from tilerummy.rulesets import house_text
from tilerummy.scoring import match_totals
from tilerummy.state import Event, Phase, Played, RoundBegan, RoundEnded, State, TimedOut, fold
from tilerummy.texts import PLAYERS_DOWN, score_sheet, terminal, title
from tilerummy.tiles import Tile, text

__all__ = ["replay"]

_Moment = tuple[tuple[Event, ...], State]
"""What just happened, and the state after it."""


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The record of a game; - is standard input.")],
    everything: Annotated[bool, typer.Option("--all", help="Print the whole game instead of stepping.")] = False,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Step through a game, with all tiles open: Enter goes on, b back, a number to that turn, q quits.

    In a pipe, or with --all, the whole game is printed. --json prints a state on each line.
    """
    try:
        record = read_record(decoded(read_bytes(file)))
    except BadRecord as error:
        raise BadInput(str(error)) from None
    moments = tuple(_moments(record))
    if json:
        for number, (events, state) in enumerate(moments):
            print_json(_as_json(number, events, state, record))
        return
    player = _Player(record, moments, chosen(lang), Screen())
    if everything or str(file) == "-" or not is_terminal():
        player.print_all()
    else:
        player.step_through()


def _moments(record: Record) -> Iterator[_Moment]:
    start = record.start()
    yield start, fold(start)
    for step in record.replay():
        yield step.events, step.state


def _as_json(number: int, events: tuple[Event, ...], state: State, record: Record) -> dict[str, object]:
    """A state for a program: tables and racks in notation, seats counted from 1 as in the record."""
    said = Teller(record.rules, record.names, "en")
    return {
        "step": number,
        "round": state.round,
        "phase": str(state.phase),
        "events": [sentence for event in events for sentence in said.tell(event)],
        "laid": text(_laid(events)),
        "turn": state.turn + 1 if state.phase is Phase.PLAYING else None,
        "table": [str(meld) for meld in state.table],
        "racks": [text(sorted(rack)) for rack in state.racks],
        "pool": text(state.pool),
        "opened": list(state.opened),
        "stars": list(state.stars) if record.rules.stars else None,
        "scores": [list(row) for row in state.scores],
        "totals": list(match_totals(state.scores, state.players)),
    }


def _laid(events: tuple[Event, ...]) -> tuple[Tile, ...]:
    return next((tuple(sorted(event.laid)) for event in events if isinstance(event, Played | TimedOut)), ())


class _Player:
    """Shows a record to a person."""

    def __init__(self, record: Record, moments: tuple[_Moment, ...], lang: str, screen: Screen) -> None:
        self.record = record
        self.rules = record.rules
        self.moments = moments
        self.lang = lang
        self.screen = screen
        self.teller = Teller(record.rules, record.names, lang)

    def print_all(self) -> None:
        """Print the whole game; a table where it changed, the racks when they are dealt."""
        self._head()
        for number, (events, state) in enumerate(self.moments):
            self.screen.gap()
            self._tell(number, events)
            if any(isinstance(event, RoundBegan) for event in events):
                self._racks(state)
            elif _changed(events):
                self.screen.table(state.table, self.rules, new=_laid(events))
            if any(isinstance(event, RoundEnded) for event in events):
                self._scores(state)

    def step_through(self) -> None:
        """Show a moment at a time, and go where the person wants."""
        line = Line()
        self._head()
        place, last = 0, len(self.moments) - 1
        while True:
            self._show(place)
            try:
                answer = line.ask(self._terminal("replay-prompt", number=place, count=last))
            except Quit:
                return
            if answer.lower() in ("q", "quit"):
                return
            if answer.lower() in ("b", "back"):
                place = max(0, place - 1)
            elif answer.isascii() and answer.isdigit() and len(answer) < 9:
                place = min(int(answer), last)
            elif answer:
                self.screen.say(self._terminal("replay-help"), "dim")
            elif place == last:
                return
            else:
                place += 1

    def _head(self) -> None:
        record = self.record
        self.screen.title(title(self.rules.id, self.lang))
        for detail in (house_text(self.rules), ", ".join(record.names), record.date):
            if detail:
                self.screen.say(detail, indent=2)

    def _show(self, place: int) -> None:
        events, state = self.moments[place]
        self.screen.gap()
        self._tell(place, events)
        self.screen.gap()
        if state.table:
            self.screen.table(state.table, self.rules, new=_laid(events), numbered=True)
        else:
            self.screen.say(self._terminal("table-empty"), "dim", indent=2)
        self.screen.gap()
        self._racks(state)
        self.screen.say(self._terminal("pool-left", count=len(state.pool)), "dim")
        if any(isinstance(event, RoundEnded) for event in events):
            self._scores(state)

    def _tell(self, number: int, events: tuple[Event, ...]) -> None:
        lines = [line for event in events for line in self.teller.tell(event)]
        for place, line in enumerate(lines):
            lead = f"{number:>3}. "
            self.screen.say(line, mark=" " * len(lead) if place else lead)

    def _racks(self, state: State) -> None:
        for seat, rack in enumerate(state.racks):
            stars = [self._terminal("stars-left", count=state.stars[seat])] if self.rules.stars else []
            self.screen.say(
                " · ".join([self._terminal("others", name=self.record.names[seat], count=len(rack)), *stars])
            )
            self.screen.rack(rack, self.rules)

    def _scores(self, state: State) -> None:
        self.screen.gap()
        sheet = score_sheet(state.scores, self.record.names, self.rules, self.lang)
        self.screen.sheet(sheet, players_down=self.rules.id in PLAYERS_DOWN)

    def _terminal(self, key: str, **args: object) -> str:
        return terminal(key, args, self.rules, self.lang)


def _changed(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, Played | TimedOut) for event in events)
