"""The steps of a play in words; every meld is named by how it looks when its turn has come.

>>> from tilerummy.melds import draft, read
>>> from tilerummy.rulesets import RULESETS
>>> from tilerummy.solver import explain
>>> table = tuple(read(meld) for meld in draft("b8 b9 b10 | r1 r2 r3"))
>>> done = explain(table, draft("r1 r2 r3 | b9 b10 b11 | b8 k8 y8"))
>>> for said in steps(table, done, RULESETS["sabra"], "en"):
...     print(said)
Add the blue 11 to the blue run 8-9-10.
Take the blue 8 from the blue run 8-9-10-11 for a new group.
Add the black 8 and the yellow 8 to the blue 8.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from tilerummy.melds import MIN_MELD, Piece, Table
from tilerummy.rulesets import Ruleset
from tilerummy.solver import Step
from tilerummy.texts.saying import colour_name, fill, language, names, sentence, tile_name, tiles_name
from tilerummy.tiles import Face, tile_of

__all__ = ["steps", "told_steps"]

_Kind = Literal["run", "group", "tiles"]
"""What some tiles look like: a run or group, though perhaps still too short, or just some tiles."""


def steps(before: Table, done: Iterable[Step], rules: Ruleset, lang: str) -> list[str]:
    """The sentences of a play that begins with this table, in general one for each step."""
    return [said for _, said in told_steps(before, done, rules, lang)]


def told_steps(before: Table, done: Iterable[Step], rules: Ruleset, lang: str) -> list[tuple[Step, str]]:
    """The steps of a play with their sentences; a step that takes two sentences becomes two steps."""
    whole = list(done)
    table = _Lying(before)
    for step in whole:
        table.do(step)
    return list(_Telling(before, table.melds, rules, lang).tell(whole))


class _Lying:
    """The table between two steps: its melds by number, and the jokers that a tile has taken the place of."""

    def __init__(self, before: Table) -> None:
        self.melds: dict[int, list[Piece]] = {
            place: [Piece(tile_of(piece.tile.kind), piece.face) for piece in meld.pieces]
            for place, meld in enumerate(before)
        }
        self.freed: dict[int, list[Piece]] = {}

    def divided(self, step: Step) -> Iterator[tuple[Step, bool]]:
        """What a step moves, divided into jokers that a tile has taken the place of, which is True, and the rest."""
        freed = [] if step.source is None else list(self.freed.get(step.source, ()))
        parts: dict[bool, list[tuple[Piece, Piece]]] = {True: [], False: []}
        for piece, was in zip(step.pieces, step.were, strict=True):
            is_freed = was in freed
            parts[is_freed].append((piece, was))
            if is_freed:
                freed.remove(was)
        for is_freed, moved in parts.items():
            if moved:
                pieces, were = zip(*moved, strict=True)
                yield step._replace(pieces=pieces, were=were), is_freed

    def do(self, step: Step) -> None:
        if step.source is not None:
            for piece in step.were:
                freed = self.freed.get(step.source, [])
                (freed if piece in freed else self.melds[step.source]).remove(piece)
        if step.target is not None:
            there = self.melds.setdefault(step.target, [])
            if step.verb == "swap":
                self._free(step.target, step.pieces[0])
            there.extend(step.pieces)
            there.sort(key=_place)

    def _free(self, place: int, piece: Piece) -> None:
        own = _face(piece)
        for other in self.melds[place]:
            if other.tile.is_joker and other.face in (own, Face(None, own.number)):
                self.melds[place].remove(other)
                self.freed.setdefault(place, []).append(other)
                return


class _Telling:
    """Says each step, and does it."""

    def __init__(self, before: Table, after: dict[int, list[Piece]], rules: Ruleset, lang: str) -> None:
        self.lying = _Lying(before)
        self.after = after
        self.rules = rules
        self.lang = lang
        self.texts = language(lang)["melds"]

    def tell(self, done: Iterable[Step]) -> Iterator[tuple[Step, str]]:
        for whole in done:
            for step, is_freed in self.lying.divided(whole):
                code, args = self._told(step, is_freed)
                tiles = self._tiles(step.pieces)
                yield step, sentence(f"step-{code}", {"tiles": tiles, **args}, self.rules, self.lang)
                self.lying.do(step)

    def _told(self, step: Step, is_freed: bool) -> tuple[str, dict[str, object]]:
        source, target = step.source, step.target
        if target is None:
            return "take", {"source": self._name(source, "from")}
        if step.verb == "turn":
            return "turn", {"target": self._name(target, "from"), "face": self._stands_for(step.pieces[0])}
        if step.verb == "swap":
            args: dict[str, object] = {"target": self._name(target, "from")}
            return ("swap", args) if source is None else ("swap-from", args | {"source": self._name(source, "from")})
        new = not self.lying.melds.get(target)
        goal: dict[str, object] = {"kind": _kind(self.after[target])} if new else {"target": self._name(target, "to")}
        if source is None:
            whole = new and len(step.pieces) == len(self.after[target])
            return "lay" + ("-new" if whole else "-start" if new else ""), goal
        ending = "-new" if new else ""
        if is_freed:
            return "joker" + ending, goal
        if len(step.pieces) == len(self.lying.melds[source]):
            return "move-all" + ending, goal
        return "move" + ending, goal | {"source": self._name(source, "from")}

    def _name(self, place: int | None, form: Literal["to", "from"]) -> str:
        """A meld as it lies now."""
        assert place is not None
        pieces = self.lying.melds[place]
        kind = _kind(pieces)
        if kind == "tiles" and form == "to":
            return self._tiles(pieces)
        told, args = self._args(kind, pieces)
        return fill(self.texts[told][form], args, self.rules, self.lang)

    def _args(self, kind: _Kind, pieces: Sequence[Piece]) -> tuple[str, dict[str, object]]:
        if kind == "run":
            colour = _face(pieces[0]).colour
            assert colour is not None
            numbers = [self._joker if piece.tile.is_joker else str(piece.tile.number) for piece in pieces]
            return "run", {"colour": colour_name(colour, self.rules, self.lang), "numbers": "-".join(numbers)}
        if kind == "group":
            number = _face(pieces[0]).number
            groups = [other for other in self.lying.melds.values() if _kind(other) == "group"]
            alike = [other for other in groups if _face(other[0]).number == number]
            colours = [
                colour_name(piece.tile.colour, self.rules, self.lang) if piece.tile.colour else self._joker
                for piece in pieces
            ]
            return "one group" if len(alike) > 1 else "group", {"number": number, "colours": ", ".join(colours)}
        written = " ".join(str(piece.tile) for piece in pieces)
        return "meld", {"tiles": tiles_name(written, self.rules, self.lang)}

    @property
    def _joker(self) -> str:
        return str(language(self.lang)["tiles"]["joker"])

    def _tiles(self, pieces: Sequence[Piece]) -> str:
        """Some tiles: `the blue 8-9, the black 8 and the joker`."""
        said: list[str] = []
        row: list[Piece] = []
        for piece, following in zip(pieces, (*pieces[1:], None), strict=True):
            row.append(piece)
            if following is None or not _belong(piece, following):
                said.append(self._row(row))
                row = []
        return names(said, self.lang)

    def _row(self, row: Sequence[Piece]) -> str:
        first = row[0].tile
        if first.colour is None:
            told = self.texts["jokers" if len(row) > 1 else "joker"]
            return fill(told, {"count": len(row)}, self.rules, self.lang)
        if len(row) == 1:
            return str(language(self.lang)["tiles"]["the"]).replace("{tile}", tile_name(first, self.rules, self.lang))
        numbers = "-".join(str(piece.tile.number) for piece in row)
        args = {"colour": colour_name(first.colour, self.rules, self.lang), "numbers": numbers}
        return fill(self.texts["row"], args, self.rules, self.lang)

    def _stands_for(self, joker: Piece) -> str:
        face = _face(joker)
        if face.colour is None:
            return fill(self.texts["a number"], {"number": face.number}, self.rules, self.lang)
        return str(language(self.lang)["tiles"]["the"]).replace("{tile}", tile_name(face, self.rules, self.lang))


def _face(piece: Piece) -> Face:
    return piece.face or Face(piece.tile.colour, piece.tile.number)


def _place(piece: Piece) -> tuple[int, int]:
    """Where a tile stands in its meld: by number, then by colour."""
    return _face(piece).number, piece.tile.kind


def _belong(one: Piece, following: Piece) -> bool:
    """Whether two tiles are named in one go: as `blue 8-9`, or as jokers."""
    if one.tile.is_joker or following.tile.is_joker:
        return one.tile.is_joker and following.tile.is_joker
    return _face(following) == Face(one.tile.colour, one.tile.number + 1)


def _kind(pieces: Sequence[Piece]) -> _Kind:
    faces = [_face(piece) for piece in pieces]
    if len(pieces) < MIN_MELD - 1:
        return "tiles"
    colour, number = faces[0]
    if colour and faces == [Face(colour, number + place) for place in range(len(faces))]:
        return "run"
    real = [piece.tile.colour for piece in pieces if not piece.tile.is_joker]
    coloured = any(piece.face and piece.face.colour for piece in pieces)
    if {face.number for face in faces} == {number} and len(set(real)) == len(real) and not coloured:
        return "group"
    return "tiles"
