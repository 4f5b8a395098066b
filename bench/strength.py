"""The strength of every bot: a round-robin for two, each deal played from both seats, fitted as Elo.

`python -m bench.strength --deals 400 --processes 16` plays every pair and writes `src/tilerummy/bots/strength.json`,
which the server tells and the page sorts by; `--pairs keeper:expert …` plays only these, and keeps what is there of
the others. The file is written after every pair. Greedy is 1500 by definition; the others are the maximum of the
likelihood.
"""

import argparse
import json
from collections.abc import Iterable
from itertools import combinations
from math import log10
from pathlib import Path
from typing import Any, Final

from bench.bots import Match, play, share
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


def rated(rows: Iterable[dict[str, Any]]) -> dict[str, int]:
    """Elo of each bot, the weakest first, once every pair has met."""
    wins: dict[tuple[str, str], float] = {}
    for row in rows:
        # Half a round to each keeps a bot that never wins finite.
        wins[row["a"], row["b"]] = row["won"] * row["rounds"] + 0.5
        wins[row["b"], row["a"]] = (1 - row["won"]) * row["rounds"] + 0.5
    if len(wins) < len(BOTS) * (len(BOTS) - 1):
        return {}
    return dict(sorted(fit(wins).items(), key=lambda item: item[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--budget", type=int, default=BUDGET)
    parser.add_argument("--ruleset", default="sabra")
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--pairs", nargs="+", default=[f"{a}:{b}" for a, b in combinations(BOTS, 2)])
    parser.add_argument("--file", type=Path, default=_FILE)
    given = parser.parse_args()
    known = json.loads(given.file.read_text(encoding="utf-8")) if given.file.exists() else {}
    table = {(row["a"], row["b"]): row for row in known.get("rounds", [])}
    elo: dict[str, int] = {}
    for pair in given.pairs:
        a, b = pair.split(":")
        match = Match(a, b, "{}", "{}", 2, given.ruleset, given.budget, given.seed)
        won, half = share([deal.won for deal in play(match, given.deals, given.processes)])
        print(f"{a} against {b}: {won:.1%} ± {half:.1%} over {given.deals} deals", flush=True)
        table[a, b] = {"a": a, "b": b, "rounds": 2 * given.deals, "won": round(won, 5), "interval": round(half, 5)}
        elo = rated(table.values())
        kept = {"elo": elo, "ruleset": given.ruleset, "players": 2, "budget": given.budget}
        given.file.write_text(json.dumps({**kept, "rounds": list(table.values())}, indent=2) + "\n", encoding="utf-8")
    print(elo)


if __name__ == "__main__":
    main()
