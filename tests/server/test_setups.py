"""Setups: the tile sets that a ruleset can be played with are those that a house rule may name."""

import pytest

from tilerummy.rulesets import RULESETS, TILESETS, BadRuleset, ruleset
from tilerummy.server.events import Setup
from tilerummy.server.setups import check_setup, tilesets_of


@pytest.mark.parametrize("id", RULESETS)
def test_tile_sets_are_those_that_a_house_rule_may_name(id: str) -> None:
    offered = tilesets_of(id)
    assert RULESETS[id].tileset in offered
    for name in TILESETS:
        if name in offered:
            rules = ruleset(id, {"tileset": name})
            assert {field: getattr(rules, field) for field in offered[name]} == offered[name]
            check_setup(Setup(ruleset=id, house={"tileset": name}, players=offered[name]["players"]))
        else:
            with pytest.raises(BadRuleset):
                ruleset(id, {"tileset": name})


def test_what_is_offered_is_nobody_elses() -> None:
    tilesets_of("sabra")["xp"].clear()
    assert TILESETS["xp"]["players"] == 6
