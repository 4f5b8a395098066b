"""`tilerummy arena`: matches between bots, with a report of their strength."""

from pathlib import Path
from typing import Annotated, Final

import typer

from tilerummy.bots import BOTS, BUDGET
from tilerummy.cli.options import House, Json, Lang
from tilerummy.rulesets import RULESETS

__all__ = ["MOST_WORKERS", "arena"]

MOST_WORKERS: Final = 256
"""How many processes may be asked for."""

# Told here as well: the other commands need not wait until the arena is loaded.
_GAMES: Final = "100"
_MOVE_TIME: Final = "60"
_WRONGLY: Final = "0.05"


def arena(
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="BOTS",
            help=f"Who plays, seat by seat: {', '.join(BOTS)}, with a budget expert:2000, under a label mine=greedy, "
            "or a program of yours cmd:python bot.py.",
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="How many games; deals are played whole.", show_default=_GAMES)
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same seed, the same games.", show_default="0")
    ] = None,
    ruleset: Annotated[
        str | None, typer.Option(metavar="ID", help=f"The rules: {', '.join(RULESETS)}.", show_default="sabra")
    ] = None,
    house: House = None,
    budget: Annotated[
        int | None,
        typer.Option(metavar="N", help="How much a bot that searches may search.", show_default=str(BUDGET)),
    ] = None,
    move_time: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="For a move; who takes longer has lost.", show_default=_MOVE_TIME),
    ] = None,
    round_robin: Annotated[
        bool, typer.Option("--round-robin", help="Each of the bots against each other, so many games a table.")
    ] = False,
    players: Annotated[
        int | None, typer.Option(metavar="N", help="With --round-robin: how many at a table.", show_default="2")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1", help="Stop as soon as it is clear which of the two the first bot is ahead by."
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(help="With --sprt: how often ELO1 may be believed wrongly.", show_default=_WRONGLY),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(help="With --sprt: how often ELO0 may be believed wrongly.", show_default=_WRONGLY),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=MOST_WORKERS, help="Processes; otherwise one a core."),
    ] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on this Ray cluster; local: one of its own.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep each deal in this new file.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with the run in this file.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report with plots into this file.")] = None,
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Let bots play each other: every deal once for each rotation of the seats, reproducible from its seed.

    tilerummy arena --seats greedy,random --games 1000 --seed 7

    tilerummy arena --seats random,novice,greedy --round-robin --games 400 --html ladder.html

    tilerummy arena --seats "mine=cmd:python bot.py,greedy" --sprt 0,20 --games 20000 --out run.jsonl

    A bot that crashes, does what is not allowed, or takes too long has lost that game, and the run goes on. With
    --resume, what is not said is as it was in that file; --games may be more, or fewer for a report on
    the first of them.
    """
    given = {
        "seats": seats,
        "games": games,
        "seed": seed,
        "ruleset": ruleset,
        "house": house,
        "budget": budget,
        "move-time": move_time,
        "round-robin": round_robin or None,
        "players": players,
    }
    from tilerummy.cli.contest import Wish, hold

    hold(given, Wish(sprt, alpha, beta, workers, ray, out, resume, html, json=json, lang=lang))
