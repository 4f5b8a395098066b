"""A bot for the arena that is a program of its own: JSON Lines in, JSON Lines out. It lays the most points it can.

tilerummy arena --seats "points=cmd:python examples/arena_bot.py,greedy" --games 20
"""

import json
import sys

from tilerummy.protocol import MatchView, match_view, wire_command
from tilerummy.solver import Objective, Query, solve, with_copies
from tilerummy.state import Draw, Pass, Play


def move(seen: MatchView) -> Play | Draw | Pass:
    view, seat = match_view(seen), seen.turn
    query = Query(view.rules, view.table, view.rack, view.opened[seat], all(view.opened), Objective.POINTS)
    solution = solve(query)
    if solution.tiles:
        return Play(seat, with_copies(query, solution)[0])
    return Draw(seat) if view.pool_size and (view.stars[seat] or not view.rules.stars) else Pass(seat)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "turn":
        print(wire_command(move(MatchView.model_validate(message["view"]))).model_dump_json(), flush=True)
