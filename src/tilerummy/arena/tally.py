"""What a run adds up to, deal by deal, and the report of it.

Deals come in their order, whatever order they were played in, so that a run stopped early by its test is the same run
wherever it was played.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

from tilerummy.arena.keeping import settings_json
from tilerummy.arena.provenance import Provenance
from tilerummy.arena.ratings import Estimate, Pairs, estimate, ratings, share
from tilerummy.arena.results import DealResult, GameResult
from tilerummy.arena.settings import Settings, rotations
from tilerummy.arena.sprt import Sprt

__all__ = ["MOST_ERRORS", "BotReport", "ErrorReport", "PairReport", "Report", "Tally", "deal_outcomes", "report_json"]

MOST_ERRORS: Final = 100
"""Errors that a report tells one by one; all are counted."""


@dataclass(frozen=True, slots=True)
class BotReport:
    """How a bot did."""

    name: str
    games: int
    par: float
    """The share of the wins that is due to its seats."""
    wins: float
    win_rate: Estimate
    score: Estimate
    """A game's, on average."""
    elo: Estimate
    errors: int
    moves: int
    seconds: float
    slowest: float
    scores: Counter[int]
    rack: tuple[float, ...]
    """Tiles on the rack as dealt and after each own turn, on average; a game that is over counts as it ended."""


@dataclass(frozen=True, slots=True)
class PairReport:
    """What one bot got from another, by finishing places: 1 for the better one, a half for the same."""

    one: str
    other: str
    games: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """How a game was lost before its end."""

    deal: int
    bot: str | None
    seat: int | None
    lineup: tuple[str, ...]
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Report:
    """A run, added up."""

    settings: Settings
    deals: int
    games: int
    turns: int
    bots: tuple[BotReport, ...]
    pairs: tuple[PairReport, ...]
    errors: tuple[ErrorReport, ...]
    sprt: Sprt | None


@dataclass(slots=True)
class _Sums:
    games: int = 0
    wins: float = 0.0
    errors: int = 0
    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    seats: int = 0
    scores: Counter[int] = field(default_factory=Counter)
    lying: Counter[int] = field(default_factory=Counter)  # tiles on racks, by turn, while the game goes on
    ended: Counter[int] = field(default_factory=Counter)  # games that ended at that turn, and with how many tiles
    left: Counter[int] = field(default_factory=Counter)


class Tally:
    """Adds up the deals of a run."""

    def __init__(self, settings: Settings, sprt: Sprt | None = None) -> None:
        self.settings = settings
        self.sprt = sprt
        self.games = 0
        self.turns = 0
        self._sums = [_Sums() for _ in settings.entrants]
        self._wins: list[defaultdict[int, list[float]]] = [defaultdict(lambda: [0.0, 0]) for _ in settings.entrants]
        self._scores: list[defaultdict[int, list[float]]] = [defaultdict(lambda: [0.0, 0]) for _ in settings.entrants]
        self._pairs: defaultdict[int, dict[tuple[int, int], tuple[int, int]]] = defaultdict(dict)
        self._errors: list[ErrorReport] = []

    def add(self, result: DealResult) -> None:
        """Add a deal."""
        pairs = self._pairs[result.deal]
        test: int = 0
        for game in result.games:
            self.games += 1
            self.turns += sum(game.moves)
            self._add_seats(result.deal, game)
            for (one, other), halves in _halves(game):
                got, of = pairs.get((one, other), (0, 0))
                pairs[one, other] = (got + halves, of + 2)
                test += halves
            if game.fault is not None:
                self._add_fault(result.deal, game)
        if self.sprt is not None:
            self.sprt.add(test)

    def _add_seats(self, deal: int, game: GameResult) -> None:
        for who in set(game.lineup):
            self._sums[who].games += 1
            self._wins[who][deal][1] += 1
        for seat, who in enumerate(game.lineup):
            sums, won, scored = self._sums[who], self._wins[who][deal], self._scores[who][deal]
            won[0] += game.share(seat)
            scored[0] += game.scores[seat]
            scored[1] += 1
            sums.seats += 1
            sums.wins += game.share(seat)
            sums.moves += game.moves[seat]
            sums.seconds += game.seconds[seat]
            sums.slowest = max(sums.slowest, game.slowest[seat])
            sums.scores[game.scores[seat]] += 1
            *before, last = game.sizes[seat]
            for turn, size in enumerate(before):
                sums.lying[turn] += size
            sums.ended[len(before)] += 1
            sums.left[len(before)] += last

    def _add_fault(self, deal: int, game: GameResult) -> None:
        fault = game.fault
        assert fault is not None
        names = tuple(self.settings.entrants[who].name for who in game.lineup)
        bot = None if fault.seat is None else names[fault.seat]
        for who in {game.lineup[fault.seat]} if fault.seat is not None else set(game.lineup):
            self._sums[who].errors += 1
        if len(self._errors) < MOST_ERRORS:
            self._errors.append(ErrorReport(deal, bot, fault.seat, names, str(fault.reason), fault.detail))

    def report(self) -> Report:
        """What it adds up to."""
        entrants = self.settings.entrants
        deals: list[Pairs] = list(self._pairs.values())
        elos = ratings(len(entrants), deals)
        bots = []
        for who, one in enumerate(entrants):
            sums = self._sums[who]
            shares = [lineup.count(who) / len(lineup) for lineup in self.settings.lineups if who in lineup]
            par = sum(shares) / len(shares)
            won = share((won, of) for won, of in self._wins[who].values())
            bots.append(
                BotReport(
                    name=one.name,
                    games=sums.games,
                    par=par,
                    wins=sums.wins,
                    win_rate=won._replace(low=None, high=None) if par == 1 else won,  # nothing else can happen
                    score=self._score(who),
                    elo=elos[who],
                    errors=sums.errors,
                    moves=sums.moves,
                    seconds=sums.seconds,
                    slowest=sums.slowest,
                    scores=sums.scores,
                    rack=_curve(sums),
                )
            )
        pairs = []
        for i, j in combinations(range(len(entrants)), 2):
            met = [deal[i, j] for deal in deals if (i, j) in deal]
            if met:
                games = sum(of for _, of in met) // 2
                pairs.append(PairReport(entrants[i].name, entrants[j].name, games, share(met)))
        return Report(
            self.settings,
            len(deals),
            self.games,
            self.turns,
            tuple(bots),
            tuple(pairs),
            tuple(self._errors),
            self.sprt,
        )

    def _score(self, who: int) -> Estimate:
        value = estimate((got, of) for got, of in self._scores[who].values())
        if self.settings.rules.stars and value.low is not None:
            return value._replace(low=max(0.0, value.low))  # nobody has fewer than no stars
        return value


