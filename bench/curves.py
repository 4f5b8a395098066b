"""The solver's cost as tables, jokers and copies grow, drawn into docs/solver-cost.svg: `python -m bench.curves`.

Random crowded positions under the free joker rule, a rack of 14. Each position counts with the best of three times that
the kernel took, because machines are noisy. It takes less than a minute.
"""

import math
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from bench.positions import crowded
from tilerummy.rulesets import Ruleset, ruleset
from tilerummy.solver import Query, solve

PLOT: Final = Path(__file__).parent.parent / "docs" / "solver-cost.svg"
POSITIONS, REPEATS, RACK = 150, 3, 14


class Point(NamedTuple):
    """What positions of one kind cost."""

    x: float
    median: float
    p95: float
    nodes: float


@dataclass(frozen=True)
class Line:
    """Points of one kind of tile set."""

    name: str
    colour: str
    points: Sequence[Point]


@dataclass(frozen=True)
class Panel:
    """A part of the plot: lines over one axis."""

    title: str
    axis: str
    ticks: Sequence[int]
    lines: Sequence[Line]
    width: int


def main() -> None:
    """Measure, print the figures, draw the plot into the named file."""
    panels = [tables(), jokers(), copies()]
    for panel in panels:
        for line in panel.lines:
            print(f"\n{panel.title}: {line.name}\n{panel.axis:>16} {'median µs':>10} {'p95 µs':>10} {'nodes':>8}")
            for point in line.points:
                print(f"{point.x:16.0f} {point.median:10.0f} {point.p95:10.0f} {point.nodes:8.0f}")
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else PLOT
    path.write_text(drawn(panels), encoding="utf-8")


# What is measured


def tables() -> Panel:
    """Tables from sparse to full."""
    lines = []
    for name, colour, rules, sizes in (
        ("106 tiles", BLUE, ruleset("sabra"), range(10, 91, 10)),
        ("160 tiles", ORANGE, ruleset("sabra", {"tileset": "xp"}), range(10, 141, 10)),
    ):
        points = [measured([crowded(seed, rules, size, RACK) for seed in range(POSITIONS)]) for size in sizes]
        lines.append(Line(name, colour, points))
    return Panel("Tiles on the table", "tiles", range(0, 161, 20), lines, 440)


def jokers() -> Panel:
    """All jokers of the tile set in play, half on the table or so; 60 tiles lie there."""
    points = []
    for number in range(5):
        rules = ruleset("sabra", {"jokers": number})
        points.append(measured(_crowded(rules, 60), number))
    return Panel("Jokers in play", "jokers", range(5), [Line("two copies, 60 on the table", SLATE, points)], 190)


