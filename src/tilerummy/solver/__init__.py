"""The solver: the best play of a position, proven, under every ruleset.

>>> from tilerummy.melds import draft, draft_text, read
>>> from tilerummy.rulesets import ruleset
>>> from tilerummy.tiles import text, tiles
>>> table = tuple(read(meld) for meld in draft("b8 b9 b10 | r1 r2 r3"))
>>> solution = solve(Query(ruleset("sabra"), table, tiles("b11 k8 y8 r13")))
>>> draft_text(solution.after), text(solution.laid), solution.points
('r1 r2 r3 | b9 b10 b11 | b8 k8 y8', 'b11 k8 y8', 27)
>>> can_lay(Query(ruleset("sabra"), table, tiles("b12 k8 y8")))
False
"""

from tilerummy.solver.best import can_lay, opening, solve, solve_many
from tilerummy.solver.copies import with_copies
from tilerummy.solver.explain import Step, explain
from tilerummy.solver.query import Objective, Query, Solution
from tilerummy.solver.sets import LaidSets, Play, Plays, laid_sets, plays

__all__ = [
    "LaidSets",
    "Objective",
    "Play",
    "Plays",
    "Query",
    "Solution",
    "Step",
    "can_lay",
    "explain",
    "laid_sets",
    "opening",
    "plays",
    "solve",
    "solve_many",
    "with_copies",
]
