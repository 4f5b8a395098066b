"""Tables that are put into a server's store as they shall be met: a deal that is known, a game that is far gone.

A room is the fold of its events, and nobody judges an event again; what is written here could have happened, with
every tile of the set in one place.
"""

import secrets
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tilerummy.melds import Meld, Table, draft, read
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.server.events import Happened, Opened, ReadySet, Room, RoomEvent, Sat, Setup, Start
from tilerummy.server.keeping import meta_of, stored_events
from tilerummy.server.room import apply, fold
from tilerummy.server.store import Store
from tilerummy.state import Event, Played, Refusal, RoundBegan, State
from tilerummy.tiles import Tile, text, tiles

__all__ = ["crowded", "laid_out", "put_game", "put_lobby", "table_of"]


async def put_lobby(url: str, people: Sequence[str], seed: str, **setup: Any) -> str:
    """A room before the start, with everybody seated, the first of them the host; its id."""
    events = _gathered(people, seed, setup)
    return await _put(url, events)


async def put_game(
    url: str,
    people: Sequence[str | None],
    table: str = "",
    racks: Sequence[str] = (),
    *,
    pool: int | None = None,
    opened: bool = True,
    seed: str = "5eed" * 16,
    **setup: Any,
) -> str:
    """A running match in which this table lies, seat 0 is to move, and the first seats have these racks; its id.

    Everybody has laid a part of the table, unless nobody shall have opened. Whose rack is not told has some of the
    tiles that are left; the others are in the pool, or only so many of them and none.
    """
    known = [player for player in people if player is not None]
    rules = ruleset(setup.get("ruleset", "sabra"), setup.get("house", {}))
    events = _gathered(known, seed, {"players": len(people), **setup})
    room = _after(None, events)
    begun = _done(apply(room, Start(), None))
    lying = table_of(table, rules)
    hands = [tiles(rack) for rack in racks]
    left = _without(rules.tiles(), [*(one for meld in lying for one in meld.tiles), *(one for h in hands for one in h)])
    while len(hands) < len(people):
        hands.append(tuple(left[: rules.deal]))
        left = left[rules.deal :]
    spare = left if pool is None else left[:pool]
    shares = _shares(lying, len(people)) if opened else [[] for _ in people]
    events += [
        Happened(
            replace(
                event.event,
                starter=0,
                racks=tuple(
                    (*hand, *(one for meld in shares[seat] for one in meld.tiles)) for seat, hand in enumerate(hands)
                ),
                pool=tuple(spare),
            )
        )
        if isinstance(event, Happened) and isinstance(event.event, RoundBegan)
        else event
        for event in begun
    ]
    room = _after(None, events)
    for _ in people if opened else ():
        assert isinstance(room.match, State)
        event = Happened(_play(room.match, shares[room.match.turn]))
        events.append(event)
        room = _after(room, [event])
    return await _put(url, events)


def table_of(written: str, rules: Ruleset) -> Table:
    """Melds as written."""
    found = []
    for one in draft(written) if written else ():
        meld = read(one, rules.numbers, rules.groups)
        assert isinstance(meld, Meld), f"{written}: {meld}"
        found.append(meld)
    return tuple(found)


def laid_out(rules: Ruleset, count: int) -> str:
    """A table of about so many tiles, runs and groups of every length, jokers among them."""
    left = list(rules.tiles())
    melds: list[str] = []

    def take(*names: str) -> bool:
        some = tiles(" ".join(names))
        if any(one not in left for one in some) or sum(map(len, map(tiles, melds))) + len(some) > count:
            return False
        for one in some:
            left.remove(one)
        melds.append(text(some))
        return True

    take("r1", "r2", "j")
    take(*(f"b{number}" for number in range(1, 14)))
    for number in (5, 9, 13):
        take(*(f"{colour}{number}" for colour in "rky"))
    for number in range(1, 14):
        take(*(f"{colour}{number}'" for colour in "rbky"))
    for colour in "ky":
        take(*(f"{colour}{number}" for number in range(1, 5)))
        take(*(f"{colour}{number}" for number in range(6, 9)))
        take(*(f"{colour}{number}" for number in range(10, 13)))
    take(*(f"r{number}" for number in range(6, 9)))
    take("r10", "r11", "r12")
    take("r3", "r4", "j'")
    for number in range(1, 14):
        take(*(f"{colour}{number}''" for colour in "rbky"))
    return " | ".join(melds)


def crowded(rules: Ruleset, count: int, rack: int) -> tuple[str, str]:
    """A table of about so many tiles, and so many of the others for a rack."""
    table = laid_out(rules, count)
    left = _without(rules.tiles(), [one for meld in draft(table) for one in (piece.tile for piece in meld)])
    return table, text(left[:rack])


def _shares(table: Table, seats: int) -> list[list[Meld]]:
    """Which melds each seat has laid."""
    return [[meld for place, meld in enumerate(table) if place % seats == seat] for seat in range(seats)]


def _play(match: State, melds: Sequence[Meld]) -> Event:
    laid = tuple(one for meld in melds for one in meld.tiles)
    points = sum(meld.points for meld in melds)
    return Played(match.turn, (*match.table, *melds), laid, (), points, 0, opens=True, buzzer=False)


def _gathered(players: Sequence[str], seed: str, chosen: dict[str, Any]) -> list[RoomEvent]:
    setup = Setup(**{"players": len(players), **chosen})
    events: list[RoomEvent] = [Opened(setup, players[0], seed)]
    events += [Sat(seat, player) for seat, player in enumerate(players)]
    events += [ReadySet(seat, True) for seat in range(1, len(players))]
    return events


async def _put(url: str, events: Sequence[RoomEvent]) -> str:
    now, name = time.time(), secrets.token_urlsafe(9)
    room = fold((event, now) for event in events)
    async with Store(url) as store:
        code = "".join(secrets.choice("ABCDEFGHJKMNPQRSTUVWXYZ") for _ in range(5))
        await store.create_room(name, code, stored_events(events, 0, now, None, None), meta_of(None, room, events, 0.0))
    return name


def _without(some: Sequence[Tile], gone: Sequence[Tile]) -> list[Tile]:
    left = list(some)
    for one in gone:
        left.remove(one)
    return left


def _after(room: Room | None, events: Sequence[RoomEvent]) -> Room:
    return fold(((event, time.time()) for event in events), room)


def _done(events: tuple[RoomEvent, ...] | Refusal) -> tuple[RoomEvent, ...]:
    assert not isinstance(events, Refusal), events
    return events
