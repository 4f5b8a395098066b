"""Every ruleset by its name in PettingZoo's and in Gymnasium's registry."""

import gymnasium
import pettingzoo

from tilerummy.rulesets import RULESETS

__all__ = ["register"]


def register() -> None:
    """Register `tilerummy/RULESET-v0` with both; with `pettingzoo.make` the version may also be written `_v0`."""
    for id in RULESETS:
        name = f"tilerummy/{id}-v0"
        pettingzoo.register("aec", name, "tilerummy.env.tilerummy_v0:env", kwargs={"ruleset": id})
        gymnasium.register(name, "tilerummy.env.solo:Solo", kwargs={"ruleset": id})
