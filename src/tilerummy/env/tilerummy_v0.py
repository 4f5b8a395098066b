"""Tile rummy as a PettingZoo environment: one round of any ruleset, agents taking turns.

>>> import pettingzoo
>>> import tilerummy.env
>>> env = pettingzoo.make("aec", "tilerummy/sabra_v0", players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     env.step(None if terminated or truncated else 0)  # draw, draw, draw
>>> env.agents
[]
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from tilerummy.bots.turn import Turn
from tilerummy.deal import BadSeed
from tilerummy.env.candidates import Candidates, candidates, judged, turns
from tilerummy.env.checks import chosen, known, refuse, whole
from tilerummy.env.observation import Encoder, Observation
from tilerummy.env.render import pixels, sketch, words
from tilerummy.game import apply, begin, commit
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.state import Event, Phase, Played, Refusal, RoundEnded, State, fold
from tilerummy.tiles import KINDS, counts
from tilerummy.view import View, view

__all__ = ["ILLEGAL", "MODES", "RewardKind", "TileRummy", "env", "raw_env"]

RewardKind = Literal["win", "points"]
"""What an agent is rewarded for at the end of the round."""

MODES: Final = ("human", "ansi", "rgb_array", "svg")
"""How a position can be rendered."""

ILLEGAL: Final = -1.0
"""What an action that the mask forbids costs; the round is over with it."""


class TileRummy(AECEnv[str, Observation, Any]):
    """A round between `players` agents, `player_0` and so on; every argument is kept over resets.

    `ruleset` and `house` say by which rules, `candidates` how many actions there are, `reward` what is rewarded,
    `max_cycles` after how many turns of each the round is cut off (never, if None); with `texts` each info has the
    candidates in words.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # as PettingZoo declares it
        "name": "tilerummy_v0",
        "render_modes": list(MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        ruleset: str | Ruleset = "sabra",
        players: int = 2,
        *,
        house: Mapping[str, object] | None = None,
        candidates: int = 64,
        reward: RewardKind = "win",
        max_cycles: int | None = None,
        texts: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Set up the spaces; nothing is dealt before the first reset."""
        super().__init__()  # type: ignore[no-untyped-call]
        self.rules = _rules(ruleset, house)
        players = whole("players", players, 2)
        self.rules.check_players(players)
        candidates = whole("candidates", candidates, 2)
        refuse(
            reward not in get_args(RewardKind), "reward", f"one of {', '.join(get_args(RewardKind))}, not {reward!r}"
        )
        max_cycles = None if max_cycles is None else whole("max_cycles", max_cycles, 1)
        refuse(render_mode not in (None, *MODES), "render_mode", f"one of {', '.join(MODES)}, not {render_mode!r}")
        self.players, self.limit, self.reward, self.max_cycles, self.texts = (
            players,
            candidates,
            reward,
            max_cycles,
            texts,
        )
        self.render_mode = render_mode
        self.encoder = Encoder.of(self.rules, players, candidates)
        self.possible_agents = [f"player_{number}" for number in range(players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self.encoder.space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(candidates) for agent in self.possible_agents}
        self.state_space = spaces.Box(0, 4, (players + 2, KINDS), np.int8)
        self.np_random, self.np_random_seed = seeding.np_random()
        self.rotation = 0
        self._cycles = 0
        self._choices: Candidates | None = None
        self._views: tuple[State | None, dict[int, View]] = (None, {})  # of this state, by seat
        self._last: Played | None = None

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a round; the same seed deals the same rounds from here on.

        The option `deal` is the seed of the shuffle itself, 64 hexadecimal digits, in place of one that is drawn; with
        `rotation` n, player_0 sits in seat n and the others behind: duplicate deals are one deal in every rotation.
        """
        given = known(options, ("deal", "rotation"))
        deal, rotation = given.get("deal"), whole("rotation", given.get("rotation", 0), 0, self.players - 1)
        if seed is not None:
            self.np_random, self.np_random_seed = seeding.np_random(whole("seed", seed, 0))
        drawn = self.np_random.bytes(32).hex()
        try:
            self.game: State = fold(begin(self.rules, players=self.players, seed=drawn if deal is None else deal))
        except (BadSeed, TypeError) as error:
            raise ValueError(f"deal: {error}") from error
        self.rotation = rotation
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.__dict__.pop("_skip_agent_selection", None)  # of a round that was left half removed
        self._cycles = 0
        self._last = None
        self._next()

    def step(self, action: int | None) -> None:
        """Let the agent to move do what its action means; raises ValueError where the mask forbids it."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        verdict = judged(self.candidates(), self._allowed(action))
        self._happen(self._turn(action)[1] if verdict is None else commit(self.game, verdict))

    def play(self, command: Turn) -> None:
        """Let the agent to move do this, as a bot says it; raises ValueError where the game refuses it."""
        events = apply(self.game, command)
        if isinstance(events, Refusal):
            codes = [violation.code for violation in events.violations]
            raise ValueError(f"command: {' '.join([events.code, *codes])}")
        self._happen(events)

    def action_to_command(self, action: int) -> Turn:
        """What an action of the agent to move means to the game."""
        return self._turn(action)[0]

    def candidates(self) -> Candidates:
        """The candidates of the agent to move."""
        if self._choices is None:
            self._choices = candidates(self.view(self.agent_selection), self.limit)
        return self._choices

    def observe(self, agent: str) -> Observation:
        """What an agent sees now."""
        seen = self.view(agent)
        return self.encoder.observation(seen, self.candidates() if self._is_to_move(agent) else None)

    def view(self, agent: str) -> View:
        """What an agent may know, as bots get it."""
        seat = self.seat(agent)
        state, seen = self._views
        if state is not self.game:
            seen = {}
            self._views = self.game, seen
        if seat not in seen:
            seen[seat] = view(self.game, seat)
        return seen[seat]

    def seat(self, agent: str) -> int:
        """Where an agent sits."""
        return (self.possible_agents.index(agent) + self.rotation) % self.players

    def agent(self, seat: int) -> str:
        """Who sits there."""
        return self.possible_agents[(seat - self.rotation) % self.players]

    def state(self) -> NDArray[np.int8]:
        """Everything, hidden tiles too, as counts by kind: each agent's rack, the table, the pool."""
        game = self.game
        table = [tile for meld in game.table for tile in meld.tiles]
        racks = [game.racks[self.seat(agent)] for agent in self.possible_agents]
        return np.array([counts(some) for some in (*racks, table, game.pool)], np.int8)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show the position as the agent to move sees it: text, pixels or SVG, as `render_mode` says."""
        if self.render_mode is None:
            return None
        agents = tuple(self.agent(seat) for seat in range(self.players))
        seen = view(self.game, self.game.turn)
        new = () if self._last is None else self._last.laid
        match self.render_mode:
            case "svg":
                return sketch(seen, agents, new)
            case "rgb_array":
                return pixels(seen, agents, new)
            case "human":
                print(words(seen, agents, new))
                return None
        return words(seen, agents, new)

    def close(self) -> None:
        """Nothing is held open."""

    def _is_to_move(self, agent: str) -> bool:
        return (
            self.game.phase is Phase.PLAYING
            and agent == self.agent_selection
            and agent in self.agents
            and not self.truncations[agent]
            and not self.terminations[agent]
        )

    def _turn(self, action: int | None) -> tuple[Turn, tuple[Event, ...]]:
        """What an action means, and what comes of it."""
        choices, number = self.candidates(), self._allowed(action)
        for command in turns(choices, number):
            events = apply(self.game, command)
            if not isinstance(events, Refusal):
                return command, events
        raise AssertionError(f"a candidate is refused: {choices.texts()[number]}")

    def _allowed(self, action: int | None) -> int:
        """The action, if the mask allows it."""
        size, number = len(self.candidates()), chosen(action)
        refuse(not 0 <= number < size, "action", f"{number} is masked; {self.agent_selection} has 0 to {size - 1}")
        return number

    def _happen(self, events: tuple[Event, ...]) -> None:
        mover = self.agent_selection
        self.game = fold(events, self.game)
        self._last = events[0] if isinstance(events[0], Played) else None
        self._cumulative_rewards[mover] = 0.0
        self._clear_rewards()
        self._cycles += 1
        if self.infos[mover]:
            self.infos[mover] = {}
        ended = next((event for event in events if isinstance(event, RoundEnded)), None)
        if ended is not None:
            self._end(ended)
        elif self.max_cycles is not None and self._cycles >= self.max_cycles * self.players:
            self.truncations = dict.fromkeys(self.agents, True)
        self._next()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _next(self) -> None:
        self.agent_selection = self.agent(self.game.turn)
        self._choices = None
        if self.texts and self._is_to_move(self.agent_selection):
            self.infos[self.agent_selection] = {"candidates": self.candidates().texts()}

    def _end(self, ended: RoundEnded) -> None:
        for agent in self.agents:
            seat = self.seat(agent)
            if self.reward == "points":
                self.rewards[agent] = float(ended.scores[seat])
            else:
                self.rewards[agent] = 1.0 if seat == ended.winner else -1.0 / (self.players - 1)
            self.terminations[agent] = True


def env(**configuration: Any) -> AECEnv[str, Observation, Any]:
    """The environment as PettingZoo wants it used: calls in order, actions in bounds, a forbidden action loses."""
    made: AECEnv[str, Observation, Any] = TileRummy(**configuration)
    made = TerminateIllegalWrapper(made, illegal_reward=ILLEGAL)
    made = AssertOutOfBoundsWrapper(made)
    return OrderEnforcingWrapper(made)


raw_env = TileRummy
"""The environment without wrappers, by the name that PettingZoo's environments have it under."""


def _rules(given: str | Ruleset, house: Mapping[str, object] | None) -> Ruleset:
    if isinstance(given, str):
        refuse(not isinstance(house, Mapping | None), "house", f"a dict, not {house!r}")
        return ruleset(given, house)
    refuse(not isinstance(given, Ruleset), "ruleset", f"a ruleset or its name, not {given!r}")
    refuse(house is not None, "house", "a ruleset by its name, or no house rules")
    return given
