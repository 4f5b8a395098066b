"""Plots as SVG, to be put into a page: no script, nothing from elsewhere, colours by the page's style.

>>> ticks(-3, 104, 5)
[0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape
from typing import Final, NamedTuple

from tilerummy.arena.figures import around, number
from tilerummy.arena.ratings import Estimate

__all__ = ["COLOURS", "Curve", "Histogram", "Rating", "curves", "histograms", "ladder", "ticks"]

COLOURS: Final = 8
"""Styles that a page has for bots: `c0`, `c1`, …, again and again."""

_WIDTH: Final = 760
_NAME: Final = 150  # for the names at the left
_RIGHT: Final = 84
_LETTERS: Final = 20  # of a name
_KEY: Final = 44  # for a piece of the line before its name
_DASHES: Final = ("", "10 5", "3 6")


class Rating(NamedTuple):
    """A row of the ladder; `place` is which of the colours is the bot's."""

    name: str
    place: int
    value: Estimate


class Histogram(NamedTuple):
    """How often a bot had which score."""

    name: str
    place: int
    scores: Counter[int]


class Curve(NamedTuple):
    """A value by turn."""

    name: str
    place: int
    values: Sequence[float]


def ticks(low: float, high: float, count: int) -> list[float]:
    """Round numbers from low to high, about so many."""
    rough = max(high - low, 1e-9) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * (10 if rough > 7 * power else 5 if rough > 3 * power else 2 if rough > 1.4 * power else 1)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 10) + 0.0 for place in range(first, last + 1)]


def ladder(rows: Sequence[Rating], axis: str, label: str) -> str:
    """Ratings, the highest first, each with its interval."""
    ranked = sorted(rows, key=lambda row: -row.value.value)
    ends = [end for row in ranked for end in row.value if end is not None]
    margin = 0.06 * (max(ends) - min(ends)) or 50
    low, high = min(ends) - margin, max(ends) + margin
    step, top = 34, 12
    bottom = top + step * len(ranked)

    def x(value: float) -> float:
        return _NAME + (value - low) / (high - low) * (_WIDTH - _NAME - _RIGHT)

    parts = [_grid_x(ticks(low, high, 7), x, top, bottom, axis)]
    for at, row in enumerate(ranked):
        y = top + step * (at + 0.5)
        value = row.value
        said = " ".join(filter(None, around(value, signed=True)))
        parts.append(_name(row.name, y))
        if value.low is not None and value.high is not None:
            parts.append(
                f'<line class="whisker c{row.place}" x1="{x(value.low):.1f}" x2="{x(value.high):.1f}" '
                f'y1="{y:.1f}" y2="{y:.1f}"/>'
            )
        parts.append(
            f'<circle class="dot c{row.place}" cx="{x(value.value):.1f}" cy="{y:.1f}" r="6">'
            f"<title>{escape(row.name)}: {said}</title></circle>"
        )
        parts.append(f'<text class="value" x="{_WIDTH}" y="{y:.1f}" text-anchor="end">{said}</text>')
    return _svg(parts, bottom + 40, label)


def histograms(rows: Sequence[Histogram], axis: str, label: str) -> str:
    """The distribution of scores, a row a bot, on one scale; a line shows the mean."""
    every = [score for row in rows for score in row.scores]
    low, high = min(every), max(every)
    marks = ticks(low, high, 28)
    width = max(1, round(marks[1] - marks[0])) if len(marks) > 1 else 1
    first = math.floor(low / width)
    bins = math.floor(high / width) - first + 1
    binned = [_binned(row.scores, first, bins, width) for row in rows]
    most = max(map(max, binned))
    step, top = 72, 4
    bottom = top + step * len(rows)
    unit = (_WIDTH - _NAME - _RIGHT) / bins

    def x(value: float) -> float:
        return _NAME + (value / width - first) * unit

    parts = [_grid_x(ticks(first * width, (first + bins) * width, 9), x, top, bottom, axis)]
    for at, (row, shares) in enumerate(zip(rows, binned, strict=True)):
        floor = top + step * (at + 1)
        parts.append(f'<line class="floor" x1="{_NAME}" x2="{_WIDTH - _RIGHT}" y1="{floor}" y2="{floor}"/>')
        for place, share in enumerate(shares):
            if share:
                tall = max(1.0, share / most * (step - 12))
                start = (first + place) * width
                said = f"{start}" if width == 1 else f"{start} … {start + width - 1}"
                parts.append(
                    f'<rect class="bar c{row.place}" x="{_NAME + place * unit + 0.5:.1f}" y="{floor - tall:.1f}" '
                    f'width="{max(0.5, unit - 1):.1f}" height="{tall:.1f}">'
                    f"<title>{said}: {100 * share:.1f}%</title></rect>"
                )
        mean = sum(score * count for score, count in row.scores.items()) / row.scores.total()
        middle = x(mean + 0.5) if width == 1 else x(mean)
        parts.append(
            f'<line class="mean" x1="{middle:.1f}" x2="{middle:.1f}" y1="{floor - step + 8}" y2="{floor}"/>'
            f'<text class="value" x="{_WIDTH}" y="{floor - 12}" text-anchor="end">{number(mean, 1, signed=True)}</text>'
        )
        parts.append(_name(row.name, floor - 12))
    return _svg(parts, bottom + 40, label)