def copies() -> Panel:
    """One to three copies of each tile, half of them on the table, two jokers."""
    points = []
    for number in range(1, 4):
        rules = ruleset("sabra", {"copies": number, "players": 2})
        points.append(measured(_crowded(rules, rules.total // 2), number))
    return Panel(
        "Copies of each tile", "copies", range(1, 4), [Line("half the tiles on the table", SLATE, points)], 150
    )


def _crowded(rules: Ruleset, size: int) -> list[Query]:
    return [crowded(seed, rules, size, RACK, all_jokers=True) for seed in range(POSITIONS)]


def measured(queries: Sequence[Query], x: float | None = None) -> Point:
    """The cost of these positions; they lie at `x`, or at the size of their tables."""
    micros, nodes = [], []
    for query in queries:
        solutions = [solve(query) for _ in range(REPEATS)]
        micros.append(min(solution.micros for solution in solutions))
        nodes.append(solutions[0].nodes)
    size = statistics.mean(sum(len(meld.tiles) for meld in query.table) for query in queries)
    p95 = statistics.quantiles(micros, n=20)[-1]
    return Point(size if x is None else x, statistics.median(micros), p95, statistics.median(nodes))


# The plot

BLUE, ORANGE, SLATE = "#3266a8", "#c4681c", "#4b5a68"
INK, MUTED, RULE = "#333a42", "#6b747e", "#e4e7ea"
TOP, HEIGHT, LEFT, GAP, RIGHT, BOTTOM = 64, 250, 74, 34, 22, 56
DECADES = range(5)  # 1 µs to 10 ms


def drawn(panels: Sequence[Panel]) -> str:
    """The panels side by side, with one scale of time."""
    width = LEFT + sum(panel.width for panel in panels) + GAP * (len(panels) - 1) + RIGHT
    height = TOP + HEIGHT + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif"'
        f' font-size="12" fill="{INK}">',
        "<title>The kernel's time by tiles on the table, jokers and copies: median and 95th percentile</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#fff"/>',
        *legend(panels[0].lines),
    ]
    left = LEFT
    for place, panel in enumerate(panels):
        parts += frame(panel, left, labelled=place == 0)
        for line in panel.lines:
            parts += curves(panel, line, left)
        left += panel.width + GAP
    return "\n".join([*parts, "</svg>", ""])


def legend(lines: Iterable[Line]) -> Iterable[str]:
    """Which line is which."""
    at = LEFT
    for line in lines:
        yield f'<circle cx="{at + 5}" cy="21" r="5" fill="{line.colour}"/>'
        yield f'<text x="{at + 16}" y="25">{line.name}</text>'
        at += 96
    for name, dash in (("median", ""), ("95th percentile", DASH)):
        yield f'<path d="M{at} 21h26" stroke="{MUTED}" stroke-width="2"{dash}/>'
        yield f'<text x="{at + 33}" y="25">{name}</text>'
        at += 104


DASH = ' stroke-dasharray="4 4"'


def frame(panel: Panel, left: int, *, labelled: bool) -> Iterable[str]:
    """The grid, the ticks and the names of a panel."""
    bottom, right = TOP + HEIGHT, left + panel.width
    for decade in DECADES:
        y = height_of(10**decade)
        yield f'<path d="M{left} {y:.1f}H{right}" stroke="{RULE if decade > DECADES[0] else MUTED}"/>'
        if labelled:
            name = f"{10 ** (decade - 3)} ms" if decade >= 3 else f"{10**decade} µs"
            yield f'<text x="{left - 10}" y="{y + 4:.1f}" text-anchor="end" fill="{MUTED}">{name}</text>'
    for tick in panel.ticks:
        x = place_of(panel, tick, left)
        yield f'<path d="M{x:.1f} {bottom}v5" stroke="{MUTED}"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle" fill="{MUTED}">{tick}</text>'
    middle = (left + right) / 2
    about = panel.lines[0].name if len(panel.lines) == 1 else "time in the kernel, one core"
    yield f'<text x="{middle}" y="{bottom + 42}" text-anchor="middle">{panel.title}</text>'
    yield f'<text x="{middle}" y="{TOP - 10}" text-anchor="middle" fill="{MUTED}">{about}</text>'


def curves(panel: Panel, line: Line, left: int) -> Iterable[str]:
    """The median as a line with dots, the 95th percentile as a dashed one."""
    xs = [place_of(panel, point.x, left) for point in line.points]
    for values, dash in (([point.median for point in line.points], ""), ([point.p95 for point in line.points], DASH)):
        path = "L".join(f"{x:.1f} {height_of(value):.1f}" for x, value in zip(xs, values, strict=True))
        yield f'<path d="M{path}" fill="none" stroke="{line.colour}" stroke-width="2" stroke-linejoin="round"{dash}/>'
    for x, point in zip(xs, line.points, strict=True):
        yield f'<circle cx="{x:.1f}" cy="{height_of(point.median):.1f}" r="3" fill="{line.colour}"/>'


def place_of(panel: Panel, x: float, left: int) -> float:
    """Where a value lies on the axis; single steps keep a margin."""
    margin = 0 if panel.ticks[0] == 0 and len(panel.ticks) > 5 else 20
    low, high = panel.ticks[0], panel.ticks[-1]
    return left + margin + (x - low) / (high - low) * (panel.width - 2 * margin)


def height_of(micros: float) -> float:
    """Where a time lies, on a scale of decades."""
    low, high = DECADES[0], DECADES[-1]
    return TOP + HEIGHT * (1 - (max(math.log10(micros), low) - low) / (high - low))


if __name__ == "__main__":
    main()
