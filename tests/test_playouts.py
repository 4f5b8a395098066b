"""Play-outs in the kernel are rounds of the engine: the same plays, the same end."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.build import at, seed, then
from tests.kit.cases import SETS, rules_of
from tests.kit.players import play_on
from tests.kit.replay import assert_replays, free, picked, situation_of, world_of
from tilerummy import _kernel
from tilerummy.game import begin, fold
from tilerummy.playouts import Policy, Result, Situation, World, compare, finish, transcript
from tilerummy.rulesets import RULESETS
from tilerummy.solver import Query, plays, solve, with_copies
from tilerummy.solver.opening import opening_sets
from tilerummy.state import Draw, Pass, Phase, Play, State
from tilerummy.tiles import JOKER, KINDS, counts, tiles

pytestmark = pytest.mark.kernel

SABRA = RULESETS["sabra"]
GREEDY = Policy.TILES
MIXED = (Policy.TILES, Policy.POINTS, Policy.HOLD, Policy.WAIT, Policy.HOLD, Policy.POINTS)


def hold(written: str) -> bytes:
    return bytes(counts(tiles(written)))


def dealt(name: str, players: int, number: int) -> State:
    return fold(begin(free(rules_of(name)), players=players, seed=seed(number)))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rounds_of_greedy_players(players: int) -> None:
    """Turn by turn what greedy lays, all of it legal, and the engine's winner, scores and number of turns."""
    assert free(SABRA) == SABRA
    replayed = [assert_replays(dealt("sabra", players, number), [GREEDY] * players) for number in range(40)]
    assert sum(one.plays for one in replayed) > 40 * players


@pytest.mark.parametrize("name", SETS)
def test_rounds_of_every_ruleset_with_free_jokers(name: str) -> None:
    """Openings, locked tables, both directions, stalemates, stars, three copies; with every policy."""
    most = rules_of(name).players
    for number in range(20 if name != "sabra xp" else 6):
        players = 2 + number % (most - 1)
        turned = [*MIXED[number % 3 :], *MIXED[: number % 3]]
        assert_replays(dealt(name, players, number), turned[:players])


@pytest.mark.parametrize("name", SETS)
def test_from_the_middle_of_a_round(name: str) -> None:
    """Whatever was played before: some seats opened, some not, few tiles in the pool."""
    rules = free(rules_of(name))
    for number in range(8):
        luck = random.Random(number)
        players = 2 + number % (rules.players - 1)
        rest = luck.randrange(2, 40)
        states = (after for *_, after in play_on(dealt(name, players, number), luck))
        state = next(islice(states, luck.randrange(20, 60), None), None)
        if state is not None and state.phase is Phase.PLAYING:
            assert_replays(replace(state, pool=state.pool[:rest]), MIXED[:players])


def mid_game(name: str, number: int, turns: int) -> Iterator[State]:
    state = dealt(name, 2 + number % (rules_of(name).players - 1), number)
    for *_, after in islice(play_on(state, random.Random(number)), turns, turns + 6):
        if after.phase is Phase.PLAYING:
            yield after


@pytest.mark.parametrize("name", [name for name in SETS if not rules_of(name).stars])
def test_comparing_is_acting_and_finishing(name: str) -> None:
    compared = 0
    for state in (state for number in range(4) for state in mid_game(name, number, 18 + 8 * number)):
        policies = MIXED[: state.players]
        situation, world = situation_of(state), world_of(state)
        query = Query(state.rules, state.table, state.racks[state.turn], state.opened[state.turn], all(state.opened))
        sets = plays(query, 5).sets
        firsts = [None, *(bytes(counts(play.laid)) for play in sets)]
        passing = Draw(state.turn) if state.pool else Pass(state.turn)
        held = [tuple(picked(query.rack, counts(play.laid))) for play in sets]
        commands = [passing, *(_play(replace(query, rack=rack), state) for rack in held)]
        for (found,), command in zip(compare(situation, [world], firsts, policies), commands, strict=True):
            after = then(state, command)
            if after.phase is Phase.PLAYING:
                (rest,) = finish(situation_of(after), [world_of(after)], policies)
                assert found == replace(rest, turns=rest.turns + 1)
            else:
                assert found == Result(after.winner or 0, after.scores[-1], 1)
            compared += 1
    assert compared > 30