def curves(rows: Sequence[Curve], axis: str, label: str) -> str:
    """Values by turn, a line a bot; from its end a thin one leads to its name, all in the bot's colour.

    Lines that lie upon each other can be told apart, too: some are dashed, and they are drawn last.
    """
    turns = max([1, *(len(row.values) - 1 for row in rows)])
    high = max([1.0, *(value for row in rows for value in row.values)]) * 1.05
    left, top, bottom = 40, 10, 370
    right = _WIDTH - _NAME - _KEY

    def x(turn: float) -> float:
        return left + turn / turns * (right - left)

    def y(value: float) -> float:
        return bottom - value / high * (bottom - top)

    parts = [_grid_x([tick for tick in ticks(0, turns, 8) if tick == round(tick)], x, top, bottom, axis)]
    for tick in ticks(0, high, 6):
        parts.append(
            f'<line class="grid" x1="{left}" x2="{right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
            f'<text class="tick" x="{left - 8}" y="{y(tick):.1f}" text-anchor="end">{tick:g}</text>'
        )
    ends = [(row, x(len(row.values) - 1), y(row.values[-1])) for row in rows]
    for (row, end, height), place in zip(ends, _spread([height for _, _, height in ends], 18), strict=True):
        parts.append(
            f'<path class="lead c{row.place}" d="M{end:.1f} {height:.1f}H{right}L{right + 14} {place:.1f}"/>'
            f'<path class="curve c{row.place}"{_dashes(row)} d="M{right + 16} {place:.1f}H{right + _KEY}"/>'
            f'<text class="name own c{row.place}" x="{right + _KEY + 6}" y="{place:.1f}">{_short(row.name)}</text>'
        )
    for row in sorted(rows, key=lambda row: bool(_dashes(row))):
        points = " ".join(f"{x(turn):.1f},{y(value):.1f}" for turn, value in enumerate(row.values))
        parts.append(
            f'<polyline class="curve c{row.place}"{_dashes(row)} points="{points}"><title>{escape(row.name)}</title>'
            "</polyline>"
        )
    for row, end, height in ends:
        parts.append(f'<circle class="dot c{row.place}" cx="{end:.1f}" cy="{height:.1f}" r="4"/>')
    return _svg(parts, bottom + 40, label)


def _dashes(row: Curve) -> str:
    pattern = _DASHES[row.place % len(_DASHES)]
    return f' stroke-dasharray="{pattern}"' if pattern else ""


def _binned(scores: Counter[int], first: int, bins: int, width: int) -> list[float]:
    counts = [0] * bins
    for score, count in scores.items():
        counts[math.floor(score / width) - first] += count
    return [count / scores.total() for count in counts]


def _spread(heights: Sequence[float], apart: float) -> list[float]:
    """Places for labels near these heights, in the same order, none upon another."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    placed = [0.0] * len(heights)
    for rank, at in enumerate(order):
        placed[at] = heights[at] if not rank else max(heights[at], placed[order[rank - 1]] + apart)
    over = max(0.0, max(placed, default=0.0) - max(heights, default=0.0)) / 2
    return [place - over for place in placed]


def _grid_x(marks: Sequence[float], x: Callable[[float], float], top: float, bottom: float, axis: str) -> str:
    lines = [
        f'<line class="{"grid" if mark else "zero"}" x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="{top}" y2="{bottom}"/>'
        f'<text class="tick" x="{x(mark):.1f}" y="{bottom + 14}" text-anchor="middle">{mark:g}</text>'
        for mark in marks
    ]
    middle = (x(marks[0]) + x(marks[-1])) / 2 if marks else _WIDTH / 2
    return (
        "".join(lines)
        + f'<text class="axis" x="{middle:.1f}" y="{bottom + 32}" text-anchor="middle">{escape(axis)}</text>'
    )


def _name(name: str, y: float) -> str:
    return f'<text class="name" x="0" y="{y:.1f}">{_short(name)}<title>{escape(name)}</title></text>'


def _short(name: str) -> str:
    return escape(name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "…")


def _svg(parts: Sequence[str], height: float, label: str) -> str:
    return f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'
