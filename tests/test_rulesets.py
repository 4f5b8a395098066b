"""The five rulebooks as data, and house rules within their bounds."""

import math
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilerummy.rulesets import BOUNDS, RULESETS, TILESETS, BadRuleset, house_text, ruleset
from tilerummy.tiles import tile


@pytest.mark.parametrize("id", RULESETS)
def test_every_rulebook_is_within_its_own_bounds(id: str) -> None:
    rules = ruleset(id)
    assert rules.house == {}
    assert ruleset(id, {name: getattr(rules, name) for name in BOUNDS}) == rules
    assert len(set(rules.tiles())) == len(rules.tiles()) == rules.total
    assert all(rules.has(one) for one in rules.tiles())


def test_tile_sets() -> None:
    totals = {name: ruleset("sabra", {"tileset": name, "deal": 6}).total for name in TILESETS}
    assert totals == {"standard": 106, "xp": 160, "xp-quick": 108, "junior": 44}
    assert [ruleset("sabra", {"tileset": name, "deal": 6}).tileset for name in TILESETS] == list(TILESETS)
    assert ruleset("sabra", {"jokers": 3}).tileset == "own"
    assert ruleset("sabra", {"tileset": "xp"}).players == 6
    assert ruleset("junior").tileset == "junior"


def test_printed_parameters() -> None:
    table = {
        id: (r.total, r.deal, r.opening, r.turn_seconds, r.timed, r.joker_value, r.step) for id, r in RULESETS.items()
    }
    assert table == {
        "classic": (106, 14, 30, 60, True, 30, 1),
        "club": (106, 14, 30, 120, True, 30, 1),
        "sabra": (106, 14, 30, 120, False, 25, 1),
        "rummy": (106, 14, 30, 120, True, 30, -1),
        "junior": (44, 6, 0, 0, False, 1, 1),
    }


@pytest.mark.parametrize(
    ("id", "house", "field", "reason"),
    [
        ("sabra", {"players": 6}, "house.players", "160 tiles of the xp set; here there are 106"),
        ("sabra", {"players": 5, "jokers": 4}, "house.players", "here there are 108"),
        ("sabra", {"opening": 200}, "house.opening", "14 tiles hold at most 178 points"),
        ("sabra", {"deal": 3, "opening": 40}, "house.opening", "at most 39"),
        ("sabra", {"numbers": 7, "copies": 1}, "house.deal", "need 56; there are 30"),
        ("rummy", {"deal": 13}, "house.deal", "cannot be taken in heaps of 7"),
        ("rummy", {"deal": 21, "numbers": 11}, "house.deal", "the last heap"),
        ("junior", {"timed": True}, "house.turn_seconds", "more than 0 seconds"),
        ("sabra", {"copies": 4}, "house.copies", "from 1 to 3, not 4"),
        ("sabra", {"numbers": 6}, "house.numbers", "from 7 to 13, not 6"),
        ("sabra", {"jokers": -1}, "house.jokers", "from 0 to 4, not -1"),
        ("sabra", {"jokers": True}, "house.jokers", "not True"),
        ("sabra", {"jokers": None}, "house.jokers", "not None"),
        ("sabra", {"jokers": "2.5"}, "house.jokers", "whole number"),
        ("sabra", {"jokers": math.nan}, "house.jokers", "not nan"),
        ("sabra", {"jokers": math.inf}, "house.jokers", "not inf"),
        ("sabra", {"jokers": 10**400}, "house.jokers", "whole number"),
        ("sabra", {"jokers": []}, "house.jokers", "whole number"),
        ("sabra", {"groups": "yes"}, "house.groups", "true or false"),
        ("sabra", {"groups": 1}, "house.groups", "true or false"),
        ("sabra", {"timeout": "later"}, "house.timeout", "one of restore, keep-valid, keep-own"),
        ("sabra", {"timeout": {}}, "house.timeout", "one of"),
        ("sabra", {"tileset": "huge"}, "house.tileset", "one of standard, xp"),
        ("sabra", {"tileset": 3}, "house.tileset", "not 3"),
        ("sabra", {"cheat": 1}, "house.cheat", "no such rule"),
        ("sabra", {"x" * 500: 1}, "house.xxxx", "no such rule"),
        ("bridge", {}, "ruleset", "no ruleset is called 'bridge'"),
    ],
)
def test_nonsense_is_refused_with_a_reason(id: str, house: dict[str, object], field: str, reason: str) -> None:
    with pytest.raises(BadRuleset, match=reason) as caught:
        ruleset(id, house)
    assert caught.value.field.startswith(field)
    assert len(str(caught.value)) < 700


