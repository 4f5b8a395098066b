"""A match in the terminal: one person against bots."""

import random
from collections.abc import Sequence
from dataclasses import replace

from tilerummy.bots import BUDGET, bot
from tilerummy.cli.screen import Screen
from tilerummy.cli.talk import Line
from tilerummy.cli.tell import Teller
from tilerummy.cli.turn import OwnTurn
from tilerummy.deal import Deal, commitment, deal
from tilerummy.game import apply
from tilerummy.record import Record
from tilerummy.state import (
    Command,
    Draw,
    Event,
    NextRound,
    Pass,
    Phase,
    Refusal,
    RoundBegan,
    RoundEnded,
    State,
    fold,
)
from tilerummy.texts import PLAYERS_DOWN, score_sheet, sentence, terminal, title
from tilerummy.view import view

__all__ = ["Session"]


class Session:
    """A match from its first deal to its end; `record` grows with every command."""

    def __init__(self, setup: Record, seat: int, lang: str, screen: Screen, line: Line) -> None:
        self.setup = setup
        self.rules = setup.rules
        self.seat = seat
        self.lang = lang
        self.screen = screen
        self.line = line
        self.commands: list[Command] = []
        self.deals: list[RoundBegan] = []
        self.teller = Teller(setup.rules, setup.names, lang, reader=seat)
        self.own_turn = OwnTurn(self)
        self.sealed = commitment(setup.seed)
        self.state: State = fold(setup.start())

    @property
    def record(self) -> Record:
        """The match so far."""
        return replace(self.setup, commands=tuple(self.commands))

    def run(self) -> None:
        """Play to the end; Quit, when somebody leaves, passes through."""
        self.screen.title(title(self.rules.id, self.lang))
        for seat, name in enumerate(self.setup.bots):
            if name:
                self.screen.say(f"{self.setup.names[seat]} ({name})", "dim", indent=2)
        self.screen.say(sentence("shuffle-commit", {"hash": self.sealed}, self.rules, self.lang), "dim")
        self._tell(self.setup.start())
        while self.state.phase is not Phase.MATCH_OVER:
            if self.state.phase is Phase.ROUND_OVER:
                self.line.ask(self.text("press-enter"))
                self.do(NextRound())
            elif self.state.turn == self.seat:
                self.own_turn.run()
            else:
                self._bot_turn(self.state.turn)
        self._reveal()

    def text(self, key: str, **args: object) -> str:
        """What the terminal says, in the person's language."""
        return terminal(key, args, self.rules, self.lang)

    def do(self, command: Command) -> Refusal | None:
        """Carry out a command and tell what it made happen, or return why it is refused."""
        events = apply(self.state, command)
        if isinstance(events, Refusal):
            return events
        self.state = fold(events, self.state)
        self.commands.append(command)
        self._tell(events)
        return None

    def _bot_turn(self, seat: int) -> None:
        """Let a bot play; one whose command is refused draws, or passes."""
        chance = random.Random(f"{self.setup.seed} {len(self.commands)}")
        command = bot(self.state.bots[seat] or "").choose(view(self.state, seat), chance, BUDGET)
        if self.do(command) and self.do(Draw(seat)):
            self.do(Pass(seat))

    def _tell(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, RoundBegan):
                self.deals.append(event)
                self.screen.gap()
                self.screen.title(self.text("round", number=event.round))
            for line in self.teller.tell(event):
                self.screen.say(line)
            if isinstance(event, RoundEnded):
                self._left_over()
                sheet = score_sheet(self.state.scores, self.setup.names, self.rules, self.lang)
                self.screen.sheet(sheet, players_down=self.rules.id in PLAYERS_DOWN)

    def _left_over(self) -> None:
        for seat, rack in enumerate(self.state.racks):
            if rack:
                self.screen.say(self.text("others", name=self.setup.names[seat], count=len(rack)), indent=2)
                self.screen.rack(rack, self.rules, indent=4)

    def _reveal(self) -> None:
        """Show the seed, and deal every round again from it."""
        seed, words = self.setup.seed, self.state.words
        same = commitment(seed) == self.sealed
        for began in self.deals:
            order = [
                (began.starter + self.rules.step * place) % self.state.players for place in range(self.state.players)
            ]
            same = same and deal(seed, words, self.rules, began.round, order) == Deal(began.racks, began.pool)
        self.screen.gap()
        self.screen.say(sentence("shuffle-reveal", {"seed": seed}, self.rules, self.lang), "dim")
        self.screen.say(sentence("shuffle-commit", {"hash": commitment(seed)}, self.rules, self.lang), "dim")
        self.screen.say(self.text("deal-same" if same else "deal-differs"), "dim" if same else "bold red")
