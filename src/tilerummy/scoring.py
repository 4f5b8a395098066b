"""Scoring: what a rack costs, what a round is worth with and without a finisher, stars, and matches.

>>> from tilerummy.rulesets import ruleset
>>> from tilerummy.tiles import tiles
>>> racks = [(), tiles("r5"), tiles("b10"), tiles("k3")]
>>> finished(racks, 0, ruleset("club"))
(18, -5, -10, -3)
"""

from collections.abc import Sequence
from typing import NamedTuple

from tilerummy.rulesets import Ruleset, StalemateScore
from tilerummy.tiles import Tile

__all__ = ["Outcome", "finished", "match_totals", "match_winners", "rack_value", "star_outcome", "stuck"]


class Outcome(NamedTuple):
    """Who won a round, and what each seat scores."""

    winner: int
    scores: tuple[int, ...]


def rack_value(rack: Sequence[Tile], rules: Ruleset) -> int:
    """Add up the numbers of a rack, a joker counting as the rulebook says."""
    return sum(rules.joker_value if tile.is_joker else tile.number for tile in rack)


def finished(racks: Sequence[Sequence[Tile]], winner: int, rules: Ruleset) -> tuple[int, ...]:
    """Score a round that somebody finished: each rack against its owner, the total to the winner."""
    values = [rack_value(rack, rules) for rack in racks]
    return tuple(sum(values) if seat == winner else -value for seat, value in enumerate(values))


def stuck(racks: Sequence[Sequence[Tile]], order: Sequence[int], rules: Ruleset) -> Outcome:
    """Score a round that nobody finished; `order` is the turn order from the starter, which decides the last ties."""
    values = [rack_value(rack, rules) for rack in racks]
    winner = min(order, key=lambda seat: (values[seat], len(racks[seat]), order.index(seat)))
    if rules.stalemate_score is StalemateScore.DIFFERENCES:
        # classic, *Note*: each other player writes down the own total less the winner's
        losses = [value - values[winner] for value in values]
        total = sum(losses)
    else:
        # club, *Marque*: the lowest takes the others' total "en décomptant ses propres points"
        losses = values
        total = sum(values) - 2 * values[winner]
    return Outcome(winner, tuple(total if seat == winner else -loss for seat, loss in enumerate(losses)))


def star_outcome(
    stars: Sequence[int], racks: Sequence[Sequence[Tile]], finisher: int | None, order: Sequence[int]
) -> Outcome:
    """End a junior round: everyone pays a star for each tile left, as far as they have any; most stars wins.

    junior, *Le vainqueur*: a tie goes to whoever laid the last tile first; then to fewer tiles, then to turn order.
    """
    left = tuple(max(0, have - len(rack)) for have, rack in zip(stars, racks, strict=True))
    winner = min(order, key=lambda seat: (-left[seat], seat != finisher, len(racks[seat]), order.index(seat)))
    return Outcome(winner, left)


def match_totals(rounds: Sequence[Sequence[int]], players: int) -> tuple[int, ...]:
    """Add up the rounds of a match by seat."""
    return tuple(sum(scores[seat] for scores in rounds) for seat in range(players))


def match_winners(totals: Sequence[int]) -> tuple[int, ...]:
    """The seats with the highest total; more than one when a match is drawn."""
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))
