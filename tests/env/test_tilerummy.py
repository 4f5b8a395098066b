"""The environment: what is seen, what an action does, what survives a reset, what chance depends on."""

import copy
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from tests.env.playing import CONFIGURATIONS, finish, names
from tests.kit.build import at
from tilerummy.env import FEATURES, ROUND, SEAT, Solo, TileRummy
from tilerummy.env.candidates import judged
from tilerummy.game import apply, commit
from tilerummy.rulesets import RULESETS, BadRuleset, Rearranging, ruleset
from tilerummy.solver import plays
from tilerummy.state import Draw, Pass, Phase, Play, Refusal, State
from tilerummy.tiles import COLOURS, JOKER, KINDS, MAX_NUMBER, counts, tiles

ROOT = Path(__file__).parent.parent.parent


def sitting(state: State, **configuration: Any) -> TileRummy:
    """An environment in which the game stands like this."""
    env = TileRummy(state.rules, state.players, **configuration)
    env.reset(seed=0)
    env.game = state
    env._next()
    return env


# Actions


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=names)
def test_every_candidate_is_a_legal_play_of_those_tiles(configuration: dict[str, Any]) -> None:
    env = TileRummy(**configuration, candidates=8)

    def watch(env: TileRummy) -> None:
        state, choices = env.game, env.candidates()
        assert 1 <= len(choices) <= 8
        assert len(set(choices.laid)) == len(choices)
        for action in (1, len(choices) - 1) if len(choices) > 1 else ():
            command = env.action_to_command(action)
            assert isinstance(command, Play)
            events = apply(state, command)
            assert not isinstance(events, Refusal)
            held = [sum(env.game.racks[state.turn].count(tile) for tile in rack) for rack in [state.racks[state.turn]]]
            assert held == [len(state.racks[state.turn])], "asking changes nothing"
            laid = [tile for meld in command.table for tile in meld if tile.tile in state.racks[state.turn]]
            assert bytes(counts(piece.tile for piece in laid)) == choices.laid[action]

    env.reset(seed=4)
    finish(env, watch=watch)


@pytest.mark.parametrize("name", RULESETS)
def test_candidates_are_the_solvers_plays(name: str) -> None:
    """All of them where there are no more; where there may be more, none that the solver does not have."""
    seen = {True: 0, False: 0}

    def watch(env: TileRummy) -> None:
        choices = env.candidates()
        found = plays(choices.query, 500)
        if not found.complete:
            return
        expected = [bytes(counts(play.laid)) for play in found.sets]
        seen[choices.more] += 1
        if choices.more:
            assert set(choices.laid[1:]) <= set(expected)
        else:
            assert list(choices.laid[1:]) == expected
            assert choices.maximal == sum(play.maximal for play in found.sets)

    env = TileRummy(name, 3)
    env.reset(seed=11)
    finish(env, watch=watch)
    assert seen[False] > 20


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=names)
def test_what_is_not_judged_is_what_the_game_would_say(configuration: dict[str, Any]) -> None:
    """A step does not put a play to the rules that is legal however it is arranged; the game says the same of it."""
    known = {True: 0, False: 0}

    def watch(env: TileRummy) -> None:
        choices = env.candidates()
        for action in {1, len(choices) - 1} if len(choices) > 1 else ():
            verdict = judged(choices, action)
            known[verdict is not None] += 1
            if verdict is not None:
                assert commit(env.game, verdict) == apply(env.game, env.action_to_command(action))

    env = TileRummy(**configuration)
    for seed in (12, 13):
        env.reset(seed=seed)
        assert judged(env.candidates(), 0) is None, "a draw is the game's"
        finish(env, watch=watch)
    junior = env.rules.rearranging is Rearranging.ADDING
    assert known[not junior]
    assert not (junior and known[True]), "there it depends on where equal tiles come from"


def test_the_first_action_draws_or_passes() -> None:
    sabra = RULESETS["sabra"]
    assert sitting(at(sabra, "r1 b5", "k3", turn=1)).action_to_command(0) == Draw(1)
    assert sitting(at(sabra, "r1 b5", "k3", pool="")).action_to_command(0) == Pass(0)
    assert sitting(at(RULESETS["junior"], "r1 b5", "k3", stars=(0, 3))).action_to_command(0) == Pass(0)


def test_more_than_fit_are_said() -> None:
    state = at(RULESETS["sabra"], "r1 r2 r3 r4 r5 b1 b2 b3 k1 k2 k3", "y1")
    whole, few = sitting(state), sitting(state, candidates=4)
    assert whole.observe("player_0")["observation"]["more"] == [0]
    assert len(whole.candidates()) > 10
    observed = few.observe("player_0")
    assert observed["observation"]["more"] == [1]
    assert observed["action_mask"].tolist() == [1, 1, 1, 1]
    assert few.candidates().laid == whole.candidates().laid[:4], "the largest come first"


