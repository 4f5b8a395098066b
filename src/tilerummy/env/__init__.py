"""The research environment: PettingZoo for every ruleset, Gymnasium against fixed opponents, matches with equal deals.

Importing this package registers every ruleset: `pettingzoo.make("aec", "tilerummy/sabra_v0")`, and with Gymnasium
`gymnasium.make("tilerummy/sabra-v0", opponents="greedy")`. docs/env.md tells it all.
"""

from tilerummy.env.candidates import Candidates, candidates
from tilerummy.env.matches import Score, match
from tilerummy.env.observation import FEATURES, ROUND, SEAT, Encoder, Observation, Parts
from tilerummy.env.players import Chance, Player, Policy
from tilerummy.env.registration import register as _register
from tilerummy.env.solo import Solo
from tilerummy.env.tilerummy_v0 import TileRummy, env, raw_env

__all__ = [
    "FEATURES",
    "ROUND",
    "SEAT",
    "Candidates",
    "Chance",
    "Encoder",
    "Observation",
    "Parts",
    "Player",
    "Policy",
    "Score",
    "Solo",
    "TileRummy",
    "candidates",
    "env",
    "match",
    "raw_env",
]

_register()
