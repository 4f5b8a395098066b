"""An external bot: it joins a room by its code and plays there until the room is closed.

python examples/bot.py http://localhost:8000 TOKEN CODE
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
        seat = await room.sit()
        if not isinstance(seat, int):
            sys.exit(f"no seat: {seat.code}")
        await room.do(ReadyCommand(seat=seat, ready=True))
        async for _ in room:
            view = room.match()
            if view is None:
                if room.view.stage == "lobby" and not room.view.seats[seat].ready:  # a rematch
                    await room.do(ReadyCommand(seat=seat, ready=True))
            elif view.phase is Phase.PLAYING and view.turn == seat == view.seat:
                await room.do(mind.choose(view, luck, BUDGET))


if __name__ == "__main__":
    try:
        asyncio.run(play(*sys.argv[1:]))
    except Lost as error:
        print(error)
