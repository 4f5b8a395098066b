"""An external bot: it joins a room by its code and plays there until the room, or its seat in it, is gone.

python examples/bot.py http://localhost:8000 TOKEN CODE

docs/protocol.md tells where the token comes from.
"""

import asyncio
import random
import sys

from tilerummy.bots import BUDGET, bot
from tilerummy.client import Client, Lost
from tilerummy.protocol import ReadyCommand
from tilerummy.state import Phase


async def play(server: str, token: str, code: str) -> None:
    mind, luck = bot("novice"), random.Random()
    async with Client(server, token) as client, client.join(code) as room:
        seat = room.you.seats[0] if room.you and room.you.seats else await room.sit()
        if not isinstance(seat, int):
            sys.exit(f"no seat: {seat.code}")
        async for _ in room:
            view = room.match()
            if room.view.stage == "closed" or seat >= len(room.view.seats):
                break
            if view is None:
                if room.view.stage == "lobby" and not room.view.seats[seat].ready:  # also before a rematch
                    await room.do(ReadyCommand(seat=seat, ready=True))
            elif view.phase is Phase.PLAYING and view.turn == seat == view.seat:
                await room.do(mind.choose(view, luck, BUDGET))


if __name__ == "__main__":
    try:
        asyncio.run(play(*sys.argv[1:]))
    except Lost as error:
        print(error)
