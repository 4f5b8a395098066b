"""`tilerummy check`: whether a play is legal, and otherwise every rule that it breaks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from tilerummy.cli.inputs import lines, read_bytes
from tilerummy.cli.options import Json, Language
from tilerummy.cli.screen import Screen, Shown, print_json
from tilerummy.contract import BadInput, Case, judged, object_of, one_line, read_case, verdict_of
from tilerummy.melds import Meld
from tilerummy.texts import mark, sentence, terminal
from tilerummy.tiles import Tile, text

__all__ = ["check"]

_LEGAL, _ILLEGAL, _BAD = 0, 1, 2


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
        answer = judged(case, str(lang))
        print_json(answer)
        raise typer.Exit(_LEGAL if answer["legal"] else _ILLEGAL)
    raise typer.Exit(_LEGAL if _draw(case, str(lang), Screen()) else _ILLEGAL)


def _check_lines(file: Path | None, lang: str) -> int:
    worst = _LEGAL
    for line in lines(file):
        try:
            if isinstance(line, BadInput):
                raise line
            answer = judged(read_case(object_of(line)), lang)
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