def _play(query: Query, state: State) -> Play:
    after, laid = with_copies(query, solve(query))
    assert len(laid) == len(query.rack)
    return Play(state.turn, after)


def test_many_worlds_at_once() -> None:
    """Each world by itself gives the same, in any order, however often."""
    state = next(mid_game("sabra", 1, 30))
    situation, luck = situation_of(state), random.Random(5)
    hidden = [tile.kind for rack in (*state.racks[:1], *state.racks[2:], state.pool) for tile in rack]
    sizes = [len(rack) for rack in state.racks]
    worlds = []
    for _ in range(20):
        luck.shuffle(hidden)
        rest, racks = list(hidden), []
        for seat, size in enumerate(sizes):
            mine = [tile.kind for tile in state.racks[1]] if seat == 1 else [rest.pop() for _ in range(size)]
            racks.append(bytes(mine.count(kind) for kind in range(KINDS)))
        worlds.append(World(tuple(racks), bytes(rest)))
    policies = [GREEDY] * state.players
    results = finish(situation, worlds, policies)
    assert list(results) == [finish(situation, [world], policies)[0] for world in worlds]
    assert list(finish(situation, worlds[::-1], policies)) == list(results)[::-1]
    assert (
        compare(situation, worlds, [None, None], policies)[0][:] == compare(situation, worlds, [None], policies)[0][:]
    )
    assert len(results) == 20
    assert results.winners == [result.winner for result in results]
    assert results.turns == [result.turns for result in results]
    assert results[-1] == list(results)[-1]
    for seat in range(state.players):
        assert results.scores(seat) == [result.scores[seat] for result in results]
        assert results.wins(seat) == [int(result.winner == seat) for result in results]
    assert len(set(results.winners)) > 1
    assert finish(situation, [], policies)[:] == []
    assert compare(situation, worlds, [], policies) == []


def test_a_held_joker_goes_out_last() -> None:
    state = at(SABRA, "r1 r2 j k9", "b13 k12", pool="k10 y1")
    held = transcript(situation_of(state), world_of(state), [Policy.HOLD, GREEDY])
    assert held[0].laid is None
    assert all(not turn.laid or not turn.laid[JOKER] for turn in held if turn.seat == 0)
    assert transcript(situation_of(state), world_of(state), [GREEDY, GREEDY])[0].laid == hold("r1 r2 j")
    last = at(SABRA, "r1 r2 j", "b13 k12", pool="k10 y1")
    assert transcript(situation_of(last), world_of(last), [Policy.HOLD, GREEDY])[0].laid == hold("r1 r2 j")


def test_a_held_joker_opens_once_the_table_takes_the_whole_rack() -> None:
    state = at(SABRA, "r12 r13 j b5", "b6 b7 b8 k1", opened=(False, True), pool="b9 y1")
    told = transcript(situation_of(state), world_of(state), [Policy.HOLD, GREEDY])
    assert [turn.laid for turn in told] == [None, hold("b6 b7 b8"), hold("r12 r13 j b5 b9")]
    assert_replays(state, [Policy.HOLD, GREEDY])


def test_whoever_waits_lays_all_at_once() -> None:
    state = at(SABRA, "r1 r2 r3 k9", "b13 k12", pool="k10 y1 k8")
    told = transcript(situation_of(state), world_of(state), [Policy.WAIT, GREEDY])
    assert [turn.laid for turn in told if turn.seat == 0] == [None, None, hold("r1 r2 r3 k8 k9 k10")]
    assert_replays(state, [Policy.WAIT, GREEDY])


def test_whoever_waits_lays_what_it_can_where_nothing_is_left_to_draw() -> None:
    state = at(SABRA, "r1 r2 r3 k9", "b13 k12", pool="y1")
    told = transcript(situation_of(state), world_of(state), [Policy.WAIT, GREEDY])
    assert [turn.laid for turn in told if turn.seat == 0][:2] == [None, hold("r1 r2 r3")]
    assert_replays(state, [Policy.WAIT, GREEDY])


