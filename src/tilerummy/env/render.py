"""Pictures of a position for `render`: coloured text, SVG, pixels. Everything in them is in the view of one seat.

SVG and pixels have one size, whatever lies on the table, so that they make a film. The pixels are the SVG's, drawn with
a font that comes along: the same on every machine, also where no font is installed.
"""

import io
import re
from collections.abc import Sequence
from html import escape
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilerummy.draw import picture, svg
from tilerummy.state import Phase
from tilerummy.tiles import Tile
from tilerummy.view import View

__all__ = ["HEIGHT", "WIDTH", "pixels", "sketch", "words"]

WIDTH: Final = 960
HEIGHT: Final = 720
_MARGIN: Final = 20
_LINE: Final = 26
_IN_A_LINE: Final = 3  # players whose holdings are told in one line
_FONT: Final = "Rubik,system-ui,sans-serif"
_SIZE: Final = re.compile(r'width="\d+" height="\d+"')


def words(seen: View, agents: Sequence[str], new: Sequence[Tile] = ()) -> str:
    """The position as coloured text: who is to move, how many tiles each has, the table, the rack."""
    drawn = picture(seen.table, seen.rack, highlight=new, rules=seen.rules)
    return "\n".join([*_captions(seen, agents), "", drawn])


def sketch(seen: View, agents: Sequence[str], new: Sequence[Tile] = ()) -> str:
    """The position as a standalone SVG of WIDTH by HEIGHT."""
    captions = _captions(seen, agents)
    top = _MARGIN + _LINE * len(captions)
    inner = svg(seen.table, seen.rack, highlight=new, rules=seen.rules, width=WIDTH - 2 * _MARGIN)
    place = f'x="{_MARGIN}" y="{top}" preserveAspectRatio="xMidYMin"'
    room = f'{place} width="{WIDTH - 2 * _MARGIN}" height="{HEIGHT - top - _MARGIN}"'
    lines = "".join(
        f'<text x="{_MARGIN + 4}" y="{_MARGIN + _LINE * at + 18}">{escape(line)}</text>\n'
        for at, line in enumerate(captions)
    )
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#16332c"/>
<g font-family="{_FONT}" font-weight="700" font-size="16" fill="#f3ead2">
{lines}</g>
{_SIZE.sub(room, inner, count=1)}</svg>
"""


def pixels(seen: View, agents: Sequence[str], new: Sequence[Tile] = ()) -> NDArray[np.uint8]:
    """The same SVG as an array of HEIGHT rows of WIDTH pixels, red, green and blue."""
    import resvg_py  # only for those who want pixels
    from PIL import Image

    with resources.as_file(resources.files("tilerummy.env") / "fonts" / "rubik-bold.ttf") as font:
        drawn = resvg_py.svg_to_bytes(
            svg_string=sketch(seen, agents, new), skip_system_fonts=True, font_files=[str(font)]
        )
    with Image.open(io.BytesIO(drawn)) as image:
        return np.array(image.convert("RGB"), np.uint8)


def _captions(seen: View, agents: Sequence[str]) -> list[str]:
    """Who is to move or has won, and what each holds."""
    state = f"{agents[seen.turn]} to move"
    if seen.winner is not None and seen.scores:
        state = f"{agents[seen.winner]} wins"
    held = [_holding(seen, seat, agent) for seat, agent in enumerate(agents)]
    rows = [" · ".join(held[start : start + _IN_A_LINE]) for start in range(0, len(held), _IN_A_LINE)]
    return [f"{state} · {_tiles(seen.pool_size)} in the pool", *rows]


def _holding(seen: View, seat: int, agent: str) -> str:
    told = [f"{agent}: {_tiles(seen.rack_sizes[seat])}"]
    if seen.rules.stars:
        told.append(f"{seen.stars[seat]} stars")
    if seen.rules.opening and seen.opened[seat]:
        told.append("opened")
    if seen.phase is not Phase.PLAYING and seen.scores and not seen.rules.stars:
        told.append(f"{seen.scores[-1][seat]:+} points")
    return ", ".join(told)


def _tiles(number: int) -> str:
    return "1 tile" if number == 1 else f"{number} tiles"