def test_a_masked_action_is_refused() -> None:
    env = sitting(at(RULESETS["sabra"], "r1 b5", "k3"))
    for action in (1, -1):
        with pytest.raises(ValueError, match=r"action: .* is masked; player_0 has 0 to 0"):
            env.step(action)
    assert env.agent_selection == "player_0"


@pytest.mark.parametrize("action", [None, 0.5, "0", [0]])
def test_an_action_is_a_whole_number(action: Any) -> None:
    env, solo = sitting(at(RULESETS["sabra"], "r1 b5", "k3")), Solo("random")
    solo.reset(seed=1)
    for one in (env, solo):
        with pytest.raises(ValueError, match=r"action: a whole number, not "):
            one.step(action)
    assert env.agent_selection == "player_0"
    env.step(np.array(0))  # type: ignore[arg-type]
    assert env.agent_selection == "player_1"


def test_a_command_may_be_played_too() -> None:
    env = sitting(at(RULESETS["sabra"], "r1 r2 r3 b5", "k3"))
    with pytest.raises(ValueError, match="command: must-draw"):
        env.play(Pass(0))
    command = env.action_to_command(1)
    env.play(command)
    assert env.game.racks[0] == tiles("b5")
    assert env.agent_selection == "player_1"


# Observations


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=names)
def test_observations_lie_in_their_space(configuration: dict[str, Any]) -> None:
    env = TileRummy(**configuration)

    def watch(env: TileRummy) -> None:
        for agent in env.possible_agents:
            observed = env.observe(agent)
            assert env.observation_space(agent).contains(observed)
            assert observed["action_mask"].any() == (agent == env.agent_selection)
        assert env.state_space.contains(env.state())

    env.reset(seed=2)
    finish(env, watch=watch)
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(env.observe(agent))
        assert not env.observe(agent)["action_mask"].any()


@pytest.mark.parametrize("name", RULESETS)
def test_hidden_tiles_cannot_be_seen(name: str) -> None:
    """With the hidden tiles dealt otherwise each agent observes the same, and so do its infos and pictures."""
    luck = np.random.default_rng(0)
    env, other = (TileRummy(name, 3, candidates=16, texts=True, render_mode="svg") for _ in range(2))
    env.reset(seed=8)
    other.reset(seed=9)

    def watch(env: TileRummy) -> None:
        for agent in env.possible_agents[:: 1 if luck.random() < 0.3 else 3]:
            other.game = redealt(env.game, env.seat(agent), luck)
            other._last = env._last
            other._next()
            assert data_equivalence(env.observe(agent), other.observe(agent))
            if agent == env.agent_selection:
                assert env.infos[agent] == other.infos[agent]
                assert env.render() == other.render()

    finish(env, watch=watch)


def redealt(state: State, seat: int, luck: np.random.Generator) -> State:
    """The state with everything that this seat cannot see in another order."""
    sizes = [0 if other == seat else len(rack) for other, rack in enumerate(state.racks)]
    hidden = [tile for rack, size in zip(state.racks, sizes, strict=True) for tile in rack[:size]] + [*state.pool]
    mixed = iter([hidden[place] for place in luck.permutation(len(hidden))])
    racks = [rack if not size else tuple(islice(mixed, size)) for rack, size in zip(state.racks, sizes, strict=True)]
    return replace(state, racks=tuple(racks), pool=tuple(mixed), seed="ff" * 32)


def test_what_an_observation_tells() -> None:
    state = at(
        ruleset("classic"),
        "r10 b10 k10 j y2",
        "k3 k4",
        "y1",
        table="r4 r5 j'=r6 | b1 k1 y1'",
        turn=0,
        starter=2,
        opened=(False, True, True),
        passes=1,
    )
    env = sitting(state)
    parts = env.observe("player_0")["observation"]
    held = tiles("r10 b10 k10 j y2")
    assert parts["rack"].tolist() == counts(held)
    assert parts["table"].tolist() == counts(tiles("r4 r5 j b1 k1 y1"))
    whole = counts(state.rules.tiles())
    assert (parts["rack"] + parts["table"] + parts["unseen"]).tolist() == whole
    assert parts["jokers"].sum() == parts["jokers"][COLOURS.index("r"), 5] == 1
    assert [dict(zip(SEAT, row, strict=True)) for row in parts["seats"].tolist()] == [
        {"rack_size": 5, "opened": 0, "stars": 0},
        {"rack_size": 2, "opened": 1, "stars": 0},
        {"rack_size": 1, "opened": 1, "stars": 0},
    ]
    assert dict(zip(ROUND, parts["round"].tolist(), strict=True)) == {
        "pool_size": len(state.pool),
        "passes": 1,
        "turns": 0,
        "place": 1,
        "to_move": 1,
        "must_open": 1,
        "table_usable": 1,
    }
    choices = env.candidates()
    assert "r10 b10 k10 j" in choices.texts()
    row = choices.texts().index("r10 b10 k10 j")
    assert parts["candidates"][row].tolist() == counts(tiles("r10 b10 k10 j"))
    assert dict(zip(FEATURES, parts["features"][row].tolist(), strict=True)) == {
        "tiles": 4,
        "points": 30,
        "jokers": 1,
        "left": 1,
        "left_points": 2,
        "maximal": 1,
        "goes_out": 0,
        "opens": 1,
    }
    draw = dict(zip(FEATURES, parts["features"][0].tolist(), strict=True))
    assert draw == {**dict.fromkeys(FEATURES, 0), "left": 5, "left_points": 30 + 30 + 2}