def test_stars() -> None:
    """Junior: three for a new meld's tiles, one for the meld, one for the last tile; the other pays for two tiles."""
    rules = free(RULESETS["junior"])
    state = at(rules, "r1 r2 r3", "b9 k9", stars=(6, 6), pool="")
    (found,) = finish(situation_of(state), [world_of(state)], [GREEDY, GREEDY])
    assert found == Result(0, (11, 4), 1)
    (first,) = compare(situation_of(state), [world_of(state)], [hold("r1 r2 r3")], [GREEDY, GREEDY])
    assert first[0] == found


@given(rack=st.lists(st.integers(0, JOKER), min_size=3, max_size=15), points=st.integers(1, 60), groups=st.booleans())
@settings(max_examples=150)
def test_smallest_openings(rack: list[int], points: int, groups: bool) -> None:
    held = bytes(min(rack.count(kind), 2) for kind in range(KINDS))
    rules = replace(SABRA, opening=points, groups=groups)
    assert _kernel.opening_sets(held, 13, groups, points) == [bytes(one) for one in opening_sets(held, rules)]


SITUATION = Situation(SABRA, hold("b8 b9 b10"), (True, True), 0)
WORLD = World((hold("b11 k8 y8"), hold("r1 r2")), bytes([5, 6, 7]))
BOTH = [GREEDY, GREEDY]


@pytest.mark.parametrize(
    ("change", "world", "message"),
    [
        ({"table": b""}, {}, "table: 53 counts"),
        ({"table": hold("b8 b9")}, {}, "table: no melds"),
        ({"turn": 2}, {}, "turn: no such seat"),
        ({"starter": -1}, {}, "starter: no such seat"),
        ({"passes": 2}, {}, "passes: "),
        ({"opened": (True,)}, {}, "opened: 2 to 6 seats"),
        ({"opened": (True,) * 7}, {}, "opened: 2 to 6 seats"),
        ({"rules": RULESETS["junior"], "table": bytes(KINDS)}, {}, "stars: one count for each seat"),
        ({}, {"racks": (hold("b11"),)}, "racks: one for each seat"),
        ({}, {"racks": (hold("b11"), bytes(KINDS))}, "racks: an empty one"),
        ({}, {"racks": (hold("b11 b8"), hold("b8'"))}, "more tiles of a kind"),
        ({}, {"pool": bytes([KINDS])}, "pool: no such kind"),
        ({}, {"pool": bytes(161)}, "pool: more tiles than there are"),
    ],
)
def test_bad_situations_are_named(change: dict[str, object], world: dict[str, object], message: str) -> None:
    situation, hidden = replace(SITUATION, **change), replace(WORLD, **world)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=message):
        finish(situation, [hidden], BOTH)
    with pytest.raises(ValueError, match=message):
        transcript(situation, hidden, BOTH)


@pytest.mark.parametrize(
    ("first", "message"),
    [
        (b"", "firsts: 53 counts"),
        (bytes(KINDS), r"firsts\[1\]: nothing is laid"),
        (hold("r1"), r"firsts\[1\]: tiles that are not on the rack"),
        (hold("k8"), r"firsts\[1\]: no table holds these tiles"),
    ],
)
def test_bad_first_actions_are_named(first: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compare(SITUATION, [WORLD], [None, first], BOTH)


def test_a_first_action_has_to_open() -> None:
    with pytest.raises(ValueError, match=r"firsts\[0\]: too few points for the opening"):
        compare(replace(SITUATION, opened=(False, True)), [WORLD], [hold("b11")], BOTH)


def test_bad_policies_are_named() -> None:
    with pytest.raises(ValueError, match="policies: one for each seat"):
        finish(SITUATION, [WORLD], [GREEDY])
    with pytest.raises(ValueError, match="policies: no such policy"):
        finish(SITUATION, [WORLD], [GREEDY, 4])  # type: ignore[list-item]
