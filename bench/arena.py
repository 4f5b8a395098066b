"""The arena: whole rounds a second on one core, through the game's own rules and views; processor time, not the wall's.

Rounds are `game.apply` and `view(seat)` from the deal to the score; the kernel's play-outs are another measure.
"""

import time
from typing import Final

from tilerummy.arena import Settings, play_deal, read_seats, seated
from tilerummy.arena.settings import rotations
from tilerummy.rulesets import ruleset

__all__ = ["arena"]

_DEALS: Final = 25
_TABLES: Final = (
    ("sabra", "greedy,g=greedy"),
    ("sabra", "greedy,g=greedy,h=greedy,i=greedy"),
    ("classic", "greedy,g=greedy"),
    ("rummy", "greedy,g=greedy"),
    ("junior", "greedy,g=greedy"),
    ("sabra", "random,r=random"),
    ("sabra", "novice,n=novice"),
)


def arena() -> None:
    """Rounds and turns a second of bots that do not search."""
    print("arena, rounds a second on one core\n")
    print(f"{'ruleset':10} {'bots':14} {'rounds/s':>9} {'turns/s':>9} {'ms a turn':>10}")
    for rules, seats in _TABLES:
        entrants, lineups = seated(read_seats(seats))
        run = Settings(entrants, lineups, 2, 7, ruleset(rules))
        play_deal(run, _DEALS, 0)  # warm
        started = time.process_time()
        games = [game for deal in range(_DEALS) for game in play_deal(run, deal, 0).games]
        took = time.process_time() - started
        assert len(games) == _DEALS * len(rotations(lineups[0]))
        turns = sum(sum(game.moves) for game in games)
        names = f"{len(lineups[0])} {entrants[0].bot}"
        print(f"{rules:10} {names:14} {len(games) / took:9.1f} {turns / took:9.0f} {1000 * took / turns:10.2f}")
    print()


if __name__ == "__main__":
    arena()
