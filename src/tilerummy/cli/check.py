"""`tilerummy check`: whether a play is legal, and otherwise every rule that it breaks."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from tilerummy.cli.inputs import (
    BadInput,
    flag,
    lines,
    melds,
    object_of,
    one_line,
    read_bytes,
    refuse_unknown,
    rules_of,
    some_tiles,
)
from tilerummy.cli.options import Json, Language
from tilerummy.cli.screen import Screen, Shown, print_json
from tilerummy.legality import Verdict
from tilerummy.legality import check as judge
from tilerummy.melds import Draft, Meld, Table
from tilerummy.record import check_tiles, read_table
from tilerummy.rulesets import Ruleset
from tilerummy.texts import mark, sentence, terminal
from tilerummy.tiles import Tile, Unreadable, text

__all__ = ["Case", "check", "read_case", "verdict_of"]

_FIELDS: Final = ("ruleset", "house", "opened", "all_opened", "table", "rack", "after", "after_rack")
_LEGAL, _ILLEGAL, _BAD = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Case:
    """A play to be judged."""

    rules: Ruleset
    table: Table
    rack: tuple[Tile, ...]
    after: Draft
    opened: bool
    all_opened: bool


def read_case(given: Mapping[str, object]) -> Case:
    """Read a play, or raise BadInput with the field and the reason."""
    refuse_unknown(given, _FIELDS)
    rules = rules_of(given)
    opened, all_opened = flag(given, "opened", True), flag(given, "all_opened", True)
    before = melds({"table": [], **given}, "table", rules.total)
    rack = some_tiles(given, "rack")
    after = melds(given, "after", rules.total)
    on_table = [piece.tile for meld in before for piece in meld]
    on_after = [piece.tile for meld in after for piece in meld]
    try:
        check_tiles(on_table, rules, "table")
        table = read_table(before, rules)
        check_tiles([*on_table, *rack], rules, "rack")
        check_tiles(on_after, rules, "after")
        if "after_rack" in given:
            after_rack = some_tiles(given, "after_rack")
            check_tiles(after_rack, rules, "after_rack")
            _balance([*on_table, *rack], [*on_after, *after_rack])
    except Unreadable as error:
        raise BadInput(str(error)) from None
    return Case(rules, table, rack, after, opened, all_opened)


def _balance(before: list[Tile], after: list[Tile]) -> None:
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    if gone or come:
        said = [f"{text(sorted(gone.elements()))} is nowhere afterwards"] if gone else []
        said += [f"{text(sorted(come.elements()))} was nowhere before"] if come else []
        raise BadInput(f"after_rack: does not balance with rack, table and after: {' and '.join(said)}")


def verdict_of(case: Case) -> Verdict:
    """Judge a play."""
    return judge(case.table, case.rack, case.after, case.rules, opened=case.opened, all_opened=case.all_opened)


def _answer(case: Case, lang: str) -> dict[str, object]:
    verdict = verdict_of(case)
    return {
        "legal": verdict.legal,
        "violations": [
            {
                "code": broken.code,
                "tiles": text(broken.tiles),
                "message": sentence(broken.code, broken.args, case.rules, lang),
                **({"args": dict(broken.args)} if broken.args else {}),
            }
            for broken in verdict.violations
        ],
        "laid": text(sorted(verdict.laid)),
        "points": verdict.points,
    }


def check(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The play; standard input otherwise.")] = None,
    json: Json = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="A play on each line in, an answer on each line out.")] = False,
    lang: Annotated[Language, typer.Option("--lang", help="The language of the sentences.")] = Language.EN,
) -> None:
    """Judge a play: every rule that it breaks, at once.

    A play is a JSON object with the fields ruleset, table, rack and after, and if need be house, opened,
    all_opened and after_rack:

    {"ruleset": "sabra", "table": ["b8 b9 b10"], "rack": "b11 k8 y8", "after": ["b9 b10 b11", "k8 y8 b8"]}

    Exit status: 0 legal, 1 illegal, 2 no play at all.
    """
    if jsonl:
        raise typer.Exit(_check_lines(file, str(lang)))
    case = read_case(object_of(read_bytes(file)))
    if json:
        answer = _answer(case, str(lang))
        print_json(answer)
        raise typer.Exit(_LEGAL if answer["legal"] else _ILLEGAL)
    raise typer.Exit(_LEGAL if _draw(case, str(lang), Screen()) else _ILLEGAL)


def _check_lines(file: Path | None, lang: str) -> int:
    worst = _LEGAL
    for line in lines(file):
        try:
            if isinstance(line, BadInput):
                raise line
            answer = _answer(read_case(object_of(line)), lang)
            worst = max(worst, _LEGAL if answer["legal"] else _ILLEGAL)
        except BadInput as error:
            answer = {"error": one_line(str(error))}
            worst = _BAD
        print_json(answer)
    return worst


def _draw(case: Case, lang: str, screen: Screen) -> bool:
    verdict, rules = verdict_of(case), case.rules
    screen.title(mark("before", rules, lang))
    _draw_table(case.table, case, lang, screen)
    screen.title(mark("rack", rules, lang))
    screen.rack(case.rack, rules)
    screen.title(mark("after", rules, lang))
    shown = [
        read if isinstance(read, Meld) else written for read, written in zip(verdict.melds, case.after, strict=True)
    ]
    _draw_table(shown, case, lang, screen, verdict.laid)
    screen.gap()
    if verdict.legal:
        laid = text(sorted(verdict.laid))
        args = {"count": len(verdict.laid), "laid": laid, "points": verdict.points}
        screen.say(terminal("lays", args, rules, lang), "bold green", mark="✓ ")
    for broken in verdict.violations:
        screen.say(sentence(broken.code, broken.args, rules, lang), "red", mark="✗ ")
    return verdict.legal


def _draw_table(melds: Sequence[Shown], case: Case, lang: str, screen: Screen, new: Sequence[Tile] = ()) -> None:
    if melds:
        screen.table(melds, case.rules, new=new)
    else:
        screen.say(terminal("table-empty", {}, case.rules, lang), "dim", indent=2)
