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

__all__ = ["steps"]

_Kind = Literal["run", "group", "tile", "meld"]
"""What some tiles look like: a run or group, though perhaps still too short, a single tile, or none of these."""


def steps(before: Table, done: Iterable[Step], rules: Ruleset, lang: str) -> list[str]:
    """A sentence for each step of a play that begins with this table."""
    said = list(done)
    table = _Lying(before)
    for step in said:
        table.do(step)
    return list(_Telling(before, table.melds, rules, lang).tell(said))


class _Lying:
    """The table between two steps: its melds by number, and the jokers that a tile has taken the place of."""

    def __init__(self, before: Table) -> None:
        self.melds: dict[int, list[Piece]] = {
            place: [Piece(tile_of(piece.tile.kind), piece.face) for piece in meld.pieces]
            for place, meld in enumerate(before)
        }
        self.freed: dict[int, list[Piece]] = {}

    def is_freed(self, step: Step) -> bool:
        """Whether all that this step moves are jokers that a tile has taken the place of."""
        return step.source is not None and set(step.were) <= set(self.freed.get(step.source, ()))

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

    def tell(self, done: Iterable[Step]) -> Iterator[str]:
        for step in done:
            code, args = self._told(step)
            yield sentence(f"step-{code}", {"tiles": self._tiles(step.pieces), **args}, self.rules, self.lang)
            self.lying.do(step)

    def _told(self, step: Step) -> tuple[str, dict[str, object]]:
        source, target = step.source, step.target
        if target is None:
            return "take", {"source": self._name(source, "from")}
        if step.verb == "turn":
            return "turn", {"target": self._name(target, "from"), "face": self._stands_for(step.pieces[0])}
        if step.verb == "swap":
            args: dict[str, object] = {"target": self._name(target, "from")}
            return ("swap", args) if source is None else ("swap-from", args | {"source": self._name(source, "from")})
        new = not self.lying.melds.get(target)
        goal = {"kind": _kind(self.after[target])} if new else {"target": self._name(target, "to")}
        if source is None:
            whole = new and len(step.pieces) == len(self.after[target])
            return "lay" + ("-new" if whole else "-start" if new else ""), goal
        ending = "-new" if new else ""
        if self.lying.is_freed(step):
            return "joker" + ending, goal
        if len(step.pieces) == len(self.lying.melds[source]):
            return "move-all" + ending, goal
        return "move" + ending, goal | {"source": self._name(source, "from")}

    def _name(self, place: int | None, form: Literal["to", "from"]) -> str:
        """A meld as it lies now."""
        assert place is not None
        pieces = self.lying.melds[place]
        kind = _kind(pieces)
        if kind == "tile" and form == "to":
            return self._tiles(pieces)
        args: dict[str, object] = {}
        told: str = kind
        if kind == "run":
            colour = _face(pieces[0]).colour
            assert colour is not None
            numbers = [self._joker if piece.tile.is_joker else str(piece.tile.number) for piece in pieces]
            args = {"colour": colour_name(colour, self.rules, self.lang), "numbers": "-".join(numbers)}
        elif kind == "group":
            number = _face(pieces[0]).number
            alike = [
                other for other in self.lying.melds.values() if _kind(other) == kind and _face(other[0]).number == number
            ]
            told = "one group" if len(alike) > 1 else kind
            colours = [
                colour_name(piece.tile.colour, self.rules, self.lang) if piece.tile.colour else self._joker
                for piece in pieces
            ]
            args = {"number": number, "colours": ", ".join(colours)}
        else:
            told = "meld"
            args = {"tiles": tiles_name(" ".join(str(piece.tile) for piece in pieces), self.rules, self.lang)}
        return fill(self.texts[told][form], args, self.rules, self.lang)

    @property
    def _joker(self) -> str:
        return str(language(self.lang)["tiles"]["joker"])

    def _tiles(self, pieces: Sequence[Piece]) -> str:
        """Some tiles: `the blue 8-9, the black 8 and the joker`."""
        said: list[str] = []
        row: list[Piece] = []
        for piece, following in zip(pieces, (*pieces[1:], None), strict=True):
            row.append(piece)
            if following is None or not _follows(following, piece):
                said.append(self._row(row))
                row = []
        return names(said, self.lang)

    def _row(self, row: Sequence[Piece]) -> str:
        first = row[0].tile
        if first.colour is None:
            return str(self.texts["joker"])
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


def _follows(piece: Piece, other: Piece) -> bool:
    return piece.tile.colour is not None and _face(piece) == Face(other.tile.colour, other.tile.number + 1)


def _kind(pieces: Sequence[Piece]) -> _Kind:
    faces = [_face(piece) for piece in pieces]
    if len(pieces) < MIN_MELD - 1:
        return "tile" if pieces else "meld"
    colour, number = faces[0]
    if colour and faces == [Face(colour, number + place) for place in range(len(faces))]:
        return "run"
    real = [piece.tile.colour for piece in pieces if not piece.tile.is_joker]
    coloured = any(piece.face and piece.face.colour for piece in pieces)
    if {face.number for face in faces} == {number} and len(set(real)) == len(real) and not coloured:
        return "group"
    return "meld"
