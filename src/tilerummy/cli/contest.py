"""What `tilerummy arena` does: read what is wished, hold the contest, show the report."""

import math
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tilerummy.arena import (
    BadSettings,
    Engine,
    Entrant,
    Hypotheses,
    Report,
    RunFile,
    Settings,
    Sprt,
    Tally,
    contest,
    here,
    on_ray,
    processes,
    read_seats,
    report_json,
    seated,
    sequential,
)
from tilerummy.arena import round_robin as each_other
from tilerummy.arena.figures import around, number, within
from tilerummy.arena.keeping import Head
from tilerummy.arena.page import fault_text, page, score_text, sprt_arguments, time_texts
from tilerummy.arena.provenance import cores, provenance
from tilerummy.arena.settings import MOVE_TIME, searches
from tilerummy.bots import BUDGET
from tilerummy.cli.arena import MOST_WORKERS
from tilerummy.cli.options import Language, chosen
from tilerummy.cli.screen import Screen, print_json
from tilerummy.contract import BadInput
from tilerummy.record import read_house
from tilerummy.rulesets import BadRuleset, Ruleset, house_text
from tilerummy.rulesets import ruleset as rules_of
from tilerummy.texts import terminal, title
from tilerummy.tiles import shorten

__all__ = ["GAMES", "Wish", "hold"]

GAMES: Final = 100
_SHOWN_ERRORS: Final = 10
_TERMINATED: Final = 143  # as a shell says: 128 and the signal's number
_LONGEST_NAME: Final = 20
_BETWEEN: Final = 3  # blanks between columns


@dataclass(frozen=True, slots=True)
class Wish:
    """How the contest is to be held and told, beside what is played."""

    sprt: str | None
    alpha: float | None
    beta: float | None
    workers: int | None
    ray: str | None
    out: Path | None
    resume: Path | None
    html: Path | None
    json: bool
    lang: Language | None


def hold(given: Mapping[str, Any], wish: Wish) -> None:
    """Hold the contest of these settings, None where nothing was said, and tell how it went."""
    language = str(wish.lang or "en") if wish.json else chosen(wish.lang)
    started = time.monotonic()
    with ExitStack() as stack:
        try:
            tally = _held(given, wish, language, stack)
        except BadSettings as error:
            field = error.field if error.field.startswith("house.") else f"--{error.field}"
            raise BadInput(f"{field}: {error.reason}") from None
        report = tally.report()
        seconds = time.monotonic() - started
        origin = provenance()
        if wish.html is not None:
            wish.html.write_text(page(report, language, seconds, origin), encoding="utf-8")
    if wish.json:
        print_json(report_json(report, seconds, origin))
    else:
        _show(report, language, Screen())
        if wish.html is not None:
            Screen().say(terminal("arena-written", {"name": wish.html}, report.settings.rules, language))


# What comes in


def _held(given: Mapping[str, Any], wish: Wish, language: str, stack: ExitStack) -> Tally:
    """Hold the contest: first all is looked at that was asked for, then files are made, then it is played."""
    _apart(wish.html, wish.out, wish.resume)
    run: RunFile | None = None
    if wish.resume is None:
        settings = _settings(given)
        hypotheses = _hypotheses(wish)
    else:
        if wish.out is not None:
            raise BadSettings("out", "not together with --resume, which goes on in its file")
        run = stack.enter_context(RunFile.resume(wish.resume))
        settings = _agreed(run.settings, given)
        hypotheses = _same_test(run.head, wish)
    test = None if hypotheses is None else sequential(settings, *hypotheses)
    engine = _engine(wish.ray, wish.workers)
    if wish.html is not None:
        stack.enter_context(_writable(wish.html))
    if wish.out is not None:
        run = stack.enter_context(RunFile.begin(wish.out, settings, hypotheses))
    return _play(settings, run, test, engine, language)


def _apart(html: Path | None, *runs: Path | None) -> None:
    if html is not None and any(html.resolve() == run.resolve() for run in runs if run is not None):
        raise BadSettings("html", f"{shorten(str(html))} is the file of the run")


def _settings(given: Mapping[str, Any]) -> Settings:
    if given["seats"] is None:
        raise BadSettings("seats", "missing; such as --seats greedy,random")
    entrants, lineups = _tables(given)
    return Settings(
        entrants,
        lineups,
        GAMES if given["games"] is None else given["games"],
        given["seed"] or 0,
        _rules(given),
        MOVE_TIME if given["move-time"] is None else given["move-time"],
    )


