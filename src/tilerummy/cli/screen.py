"""Where answers go: JSON for programs, coloured or plain text for people."""

import contextlib
import io
import json
import os
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tilerummy.draw import Order, picture, rack_text, tile_text
from tilerummy.melds import Meld, Piece
from tilerummy.rulesets import Ruleset
from tilerummy.texts import LANGUAGES
from tilerummy.tiles import Tile, tile_of

__all__ = ["Screen", "Shown", "environment_language", "print_json", "settle_streams", "told_apart"]

Shown = Meld | Sequence[Tile | Piece]
"""A meld to draw: a valid one, or its tiles as they lie."""

_WIDEST: Final = 100
_NARROWEST: Final = 24


def settle_streams() -> None:
    """Let no sign that a terminal cannot show, and no byte that is no text, end the program."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError):
                stream.reconfigure(errors=errors)


def print_json(value: object) -> None:
    """Print one JSON value on one line, at once."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    print(json.dumps(value, ensure_ascii=encoding != "utf8"), flush=True)


def environment_language() -> str:
    """The language that the environment asks for, if there are texts in it; English otherwise."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value[:2] if value[:2] in LANGUAGES else "en"
    return "en"


class Screen:
    """Text for people, on a terminal or in a pipe; colours only where they are wanted."""

    def __init__(self) -> None:
        from rich.console import Console  # a server, whose start somebody waits for, never draws anything

        self._console = Console(highlight=False, markup=False, emoji=False)
        self.colour = self._console.color_system is not None and not self._console.no_color
        self.width = max(_NARROWEST, min(self._console.width, _WIDEST))

    def say(self, text: str, style: str = "", *, indent: int = 0, mark: str = "") -> None:
        """Print text, wrapped between words; further lines stand under the first word after the mark."""
        from rich.text import Text

        lead = " " * indent
        room = textwrap.wrap(
            text,
            self.width,
            initial_indent=lead + mark,
            subsequent_indent=lead + " " * len(mark),
            break_on_hyphens=False,
        )
        for line in room:
            self._console.print(Text(line, style=style), soft_wrap=True)

    def gap(self) -> None:
        """Print an empty line."""
        print(file=self._console.file)

    def title(self, text: str) -> None:
        """Print a title over what follows."""
        self.say(text, "bold")

    def table(
        self,
        melds: Iterable[Shown],
        rules: Ruleset,
        *,
        new: Iterable[Tile] = (),
        numbered: bool = False,
        indent: int = 2,
    ) -> None:
        """Draw a table; new tiles stand out."""
        width = self.width - indent
        shown, marked = told_apart(melds, new)
        drawing = picture(shown, highlight=marked, rules=rules, numbered=numbered, width=width, colour=self.colour)
        self._draw(drawing, indent)

    def rack(self, rack: Iterable[Tile], rules: Ruleset, *, order: Order = "colour", indent: int = 2) -> None:
        """Draw a rack."""
        self._draw(rack_text(rack, rules=rules, order=order, width=self.width - indent, colour=self.colour), indent)

    def board(self, rows: Mapping[str, Iterable[Tile | None]], rules: Ruleset, *, indent: int = 2) -> None:
        """Draw rows of places, some of them still empty, each after its name."""
        for name, row in rows.items():
            places = [
                tile_text(one, rules=rules, colour=self.colour) if one else ("  ·  " if self.colour else "·")
                for one in row
            ]
            line = "".join(places) if self.colour else " ".join(f"{place:<3}" for place in places)
            self._draw(f"{name}  {line}".rstrip(), indent)

    def _draw(self, drawing: str, indent: int) -> None:
        if drawing:
            print(textwrap.indent(drawing, " " * indent), file=self._console.file)

    def sheet(self, sheet: Sequence[Sequence[str]], *, players_down: bool) -> None:
        """Print a score sheet as its rulebook does: a row a round and the totals below, or a row a player."""
        header, *rows = zip(*sheet, strict=True) if players_down else sheet
        self.grid(header, rows if players_down else rows[:-1], None if players_down else rows[-1])

    def grid(self, header: Sequence[str], rows: Sequence[Sequence[str]], total: Sequence[str] | None = None) -> None:
        """Print columns, the first to the left and others to the right, a total under a line."""
        from rich.box import SIMPLE
        from rich.table import Table as Grid
        from rich.text import Text

        grid = Grid(box=SIMPLE, show_footer=total is not None, pad_edge=False)
        for place, name in enumerate(header):
            footer = total[place] if total else ""
            grid.add_column(Text(name), Text(footer, style="bold"), justify="right" if place else "left")
        for row in rows:
            grid.add_row(*map(Text, row))
        with self._console.capture() as caught:
            self._console.print(grid)
        self._draw("\n".join(line.rstrip() for line in caught.get().splitlines() if line.strip()), 1)

    def flush(self) -> None:
        """Send out what was printed."""
        self._console.file.flush()


def told_apart(melds: Iterable[Shown], new: Iterable[Tile]) -> tuple[list[list[Piece]], set[Tile]]:
    """Of equal tiles that nobody told apart, let the last ones be the new ones, so that only they stand out."""
    rows = [list(meld.pieces) if isinstance(meld, Meld) else [_piece(one) for one in meld] for meld in melds]
    marked: set[Tile] = set()
    for tile, count in Counter(new).items():
        places = [(row, place) for row in rows for place, piece in enumerate(row) if piece.tile is tile]
        if len(places) <= count:
            marked.add(tile)
            continue
        used = {piece.tile for row in rows for piece in row}
        spare = next((one for copy in range(4) if (one := tile_of(tile.kind, copy)) not in used), tile)
        marked.add(spare)
        for row, place in places[len(places) - count :]:
            row[place] = Piece(spare, row[place].face)
    return rows, marked


def _piece(shown: Tile | Piece) -> Piece:
    return Piece(shown) if isinstance(shown, Tile) else shown
