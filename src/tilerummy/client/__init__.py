"""The client: a server's rooms for programs, typed; for bots, tests and whoever wants to play from Python.

async with Client("http://localhost:8000", token) as client, client.join("KMPR") as room:
seat = await room.sit()
async for news in room:
...
"""

from tilerummy.client.connection import Answer, Connection, Move, News
from tilerummy.client.errors import ApiError, BadCommand, Lost
from tilerummy.client.following import Follower
from tilerummy.client.rest import Client

__all__ = ["Answer", "ApiError", "BadCommand", "Client", "Connection", "Follower", "Lost", "Move", "News"]
