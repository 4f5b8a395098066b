"""The strength of every bot: a round-robin for two, each deal played from both seats, fitted as Elo.

`python -m bench.strength --deals 400 --processes 16` plays every pair and writes `src/tilerummy/bots/strength.json`,
which the server and the page show. Greedy is 1500 by definition; the others are the maximum of the likelihood.
"""

import argparse
import json
from itertools import combinations
from math import log10
from pathlib import Path
from typing import Final

from bench.bots import Match, interval, play
from tilerummy.bots import BOTS, BUDGET

_FILE: Final = Path(__file__).parents[1] / "src/tilerummy/bots/strength.json"
_ANCHOR: Final = ("greedy", 1500)
_SWEEPS: Final = 10_000


def fit(wins: dict[tuple[str, str], float]) -> dict[str, int]:
    """Elo of each name from how often one won against another (Bradley and Terry, by Hunter's iteration)."""
    names = sorted({name for pair in wins for name in pair})
    worth = dict.fromkeys(names, 1.0)
    for _ in range(_SWEEPS):
        before = dict(worth)
        for name in names:
            won = sum(number for (one, _), number in wins.items() if one == name)
            met = sum(
                (wins[name, other] + wins[other, name]) / (worth[name] + worth[other])
                for other in names
                if (name, other) in wins
            )
            worth[name] = won / met
        if max(abs(worth[name] / before[name] - 1) for name in names) < 1e-9:
            break
    anchor, figure = _ANCHOR
    return {name: round(figure + 400 * log10(worth[name] / worth[anchor])) for name in names}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--budget", type=int, default=BUDGET)
    parser.add_argument("--ruleset", default="sabra")
    parser.add_argument("--seed", default="strength")
    given = parser.parse_args()
    wins: dict[tuple[str, str], float] = {}
    table = []
    for a, b in combinations(BOTS, 2):
        match = Match(a, b, "{}", "{}", 2, given.ruleset, given.budget, given.seed)
        won, half = interval([deal.won for deal in play(match, given.deals, given.processes)])
        print(f"{a} against {b}: {won:.1%} ± {half:.1%}", flush=True)
        rounds = 2 * given.deals
        # Half a round to each keeps a bot that never wins finite.
        wins[a, b], wins[b, a] = won * rounds + 0.5, (1 - won) * rounds + 0.5
        table.append({"a": a, "b": b, "rounds": rounds, "won": round(won, 4), "interval": round(half, 4)})
    elo = dict(sorted(fit(wins).items(), key=lambda item: item[1]))
    kept = {"elo": elo, "ruleset": given.ruleset, "players": 2, "budget": given.budget, "rounds": table}
    _FILE.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    print(elo)


if __name__ == "__main__":
    main()