def _tables(given: Mapping[str, Any]) -> tuple[tuple[Entrant, ...], tuple[tuple[int, ...], ...]]:
    entrants = read_seats(given["seats"], BUDGET if given["budget"] is None else given["budget"])
    if given["budget"] is not None and not any(one.bot is None or searches(one.bot) for one in entrants):
        raise BadSettings("budget", "none of these bots searches, so that it would change nothing")
    if given["round-robin"]:
        return each_other(entrants, 2 if given["players"] is None else given["players"])
    if given["players"] is not None:
        raise BadSettings("players", "only with --round-robin; otherwise --seats has a bot for each")
    return seated(entrants)


def _rules(given: Mapping[str, Any]) -> Ruleset:
    try:
        written = [word for part in given["house"] or () for word in part.split()]
        return rules_of(given["ruleset"] or "sabra", read_house(written))
    except BadRuleset as error:
        raise BadSettings(error.field, error.reason) from None


def _agreed(kept: Settings, given: Mapping[str, Any]) -> Settings:
    """The settings of a run's file, with more games if they are wanted; whatever else is said has to agree."""
    again = {**given, "ruleset": given["ruleset"] or kept.rules.id}
    if given["house"] is None:
        again["house"] = [house_text(kept.rules)]
    rules = _rules(again)
    if given["seats"] is not None:
        entrants, lineups = _tables(given)
        unpaid = [tuple(replace(one, budget=1) for one in some) for some in (entrants, kept.entrants)]
        _same("seats", unpaid[0] == unpaid[1])
        _same("budget", entrants == kept.entrants)
        _same("round-robin" if len(lineups) != len(kept.lineups) else "players", lineups == kept.lineups)
    else:
        for field in ("budget", "round-robin", "players"):
            if given[field] is not None:
                raise BadSettings(field, "only with --seats, which the run has in its file")
    _same("ruleset", rules.id == kept.rules.id)
    _same("house", rules == kept.rules)
    _same("seed", given["seed"] in (None, kept.seed))
    _same("move-time", given["move-time"] in (None, kept.move_time))
    return kept if given["games"] is None else replace(kept, games=given["games"])


def _same(field: str, same: bool) -> None:
    if not same:
        raise BadSettings(field, "the run in the file was begun with another")


def _hypotheses(wish: Wish) -> Hypotheses | None:
    """The test that is asked for."""
    if wish.sprt is None:
        for field in ("alpha", "beta"):
            if getattr(wish, field) is not None:
                raise BadSettings(field, "only with --sprt")
        return None
    test = Hypotheses(*_elos(wish.sprt))
    return test._replace(
        alpha=test.alpha if wish.alpha is None else wish.alpha, beta=test.beta if wish.beta is None else wish.beta
    )


def _elos(written: str) -> tuple[float, float]:
    try:
        low, high = map(float, written.split(","))
    except ValueError:
        raise BadSettings(
            "sprt", f"two ratings with a comma between them, such as 0,20, not {shorten(written)}"
        ) from None
    if not math.isfinite(low) or not math.isfinite(high):
        raise BadSettings("sprt", f"two numbers, not {shorten(written)}")
    return low, high


def _same_test(head: Head, wish: Wish) -> Hypotheses | None:
    """The test of a run's file; what is said about it has to agree, where the file knows of it."""
    kept = head.test
    if not head.known or (kept is None and wish.sprt is None):
        return _hypotheses(wish)
    _same("sprt", wish.sprt is None or (kept is not None and _elos(wish.sprt) == kept[:2]))
    assert kept is not None
    _same("alpha", wish.alpha in (None, kept.alpha))
    _same("beta", wish.beta in (None, kept.beta))
    return kept


@contextmanager
def _writable(path: Path) -> Iterator[None]:
    """Find out before the games, not after them, whether the report can be written; leave no empty file behind."""
    new = not path.exists()
    try:
        path.open("a").close()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it cannot be written"
        raise BadSettings("html", f"{shorten(str(path))}: {reason}") from None
    try:
        yield
    finally:
        if new and not path.stat().st_size:
            path.unlink()


def _engine(ray: str | None, workers: int | None) -> Engine:
    if ray is not None:
        return on_ray(ray, workers)
    count = workers or min(cores(), MOST_WORKERS)
    return here if count == 1 else processes(count)


