"""A program that appends to a room until it is killed, and prints each version that the store took."""

import asyncio
import sys

from tests.kit.stored import PLAYING, answer, event, found
from tilerummy.server.store import Store

__all__ = ["main"]


async def main(url: str, room_id: str) -> None:
    """Append two events at a time, for ever."""
    async with Store(url) as store:
        version = (await found(store, room_id)).version
        while True:
            pair = [event(version + 1, said=version), event(version + 2)]
            await store.append(room_id, version, pair, answer(f"c{version}"), PLAYING)
            version += 2
            print(version, flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
