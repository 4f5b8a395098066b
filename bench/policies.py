"""Play-out policies against each other, in whole rounds inside the kernel: which simple ways to play win.

`python -m bench.policies` deals each deal so often that one seat after the other plays by a policy, all others by
another; the interval (95%) is over deals. Jokers are free, the rules are sabra's.
"""

import argparse

from bench.bots import share as share_of
from bench.playouts import deal
from tilerummy.playouts import Policy, Situation, finish
from tilerummy.rulesets import RULESETS
from tilerummy.tiles import KINDS


def share(one: Policy, others: Policy, players: int, deals: int) -> tuple[float, float]:
    """How often a policy wins against others, and half of the interval."""
    rules = RULESETS["sabra"]
    start = Situation(rules, bytes(KINDS), (False,) * players, 0)
    worlds = [deal(rules, players, seed) for seed in range(deals)]
    won = [0] * deals
    for seat in range(players):
        policies = [others] * players
        policies[seat] = one
        won = [before + win for before, win in zip(won, finish(start, worlds, policies).wins(seat), strict=True)]
    return share_of([number / players for number in won])


def main() -> None:
    """Print every pair, for two players and for four."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000)
    given = parser.parse_args()
    for players in (2, 4):
        print(f"\n{players} players, {given.deals} deals; others: {', '.join(one.name for one in Policy)}")
        for one in Policy:
            shares = [share(one, others, players, given.deals) for others in Policy]
            print(f"{one.name:8}", *(f"{100 * won:5.1f} ± {100 * half:.1f}%" for won, half in shares))


if __name__ == "__main__":
    main()
