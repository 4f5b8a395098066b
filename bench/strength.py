"""The strength of every bot: a round-robin for two, each deal played from both seats, fitted as Elo.

`python -m bench.strength --deals 400 --processes 16` plays every pair and writes `src/tilerummy/bots/strength.json`,
which the server tells and the page sorts by; `--pairs keeper:expert …` plays only these, and keeps what is there of
the others; `--pairs` alone only fits what is there anew. The file is written after every pair. Greedy is 1500 by
definition; the others are the arena's estimate (`tilerummy.arena.ratings`).
"""

import argparse
import json
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from bench.bots import Match, play, share
from tilerummy.arena.ratings import Pairs, ratings
from tilerummy.bots import BOTS, BUDGET

_FILE: Final = Path(__file__).parents[1] / "src/tilerummy/bots/strength.json"
_ANCHOR: Final = ("greedy", 1500)
_EACH: Final = 2  # rounds of a deal


def rated(rows: Iterable[dict[str, Any]]) -> dict[str, int]:
    """Elo of each bot, the weakest first, once every pair has met."""
    met = {(row["a"], row["b"]): row for row in rows}
    names = sorted({name for pair in met for name in pair})
    if len(met) < len(BOTS) * (len(BOTS) - 1) // 2:
        return {}
    deals: list[Pairs] = []
    for (a, b), row in met.items():
        i, j = names.index(a), names.index(b)
        won = round(row["won"] * row["rounds"]) if i < j else round((1 - row["won"]) * row["rounds"])
        for deal in range(row["rounds"] // _EACH):  # which rounds were of one deal makes no difference to the ratings
            here = min(_EACH, max(0, won - _EACH * deal))
            deals.append({(min(i, j), max(i, j)): (2 * here, 2 * _EACH)})
    found = [one.value for one in ratings(len(names), deals)]
    anchor, figure = _ANCHOR
    zero = found[names.index(anchor)]
    elo = {name: round(figure + value - zero) for name, value in zip(names, found, strict=True)}
    return dict(sorted(elo.items(), key=lambda item: item[1]))


def write(file: Path, setting: dict[str, Any], table: dict[tuple[str, str], dict[str, Any]]) -> dict[str, int]:
    """Write what was measured so far, and tell the Elo."""
    rows = list(table.values())
    elo = rated(rows)
    file.write_text(json.dumps({"elo": elo, **setting, "rounds": rows}, indent=2) + "\n", encoding="utf-8")
    return elo


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--budget", type=int, default=BUDGET)
    parser.add_argument("--ruleset", default="sabra")
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--pairs", nargs="*", default=[f"{a}:{b}" for a, b in combinations(BOTS, 2)])
    parser.add_argument("--file", type=Path, default=_FILE)
    given = parser.parse_args()
    known = json.loads(given.file.read_text(encoding="utf-8")) if given.file.exists() else {}
    table = {(row["a"], row["b"]): row for row in known.get("rounds", [])}
    setting = {"ruleset": given.ruleset, "players": 2, "budget": given.budget}
    elo = write(given.file, setting, table)
    for pair in given.pairs:
        a, b = pair.split(":")
        match = Match(a, b, "{}", "{}", 2, given.ruleset, given.budget, given.seed)
        won, half = share([deal.won for deal in play(match, given.deals, given.processes)])
        print(f"{a} against {b}: {won:.1%} ± {half:.1%} over {given.deals} deals", flush=True)
        table[a, b] = {"a": a, "b": b, "rounds": _EACH * given.deals, "won": round(won, 5), "interval": round(half, 5)}
        elo = write(given.file, setting, table)
    print(elo)


if __name__ == "__main__":
    main()