def _halves(game: GameResult) -> list[tuple[tuple[int, int], int]]:
    """Half points of each two seats with different bots, for the bot of the lower number."""
    found = []
    for one, other in combinations(range(len(game.lineup)), 2):
        first, second = game.lineup[one], game.lineup[other]
        if first < second:
            found.append(((first, second), game.halves(one, other)))
        elif second < first:
            found.append(((second, first), game.halves(other, one)))
    return found


def deal_outcomes(lineup: tuple[int, ...]) -> int:
    """The most half points that a deal of two bots' games can have."""
    first = lineup.count(0)
    return 2 * first * (len(lineup) - first) * len(rotations(lineup))


def _curve(sums: _Sums) -> tuple[float, ...]:
    """The mean rack after each turn, until nine games of ten are over."""
    over, tiles, curve = 0, 0, []
    for turn in range(max(sums.ended, default=-1) + 1):
        over += sums.ended[turn]
        tiles += sums.left[turn]
        curve.append((sums.lying[turn] + tiles) / sums.seats)
        if over >= 0.9 * sums.seats:
            break
    return tuple(curve)


# As JSON


def report_json(report: Report, seconds: float, origin: Provenance | None = None) -> dict[str, Any]:
    """The report for programs; `seconds` and `origin` say nothing about the bots."""
    settings = report.settings
    kept = settings_json(settings)
    everybody = [one.name for one in settings.entrants]
    alone = len(settings.lineups) == 1
    return {
        "ruleset": kept["ruleset"],
        "house": kept["house"],
        "seats": [everybody[who] for who in settings.lineups[0]] if alone else everybody,
        "round_robin": not alone,
        "players": settings.players,
        "seed": settings.seed,
        "move_time": settings.move_time,
        "games": report.games,
        "deals": report.deals,
        "turns": report.turns,
        "seconds": round(seconds, 3),
        "provenance": None if origin is None else origin._asdict(),
        "bots": [{**kept, **_bot_json(one)} for kept, one in zip(kept["seats"], report.bots, strict=True)],
        "pairs": [
            {"bots": [pair.one, pair.other], "games": pair.games, **_estimate_json("share", pair.share, 4)}
            for pair in report.pairs
        ],
        "errors": [
            {
                "deal": error.deal,
                "bot": error.bot,
                "seat": error.seat,
                "lineup": list(error.lineup),
                "reason": error.reason,
                "detail": error.detail,
            }
            for error in report.errors
        ],
        "sprt": _sprt_json(report.sprt),
    }


def _bot_json(one: BotReport) -> dict[str, Any]:
    return {
        "games": one.games,
        "par": round(one.par, 4),
        "wins": round(one.wins, 4),
        **_estimate_json("win_rate", one.win_rate, 4),
        **_estimate_json("mean_score", one.score, 2),
        **_estimate_json("elo", one.elo, 1),
        "errors": one.errors,
        "moves": one.moves,
        "ms_per_move": round(1000 * one.seconds / one.moves, 3) if one.moves else None,
        "ms_slowest": round(1000 * one.slowest, 3),
    }


def _estimate_json(name: str, value: Estimate, digits: int) -> dict[str, Any]:
    low, high = value.low, value.high
    interval = None if low is None or high is None else [_rounded(low, digits), _rounded(high, digits)]
    return {name: _rounded(value.value, digits), f"{name}_interval": interval}


def _rounded(value: float, digits: int) -> float:
    return round(value, digits) + 0.0  # never -0.0


def _sprt_json(test: Sprt | None) -> dict[str, Any] | None:
    if test is None:
        return None
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "llr": _rounded(test.llr, 4),
        "bounds": [round(bound, 4) for bound in test.bounds],
        "verdict": test.verdict,
        "deals": test.deals,
    }
