"""A table of the arena: players with their seats, a game from the deal to its end, whatever they do.

Games are played through `game.apply`, and players see `view(seat)` and nothing else.
"""

import random
import time
from collections.abc import Sequence
from typing import Final, Protocol

from tilerummy.arena.limits import Overrun, within
from tilerummy.arena.results import DealResult, Fault, GameResult, Misplay, Reason, places
from tilerummy.arena.settings import Entrant, Settings, deal_seed, luck_seed, rotations
from tilerummy.bots import bot
from tilerummy.game import apply, begin, fold
from tilerummy.rulesets import Ruleset
from tilerummy.scoring import rack_value
from tilerummy.state import Draw, Event, Pass, Phase, Play, Refusal, RoundEnded, State
from tilerummy.view import View, view

__all__ = ["MOST_TURNS", "Local", "Player", "play_deal", "play_game"]

MOST_TURNS: Final = 5000
"""No game comes near: every play lays tiles, every draw takes one, and a round of passes is the end."""


class Player(Protocol):
    """Whoever sits on a seat, for one game."""

    def begin(self) -> None:
        """Get ready, or raise Misplay."""

    def choose(self, seen: View) -> Play | Draw | Pass:
        """Move, or raise Misplay."""

    def end(self, seen: View, fault: Fault | None) -> None:
        """The game is over, for whatever reason; leave nothing behind."""


class Local:
    """One of our bots, in this process."""

    def __init__(self, entrant: Entrant, seed: str, limit: float) -> None:
        self._bot = bot(entrant.bot or "")
        self._budget = entrant.budget
        self._rng = random.Random(seed)
        self._limit = limit

    def begin(self) -> None:
        """A bot of ours is always ready."""

    def choose(self, seen: View) -> Play | Draw | Pass:
        """Ask the bot, whatever comes of it."""
        try:
            return within(self._limit, lambda: self._bot.choose(seen, self._rng, self._budget))
        except Overrun:
            raise Misplay(Reason.TIME, f"no move after {self._limit:g} s") from None
        except (Exception, SystemExit) as error:
            raise Misplay(Reason.CRASH, f"{type(error).__name__}: {error}") from None

    def end(self, seen: View, fault: Fault | None) -> None:
        """A bot of ours keeps nothing."""


def play_deal(settings: Settings, deal: int, lineup: int) -> DealResult:
    """Play a deal in every rotation of the line-up: a pure function of its arguments, but for the time it takes."""
    seed = deal_seed(settings.seed, deal)
    games = []
    for seats in rotations(settings.lineups[lineup]):
        players = [
            _player(settings, settings.entrants[who], seat, luck_seed(settings.seed, deal, seat))
            for seat, who in enumerate(seats)
        ]
        games.append(play_game(settings.rules, players, seats, seed, settings.move_time))
    return DealResult(deal, lineup, tuple(games))


def _player(settings: Settings, entrant: Entrant, seat: int, seed: str) -> Player:
    if entrant.bot is not None:
        return Local(entrant, seed, settings.move_time)
    from tilerummy.arena.external import External  # the protocol's models are needed by nobody else

    return External(entrant, settings.rules, settings.players, seat, seed, settings.move_time)


class _Game:
    """A game that is being played."""

    def __init__(self, dealt: Sequence[Event], players: Sequence[Player], limit: float, most: int) -> None:
        self.state = fold(dealt)
        self.players = players
        self.limit = limit
        self.most = most
        self.ended = _end(dealt)
        self.sizes = [[len(rack)] for rack in self.state.racks]
        self.seconds = [0.0] * len(players)
        self.slowest = [0.0] * len(players)

    def play(self) -> Fault | None:
        """Play to the end, or to the first fault."""
        seat = 0
        try:
            for seat in range(len(self.players)):
                self.players[seat].begin()
            for _ in range(self.most):
                if self.state.phase is not Phase.PLAYING:
                    return None
                seat = self.state.turn
                self._move(seat)
        except Misplay as error:
            return Fault(seat, error.reason, error.detail)
        if self.state.phase is not Phase.PLAYING:
            return None
        return Fault(None, Reason.TURNS, f"no end after {self.most} turns")

    def _move(self, seat: int) -> None:
        """Let a seat move; a move that loses the game is a move, too, and took its time."""
        try:
            events = _judged(self.state, self._asked(seat))
            self.state = fold(events, self.state)
            self.ended = _end(events)
        finally:
            self.sizes[seat].append(len(self.state.racks[seat]))

    def _asked(self, seat: int) -> Play | Draw | Pass:
        seen = view(self.state, seat)
        started = time.perf_counter()
        try:
            command = self.players[seat].choose(seen)
        finally:
            taken = time.perf_counter() - started
            self.seconds[seat] += taken
            self.slowest[seat] = max(self.slowest[seat], taken)
        if taken > self.limit:
            raise Misplay(Reason.TIME, f"{taken:.1f} s for a move, of {self.limit:g} s")
        return command


def play_game(
    rules: Ruleset,
    players: Sequence[Player],
    lineup: tuple[int, ...],
    seed: str,
    limit: float,
    most: int = MOST_TURNS,
) -> GameResult:
    """Play a game of one round; who makes a fault has lost it."""
    game = _Game(begin(rules, players=len(players), seed=seed), players, limit, most)
    fault: Fault | None = None
    try:
        fault = game.play()
    finally:
        for seat, player in enumerate(players):
            player.end(view(game.state, seat), fault)
    if game.ended is not None:
        scores = game.ended.scores
        ranks = places(scores, game.ended.winner)
    else:
        offender = None if fault is None else fault.seat
        scores = _forfeited(game.state, offender)
        ranks = tuple(len(players) if seat == offender else 1 for seat in range(len(players)))
    sizes = tuple(map(tuple, game.sizes))
    return GameResult(lineup, scores, ranks, sizes, tuple(game.seconds), tuple(game.slowest), fault)


def _end(events: Sequence[Event]) -> RoundEnded | None:
    return next((event for event in events if isinstance(event, RoundEnded)), None)


def _judged(state: State, command: object) -> tuple[Event, ...]:
    """What a command makes happen; whatever the game refuses is a fault."""
    if not isinstance(command, Play | Draw | Pass):
        raise Misplay(Reason.ILLEGAL, f"{type(command).__name__} is no play, draw or pass")
    try:
        events = apply(state, command)
    except Exception as error:  # a command that only looks like one
        raise Misplay(Reason.ILLEGAL, f"{type(error).__name__}: {error}") from None
    if isinstance(events, Refusal):
        broken = ", ".join(dict.fromkeys(violation.code for violation in events.violations))
        raise Misplay(Reason.ILLEGAL, f"{events.code} ({broken})" if broken else events.code)
    return events


def _forfeited(state: State, offender: int | None) -> tuple[int, ...]:
    """Who made a fault pays for the own rack, and the others share that; nobody else's luck so far counts.

    In a game for stars the fault costs all stars, and the others keep what they would have if it ended now.
    """
    others = state.players - 1
    if offender is None:
        return (0,) * state.players
    if state.rules.stars:
        return tuple(
            0 if seat == offender else max(0, stars - len(state.racks[seat])) for seat, stars in enumerate(state.stars)
        )
    value = rack_value(state.racks[offender], state.rules)
    return tuple(-value if seat == offender else value // others for seat in range(state.players))
