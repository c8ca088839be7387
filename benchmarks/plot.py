"""A plot as SVG, both axes logarithmic. PURE."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT, MARGIN, LEGEND = 560, 360, 50, 220
COLOURS = ("#1f6feb", "#1f6feb", "#2da44e", "#2da44e", "#bf3989", "#bf3989", "#9a6700", "#9a6700")


class Line(NamedTuple):
    name: str
    points: Sequence[tuple[float, float]]


def plot(title: str, x_name: str, y_name: str, lines: Sequence[Line]) -> str:
    """Every other line is dashed."""
    (x_low, x_high), (y_low, y_high) = (
        find_decades([point[axis] for line in lines for point in line.points]) for axis in (0, 1)
    )

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - x_low) / (x_high - x_low)
        up = (math.log10(y) - y_low) / (y_high - y_low)
        return MARGIN + across * (WIDTH - 2 * MARGIN), HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN)

    def draw() -> Iterator[str]:
        yield write(WIDTH / 2, 24, title, "middle")
        yield write(WIDTH / 2, HEIGHT - 10, x_name, "middle")
        yield write(10, 40, y_name)
        for decade in range(x_low, x_high + 1):
            x, bottom = place(10**decade, 10**y_low)
            yield draw_line([(x, MARGIN), (x, bottom)], "#ddd")
            yield write(x, bottom + 16, f"{10**decade:,}", "middle")
        for decade in range(y_low, y_high + 1):
            left, y = place(10**x_low, 10**decade)
            yield draw_line([(left, y), (WIDTH - MARGIN, y)], "#ddd")
            yield write(left - 6, y + 4, f"{10**decade:g}", "end")
        for number, (line, colour) in enumerate(zip(lines, COLOURS, strict=False)):
            dash, y = "5 4" if number % 2 else "", MARGIN + 20 * number
            yield draw_line([place(*point) for point in line.points], colour, dash)
            yield draw_line([(WIDTH - MARGIN + 20, y), (WIDTH - MARGIN + 45, y)], colour, dash)
            yield write(WIDTH - MARGIN + 52, y + 4, line.name)

    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + LEGEND} {HEIGHT}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{"".join(draw())}</svg>\n'
    )


def find_decades(values: Sequence[float]) -> tuple[int, int]:
    """Exponents of ten around them."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def draw_line(points: Sequence[tuple[float, float]], colour: str, dash: str = "") -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-dasharray="{dash}"/>\n'


def write(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>\n'
