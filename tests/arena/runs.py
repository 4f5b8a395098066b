"""Short runs, and what of them must not depend on where they are played."""

from typing import Any

from tilerummy.arena import Engine, Settings, contest, here, read_seats, report_json, seated
from tilerummy.arena.results import DealResult
from tilerummy.rulesets import ruleset

__all__ = ["settings", "timeless", "untimed"]


def settings(seats: str, games: int = 4, seed: int = 7, rules: str = "sabra", **more: Any) -> Settings:
    entrants, lineups = seated(read_seats(seats, more.pop("budget", 20)))
    return Settings(entrants, lineups, games, seed, ruleset(rules), **more)


def timeless(run: Settings, engine: Engine = here, **more: Any) -> dict[str, Any]:
    """The report without what a clock measured."""
    report = report_json(contest(run, engine=engine, **more).report(), 0)
    for one in report["bots"]:
        del one["ms_per_move"], one["ms_slowest"]
    return report


def untimed(result: DealResult) -> object:
    """A deal without what a clock measured."""
    return (
        result.deal,
        result.lineup,
        [(game.lineup, game.scores, game.places, game.sizes, game.fault) for game in result.games],
    )
