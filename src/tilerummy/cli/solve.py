"""`tilerummy solve`: the best play of a position, proven; or of as many positions as come in."""

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from tilerummy.cli.guard import BAD
from tilerummy.cli.inputs import batches, read_bytes
from tilerummy.cli.options import House, Json, Lang, chosen
from tilerummy.cli.screen import Screen, Shown, print_json, told_apart
from tilerummy.contract import BadInput, Goal, choice, object_of, one_line, read_query, solved, steps_of
from tilerummy.draw import svg as drawing
from tilerummy.record import read_house, read_position
from tilerummy.rulesets import RULESETS, BadRuleset
from tilerummy.solver import Objective, Query, Solution, solve_many
from tilerummy.solver import solve as best_play
from tilerummy.texts import mark, terminal
from tilerummy.tiles import Tile, Unreadable, counts, shorten, text, tile_of

__all__ = ["solve"]

_BATCH: Final = 256
_MOST_THREADS: Final = 1024
_OUT: Final = "-"


def solve(
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="POSITION",
            help="A position on one line, or a file with one as JSON; otherwise --table and --rack, or standard input.",
        ),
    ] = None,
    ruleset: Annotated[str | None, typer.Option(metavar="ID", help=f"The rules: {', '.join(RULESETS)}.")] = None,
    table: Annotated[
        str | None, typer.Option(metavar="MELDS", help="The table, | between melds; without it, an empty one.")
    ] = None,
    rack: Annotated[str | None, typer.Option(metavar="TILES", help="The tiles of the player to move.")] = None,
    unopened: Annotated[bool, typer.Option("--unopened", help="This player has not opened yet.")] = False,
    not_all_opened: Annotated[bool, typer.Option("--not-all-opened", help="Not everybody has opened.")] = False,
    objective: Annotated[
        Goal | None, typer.Option(help="What the best play has most of.", show_default="tiles")
    ] = None,
    house: House = None,
    json: Json = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="A position on each line in, a solution on each line out.")
    ] = False,
    steps: Annotated[bool, typer.Option("--steps", help="With --jsonl: the steps of each play too.")] = False,
    threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=_MOST_THREADS, help="With --jsonl; otherwise one a core.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the position after the play into this file; - prints it.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Find the best play of a position: the most tiles, or the most points. No play is better, and that is proven.

    tilerummy solve "sabra / b8 b9 b10 | r1 r2 r3 / b11 k8 y8 / all"

    tilerummy solve --json --ruleset sabra --table "b8 b9 b10 | r1 r2 r3" --rack "b11 k8 y8"

    tilerummy solve --jsonl < positions.jsonl

    As JSON a position has the fields ruleset, table, rack, and if need be house, opened, all_opened and objective;
    options stand in for fields that it has not.
    """
    options = {
        "ruleset": ruleset,
        "table": table,
        "rack": rack,
        "house": _house(house),
        "opened": False if unopened else None,
        "all_opened": False if not_all_opened else None,
        "objective": objective and str(objective),
    }
    given = {field: value for field, value in options.items() if value is not None}
    if jsonl:
        for field in ("table", "rack"):
            _refuse(field in given, f"--{field}: not with --jsonl")
        _refuse(svg is not None, "--svg: not with --jsonl")
        raise typer.Exit(_solve_lines(_file(position), given, steps, threads or _cores(), _machine_language(lang)))
    _refuse(json and str(svg) == _OUT, "--svg: not - together with --json, which has standard output for itself")
    query = _query(position, given)
    solution = best_play(query, follow=True)
    if svg is not None:
        _draw(query, solution, svg)
    if json:
        print_json(solved(query, solution, _machine_language(lang), steps=True))
    elif str(svg) != _OUT:
        _show(query, solution, chosen(lang), Screen())


def _refuse(wrong: bool, reason: str) -> None:
    if wrong:
        raise BadInput(reason)


def _machine_language(lang: str | None) -> str:
    """Programs read English, whatever the environment says, unless they ask for another language."""
    return str(lang or "en")


# What comes in


def _house(written: Sequence[str] | None) -> dict[str, str] | None:
    try:
        return read_house([word for part in written for word in part.split()]) if written else None
    except BadRuleset as error:
        raise BadInput(str(error)) from None


def _query(position: str | None, given: Mapping[str, object]) -> Query:
    if position is not None and _is_position(position):
        for field in given:
            _refuse(field != "objective", f"{_option(field)}: not with a position, which says it")
        try:
            query = read_position(position)
        except (Unreadable, BadRuleset) as error:
            raise BadInput(str(error)) from None
        return replace(query, objective=Objective(choice(given, "objective", tuple(Goal))))
    written = "table" in given or "rack" in given
    _refuse(written and position is not None, "FILE: not together with --table and --rack")
    return read_query(given if written else {**given, **object_of(read_bytes(_file(position)))})


def _option(field: str) -> str:
    return {"opened": "--unopened", "all_opened": "--not-all-opened"}.get(field, f"--{field}")


def _is_position(written: str) -> bool:
    """Whether this is a position on one line, and no file."""
    first = written.partition("/")[0].split()
    named = bool(first) and first[0] in RULESETS
    return "/" in written and (named or " / " in written) and not os.path.exists(written)


def _file(written: str | None) -> Path | None:
    return None if written is None else Path(written)


# What goes out


def _show(query: Query, solution: Solution, lang: str, screen: Screen) -> None:
    rules = query.rules
    screen.title(mark("before", rules, lang))
    _show_table(query.table, query, lang, screen)
    screen.title(mark("rack", rules, lang))
    screen.rack(query.rack, rules)
    if not solution.tiles:
        screen.gap()
        screen.say(terminal("proven-none", {}, rules, lang), "bold")
        return
    screen.title(mark("after", rules, lang))
    _show_table(solution.after, query, lang, screen, solution.laid)
    screen.gap()
    args = {"count": solution.tiles, "laid": text(solution.laid), "points": solution.points}
    screen.say(terminal("lays", args, rules, lang), "bold green", mark="✓ ")
    if solution.proven:
        screen.say(terminal("proven", {"objective": query.objective}, rules, lang), indent=2)
    screen.gap()
    screen.title(terminal("steps", {}, rules, lang))
    for number, said in enumerate(steps_of(query, solution, lang), 1):
        screen.say(said, mark=f"{number:>3}. ")


def _show_table(melds: Sequence[Shown], query: Query, lang: str, screen: Screen, new: Sequence[Tile] = ()) -> None:
    if melds:
        screen.table(melds, query.rules, new=new)
    else:
        screen.say(terminal("table-empty", {}, query.rules, lang), "dim", indent=2)


def _draw(query: Query, solution: Solution, path: Path) -> None:
    """Draw the position after the play, the laid tiles standing out."""
    left = [held - laid for held, laid in zip(counts(query.rack), counts(solution.laid), strict=True)]
    rack = [tile_of(kind) for kind, count in enumerate(left) for _ in range(count)] + list(solution.taken)
    (on_rack, *table), new = told_apart([rack, *solution.after], solution.laid)
    drawn = drawing(table, [piece.tile for piece in on_rack] or None, highlight=new, rules=query.rules)
    if str(path) == _OUT:
        print(drawn, end="")
        return
    try:
        path.write_text(drawn, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it cannot be written"
        raise BadInput(f"--svg: {shorten(str(path))}: {reason}") from None


# JSON Lines


def _solve_lines(file: Path | None, given: Mapping[str, object], steps: bool, threads: int, lang: str) -> int:
    status = 0
    with _progress(file) as done:
        for batch in batches(file, _BATCH):
            found = [_read_line(line, given) for line in batch]
            queries = [one for one in found if isinstance(one, Query)]
            solutions = iter(solve_many(queries, threads, follow=steps))
            for one in found:
                if isinstance(one, Query):
                    print_json(solved(one, next(solutions), lang, steps=steps))
                else:
                    print_json({"error": one_line(str(one))})
                    status = BAD
            done(batch)
    return status


def _read_line(line: bytes | BadInput, given: Mapping[str, object]) -> Query | BadInput:
    try:
        return line if isinstance(line, BadInput) else read_query({**given, **object_of(line)})
    except BadInput as error:
        return error


def _cores() -> int:
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(ours or 1, _MOST_THREADS)


@contextmanager
def _progress(file: Path | None) -> Iterator[Callable[[Sequence[bytes | BadInput]], None]]:
    """A bar on standard error, where somebody looks at it and sees nothing else move."""
    watched = all(stream is not None for stream in (sys.stdin, sys.stdout, sys.stderr))
    if not watched or not sys.stderr.isatty() or sys.stdout.isatty() or (_is_stdin(file) and sys.stdin.isatty()):
        yield lambda batch: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.fields[count]}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task("", total=_size(file), count=0)
        count = 0

        def done(batch: Sequence[bytes | BadInput]) -> None:
            nonlocal count
            count += len(batch)
            size = sum(len(line) + 1 for line in batch if isinstance(line, bytes))
            bar.update(task, advance=size, count=count)

        yield done


def _is_stdin(file: Path | None) -> bool:
    return file is None or str(file) == "-"


def _size(file: Path | None) -> int | None:
    """How many bytes are to be read, where that can be known."""
    with contextlib.suppress(OSError, ValueError):
        about = os.fstat(sys.stdin.fileno()) if file is None or str(file) == "-" else file.stat()
        return about.st_size if stat.S_ISREG(about.st_mode) else None
    return None
