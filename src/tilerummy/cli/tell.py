"""What happened, told in sentences."""

from collections.abc import Iterator, Sequence

from tilerummy.rulesets import Ruleset
from tilerummy.state import (
    Drew,
    Event,
    HandedOver,
    HintGiven,
    MatchEnded,
    Passed,
    Played,
    RoundBegan,
    RoundEnded,
    Started,
    TimedOut,
)
from tilerummy.texts import sentence, terminal
from tilerummy.tiles import text

__all__ = ["Teller"]


class Teller:
    """Tells events by the players' names, in a language and the rulebook's words."""

    def __init__(self, rules: Ruleset, names: Sequence[str], lang: str, reader: int | None = None) -> None:
        self.rules = rules
        self.names = names
        self.lang = lang
        self.reader = reader  # who may be told which tiles were drawn; everybody's, in a replay, for None

    def tell(self, event: Event) -> Iterator[str]:
        """The sentences about an event."""
        match event:
            case RoundBegan():
                yield from self._began(event)
            case Played():
                yield from self._played(event)
            case Drew():
                if event.stars:
                    yield self._say("paid", event.seat, count=event.stars)
                yield from self._drew("drew", event.seat, event.tiles)
            case Passed():
                yield self._say("passed", event.seat)
            case TimedOut():
                if event.restored:
                    yield self._say("timed-out-back", event.seat)
                if event.laid:
                    yield self._say("played", event.seat, count=len(event.laid), laid=text(event.laid))
                yield from self._drew("timed-out", event.seat, event.penalty)
            case HintGiven():
                yield self._say("hint", event.seat, level=event.level)
            case HandedOver():
                yield self._say("to-bot" if event.bot else "to-human", event.seat)
            case RoundEnded():
                yield self._ended(event)
            case MatchEnded():
                for seat in event.winners:
                    yield self._say("match-won", seat)
            case Started():
                pass

    def _say(self, code: str, seat: int, **args: object) -> str:
        return sentence(code, {"name": self.names[seat], **args}, self.rules, self.lang)

    def _began(self, event: RoundBegan) -> Iterator[str]:
        for drawing in event.draws:
            for draw in drawing:
                yield self._say("start-draw", draw.seat, tile=str(draw.tile))
        yield self._say("starts", event.starter)

    def _played(self, event: Played) -> Iterator[str]:
        if event.buzzer:
            yield self._say("buzzer", event.seat)
        yield self._say("played", event.seat, count=len(event.laid), laid=text(sorted(event.laid)))
        if event.opens and self.rules.opening:
            yield self._say("opened", event.seat, points=event.points)
        for _ in event.taken:
            yield self._say("joker-taken", event.seat)
        if event.stars:
            yield self._say("stars", event.seat, count=event.stars)

    def _drew(self, code: str, seat: int, tiles: Sequence[object]) -> Iterator[str]:
        yield self._say(code, seat, count=len(tiles))
        if seat == self.reader:
            for tile in tiles:
                yield self._say("drew-tile", seat, tile=str(tile))

    def _ended(self, event: RoundEnded) -> str:
        if self.rules.stars:
            args = {"name": self.names[event.winner], "count": event.scores[event.winner]}
            return terminal("round-stars", args, self.rules, self.lang)
        if event.finisher is None:
            return self._say("round-stuck", event.winner)
        return self._say("round-won", event.winner, points=event.scores[event.winner])
