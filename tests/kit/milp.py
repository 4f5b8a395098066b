"""An independent judge: the integer program over all melds (den Hertog & Hulshof 2006), solved by HiGHS.

Free jokers only. A variable for each meld (a run of three to five tiles, or up to seven where three jokers or more may
lie in it, since longer runs divide; a group; with jokers at any places but one) and one for each kind of rack tile.
"""

from dataclasses import replace
from functools import lru_cache
from itertools import combinations

import highspy
import numpy as np

from tilerummy.legality import check
from tilerummy.record import write_position
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.solver import Objective, Query, solve, with_copies
from tilerummy.tiles import JOKER, KINDS, MAX_NUMBER, counts, tile_of

__all__ = ["RULES", "assert_optimal", "optimum"]

RULES = {"106 tiles": ruleset("sabra"), "160 tiles": ruleset("sabra", {"tileset": "xp"})}
PRICES = {
    Objective.TILES: (1,) * KINDS,
    Objective.POINTS: tuple(tile_of(kind).number for kind in range(KINDS)),
}


def assert_optimal(query: Query, objective: Objective, *, presolve: bool) -> bool:
    """Fail unless the solver's play is legal and the judge finds none better; whether the judge was right at once.

    HiGHS has had bugs that lose the optimum. Where it finds less than was laid, it has to find as much with the other
    setting of presolve; where it finds more, the solver is wrong.
    """
    query = replace(query, objective=objective)
    said = f"{write_position(query)} ({objective}, presolve {presolve})"
    solution = solve(query)
    after, _ = with_copies(query, solution)
    verdict = check(query.table, query.rack, after, query.rules, opened=query.opened, all_opened=query.all_opened)
    assert verdict.legal or not solution.tiles, f"{said}: {verdict.violations}"  # to lay nothing is no play
    assert counts(verdict.laid) == counts(solution.laid), said
    laid = sum(number * price for number, price in zip(counts(verdict.laid), PRICES[objective], strict=True))
    found = optimum(query, PRICES[objective], presolve=presolve)
    if found < laid:
        again = optimum(query, PRICES[objective], presolve=not presolve)
        assert again == laid, f"{said}: the judge finds {found}, then {again}, the solver {laid}"
        return False
    assert found == laid, f"{said}: the judge finds {found}, the solver {laid}"
    return True


def optimum(query: Query, prices: tuple[int, ...], *, presolve: bool) -> int:
    """The greatest sum of prices of laid rack tiles; the table alone is always possible."""
    table = counts(tile for meld in query.table for tile in meld.tiles)
    rack = counts(query.rack)
    have = [there + held for there, held in zip(table, rack, strict=True)]
    melds = [meld for meld in _melds(query.rules) if all(meld.count(kind) <= have[kind] for kind in set(meld))]
    columns = len(melds) + KINDS
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = columns, KINDS
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = np.array([0.0] * len(melds) + [float(price) for price in prices])
    model.col_lower_ = np.zeros(columns)
    model.col_upper_ = np.array([float(query.rules.copies)] * len(melds) + [float(number) for number in rack])
    model.row_lower_ = model.row_upper_ = np.array([float(number) for number in table])
    model.integrality_ = [highspy.HighsVarType.kInteger] * columns
    starts, index, values = [0], [], []
    for meld in melds:
        for kind in sorted(set(meld)):
            index.append(kind)
            values.append(float(meld.count(kind)))
        starts.append(len(index))
    for kind in range(KINDS):
        index.append(kind)
        values.append(-1.0)
        starts.append(len(index))
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.array(starts)
    model.a_matrix_.index_ = np.array(index)
    model.a_matrix_.value_ = np.array(values)
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("presolve", "on" if presolve else "off")
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 0.5)
    solver.passModel(model)
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return round(solver.getInfo().objective_function_value)


@lru_cache(maxsize=16)
def _melds(rules: Ruleset) -> list[tuple[int, ...]]:
    """Each meld as the kinds it uses, jokers included."""
    places: list[list[int]] = []
    longest = 5 if rules.jokers < 3 else 7
    for first in range(JOKER):
        number = first % MAX_NUMBER + 1
        for size in range(3, longest + 1):
            if number + size - 1 <= rules.numbers:
                places.append(list(range(first, first + size)))
    for number in range(rules.numbers if rules.groups else 0):
        column = range(number, JOKER, MAX_NUMBER)
        places += [list(chosen) for size in (3, 4) for chosen in combinations(column, size)]
    found = set()
    for kinds in places:
        for wild in range(min(rules.jokers, len(kinds) - 1) + 1):
            for chosen in combinations(kinds, len(kinds) - wild):
                found.add((*chosen, *[JOKER] * wild))
    return sorted(found)