# The run


def _play(settings: Settings, run: RunFile | None, test: Sprt | None, engine: Engine, lang: str) -> Tally:
    """Play; what an engine prints meanwhile, as Ray does when a worker is gone, is none of the report."""
    try:
        with _tidy(), redirect_stdout(sys.stderr), _progress(settings.deals * len(settings.lineups)) as tell:
            return contest(
                settings,
                engine=engine,
                earlier=run.earlier if run else (),
                keep=run.add if run else lambda result: None,
                tell=tell,
                sprt=test,
            )
    except KeyboardInterrupt:
        if run is not None:
            kept = terminal("arena-kept", {"name": run.path}, settings.rules, lang)
            print(f"\n{kept}", end="", file=sys.stderr)
        raise


@contextmanager
def _tidy() -> Iterator[None]:
    """When somebody ends this process, end what it has started first."""
    before = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    except _Ended:
        raise typer.Exit(_TERMINATED) from None
    finally:
        signal.signal(signal.SIGTERM, before)


class _Ended(BaseException):
    """Somebody ends this process; not an exit, which would be the bot's that happens to be at its turn."""


def _end(number: int, frame: FrameType | None) -> None:
    raise _Ended


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int, Tally], None]]:
    """A bar on standard error, where somebody looks at it."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda ready, tally: None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[test]}"))
    with Progress(*columns, console=Console(stderr=True), redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task("", total=total, test="")

        def tell(ready: int, tally: Tally) -> None:
            test = tally.sprt
            said = (
                ""
                if test is None
                else f"LLR {number(test.llr, 2, signed=True)} ({test.bounds[0]:.2f} … {test.bounds[1]:.2f})"
            )
            bar.update(task, completed=ready, test=said)

        yield tell


# What goes out


def _show(report: Report, lang: str, screen: Screen) -> None:
    rules = report.settings.rules

    def say(key: str, **args: object) -> str:
        return terminal(f"arena-{key}", args, rules, lang)

    screen.title(title(rules.id, lang))
    screen.say(say("played", games=report.games, deals=report.deals, seed=report.settings.seed))
    screen.gap()
    ranked = sorted(report.bots, key=lambda one: -one.elo.value)
    columns = {
        "bot": [one.name if len(one.name) <= _LONGEST_NAME else one.name[: _LONGEST_NAME - 1] + "…" for one in ranked],
        "games": [str(one.games) for one in ranked],
        "wins": [_figure(within(one.win_rate, 100, 1, "%")) for one in ranked],
        "par": [f"{100 * one.par:.0f}%" for one in ranked],
        "score": [_figure(score_text(one.score, rules)) for one in ranked],
        "elo": [_figure(around(one.elo, signed=True)) for one in ranked],
        "errors": [str(one.errors) for one in ranked],
        "ms": [time_texts(one)[0] for one in ranked],
        "max": [time_texts(one)[1] for one in ranked],
    }
    titles = {key: key if key in ("ms", "max") else say(key) for key in columns}
    if all(one.games == report.games for one in ranked):
        del columns["games"]  # which has been said
    for spare in ("par", "max", "ms", "games", "score"):  # rather than half of every figure
        wide = sum(max(map(len, (titles[key], *cells))) + _BETWEEN for key, cells in columns.items())
        if wide > screen.width:
            columns.pop(spare, None)
    screen.grid([titles[key] for key in columns], list(zip(*columns.values(), strict=True)))
    screen.gap()
    screen.say(" ".join(say(key) for key in ("intervals", *(("par-is",) if "par" in columns else ()))), "dim")
    if report.sprt is not None:
        screen.say(say("sprt", **sprt_arguments(report)), "bold")
    errors = sum(one.errors for one in report.bots)
    if errors:
        screen.gap()
        screen.title(say("faults"))
        for error in report.errors[:_SHOWN_ERRORS]:
            screen.say(fault_text(error, rules, lang), mark=f"  {say('deal-number', number=error.deal)}: ")
        if errors > _SHOWN_ERRORS:
            screen.say(say("more", count=errors - _SHOWN_ERRORS), indent=2)


def _figure(said: tuple[str, str]) -> str:
    value, reach = said
    if not reach:
        return value
    return f"{value}±{reach.removeprefix('± ')}" if reach.startswith("±") else f"{value} ({reach})"
