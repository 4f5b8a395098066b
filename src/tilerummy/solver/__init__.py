"""The solver: what can be played in a position.

>>> from tilerummy.melds import draft, read
>>> from tilerummy.rulesets import ruleset
>>> from tilerummy.tiles import tiles
>>> table = tuple(read(meld) for meld in draft("b8 b9 b10"))
>>> can_lay(Query(ruleset("sabra"), table, tiles("b11 k8 y8")))
True
>>> can_lay(Query(ruleset("sabra"), table, tiles("b12 k8 y8")))
False
"""

from tilerummy.solver.query import Query
from tilerummy.solver.reference import can_lay

__all__ = ["Query", "can_lay"]
