"""Questions that people and programs ask of a position."""

from collections.abc import Sequence

from tilerummy import _kernel
from tilerummy.legality import check, settle
from tilerummy.melds import best_value, read
from tilerummy.rulesets import Ruleset
from tilerummy.solver.kernel import Answer, Question, tile_set
from tilerummy.solver.query import Objective, Query, Solution
from tilerummy.solver.search import Found, Search, alike
from tilerummy.tiles import JOKER, KINDS, Tile, tile_of

__all__ = ["can_lay", "opening", "solve", "solve_many"]


def solve(query: Query) -> Solution:
    """The best play, proven; with nothing to lay, the table as it is."""
    (solution,) = solve_many([query])
    return solution


def solve_many(queries: Sequence[Query], threads: int = 1) -> list[Solution]:
    """The best play of each position, in order; the kernel works on that many threads at once."""
    found: list[Found | None] = [None] * len(queries)
    running = []
    for place, query in enumerate(queries):
        search = Search(query).run()
        try:
            running.append((place, search, next(search)))
        except StopIteration as end:
            found[place] = end.value
    while running:
        # All searches go on in step, so that the kernel gets everything that is open in one call.
        answers = iter(_ask([question for *_, questions in running for question in questions], threads))
        going = []
        for place, search, questions in running:
            try:
                going.append((place, search, search.send([next(answers) for _ in questions])))
            except StopIteration as end:
                found[place] = end.value
        running = going
    return [_solution(query, one) for query, one in zip(queries, found, strict=True) if one is not None]


def can_lay(query: Query) -> bool:
    """Whether the player to move has any legal play."""
    rules = query.rules
    if not query.opened and rules.opening:
        return best_value(query.rack, rules.numbers, rules.groups, rules.opening) >= rules.opening
    return solve(query).tiles > 0


def opening(rack: Sequence[Tile], rules: Ruleset) -> Solution:
    """The best opening of a rack on an empty table; it lays no tile when the rack cannot open."""
    return solve(Query(rules, (), tuple(rack), opened=False, all_opened=False))


def _ask(questions: Sequence[Question], threads: int) -> list[Answer | None]:
    by_set: dict[Ruleset, list[int]] = {}
    for place, question in enumerate(questions):
        by_set.setdefault(question.query.rules, []).append(place)
    answers: list[Answer | None] = [None] * len(questions)
    for rules, places in by_set.items():
        raw = _kernel.solve_many(tile_set(rules), [questions[place].for_kernel() for place in places], threads)
        for place, one in zip(places, raw, strict=True):
            answers[place] = questions[place].answer(one)
    return answers


def _solution(query: Query, found: Found) -> Solution:
    before = tuple(alike(meld) for meld in query.table)
    table = settle(before, [read(part, query.rules.numbers, query.rules.groups) for part in found.after])
    laid = tuple(tile_of(kind) for kind, number in enumerate(found.laid) for _ in range(number))
    points = sum(tile.number for tile in laid)
    if found.laid[JOKER]:
        points = check(before, laid, found.after, query.rules).points
    kept, lying = (sum(len(meld.jokers) for meld in some) for some in (before, table))
    weights = query.weights if query.objective is Objective.WEIGHTS else (0,) * KINDS
    return Solution(
        after=tuple(meld.pieces for meld in table),
        laid=laid,
        taken=(tile_of(JOKER),) * (kept + found.laid[JOKER] - lying),
        tiles=len(laid),
        points=points,
        jokers=found.laid[JOKER],
        weight=sum(number * weight for number, weight in zip(found.laid, weights, strict=True)),
        unchanged=_unchanged(before, table),
        proven=True,
        nodes=found.nodes,
        micros=found.micros,
    )


def _unchanged(before: Sequence[object], table: Sequence[object]) -> int:
    left = list(before)
    for meld in table:
        if meld in left:
            left.remove(meld)
    return len(before) - len(left)
