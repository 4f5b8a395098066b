"""Bots: players that see only the view of their own seat.

>>> import random
>>> from tilerummy.game import begin, fold
>>> from tilerummy.rulesets import ruleset
>>> from tilerummy.view import view
>>> state = fold(begin(ruleset("sabra"), players=2, seed="00" * 32))
>>> command = bot("novice").choose(view(state, state.turn), random.Random(7), budget=1)
>>> command.seat == state.turn
True
>>> sorted(BOTS)
['expert', 'greedy', 'keeper', 'novice', 'points', 'random']
"""

from tilerummy.bots.chance import Chance
from tilerummy.bots.expert import Expert
from tilerummy.bots.greedy import Greedy
from tilerummy.bots.keeper import Keeper
from tilerummy.bots.novice import Novice
from tilerummy.bots.points import Points
from tilerummy.bots.strength import elo
from tilerummy.bots.turn import BUDGET, Bot

__all__ = ["BOTS", "BUDGET", "Bot", "Chance", "Expert", "Greedy", "Keeper", "Novice", "Points", "bot", "elo"]

BOTS: dict[str, Bot] = {one.name: one for one in (Chance(), Novice(), Points(), Greedy(), Keeper(), Expert())}
"""Every bot by its name."""


def bot(name: str) -> Bot:
    """Return the bot of this name, or raise ValueError with the names there are."""
    if name not in BOTS:
        raise ValueError(f"no bot is called {name!r}; there are {', '.join(BOTS)}")
    return BOTS[name]
