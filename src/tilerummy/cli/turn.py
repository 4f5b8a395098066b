"""The person's turn: a sketch of the new table, judged after every change, until it is played or a tile is drawn."""

from typing import TYPE_CHECKING, Final

from tilerummy.cli.sketch import Misfit, Sketch, edit
from tilerummy.cli.talk import Quit
from tilerummy.draw import Order
from tilerummy.melds import Meld, draft_text
from tilerummy.solver import Query, Solution, explain, solve
from tilerummy.state import HINT_LEVELS, Command, Draw, HintUsed, Pass, Play, Refusal
from tilerummy.texts import sentence, steps
from tilerummy.tiles import text

if TYPE_CHECKING:
    from tilerummy.cli.session import Session

__all__ = ["COMMANDS", "OwnTurn"]

COMMANDS: Final = {
    "c": "commit",
    "d": "draw",
    "p": "pass",
    "h": "hint",
    "s": "sort",
    "t": "table",
    "u": "undo",
    "r": "reset",
    "?": "help",
    "q": "quit",
}
"""What the letters mean; the words may be typed out, and an empty line commits too."""

_LETTERS: Final = "r ●   b ◆   k ■   y ▲   j ★"


class OwnTurn:
    """Asks the person for lines until one of them ends the turn."""

    def __init__(self, session: "Session") -> None:
        self.session = session
        self.screen = session.screen
        self.order: Order = "colour"
        self.history: list[Sketch] = []
        self.hints = 0
        self.warned = ""

    @property
    def sketch(self) -> Sketch:
        """The table as the person has it now."""
        return self.history[-1]

    def run(self) -> None:
        """Take the turn."""
        self.history = [Sketch.of(self.session.state)]
        self.hints = 0
        self._greet()
        self._show()
        while True:
            prompt = "prompt-commit" if self._changed and self.sketch.verdict.legal else "prompt"
            typed = self.session.line.ask(self.session.text(prompt) + " >")
            outcome = self._react(typed)
            if outcome is None:
                self.session.line.used(True)
                return
            self.session.line.used(outcome)

    @property
    def _changed(self) -> bool:
        return self.sketch.melds != self.history[0].melds

    def _react(self, typed: str) -> bool | None:
        """Do what a line says: None when the turn is over, otherwise whether it was of use."""
        command = COMMANDS.get(typed.lower(), typed.lower() or "commit")
        warned, self.warned = self.warned, ""
        match command:
            case "commit":
                return self._commit()
            case "draw" | "pass":
                if self._changed and warned != command:
                    self.warned = command
                    self._warn("draft-lost")
                    return True
                return self._end(Draw(self._seat) if command == "draw" else Pass(self._seat))
            case "hint":
                self._hint()
            case "sort":
                self.order = "number" if self.order == "colour" else "colour"
                self._show_rack()
            case "table":
                self._show()
            case "undo" | "reset":
                if len(self.history) == 1:
                    self._warn("no-undo")
                    return False
                self.history = self.history[:-1] if command == "undo" else self.history[:1]
                self._show()
            case "help":
                self._help()
            case "quit":
                if self.session.line.agrees(f"{self.session.text('really-quit')} {self.session.text('yes-no')}"):
                    raise Quit
            case _:
                return self._edit(typed)
        return command != "help"

    @property
    def _seat(self) -> int:
        return self.session.seat

    # What ends the turn

    def _commit(self) -> bool | None:
        if not self._changed:
            self._warn("nothing-changed")
            return False
        if not self.sketch.verdict.legal:
            self._judge()
            return False
        return self._end(Play(self._seat, self.sketch.melds))

    def _end(self, command: Command) -> bool | None:
        refusal = self.session.do(command)
        if refusal is None:
            return None
        self._refused(refusal)
        return False

    def _refused(self, refusal: Refusal) -> None:
        rules, lang = self.session.rules, self.session.lang
        self.screen.say(sentence(refusal.code, {}, rules, lang), "yellow")
        for broken in refusal.violations:
            self.screen.say(sentence(broken.code, broken.args, rules, lang), "red", mark="✗ ")

    # What changes the sketch

    def _edit(self, typed: str) -> bool:
        try:
            changed = edit(self.sketch, typed)
        except Misfit as misfit:
            self._warn(misfit.key, **misfit.details)
            if misfit.key == "unreadable":
                self.screen.say(self.session.text("help-tiles"), "dim", indent=2)
            return False
        self.history.append(changed)
        self._show()
        return True

    # What is shown

    def _greet(self) -> None:
        session, state = self.session, self.session.state
        self.screen.gap()
        self.screen.title(session.text("your-turn", name=session.setup.names[self._seat]))
        parts = []
        for seat in range(state.players):
            if seat != self._seat:
                count = session.text("others", name=session.setup.names[seat], count=len(state.racks[seat]))
                parts.append(f"{count}{self._purse(seat)}")
        parts.append(session.text("pool-left", count=len(state.pool)))
        self.screen.say(" · ".join(parts), "dim")

    def _purse(self, seat: int) -> str:
        """A player's stars, or whether they have opened."""
        state, session = self.session.state, self.session
        if session.rules.stars:
            return f", {session.text('stars-left', count=state.stars[seat])}"
        return f" ({session.text('has-opened')})" if state.opened[seat] and session.rules.opening else ""

    def _show(self) -> None:
        session = self.session
        self.screen.title(session.text("table"))
        if self.sketch.melds:
            melds = [
                found if isinstance(found, Meld) else self.sketch.melds[place]
                for place, found in enumerate(self.sketch.verdict.melds)
            ]
            self.screen.table(melds, session.rules, new=self.sketch.laid, numbered=True)
        else:
            self.screen.say(session.text("table-empty"), "dim", indent=2)
        if loose := self.sketch.loose:
            self.screen.say(session.text("loose"), "yellow")
            self.screen.table([loose], session.rules)
        self._show_rack()
        if self._changed:
            self._judge()

    def _show_rack(self) -> None:
        session = self.session
        purse = self._purse(self._seat) if session.rules.stars else ""
        self.screen.title(session.text("rack") + purse)
        if self.screen.colour:  # where the tiles show signs, say which letter is which
            self.screen.say(_LETTERS, "dim", indent=2)
        self.screen.rack(self.sketch.hand, session.rules, order=self.order)

    def _judge(self) -> None:
        """Say what the sketch is worth, and every rule that it breaks."""
        session, verdict = self.session, self.sketch.verdict
        if verdict.legal:
            args = {"count": len(verdict.laid), "laid": text(sorted(verdict.laid)), "points": verdict.points}
            self.screen.say(session.text("lays", **args), "green", mark="✓ ")
        for broken in verdict.violations:
            self.screen.say(sentence(broken.code, broken.args, session.rules, session.lang), "red", mark="✗ ")

    def _warn(self, key: str, **args: object) -> None:
        self.screen.say(self.session.text(key, **args), "yellow")

    def _help(self) -> None:
        session = self.session
        self.screen.title(session.text("help"))
        rows = [
            ("+ r1 r2 r3", "help-new"),
            ("3 b8 b9 b10", "help-rewrite"),
            ("3 + b11", "help-onto"),
            ("3 - b8", "help-off"),
            ("b8 b9 b10 | k8 y8 r8", "help-melds"),
            (session.text("key-enter"), "help-commit"),
            *((letter, f"help-{COMMANDS[letter]}") for letter in COMMANDS if letter != "c"),
        ]
        wide = max(len(sample) for sample, _ in rows) + 2
        for sample, key in rows:
            self.screen.say(session.text(key), mark=f"{sample:<{wide}}", indent=2)
        self.screen.say(session.text("help-tiles"), "dim", indent=2)

    # Hints: the first says that there is something, the second which tiles, the third where they go

    def _hint(self) -> None:
        session, state = self.session, self.session.state
        best = self._advice()
        if not best.tiles:
            self.screen.say(session.text("hint-none"), "cyan")
            return
        level = HINT_LEVELS[min(self.hints, len(HINT_LEVELS) - 1)]
        self.hints += 1
        session.do(HintUsed(self._seat, level))
        self.history = [Sketch(session.state, sketch.melds) for sketch in self.history]
        if level == "nudge":
            self.screen.say(session.text("hint-nudge", count=best.tiles), "cyan")
            return
        self.screen.say(session.text("hint-play", laid=text(best.laid)), "cyan")
        if level == "reveal":
            self.screen.say(draft_text(best.after[best.unchanged :]), "cyan", indent=2)
            done = explain(state.table, best.after)
            for number, said in enumerate(steps(state.table, done, session.rules, session.lang), 1):
                self.screen.say(said, "cyan", mark=f"{number:>3}. ")

    def _advice(self) -> Solution:
        """The best play, proven; of equally good ones that which touches the fewest melds."""
        state, seat = self.session.state, self._seat
        opened = state.opened[seat]
        return solve(Query(state.rules, state.table, state.racks[seat], opened, all(state.opened)), follow=True)
