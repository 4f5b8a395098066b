"""Running searches: all of them in step, so that the kernel gets everything that is open in one call."""

from collections.abc import Sequence

from tilerummy import _kernel
from tilerummy.rulesets import Ruleset
from tilerummy.solver.kernel import Answer, Question, Value, tile_set
from tilerummy.solver.query import Query
from tilerummy.solver.search import Found, Search

__all__ = ["ask", "find"]


def find(queries: Sequence[Query], threads: int = 1, least: Value = 1, limit: int | None = None) -> list[Found]:
    """The best play of each position, in order.

    Plays that are worth less than `least` are not looked for; after `limit` nodes of a position, none are.
    """
    found: dict[int, Found] = {}
    running = []
    for place, query in enumerate(queries):
        search = Search(query, least, limit).run()
        try:
            running.append((place, search, next(search)))
        except StopIteration as end:
            found[place] = end.value
    while running:
        answers = iter(ask([question for *_, questions in running for question in questions], threads))
        going = []
        for place, search, questions in running:
            try:
                going.append((place, search, search.send([next(answers) for _ in questions])))
            except StopIteration as end:
                found[place] = end.value
        running = going
    return [found[place] for place in range(len(queries))]


def ask(questions: Sequence[Question], threads: int = 1) -> list[Answer | None]:
    """The kernel's answer to each question, in order."""
    by_rules: dict[Ruleset, list[int]] = {}
    for place, question in enumerate(questions):
        by_rules.setdefault(question.query.rules, []).append(place)
    answers: list[Answer | None] = [None] * len(questions)
    for rules, places in by_rules.items():
        raw = _kernel.solve_many(tile_set(rules), [questions[place].for_kernel() for place in places], threads)
        for place, one in zip(places, raw, strict=True):
            answers[place] = questions[place].answer(one)
    return answers
