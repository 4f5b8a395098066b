"""The score sheet, in each rulebook's words."""

from collections.abc import Sequence

from tilerummy.rulesets import Ruleset
from tilerummy.scoring import match_totals
from tilerummy.texts.saying import fill, language, word

__all__ = ["score_sheet"]


def score_sheet(
    scores: Sequence[Sequence[int]], names: Sequence[str], rules: Ruleset, lang: str
) -> tuple[tuple[str, ...], ...]:
    """The players, a row for each round, the totals; `PLAYERS_DOWN` has the books that turn it on its side.

    >>> from tilerummy.rulesets import RULESETS
    >>> score_sheet([[24, -24], [-6, 6]], ["Ada", "Bo"], RULESETS["sabra"], "nl")
    (('', 'Ada', 'Bo'), ('1e spel', '+24', '−24'), ('2e spel', '−6', '+6'), ('Totaal', '+18', '−18'))
    """
    said = str if rules.stars else _signed
    row = language(lang)["rules"]["lines"]["score-row"]
    return (
        ("", *names),
        *((fill(row, {"number": number}, rules, lang), *map(said, one)) for number, one in enumerate(scores, 1)),
        (word("total", rules, lang), *map(said, match_totals(scores, len(names)))),
    )


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"