@pytest.mark.parametrize("name", BOUNDS)
def test_every_field_can_be_changed_from_text(name: str) -> None:
    bounds = BOUNDS[name]
    values = list(bounds) if isinstance(bounds, tuple) or bounds is not bool else [True, False]
    made = 0
    for value in values:
        written = str(value).lower() if isinstance(value, bool) else str(value)
        try:
            rules = ruleset("sabra", {"tileset": "xp", name: written})
        except BadRuleset:
            continue  # sensible only together with other changes
        made += 1
        assert getattr(rules, name) == value
        again = dict(word.split("=") for word in house_text(rules).split())
        assert ruleset("sabra", again) == rules
    assert made


@given(
    st.dictionaries(st.sampled_from([*BOUNDS, "tileset", "x"]), st.none() | st.booleans() | st.integers() | st.text())
)
def test_any_house_rules_are_a_ruleset_or_refused(house: dict[str, object]) -> None:
    field = ""
    try:
        rules = ruleset("classic", house)
    except BadRuleset as error:
        rules, field = ruleset("classic"), error.field
    assert not field or field.startswith("house.")
    assert rules.players * rules.deal <= rules.total


def test_players() -> None:
    ruleset("sabra", {"tileset": "xp"}).check_players(6)
    for count, reason in ((1, "2 to 4 players"), (5, "160 tiles"), (7, "2 to 4 players"), (0, "not 0")):
        with pytest.raises(BadRuleset, match=reason):
            ruleset("sabra").check_players(count)


def test_no_set_of_tiles_makes_junior_a_game_for_five() -> None:
    with pytest.raises(BadRuleset, match=r"^players: junior is for 2 to 4 players, not 5$"):
        ruleset("junior").check_players(5)
    with pytest.raises(BadRuleset, match=r"^house.players: junior is for 2 to 4 players, not 5$"):
        ruleset("junior", {"players": 5})
    with pytest.raises(BadRuleset, match=r"^players: classic is for 2 to 3 players, not 4$"):
        ruleset("classic", {"players": 3}).check_players(4)


def test_tiles_of_a_set() -> None:
    assert not ruleset("junior").has(tile("r11"))
    assert not ruleset("sabra").has(tile("r1''"))
    assert not ruleset("sabra").has(tile("j''"))


def test_words_are_the_published_ones() -> None:
    """Other programs write these words, so that a change of them is a change of the contract."""
    assert {name: list(map(str, bounds)) for name, bounds in BOUNDS.items() if isinstance(bounds, type(StrEnum))} == {
        "fourth_colour": ["yellow", "orange"],
        "dealing": ["pile", "bag", "stacks", "heaps"],
        "direction": ["clockwise", "counter-clockwise"],
        "starter": ["highest", "host"],
        "usable": ["opening-turn", "next-turn", "all-opened"],
        "rearranging": ["free", "adding"],
        "joker_leaves": ["free", "swap", "rack-swap", "swap-or-spare"],
        "joker_goes": ["table", "new-meld", "rack"],
        "joker_melds": ["divisible", "whole"],
        "timeout": ["restore", "keep-valid", "keep-own"],
        "stalemate": ["all-pass", "one-stuck"],
        "stalemate_score": ["differences", "others-less-own"],
    }