def test_others_come_in_turn_order() -> None:
    """rummy, *Déroulement du jeu*: counter-clockwise, so that the seat before one's own plays next."""
    env = sitting(at(RULESETS["rummy"], "r1 r2 r3", "b1", "k1 k2"))
    assert env.observe("player_0")["observation"]["seats"][:, 0].tolist() == [3, 2, 1]
    assert env.observe("player_1")["observation"]["seats"][:, 0].tolist() == [1, 3, 2]


def test_the_documented_table_is_the_space() -> None:
    """docs/env.md tells every part with its shape and type, and every feature."""
    page = (ROOT / "docs" / "env.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `\(([^)]*)\)` \| (\w+) \|", page, re.MULTILINE)
    sizes = {"players": 4, "candidates": 64}
    told = {
        name: (tuple(sizes[size] if size in sizes else int(size) for size in re.findall(r"\w+", shape)), dtype)
        for name, shape, dtype in rows
    }
    env = TileRummy("sabra", 4)
    parts = env.encoder.parts_space().spaces
    made = {name: (space.shape, str(space.dtype)) for name, space in parts.items()}
    mask = env.encoder.mask_space()
    assert told == {**made, "action_mask": (mask.shape, str(mask.dtype))}
    assert KINDS == 53
    assert (len(COLOURS) + 1, MAX_NUMBER, JOKER) == (5, 13, 52)
    for part, columns in (("seats", SEAT), ("round", ROUND), ("features", FEATURES)):
        listed = re.findall(rf"^\| `{part}` \| (\d+) \| `(\w+)` \|", page, re.MULTILINE)
        assert listed == [(str(place), name) for place, name in enumerate(columns)]


# Chance


@pytest.mark.parametrize("configuration", CONFIGURATIONS[::4], ids=names)
def test_configuration_survives_a_seeded_reset(configuration: dict[str, Any]) -> None:
    env = TileRummy(**configuration, candidates=16, reward="points", max_cycles=3, texts=True)
    for seed in (1, None, 2):
        env.reset(seed=seed)
        assert (env.game.rules, env.game.players) == (env.rules, configuration["players"])
        assert env.observe(env.agent_selection)["action_mask"].shape == (16,)
        assert env.infos[env.agent_selection]["candidates"][0] in ("draw", "pass")
        finish(env)
        assert all(env.truncations.values()) or all(env.terminations.values())


def test_same_seed_same_rounds() -> None:
    one, two, other = TileRummy("club", 3), TileRummy("club", 3), TileRummy("club", 3)
    for seed in (5, None, None):
        one.reset(seed=seed)
        two.reset(seed=seed)
        other.reset(seed=None if seed is None else seed + 1)
        assert one.game == two.game
        assert one.game.seed != other.game.seed
        assert finish(one) == finish(two)
    one.reset(seed=5)
    first = one.game.seed
    one.reset()
    assert one.game.seed != first, "without a seed the next round is another"


def test_same_seed_same_round_in_any_process() -> None:
    program = (
        "from tests.env.playing import finish; from tilerummy.env import TileRummy;"
        "env = TileRummy('classic', 3); env.reset(seed=9);"
        "print(finish(env), env.game.scores, env.game.table)"
    )
    env = TileRummy("classic", 3)
    env.reset(seed=9)
    expected = f"{finish(env)} {env.game.scores} {env.game.table}\n"
    for hash_seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            cwd=ROOT,
            text=True,
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": "."},
        )
        assert ran.stdout == expected


