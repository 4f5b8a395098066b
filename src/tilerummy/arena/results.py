"""What comes out of a game and of a deal, and its form as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import index
from typing import Any

__all__ = ["DealResult", "Fault", "GameResult", "Misplay", "Reason", "deal_json", "places", "read_deal"]


class Reason(StrEnum):
    """Why a bot lost a game before its end."""

    CRASH = "crash"  # an exception, or a process that ended
    ILLEGAL = "illegal"  # a command that the game refuses
    TIME = "time"
    NONSENSE = "nonsense"  # an answer that cannot be read
    TURNS = "turns"  # more turns than any game can have


class Misplay(Exception):
    """What a player did wrong."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = _shown(detail)


def _shown(detail: str) -> str:
    """What a program may have said, on one line, and without signs that would move the cursor or turn the text."""
    line = " ".join(detail.split())[:300]
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in line)


@dataclass(frozen=True, slots=True)
class Fault:
    """Which seat did what; no seat where nobody can be blamed."""

    seat: int | None
    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game of a deal, everything by seat."""

    lineup: tuple[int, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]
    """1 is first; who shares a place has the better one."""
    sizes: tuple[tuple[int, ...], ...]
    """Tiles on the rack: as dealt, and after each own turn, one that lost the game too."""
    seconds: tuple[float, ...]
    """For all moves."""
    slowest: tuple[float, ...]
    fault: Fault | None = None

    @property
    def moves(self) -> tuple[int, ...]:
        """How many moves each seat made."""
        return tuple(len(sizes) - 1 for sizes in self.sizes)

    def share(self, seat: int) -> float:
        """What a seat has of the win: all of it, or its part where several are first."""
        return 1 / self.places.count(1) if self.places[seat] == 1 else 0.0

    def halves(self, one: int, other: int) -> int:
        """What the first of two seats gets from the second: 2 for a better place, 1 for the same."""
        mine, theirs = self.places[one], self.places[other]
        return 2 if mine < theirs else 1 if mine == theirs else 0


@dataclass(frozen=True, slots=True)
class DealResult:
    """A deal that a line-up has played in every rotation."""

    deal: int
    lineup: int
    games: tuple[GameResult, ...]


def places(scores: Sequence[int], winner: int) -> tuple[int, ...]:
    """Finishing places: the winner, then by score."""
    ranked = [(seat != winner, -score) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other < mine for other in ranked) for mine in ranked)


def deal_json(result: DealResult) -> dict[str, Any]:
    """A deal as a line of the run's file."""
    return {
        "deal": result.deal,
        "lineup": result.lineup,
        "games": [
            {
                "lineup": list(game.lineup),
                "scores": list(game.scores),
                "places": list(game.places),
                "sizes": [list(sizes) for sizes in game.sizes],
                "seconds": [round(seconds, 6) for seconds in game.seconds],
                "slowest": [round(seconds, 6) for seconds in game.slowest],
                "fault": game.fault
                and {"seat": game.fault.seat, "reason": str(game.fault.reason), "detail": game.fault.detail},
            }
            for game in result.games
        ],
    }


def read_deal(given: Mapping[str, Any]) -> DealResult:
    """Read a line of the run's file; KeyError, TypeError or ValueError where it is none."""
    return DealResult(index(given["deal"]), index(given["lineup"]), tuple(map(_read_game, given["games"])))


def _read_game(given: Mapping[str, Any]) -> GameResult:
    fault = given["fault"]
    return GameResult(
        tuple(map(index, given["lineup"])),
        tuple(map(index, given["scores"])),
        tuple(map(index, given["places"])),
        tuple(tuple(map(index, sizes)) for sizes in given["sizes"]),
        tuple(map(float, given["seconds"])),
        tuple(map(float, given["slowest"])),
        fault and Fault(fault["seat"], Reason(fault["reason"]), _shown(str(fault["detail"]))),
    )
