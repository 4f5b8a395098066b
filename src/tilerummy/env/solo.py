"""One agent against fixed opponents, as a Gymnasium environment.

>>> import gymnasium
>>> import tilerummy.env
>>> env = gymnasium.make("tilerummy/sabra-v0", opponents="novice", players=3)
>>> observation, info = env.reset(seed=7)
>>> observation, reward, terminated, truncated, info = env.step(0)
>>> reward, terminated, sorted(observation)[:3]
(0.0, False, ['action_mask', 'candidates', 'features'])
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tilerummy.bots import BUDGET
from tilerummy.env.checks import chosen, known, whole
from tilerummy.env.observation import Parts
from tilerummy.env.players import Luck, Player, opposing, take_turn
from tilerummy.env.tilerummy_v0 import ILLEGAL, MODES, TileRummy

__all__ = ["Solo"]


class Solo(gymnasium.Env[dict[str, Any], Any]):
    """A round from one seat's side; every argument is kept over resets.

    `opponents` is one player for all other seats, or one for each, in turn order behind the agent; `seat` is where the
    agent sits, drawn anew each round if None. The rest is the configuration of `TileRummy`.
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        opponents: Player | Sequence[Player] = "random",
        *,
        players: int = 2,
        seat: int | None = None,
        budget: int = BUDGET,
        render_mode: str | None = None,
        **configuration: Any,
    ) -> None:
        """Set up the spaces and seat the opponents."""
        quiet = None if render_mode == "human" else render_mode  # shown after the agent's turn, not after each
        self.game = TileRummy(players=players, render_mode=quiet, **configuration)
        self.opponents = opposing(opponents, players)
        self.seat = None if seat is None else whole("seat", seat, 0, players - 1)
        self.budget, self.render_mode = whole("budget", budget, 1), render_mode
        self.agent = self.game.possible_agents[0]
        parts = self.game.encoder.parts_space()
        mask = self.game.encoder.mask_space()
        self.observation_space = spaces.Dict({**parts.spaces, "action_mask": mask})
        self.action_space = self.game.action_space(self.agent)
        self._luck: list[Luck] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Parts, dict[str, Any]]:
        """Deal a round and let the others play until it is the agent's turn; the options are `deal` and `seat`.

        If the round is over before that, no action matters, and the first step tells the result.
        """
        given = known(options, ("deal", "seat"))
        players = self.game.players
        if given.get("seat") is not None:
            whole("seat", given["seat"], 0, players - 1)
        super().reset(seed=None if seed is None else whole("seed", seed, 0))
        drawn = int(self.np_random.integers(players))
        usual = drawn if self.seat is None else self.seat
        asked = given.pop("seat", None)
        seat = usual if asked is None else int(asked)
        chance = int(self.np_random.integers(2**32))
        given.setdefault("deal", self.np_random.bytes(32).hex())
        self.game.reset(options={**given, "rotation": seat})
        self._luck = [Luck.of(chance, place) for place in range(players)]
        self._others()
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[Parts, float, bool, bool, dict[str, Any]]:
        """Play the agent's turn and the others' until it is its turn again; an action that is masked loses at once."""
        game, number = self.game, chosen(action)
        if not self._is_over():
            if not 0 <= number < len(game.candidates()):
                game.terminations = dict.fromkeys(game.agents, True)
                return self._observe(), ILLEGAL, True, False, {"illegal": True}
            game.step(number)
            self._others()
        if self.render_mode == "human":
            self.render()
        agent = self.agent
        reward = game.rewards[agent] if self._is_over() else 0.0
        return self._observe(), reward, game.terminations[agent], game.truncations[agent], self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are allowed now, by the name that maskable learners look for."""
        mask: NDArray[np.int8] = self._observe()["action_mask"]
        return mask.astype(np.bool_)

    def render(self) -> Any:
        """Show the position as `TileRummy` does."""
        if self.render_mode != "human":
            return self.game.render()
        self.game.render_mode = "human"
        self.game.render()
        self.game.render_mode = None
        return None

    def _others(self) -> None:
        game = self.game
        while not self._is_over() and game.agent_selection != self.agent:
            seat = game.game.turn
            behind = (seat - game.seat(self.agent)) * game.rules.step % game.players
            take_turn(game, self.opponents[behind - 1], self._luck[seat], self.budget)

    def _is_over(self) -> bool:
        return self.game.terminations[self.agent] or self.game.truncations[self.agent]

    def _observe(self) -> Parts:
        seen = self.game.observe(self.agent)
        mask = seen["action_mask"]
        if not mask.any():
            mask[0] = 1  # a mask that allows nothing breaks samplers; over is over
        return {**seen["observation"], "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        return dict(self.game.infos[self.agent])
