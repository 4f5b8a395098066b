"""Tables in mid-game, put into a server's store before anybody connects: rounds that bots played, each cut somewhere.

A table that has just begun is small, and so are its messages; people are found at every point of a game.
"""

import random
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import cycle, islice
from typing import Final

from tilerummy.bots import bot
from tilerummy.melds import Meld
from tilerummy.rulesets import RULESETS
from tilerummy.server.events import Happened, Move, Opened, Room, RoomEvent, Sat, SetReady, Setup, Start
from tilerummy.server.identity import fingerprint
from tilerummy.server.keeping import meta_of, stored_events
from tilerummy.server.room import apply, fold
from tilerummy.server.store import Player, Store, Token
from tilerummy.state import Drew, Phase, Played, Refusal, RoundBegan, State
from tilerummy.tiles import COLOURS, MAX_NUMBER, Tile, kind_of, tile_of
from tilerummy.view import view

__all__ = ["MIND", "SEATS", "Prepared", "prepare"]

SEATS: Final = 4
MIND: Final = "novice"
"""The bot that plays: its rounds last for 94 turns on average, with 43 tiles on the table."""

_GAMES: Final = 40
_ROUNDS: Final = 99  # a table goes on for as long as it is measured


@dataclass(frozen=True, slots=True)
class Prepared:
    """A room that is in the store, and the tokens of those who sit there."""

    room: str
    tokens: tuple[str, ...]


async def prepare(url: str, tables: int, seed: int = 0, clock: int | None = None) -> list[Prepared]:
    """Put so many tables of four people into the database, each somewhere in its first round."""
    luck = random.Random(seed)
    async with Store(url) as store:
        return [await _put(store, game, luck, clock) for game in islice(cycle(range(_GAMES)), tables)]


async def _put(store: Store, game: int, luck: random.Random, clock: int | None) -> Prepared:
    now = time.time()
    tokens = tuple(f"trb_{secrets.token_urlsafe(32)}" for _ in range(SEATS))
    players = [secrets.token_urlsafe(12) for _ in range(SEATS)]
    for place, (player, token) in enumerate(zip(players, tokens, strict=True)):
        await store.new_player(Player(player, f"Player {place + 1}", "bot", now, now))
        await store.new_token(Token(fingerprint(token), player, "load", now))
    setup = Setup(players=SEATS, rounds=_ROUNDS, clock=clock)
    turns = _played(game)
    cut = turns[: luck.randrange(1, len(turns))]
    other = _disguise(luck)
    moves = (_disguised(event, other) for turn in cut for event in turn)
    events = (*_lobby(setup, _seed(game), players), *moves)
    room = fold((event, now) for event in events)
    name = secrets.token_urlsafe(9)
    await store.create_room(name, None, stored_events(events, 0, now, None, None), meta_of(None, room, events, 0.0))
    return Prepared(name, tokens)


def _seed(game: int) -> str:
    return f"{game:064x}"


def _lobby(setup: Setup, seed: str, players: Sequence[str]) -> Iterator[RoomEvent]:
    yield Opened(setup, players[0], seed)
    yield from (Sat(place, player) for place, player in enumerate(players))


@cache
def _played(game: int) -> list[tuple[RoomEvent, ...]]:
    """The events of one round, turn by turn; the first are those of the start."""
    luck = random.Random(game)
    people = [str(place) for place in range(SEATS)]
    room = _after(None, _lobby(Setup(players=SEATS, rounds=_ROUNDS), _seed(game), people))
    for seat in range(1, SEATS):
        room = _after(room, _done(apply(room, SetReady(seat, True), None)))
    turns = [_done(apply(room, Start(), None))]
    room = _after(room, turns[0])
    while isinstance(room.match, State) and room.match.phase is Phase.PLAYING:
        seat = room.match.turn
        chosen = bot(MIND).choose(view(room.match, seat), luck, budget=1)
        turns.append(_done(apply(room, Move(chosen), frozenset(people))))
        room = _after(room, turns[-1])
    return turns


# With its colours and its copies exchanged a game is another one: no two tables share what lies on them.

_Tiles = tuple[Tile, ...]
_Disguise = dict[Tile, Tile]


def _disguise(luck: random.Random) -> _Disguise:
    colours = luck.sample(range(len(COLOURS)), len(COLOURS))
    flipped = luck.randrange(2)
    tiles = RULESETS["sabra"].tiles()
    return {
        one: tile_of(
            one.kind if one.is_joker else colours[one.kind // MAX_NUMBER] * MAX_NUMBER + one.kind % MAX_NUMBER,
            one.copy ^ flipped,
        )
        for one in tiles
    }


def _disguised(event: RoomEvent, other: _Disguise) -> RoomEvent:
    if not isinstance(event, Happened):
        return event
    match event.event:
        case RoundBegan() as began:
            draws = tuple(tuple(one._replace(tile=other[one.tile]) for one in drawing) for drawing in began.draws)
            racks = tuple(_tiles(rack, other) for rack in began.racks)
            return Happened(replace(began, draws=draws, racks=racks, pool=_tiles(began.pool, other)))
        case Played() as played:
            table = tuple(_meld(meld, other) for meld in played.table)
            laid, taken = _tiles(played.laid, other), _tiles(played.taken, other)
            return Happened(replace(played, table=table, laid=laid, taken=taken))
        case Drew() as drew:
            return Happened(replace(drew, tiles=_tiles(drew.tiles, other)))
    return event


def _tiles(some: _Tiles, other: _Disguise) -> _Tiles:
    return tuple(other[one] for one in some)


def _meld(meld: Meld, other: _Disguise) -> Meld:
    tiles = _tiles(meld.tiles, other)
    if meld.colour is None:
        return replace(meld, tiles=tuple(sorted(tiles)))
    return replace(meld, tiles=tiles, colour=other[tile_of(kind_of(meld.colour, meld.number))].colour)


# A round


def _after(room: Room | None, events: Iterable[RoomEvent]) -> Room:
    return fold(((event, 0.0) for event in events), room)


def _done(events: tuple[RoomEvent, ...] | Refusal) -> tuple[RoomEvent, ...]:
    assert not isinstance(events, Refusal), events
    return events
