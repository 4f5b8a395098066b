"""The simplified Junior game in the terminal: the program calls, and a person races against slow bots."""

import random
import time
from collections.abc import Callable, Sequence
from typing import Final

from tilerummy.cli.screen import Screen
from tilerummy.cli.talk import Line, Quit
from tilerummy.race import (
    NUMBERS,
    Call,
    Called,
    Found,
    RaceEnded,
    RaceEvent,
    RaceRefusal,
    Tap,
    apply,
    begin,
    fitting,
    fold,
)
from tilerummy.rulesets import RULESETS
from tilerummy.texts import sentence, terminal, title
from tilerummy.tiles import COLOURS, Tile, Unreadable, kind_of, tile, tile_of

__all__ = ["Race"]

_ID: Final = "junior-simplified"
_QUICKEST, _SLOWEST = 6.0, 18.0  # seconds until a bot finds a tile; a four-year-old should win


class Race:
    """A race from the first call to the last; the person is seat 0."""

    def __init__(
        self,
        names: Sequence[str],
        lang: str,
        screen: Screen,
        line: Line,
        seed: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.names = names
        self.lang = lang
        self.screen = screen
        self.line = line
        self.clock = clock
        self.rules = RULESETS["junior"]
        self.chance = random.Random(seed)
        self.state = fold(begin(len(names)))
        self.tiles = [tile_of(kind_of(colour, number)) for colour in COLOURS for number in range(1, NUMBERS + 1)]
        self.chance.shuffle(self.tiles)

    def run(self) -> None:
        """Play until all four rows are complete; Quit, when somebody leaves, passes through."""
        self.screen.title(title(_ID, self.lang))
        self.screen.say(self._text("race-help"), "dim")
        while not self.state.winners:
            self._do(Call(None, self.chance.choice(self._around)))
            while self.state.open:
                self._look()
        self._show_stars()

    @property
    def _around(self) -> list[Tile]:
        """The tiles that lie around the rows."""
        return [one for one in self.tiles if one not in self.state.placed]

    def _look(self) -> None:
        """One tile is looked for: the person's answer counts if no bot would have been quicker."""
        self._show()
        begun = self.clock()
        waits = {seat: self.chance.uniform(_QUICKEST, _SLOWEST) for seat in range(1, self.state.players)}
        bot = min(waits, key=waits.__getitem__)
        while self.state.open:
            typed = self.line.ask(self._text("race-prompt")).lower()
            if typed in ("q", "quit"):
                if self.line.agrees(f"{self._text('really-quit')} {self._text('yes-no')}"):
                    raise Quit
                continue
            late = self.clock() - begun > waits[bot]
            if late or not typed:
                self._do(Tap(bot, self.chance.choice(fitting(self.state))))
                self.line.used(True)
                if typed:
                    self._tap(typed)
                return
            if self._tap(typed):
                return

    def _tap(self, typed: str) -> bool:
        """Point at a tile; whether it was a right one."""
        try:
            pointed = tile(typed)
        except Unreadable:
            pointed = None
        if pointed is None or pointed not in self.tiles:
            self.screen.say(self._text("unreadable", reason=typed[:24]), "yellow")
            self.screen.say(self._text("race-help"), "dim", indent=2)
            self.line.used(False)
            return False
        worked = self._do(Tap(0, pointed))
        self.line.used(worked)
        return worked

    def _do(self, command: Call | Tap) -> bool:
        events = apply(self.state, command)
        if isinstance(events, RaceRefusal):
            self.screen.say(self._sentence(events.code, tile=str(command.tile)), "yellow")
            return False
        self.state = fold(events, self.state)
        for event in events:
            self._tell(event)
        return True

    def _tell(self, event: RaceEvent) -> None:
        match event:
            case Called():
                self.screen.gap()
                self.screen.say(self._sentence("called", name=self._text("program"), tile=str(event.tile)), "bold")
            case Found():
                self.screen.say(self._sentence("placed", name=self.names[event.seat], tile=str(event.tile)), "green")
            case RaceEnded():
                self._show()
                for seat in event.winners:
                    args = {"name": self.names[seat], "count": self.state.stars[seat]}
                    self.screen.say(self._sentence("race-won", **args), "bold")
            case _:
                pass

    def _show(self) -> None:
        rows = {
            str(colour): [
                one if one in self.state.placed else None for one in sorted(self.tiles) if one.colour == colour
            ]
            for colour in COLOURS
        }
        self.screen.board(rows, self.rules)
        if self._around:
            self.screen.gap()
            self.screen.rack(self._around, self.rules, order="given")

    def _show_stars(self) -> None:
        for name, stars in zip(self.names, self.state.stars, strict=True):
            self.screen.say(f"{name}: {self._text('stars-left', count=stars)}", indent=2)

    def _text(self, key: str, **args: object) -> str:
        return terminal(key, args, self.rules, self.lang)

    def _sentence(self, code: str, **args: object) -> str:
        return sentence(code, args, self.rules, self.lang)
