"""How waiting, memory and computing grow with the number of tables, drawn into docs/server-load.svg."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from bench.curves import BLUE, DASH, INK, MUTED, ORANGE, RULE, SLATE

__all__ = ["PLOT", "Point", "drawn"]

PLOT: Final = Path(__file__).parent.parent / "docs" / "server-load.svg"
_TOP, _HEIGHT, _LEFT, _GAP, _RIGHT, _BOTTOM = 64, 250, 66, 74, 22, 56
_TABLES: Final = (10, 30, 100, 300, 1000)
_GOAL: Final = 100.0  # milliseconds, of the 99th percentile


class Point(NamedTuple):
    """What so many tables cost: milliseconds, megabytes, and the part of one core in percent."""

    tables: int
    commit: float
    commit_p99: float
    draft: float
    draft_p99: float
    memory: float
    cpu: float


@dataclass(frozen=True)
class _Panel:
    """A part of the plot, with a scale of its own."""

    title: str
    about: str
    width: int
    ticks: Sequence[float]
    decades: bool
    lines: Sequence[tuple[str, str, Callable[[Point], float]]]  # colour, dash, value


def drawn(points: Sequence[Point]) -> str:
    """The plot as SVG."""
    panels = [
        _Panel(
            "Tables",
            "milliseconds until the other seats have it",
            380,
            (1, 10, 100, 1000, 10_000),
            True,
            (
                (BLUE, "", lambda point: point.commit),
                (BLUE, DASH, lambda point: point.commit_p99),
                (ORANGE, "", lambda point: point.draft),
                (ORANGE, DASH, lambda point: point.draft_p99),
            ),
        ),
        _linear("the server's memory, MB", [point.memory for point in points], lambda point: point.memory),
        _linear("the server's computing, % of a core", [100.0, *(p.cpu for p in points)], lambda point: point.cpu),
    ]
    width = _LEFT + sum(panel.width for panel in panels) + _GAP * (len(panels) - 1) + _RIGHT
    height = _TOP + _HEIGHT + _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif"'
        f' font-size="12" fill="{INK}">',
        "<title>Waiting, memory and computing of one server by the number of its tables</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#fff"/>',
        *_legend(),
    ]
    left = _LEFT
    for panel in panels:
        parts += _frame(panel, left)
        for colour, dash, value in panel.lines:
            parts += _line(panel, left, [(point.tables, value(point)) for point in points], colour, dash)
        left += panel.width + _GAP
    return "\n".join([*parts, "</svg>", ""])


def _linear(about: str, values: Sequence[float], value: Callable[[Point], float]) -> _Panel:
    """A panel from zero to a round number above every value."""
    most = max(*values, 1.0)
    step = next(base * 10**power for power in range(-1, 7) for base in (1, 2, 2.5, 5) if base * 10**power * 5 >= most)
    return _Panel("Tables", about, 190, [step * place for place in range(6)], False, ((SLATE, "", value),))


def _legend() -> Iterator[str]:
    at = _LEFT
    for name, colour, room in (("a play", BLUE, 70), ("a draft", ORANGE, 76)):
        yield f'<circle cx="{at + 5}" cy="21" r="5" fill="{colour}"/>'
        yield f'<text x="{at + 16}" y="25">{name}</text>'
        at += room
    for name, dash in (("median", ""), ("99th percentile", DASH)):
        yield f'<path d="M{at} 21h26" stroke="{MUTED}" stroke-width="2"{dash}/>'
        yield f'<text x="{at + 33}" y="25">{name}</text>'
        at += 92


def _frame(panel: _Panel, left: int) -> Iterator[str]:
    """The grid, the ticks and the names of a panel."""
    bottom, right = _TOP + _HEIGHT, left + panel.width
    for place, tick in enumerate(panel.ticks):
        y = _height(panel, tick)
        goal = panel.decades and tick == _GOAL
        yield f'<path d="M{left} {y:.1f}H{right}" stroke="{MUTED if not place or goal else RULE}"/>'
        yield f'<text x="{left - 10}" y="{y + 4:.1f}" text-anchor="end" fill="{MUTED}">{tick:,g}</text>'
    for tables in _TABLES:
        x = _place(panel, tables, left)
        yield f'<path d="M{x:.1f} {bottom}v5" stroke="{MUTED}"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle" fill="{MUTED}">{tables:,}</text>'
    middle = (left + right) / 2
    yield f'<text x="{middle}" y="{bottom + 42}" text-anchor="middle">{panel.title}</text>'
    yield f'<text x="{middle}" y="{_TOP - 10}" text-anchor="middle" fill="{MUTED}">{panel.about}</text>'


def _line(panel: _Panel, left: int, values: Sequence[tuple[int, float]], colour: str, dash: str) -> Iterator[str]:
    dots = [(_place(panel, tables, left), _height(panel, value)) for tables, value in values]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in dots)
    yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"{dash}/>'
    if not dash:
        yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in dots)


def _place(panel: _Panel, tables: int, left: int) -> float:
    """Where a number of tables lies, on a scale of decades."""
    low, high = math.log10(_TABLES[0]), math.log10(_TABLES[-1])
    return left + 10 + (math.log10(tables) - low) / (high - low) * (panel.width - 20)


def _height(panel: _Panel, value: float) -> float:
    low, high = panel.ticks[0], panel.ticks[-1]
    if panel.decades:
        low, high, value = math.log10(low), math.log10(high), math.log10(max(value, low))
    return _TOP + _HEIGHT * (1 - (min(value, high) - low) / (high - low))
