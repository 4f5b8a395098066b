"""What an agent sees, as arrays: the view of its seat and, when it is to move, its candidates (docs/env.md).

Nothing but a view goes in here, so that nothing that a seat may not know can come out.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tilerummy.bots.turn import table_usable
from tilerummy.env.candidates import Candidates
from tilerummy.rulesets import Ruleset
from tilerummy.state import Phase
from tilerummy.tiles import COLOURS, JOKER, KINDS, MAX_NUMBER, counts
from tilerummy.view import View

__all__ = ["FEATURES", "ROUND", "SEAT", "Encoder", "Observation", "Parts"]

Parts = dict[str, NDArray[Any]]
"""The parts of an observation by name."""

Observation = dict[str, Any]
"""What PettingZoo's classic games hand out: `observation`, here its parts, and `action_mask`."""

SEAT: Final = ("rack_size", "opened", "stars")
"""What each row of `seats` tells."""

ROUND: Final = ("pool_size", "passes", "turns", "place", "to_move", "must_open", "table_usable")
"""What `round` tells."""

FEATURES: Final = ("tiles", "points", "jokers", "left", "left_points", "maximal", "goes_out", "opens")
"""What each row of `features` tells about a candidate."""

_COUNTED: Final = 5  # of these, up to `left_points`, add up from tile to tile
_MOST_TURNS: Final = 9999
_NUMBERS: Final = np.array([kind % MAX_NUMBER + 1 for kind in range(JOKER)] + [0], np.int16)


@dataclass(frozen=True, slots=True)
class Encoder:
    """The spaces of a game, and views as members of them."""

    rules: Ruleset
    players: int
    limit: int  # of candidates, the draw or pass among them
    whole: NDArray[np.int8]  # how many tiles of each kind there are
    weights: NDArray[np.int16]  # of each kind: what laying one adds to the features up to `left_points`

    @classmethod
    def of(cls, rules: Ruleset, players: int, limit: int) -> "Encoder":
        """Make the encoder of a game."""
        worth = _NUMBERS.copy()
        worth[JOKER] = rules.joker_value
        is_joker = np.zeros(KINDS, np.int16)
        is_joker[JOKER] = 1
        one = np.ones(KINDS, np.int16)
        weights = np.stack([one, _NUMBERS, is_joker, -one, -worth], axis=1)
        return cls(rules, players, limit, np.array(counts(rules.tiles()), np.int8), weights)

    def space(self) -> spaces.Dict:
        """The observation space of every agent."""
        return spaces.Dict({"observation": self.parts_space(), "action_mask": self.mask_space()})

    def mask_space(self) -> spaces.Box:
        """The space of the action mask."""
        return spaces.Box(0, 1, (self.limit,), np.int8)

    def parts_space(self) -> spaces.Dict:
        """The space of an observation's parts."""
        rules, total = self.rules, self.rules.total
        most_stars = 999 if rules.stars else 0
        value = -int(self.whole.astype(np.int16) @ self.weights[:, 4])
        seat = [total, 1, most_stars]
        tells = [total, self.players, _MOST_TURNS, self.players - 1, 1, 1, 1]
        features = [total, value, rules.jokers, total, value, 1, 1, 1]
        return spaces.Dict(
            {
                "rack": _box(self.whole),
                "table": _box(self.whole),
                "unseen": _box(self.whole),
                "jokers": _box(np.full((len(COLOURS) + 1, MAX_NUMBER), rules.jokers, np.int8)),
                "seats": _box(np.tile(np.array(seat, np.int16), (self.players, 1))),
                "round": _box(np.array(tells, np.int16)),
                "candidates": _box(np.tile(self.whole, (self.limit, 1))),
                "features": _box(np.tile(np.array(features, np.int16), (self.limit, 1))),
                "more": _box(np.ones(1, np.int8)),
            }
        )

    def observation(self, view: View, choices: Candidates | None) -> Observation:
        """What the view's seat sees; `choices` when it is to move."""
        mask = np.zeros(self.limit, np.int8)
        parts = self.known(view)
        laid = np.zeros((self.limit, KINDS), np.int8)
        features = np.zeros((self.limit, len(FEATURES)), np.int16)
        if choices is not None:
            size = len(choices)
            mask[:size] = 1
            if size > 1:
                laid[:size] = np.frombuffer(b"".join(choices.laid), np.int8).reshape(size, KINDS)
            self._tell(features[:size], laid[:size], parts["rack"], choices)
        parts["candidates"] = laid
        parts["features"] = features
        parts["more"] = np.array([choices is not None and choices.more], np.int8)
        return {"observation": parts, "action_mask": mask}

    def known(self, view: View) -> Parts:
        """What the view's seat knows, candidates apart."""
        seat = view.seat
        if seat is None:
            raise ValueError("a spectator observes nothing here")
        rack = np.frombuffer(bytearray(counts(view.rack)), np.int8)
        table = np.frombuffer(bytearray(counts([tile for meld in view.table for tile in meld.tiles])), np.int8)
        jokers = np.zeros((len(COLOURS) + 1, MAX_NUMBER), np.int8)
        if table[JOKER]:
            for meld in [meld for meld in view.table if JOKER in [tile.kind for tile in meld.tiles]]:
                for _, face in meld.jokers:
                    jokers[COLOURS.index(face.colour) if face.colour else len(COLOURS), face.number - 1] += 1
        step, players = view.rules.step, view.players
        order = [(seat + step * place) % players for place in range(players)]
        seats = [(view.rack_sizes[one], view.opened[one], view.stars[one]) for one in order]
        playing = view.phase is Phase.PLAYING
        place = (seat - view.starter) * step % players
        must_open = bool(view.rules.opening) and not view.opened[seat]
        turns = min(view.version - 2, _MOST_TURNS)
        to_move = playing and view.turn == seat
        tells = (view.pool_size, view.passes, turns, place, to_move, must_open, table_usable(view))
        return {
            "rack": rack,
            "table": table,
            "unseen": self.whole - rack - table,
            "jokers": jokers,
            "seats": np.array(seats, np.int16),
            "round": np.array(tells, np.int16),
        }

    def _tell(
        self, features: NDArray[np.int16], laid: NDArray[np.int8], rack: NDArray[np.int8], choices: Candidates
    ) -> None:
        """Fill in the features, row by row as FEATURES says."""
        features[:, :_COUNTED] = laid @ self.weights
        features[:, 3:_COUNTED] -= (rack @ self.weights)[3:]
        features[1 : 1 + choices.maximal, 5] = 1
        features[:, 6] = features[:, 3] == 0
        if choices.query.rules.opening and not choices.query.opened:
            features[1:, 7] = 1


def _box(high: NDArray[Any]) -> spaces.Box:
    return spaces.Box(np.zeros_like(high), np.maximum(high, 1), high.shape, high.dtype.type)