def test_a_deal_in_every_rotation() -> None:
    env = TileRummy("rummy", 3)
    deal = "ab" * 32
    states = []
    for rotation in range(3):
        env.reset(options={"deal": deal, "rotation": rotation})
        assert [env.seat(agent) for agent in env.possible_agents] == [(at + rotation) % 3 for at in range(3)]
        assert [env.agent(env.seat(agent)) for agent in env.possible_agents] == env.possible_agents
        assert env.agent_selection == env.agent(env.game.turn)
        states.append(env.game)
    assert states[0] == states[1] == states[2]
    env.reset(options={"deal": deal})
    assert env.seat("player_0") == 0, "a rotation is for one round"


def test_copies_go_on_alike() -> None:
    env = TileRummy("classic", 2)
    env.reset(seed=3)
    for _ in range(10):
        env.step(env.candidates().maximal and 1)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    went = finish(env)
    env.reset()
    for one in copies:
        assert finish(one) == went
        one.reset()
        assert one.game == env.game, "the next deal too"


# Ends


@pytest.mark.parametrize("configuration", CONFIGURATIONS[2::3], ids=names)
def test_rewards(configuration: dict[str, Any]) -> None:
    players = configuration["players"]
    for reward in ("win", "points"):
        env = TileRummy(**configuration, reward=reward)
        env.reset(seed=6)
        finish(env)
        assert env.game.phase is Phase.MATCH_OVER
        assert env.game.winner is not None
        winner = env.agent(env.game.winner)
        if reward == "win":
            assert env.rewards[winner] == 1
            assert sum(env.rewards.values()) == pytest.approx(0)
            assert len(set(env.rewards.values())) == 2
        else:
            assert [env.rewards[env.agent(seat)] for seat in range(players)] == list(env.game.scores[-1])
            assert env.rewards[winner] == max(env.rewards.values())


def test_a_rotated_round_rewards_who_sat_there() -> None:
    env = TileRummy("sabra", 2)
    wins = []
    for rotation in (0, 1):
        env.reset(options={"deal": "cd" * 32, "rotation": rotation})
        finish(env)
        wins.append(env.rewards["player_0"])
    assert sorted(wins) == [-1, 1]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"ruleset": "mahjong"}, "ruleset"),
        ({"players": 5}, "players"),
        ({"house": {"opening": 999}}, "house.opening"),
        ({"ruleset": 5}, "ruleset"),
        ({"players": "2"}, "players"),
        ({"players": True}, "players"),
        ({"house": "opening"}, "house"),
        ({"candidates": 1}, "candidates"),
        ({"candidates": "x"}, "candidates"),
        ({"max_cycles": 1.5}, "max_cycles"),
        ({"reward": "fame"}, "reward"),
        ({"max_cycles": 0}, "max_cycles"),
        ({"render_mode": "opengl"}, "render_mode"),
        ({"ruleset": RULESETS["club"], "house": {"opening": 20}}, "house"),
    ],
)
def test_bad_configuration_is_named(given: dict[str, Any], field: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(field)}: ") as caught:
        TileRummy(**given)
    refused = {"ruleset": "mahjong", "players": 5, "house": {"opening": 999}}
    assert isinstance(caught.value, BadRuleset) == (given.items() <= refused.items())


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"rotation": 2}, "rotation"),
        ({"rotation": "one"}, "rotation"),
        ({"deal": "luck"}, "deal"),
        ({"deal": 7}, "deal"),
        ({"rotation": 0.0}, "rotation"),
        ({"rotations": 1}, "options"),
        ({"seat": 1}, "options"),
        (["deal"], "options"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], field: str) -> None:
    env = TileRummy()
    with pytest.raises(ValueError, match=f"^{field}: "):
        env.reset(options=options)


@pytest.mark.parametrize("seed", [-1, "1", 1.5, True])
def test_a_bad_seed_is_named(seed: Any) -> None:
    for env in (TileRummy(), Solo()):
        with pytest.raises(ValueError, match=r"^seed: a whole number, at least 0, not "):
            env.reset(seed=seed)


def test_what_is_refused_leaves_the_next_deal_as_it_was() -> None:
    one, other = TileRummy(), TileRummy()
    for env in (one, other):
        env.reset(seed=3)
    with pytest.raises(ValueError, match="rotation"):
        one.reset(seed=4, options={"rotation": 9})
    for env in (one, other):
        env.reset()
    assert one.game == other.game


def test_numbers_of_numpys_will_do() -> None:
    env = TileRummy(players=np.int64(3), candidates=np.int16(8))  # type: ignore[arg-type]
    env.reset(seed=np.int64(1), options={"rotation": np.int64(2)})  # type: ignore[arg-type]
    other = TileRummy(players=3)
    other.reset(seed=1)
    assert env.game == other.game
    assert (env.players, env.limit, env.seat("player_0")) == (3, 8, 2)
