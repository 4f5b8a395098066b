"""A run from its beginning, or from where it was interrupted, to its end."""

import contextlib
from collections.abc import Callable, Iterable

from tilerummy.arena.engines import Engine, here
from tilerummy.arena.results import DealResult
from tilerummy.arena.settings import BadSettings, Settings
from tilerummy.arena.sprt import Sprt
from tilerummy.arena.tally import Tally, deal_outcomes

__all__ = ["contest", "sequential"]


def sequential(settings: Settings, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """A test of the first entrant against the second; there have to be two, at one table."""
    if len(settings.entrants) != 2 or len(settings.lineups) != 1:
        raise BadSettings("sprt", f"a test is between two bots, not {len(settings.entrants)}")
    if not -1000 <= elo0 < elo1 <= 1000:
        raise BadSettings("sprt", "two ratings from -1000 to 1000, the lower one first")
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0 < value < 0.5:
            raise BadSettings(name, f"more than 0 and less than 0.5, not {value}")
    return Sprt(elo0, elo1, deal_outcomes(settings.lineups[0]), alpha, beta)


def contest(
    settings: Settings,
    *,
    engine: Engine = here,
    earlier: Iterable[DealResult] = (),
    keep: Callable[[DealResult], None] = lambda result: None,
    tell: Callable[[int, Tally], None] = lambda done, tally: None,
    sprt: Sprt | None = None,
) -> Tally:
    """Play what has not been played earlier; `keep` gets each new deal, `tell` how many there are by then.

    A test decides on the deals in their order, and whatever was played beyond does not count.
    """
    units = [(deal, lineup) for deal in range(settings.deals) for lineup in range(len(settings.lineups))]
    have = {(one.deal, one.lineup): one for one in earlier}
    missing = [unit for unit in units if unit not in have]
    ready = len(units) - len(missing)
    tally = Tally(settings, sprt)
    counted = 0

    def count() -> bool:
        """Count what is there in its order; say whether that is all."""
        nonlocal counted
        while counted < len(units) and units[counted] in have:
            tally.add(have.pop(units[counted]))
            counted += 1
            if sprt is not None and sprt.verdict is not None:
                return True
        return counted == len(units)

    if not count():
        playing = engine(settings, missing)
        with contextlib.closing(playing):
            for result in playing:
                keep(result)
                ready += 1
                have[result.deal, result.lineup] = result
                over = count()
                tell(ready, tally)
                if over:
                    break
    return tally
