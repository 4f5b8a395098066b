"""Moves for a state: legal plays, drafts that the clock may find, and commands that must be refused.

Cheap rather than complete: what a person would try. Plays are told in physical tiles.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from tilerummy.game import advise
from tilerummy.melds import MIN_MELD, Draft, Meld, Piece, Shape, read, shapes
from tilerummy.rulesets import JokerGoes, Ruleset
from tilerummy.state import Command, Draw, HandOver, HintUsed, NextRound, Pass, Phase, Play, State, Timeout
from tilerummy.tiles import JOKER, Face, Tile, counts, tile_of

__all__ = ["Illegal", "illegal_commands", "legal_play", "legal_plays", "tables", "timeout_draft"]

Written = tuple[Piece, ...]


# Legal plays


def legal_plays(state: State, luck: Random) -> Iterator[Draft]:
    """Each candidate that is a legal play of the player to move, in the order that luck gives."""
    seen: set[frozenset[frozenset[Piece]]] = set()
    for table in tables(state, luck):
        key = frozenset(frozenset(written) for written in table)
        if key not in seen:
            seen.add(key)
            if advise(state, table).legal:
                yield table


def legal_play(state: State, luck: Random) -> Draft | None:
    """A legal play, or None where none was found."""
    return next(legal_plays(state, luck), None)


def tables(state: State, luck: Random) -> Iterator[Draft]:
    """Tables that the player to move might propose, many of them legal plays."""
    rack, rules = state.racks[state.turn], state.rules
    lying = tuple(meld.pieces for meld in state.table)
    melds = _rack_melds(rack, rules, luck)
    ways = [_packings(lying, melds, luck), _packings(lying, sorted(melds, key=_points, reverse=True), luck)]
    if state.table:
        ways += [
            _additions(lying, rack, rules, luck),
            _additions(lying, rack, rules, luck),
            _swaps(state, luck),
            _rearrangements(state, luck),
        ]
    luck.shuffle(ways)
    for way in ways:
        yield from way


def _points(written: Written) -> int:
    return sum(piece.face.number if piece.face else piece.tile.number for piece in written)


def _rack_melds(rack: Iterable[Tile], rules: Ruleset, luck: Random, most: int = 40) -> list[Written]:
    """Melds of these tiles alone, shuffled; at most so many."""
    rack = list(rack)
    have = counts(rack)
    found = [
        shape
        for kind in range(JOKER)
        if have[kind]
        for shape in islice(shapes(have, have[JOKER], kind, rules.numbers, rules.groups), most)
    ]
    return [_physical([shape], rack, (), luck)[0] for shape in luck.sample(found, min(most, len(found)))]


def _packings(lying: Draft, melds: Sequence[Written], luck: Random) -> Iterator[Draft]:
    """The table with more and more disjoint melds of the rack."""
    used: set[Tile] = set()
    laid: list[Written] = []
    for written in melds:
        tiles = {piece.tile for piece in written}
        if used.isdisjoint(tiles):
            used |= tiles
            laid.append(written)
            yield (*lying, *laid)
    for written in islice(melds, 4):
        yield (*lying, written)
    if laid:
        kept = [written for written in laid if luck.random() < 0.7]
        yield (*kept, *lying)


def _additions(lying: Draft, rack: Sequence[Tile], rules: Ruleset, luck: Random) -> Iterator[Draft]:
    """The table with more and more tiles of the rack added to its melds."""
    table = list(lying)
    for one in luck.sample(rack, len(rack)):
        for place in luck.sample(range(len(table)), len(table)):
            grown = _add(table[place], one, rules, luck)
            if grown:
                table[place] = grown
                yield tuple(table)
                break


def _add(written: Written, one: Tile, rules: Ruleset, luck: Random) -> Written | None:
    ways = [(*written, Piece(one)), (Piece(one), *written)]
    meld = read(written, rules.numbers, rules.groups)
    if one.is_joker and isinstance(meld, Meld):
        low, high = meld.face(-1), meld.face(len(meld.tiles))
        ways = [(Piece(one, low), *written), (*written, Piece(one, high))]
    luck.shuffle(ways)
    for way in ways:
        grown = read(way, rules.numbers, rules.groups)
        if isinstance(grown, Meld):
            return grown.pieces
    return None


def _swaps(state: State, luck: Random) -> Iterator[Draft]:
    """A tile of the rack in the place of a joker, which goes into a new meld, to another meld, or to the rack."""
    rack, rules = state.racks[state.turn], state.rules
    for place, meld in enumerate(state.table):
        for joker, face in meld.jokers:
            for one in rack:
                if one.number != face.number or face.colour not in (None, one.colour):
                    continue
                pieces = tuple(Piece(one) if piece.tile is joker else piece for piece in meld.pieces)
                others = [written.pieces for other, written in enumerate(state.table) if other != place]
                left = [tile for tile in rack if tile is not one]
                for written in islice(_rack_melds([*left, joker], rules, luck), 40):
                    if any(piece.tile is joker for piece in written):
                        yield (*others, pieces, written)
                for target, other in enumerate(others):
                    grown = _add(other, joker, rules, luck)
                    if grown:
                        yield (*others[:target], grown, *others[target + 1 :], pieces)
                if rules.joker_goes is JokerGoes.RACK:
                    yield (*others, pieces)


def _rearrangements(state: State, luck: Random) -> Iterator[Draft]:
    """A few melds of the table taken apart and put together again with tiles of the rack."""
    rack = state.racks[state.turn]
    for _ in range(6):
        places = luck.sample(range(len(state.table)), min(len(state.table), luck.randint(1, 3)))
        lying = [tile for place in places for tile in state.table[place].tiles]
        melds = _cover(lying, rack, state.rules, luck)
        if melds is not None:
            others = (meld.pieces for place, meld in enumerate(state.table) if place not in places)
            yield (*others, *_physical(melds, lying, rack, luck))


def _cover(lying: Sequence[Tile], rack: Sequence[Tile], rules: Ruleset, luck: Random) -> list[Shape] | None:
    """Melds that use all the tiles that lie there and some of the rack; None where a short search finds none."""
    must = counts(lying)
    have = [there + held for there, held in zip(must, counts(rack), strict=True)]
    budget = 200

    def search() -> list[Shape] | None:
        nonlocal budget
        budget -= 1
        if budget < 0:
            return None
        lowest = next((kind for kind in range(JOKER) if must[kind]), None)
        if lowest is None:
            return [] if not must[JOKER] else None
        choices = [
            shape
            for other in _lower(have, lowest, rules)
            for shape in islice(shapes(have, have[JOKER], other, rules.numbers, rules.groups), 200)
            if lowest in shape.kinds
        ]
        luck.shuffle(choices)
        for shape in choices[:20]:
            used = (*shape.kinds, *[JOKER] * shape.jokers)
            before = must.copy()
            for kind in used:
                have[kind] -= 1
                must[kind] = max(0, must[kind] - 1)
            rest = search()
            if rest is not None:
                return [shape, *rest]
            for kind in used:
                have[kind] += 1
            must[:] = before
        return None

    return search()


def _lower(have: Sequence[int], kind: int, rules: Ruleset) -> list[int]:
    """The kinds with which a meld that holds this kind may begin."""
    run = [kind - back for back in range(kind % 13 + 1) if have[kind - back]]
    group = [other for other in range(kind % 13, kind, 13) if have[other]] if rules.groups else []
    return run[:6] + group


def _physical(melds: Sequence[Shape], first: Iterable[Tile], then: Iterable[Tile], luck: Random) -> list[Written]:
    """Melds of physical tiles: all of the first, and as many of the others as are needed."""
    pieces = [shape.pieces for shape in melds]
    needed = Counter(piece.tile.kind for written in pieces for piece in written)
    chosen: dict[int, list[Tile]] = {kind: [] for kind in needed}
    for source in (first, then):
        some = [tile for tile in source if tile.kind in needed]
        for tile in luck.sample(some, len(some)):
            if len(chosen[tile.kind]) < needed[tile.kind]:
                chosen[tile.kind].append(tile)
    for same in chosen.values():
        luck.shuffle(same)
    return [tuple(Piece(chosen[piece.tile.kind].pop(), piece.face) for piece in written) for written in pieces]


# Drafts that the clock may find


def timeout_draft(state: State, luck: Random) -> Draft | None:
    """Nothing touched, a legal play, or a table at some stage of being rearranged, sane or not."""
    rack = state.racks[state.turn]
    lying = tuple(meld.pieces for meld in state.table)
    loose = [Piece(tile) for tile in luck.sample(rack, min(len(rack), luck.randint(0, 4)))]
    match luck.randrange(9):
        case 0:
            return None
        case 1:
            return lying
        case 2:
            return legal_play(state, luck)
        case 3:
            return (*lying, *((piece,) for piece in loose))
        case 4:
            # A legal play that is not quite finished: some tiles lie beside it.
            table = legal_play(state, luck) or lying
            used = {piece.tile for written in table for piece in written}
            return (*table, tuple(piece for piece in loose if piece.tile not in used))
        case 5:
            # A meld has lost a tile, which lies alone.
            return _torn(legal_play(state, luck) or lying, luck)
        case 6:
            # Everything in disorder.
            pieces = [piece for written in lying for piece in written] + loose
            luck.shuffle(pieces)
            return _cut([Piece(piece.tile) for piece in pieces], luck)
        case 7:
            # Tiles that are not there, twice there, or not in the set.
            strange = luck.choice([*state.rules.tiles(), tile_of(12, 2), tile_of(JOKER, 3)])
            return (*lying, (*loose, Piece(strange)), ())
        case _:
            # Some melds were taken off the table.
            return tuple(written for written in legal_play(state, luck) or lying if luck.random() < 0.8)


def _torn(table: Draft, luck: Random) -> Draft:
    places = [place for place, written in enumerate(table) if written]
    if not places:
        return table
    place = luck.choice(places)
    gone = luck.choice(table[place])
    rest = tuple(piece for piece in table[place] if piece is not gone)
    return (*table[:place], rest, *table[place + 1 :], (gone,))


def _cut(pieces: Sequence[Piece], luck: Random) -> Draft:
    parts: list[Written] = []
    while pieces:
        size = luck.randint(1, 5)
        parts.append(tuple(pieces[:size]))
        pieces = pieces[size:]
    return tuple(parts)


# Commands that must be refused


class Illegal(NamedTuple):
    """A command, the code of its refusal, and a rule that must be among the broken ones."""

    command: Command
    code: str
    broken: str | None = None


def illegal_commands(state: State, luck: Random) -> Iterator[Illegal]:
    """Commands that may change nothing in this state, each with the reason."""
    seat, players = state.turn, state.players
    absent = luck.choice([-1, players, players + 1, 99])
    yield Illegal(Draw(absent), "no-such-seat")
    yield Illegal(HandOver(absent, "greedy"), "no-such-seat")
    if state.phase is Phase.MATCH_OVER:
        yield Illegal(NextRound(), "match-over")
        yield Illegal(HandOver(seat, "nobody"), "match-over")
        for command in _any_turn(state, seat, luck):
            yield Illegal(command, "match-over")
        return
    yield Illegal(HandOver(seat, state.bots[seat]), "seat-unchanged")
    yield Illegal(HandOver(seat, luck.choice(["", " ", "two words", "two\nlines", "-x", "é", "x" * 41])), "bad-bot")
    if state.phase is Phase.ROUND_OVER:
        for command in _any_turn(state, seat, luck):
            yield Illegal(command, "round-over")
        return
    yield Illegal(NextRound(), "round-running")
    other = (seat + luck.randrange(1, players)) % players
    for command in _any_turn(state, other, luck):
        yield Illegal(command, "not-your-turn")
    yield Illegal(HintUsed(seat, luck.choice(["", "Nudge", "all", "reveal "])), "bad-hint")
    broke = bool(state.rules.stars) and not state.stars[seat]
    if state.pool and not broke:
        yield Illegal(Pass(seat), "must-draw")
    else:
        yield Illegal(Draw(seat), "no-star" if state.pool else "pool-empty")
    yield from _illegal_plays(state, luck)


def _any_turn(state: State, seat: int, luck: Random) -> list[Command]:
    lying = tuple(meld.pieces for meld in state.table)
    return [Draw(seat), Pass(seat), Timeout(seat), HintUsed(seat, "nudge"), Play(seat, lying), Timeout(seat, lying)]


def _illegal_plays(state: State, luck: Random) -> Iterator[Illegal]:
    seat, rules, rack = state.turn, state.rules, state.racks[state.turn]
    lying = tuple(meld.pieces for meld in state.table)
    numbered = [tile for tile in rack if not tile.is_joker]

    def play(table: Draft, broken: str) -> Illegal:
        return Illegal(Play(seat, table), "illegal", broken)

    yield play(lying, "lay-one")
    yield play((), "conserve" if lying else "lay-one")
    yield play((*lying, ()), "meld")
    if rack:
        yield play((*lying, (Piece(luck.choice(rack)),)), "meld")
    for name, tiles in [("pool", state.pool), *((f"rack {n}", r) for n, r in enumerate(state.racks) if n != seat)]:
        for written in _rack_melds(tiles, rules, luck, 3)[:1]:
            yield play((*lying, written), "conserve")
        for one in luck.sample(tiles, min(2, len(tiles))):
            assert name
            yield play((*lying, (*(Piece(tile) for tile in rack[:2]), Piece(one))), "conserve")
            for place in range(len(lying)):
                grown = _add(lying[place], one, rules, luck)
                if grown:
                    yield play((*lying[:place], grown, *lying[place + 1 :]), "conserve")
                    break
    if numbered:
        one = luck.choice(numbered)
        yield Illegal(Play(seat, (*lying, (Piece(one), Piece(one), Piece(one)))), "bad-table")
        wrong = _wrong_meld(one, rules)
        yield Illegal(Play(seat, (*lying, wrong)), "bad-table")
    table = legal_play(state, luck)
    if lying:
        place = luck.randrange(len(lying))
        doubled = (*lying, lying[place])
        yield Illegal(Play(seat, doubled), "bad-table")
    if table:
        short = _short(table, state, luck)
        if short is not None:
            yield play(short, "conserve")
        place = luck.randrange(len(table))
        yield play((*table[:place], table[place][: MIN_MELD - 1], *table[place + 1 :]), "meld")
        yield (
            Illegal(Play(seat, (*table, (Piece(tile_of(JOKER, rules.jokers)),) * 1)), "bad-table")
            if (rules.jokers < 4)
            else play((*table, ()), "meld")
        )


def _wrong_meld(one: Tile, rules: Ruleset) -> Written:
    """A meld with tiles that the set does not have, or has fewer of."""
    if rules.copies < 3:
        return (Piece(one), Piece(tile_of(one.kind, 2)), Piece(tile_of(JOKER, 0), Face(None, one.number)))
    return (Piece(one), Piece(tile_of(one.kind, 3)), Piece(one))


def _short(table: Draft, state: State, luck: Random) -> Draft | None:
    """The table without a numbered tile that lay on it before."""
    before = [tile for meld in state.table for tile in meld.tiles if not tile.is_joker]
    if not before:
        return None
    gone = luck.choice(before)
    return tuple(tuple(piece for piece in written if piece.tile is not gone) for written in table)
