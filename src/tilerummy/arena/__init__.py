"""The arena: matches between bots, fair and reproducible, and what they say about the bots' strength.

A deal is played once for each rotation of the seats, so that the luck of the tiles falls to everybody; what is said
about a bot is said with an interval that counts deals, not games. Whoever has the seed has the same games, in any
number of processes or on a Ray cluster.

>>> entrants, lineups = seated(read_seats("greedy,random"))
>>> report = contest(Settings(entrants, lineups, games=6, seed=1)).report()
>>> report.games, report.deals, [(one.name, one.wins) for one in report.bots]
(6, 3, [('greedy', 6.0), ('random', 0.0)])
"""

from tilerummy.arena.contest import contest, sequential
from tilerummy.arena.engines import Engine, here, on_ray, processes
from tilerummy.arena.keeping import RunFile
from tilerummy.arena.results import DealResult, Fault, GameResult, Reason
from tilerummy.arena.settings import BadSettings, Entrant, Settings, read_seats, round_robin, seated
from tilerummy.arena.sprt import Hypotheses, Sprt
from tilerummy.arena.table import play_deal
from tilerummy.arena.tally import Report, Tally, report_json

__all__ = [
    "BadSettings",
    "DealResult",
    "Engine",
    "Entrant",
    "Fault",
    "GameResult",
    "Hypotheses",
    "Reason",
    "Report",
    "RunFile",
    "Settings",
    "Sprt",
    "Tally",
    "contest",
    "here",
    "on_ray",
    "play_deal",
    "processes",
    "read_seats",
    "report_json",
    "round_robin",
    "seated",
    "sequential",
]
