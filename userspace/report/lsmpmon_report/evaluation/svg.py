# SPDX-License-Identifier: GPL-2.0-only
"""Plots as SVG, which inherit their colours from the page and so fit light, dark and print."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH = 880
ROW = 24
# Width of a character in pixels, at the page's font size for plots.
CHARACTER = 8.2
SHAPES = 6


@dataclass(frozen=True)
class Point:
    """A value on the axis, its tooltip, and the file it comes from."""

    value: float
    label: str
    href: str = ""
    hollow: bool = False
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Scale:
    """Maps values to pixels."""

    least: float
    most: float
    left: float
    right: float
    log: bool = False

    def __call__(self, value: float) -> float:
        at = self._at(value) - self._at(self.least)
        return round(self.left + (self.right - self.left) * at / (self._at(self.most) - self._at(self.least)), 1)

    def _at(self, value: float) -> float:
        return math.log10(value) if self.log else value

    def ticks(self) -> list[float]:
        if self.log:
            return [
                10.0**n
                for n in range(math.floor(math.log10(self.least)), math.ceil(math.log10(self.most)) + 1)
                if self.least * 0.999 <= 10.0**n <= self.most * 1.001
            ]
        step = nice_step(self.most - self.least)
        first = math.ceil(self.least / step - 1e-9)
        return [round(n * step, 10) for n in range(first, math.floor(self.most / step + 1e-9) + 1)]


def nice_step(span: float, parts: int = 7) -> float:
    """1, 2 or 5 times a power of ten, for a reasonable number of ticks."""
    rough = span / parts
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)


def limits(values: list[float]) -> tuple[float, float]:
    """An axis that includes 0, with a margin at the ends in use."""
    low, high = min([0.0, *values]), max([0.0, *values])
    air = (high - low or 1.0) * 0.03
    return (low - air if low < 0 else 0.0), (high + air if high > 0 else 0.0 if low < 0 else 1.0)


def _svg(width: float, height: float, label: str, body: list[str]) -> Markup:
    return Markup(
        f'<svg class="plot" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(label)}">'
        f'<title>{escape(label)}</title>{"".join(body)}</svg>'
    )


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="{kind}"/>'


def _linked(body: str, point: Point) -> str:
    inside = f"<title>{escape(point.label)}</title>"
    return f'<a href="{escape(point.href)}">{inside}{body}</a>' if point.href else f"<g>{inside}{body}</g>"


def _marker(x: float, y: float, series: int, hollow: bool, size: float = 4.5) -> str:
    """A shape per series as well, since not everyone can tell the colours apart."""
    kind = f's{series % 8}{" hollow" if hollow else ""}'
    shape = series % SHAPES
    if shape == 0:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" class="{kind}"/>'
    corners = {
        1: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
        2: ((0, -1.25), (1.15, 0.9), (-1.15, 0.9)),
        3: ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        4: ((0, 1.25), (1.15, -0.9), (-1.15, -0.9)),
        5: ((-1.3, -0.5), (1.3, -0.5), (1.3, 0.5), (-1.3, 0.5)),
    }[shape]
    points = " ".join(f"{x + dx * size * 0.9:.1f},{y + dy * size * 0.9:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" class="{kind}"/>'


def _whisker(scale: Scale, point: Point, y: float, series: int) -> str:
    if point.low is None or point.high is None or point.low == point.high:
        return ""
    return _line(scale(point.low), y, scale(point.high), y, f"whisker s{series % 8}")


def _axis(scale: Scale, top: float, bottom: float, tick: Callable[[float], str], title: str) -> list[str]:
    body = []
    for value in scale.ticks():
        kind = "zero" if value == 0 else "grid"
        body += [
            _line(scale(value), top, scale(value), bottom, kind),
            _text(scale(value), bottom + 16, tick(value), "tick", "middle"),
        ]
    return [*body, _text((scale.left + scale.right) / 2, bottom + 34, title, "tick", "middle")]


def _legend(
    names: list[str], x: float, y: float, room: float, hollow: set[int] = frozenset()
) -> tuple[list[str], float]:
    """Markers and names, on as many lines as needed. Returns where they end."""
    body, at = [], x
    for number, name in enumerate(names):
        wide = 30 + len(name) * CHARACTER
        if at > x and at + wide > x + room:
            at, y = x, y + 20
        body += [_marker(at + 6, y - 4, number, number in hollow), _text(at + 16, y, name)]
        at += wide
    return body, y + 14


def dots(rows: dict[str, list[list[Point]]], series: list[str], title: str, tick: Callable[[float], str]) -> Markup:
    """One line per row with the points of all series, each series slightly above the next."""
    if not rows:
        return Markup("")
    points = [point for row in rows.values() for each in row for point in each]
    left = 16 + CHARACTER * max(len(name) for name in rows)
    scale = Scale(*limits([point.value for point in points]), left, WIDTH - 24)
    body, top = _legend(series, left, 16, WIDTH - left) if len(series) > 1 else ([], 6.0)
    bottom = top + ROW * len(rows)
    body += _axis(scale, top, bottom, tick, title)
    for number, (name, row) in enumerate(rows.items()):
        y = top + ROW * (number + 0.5)
        body += [_line(left, y, WIDTH - 24, y, "rule"), _text(left - 8, y + 4, name, "", "end"), *_row(scale, row, y)]
    return _svg(WIDTH, bottom + 42, title, body)


def _row(scale: Scale, row: list[list[Point]], y: float) -> list[str]:
    apart = min(4.0, (ROW - 8) / max(len(row), 1))
    body = []
    for number, points in enumerate(row):
        at = y + (number - (len(row) - 1) / 2) * apart
        for point in points:
            mark = _marker(scale(point.value), at, number, point.hollow)
            body.append(_linked(_whisker(scale, point, at, number) + mark, point))
    return body


def bars(rows: dict[str, list[Point | None]], series: list[str], title: str, tick: Callable[[float], str]) -> Markup:
    """Groups of horizontal bars, one bar per series, with its value at the end."""
    if not rows:
        return Markup("")
    thick = 11 if len(series) > 1 else 14
    step = thick * len(series) + 10
    left = 16 + CHARACTER * max(len(name) for name in rows)
    scale = Scale(*limits([p.value for row in rows.values() for p in row if p]), left, WIDTH - 80)
    body, top = _legend_bars(series, left) if len(series) > 1 else ([], 6.0)
    bottom = top + step * len(rows)
    body += _axis(scale, top, bottom, tick, title)
    for number, (name, row) in enumerate(rows.items()):
        y = top + step * number + 5
        body.append(_text(left - 8, y + thick * len(series) / 2 + 4, name, "", "end"))
        body += [_bar(scale, point, y + thick * n, thick - 1, n, tick) for n, point in enumerate(row) if point]
    return _svg(WIDTH, bottom + 42, title, body)


def _legend_bars(series: list[str], left: float) -> tuple[list[str], float]:
    body, at = [], left
    for number, name in enumerate(series):
        body += [f'<rect x="{at:g}" y="5" width="14" height="10" class="s{number % 8}"/>', _text(at + 19, 14, name)]
        at += 34 + len(name) * CHARACTER
    return body, 26.0


def _bar(scale: Scale, point: Point, y: float, thick: float, series: int, tick: Callable[[float], str]) -> str:
    zero, end = scale(0), scale(point.value)
    rect = (
        f'<rect x="{min(zero, end):g}" y="{y:g}" width="{max(abs(end - zero), 0.8):.1f}" height="{thick:g}"'
        f' class="s{series % 8}"/>'
    )
    figure = _text(max(zero, end) + 4, y + thick - 1.5, tick(point.value), "figure")
    return _linked(rect + figure, point)


def lines(
    series: dict[str, list[tuple[float, Point]]],
    title: str,
    across: str,
    tick: Callable[[float], str],
    *,
    log: bool = False,
    names: dict[float, str] | None = None,
) -> Markup:
    """Values over a number, with the names of the series at the right end of their lines. `log`: both axes."""
    if not series:
        return Markup("")
    xs = sorted({x for points in series.values() for x, _ in points})
    ys = [point.value for points in series.values() for _, point in points]
    right = WIDTH - 20 - CHARACTER * max(len(name) for name in series)
    top, bottom, left = 24.0, 320.0, 76.0
    horizontal = Scale(xs[0], xs[-1] if xs[-1] > xs[0] else xs[0] + 1, left, right - 10, log)
    vertical = Scale(*(_decades(ys) if log else limits(ys)), bottom, top, log)
    axes = [*_sides(vertical, left, right, tick), *_below(horizontal, xs, bottom, across, names)]
    drawn = _drawn(series, horizontal, vertical)
    return _svg(WIDTH, bottom + 62, title, [_text(left - 60, 12, title, "tick"), *axes, *drawn])


def _drawn(series: dict[str, list[tuple[float, Point]]], horizontal: Scale, vertical: Scale) -> list[str]:
    ends = _apart({name: vertical(points[-1][1].value) for name, points in series.items()})
    body = []
    for number, (name, points) in enumerate(series.items()):
        places = [(horizontal(x), vertical(point.value), point) for x, point in points]
        path = " ".join(f"{x:g},{y:g}" for x, y, _ in places)
        body.append(f'<polyline points="{path}" class="line s{number % 8}"/>')
        body += [_linked(_marker(x, y, number, False, 4), point) for x, y, point in places]
        body.append(_text(places[-1][0] + 10, ends[name] + 4, name))
    return body


def _decades(values: list[float]) -> tuple[float, float]:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return 10.0**low, 10.0 ** (high if high > low else low + 1)


def _sides(vertical: Scale, left: float, right: float, tick: Callable[[float], str]) -> list[str]:
    body = []
    for value in vertical.ticks():
        y = vertical(value)
        body += [
            _line(left, y, right, y, "zero" if value == 0 else "grid"),
            _text(left - 8, y + 4, tick(value), "tick", "end"),
        ]
    return body


def _below(scale: Scale, xs: list[float], bottom: float, across: str, names: dict[float, str] | None) -> list[str]:
    """Places names that would touch at two heights."""
    body = []
    for number, x in enumerate(xs):
        y = bottom + 18 + (16 if names and len(xs) > 7 and number % 2 else 0)
        body += [
            _line(scale(x), bottom, scale(x), bottom + 4, "zero"),
            _text(scale(x), y, (names or {}).get(x, f"{x:,g}"), "tick", "middle"),
        ]
    return [*body, _text((scale.left + scale.right) / 2, bottom + 54, across, "tick", "middle")]


def _apart(wanted: dict[str, float], least: float = 15.0) -> dict[str, float]:
    """Moves labels down until none touch, and up again where they would leave the plot."""
    found, at = {}, -math.inf
    for name in sorted(wanted, key=wanted.__getitem__):
        at = found[name] = max(wanted[name], at + least)
    over = max(0.0, at - 330.0)
    return {name: y - over for name, y in found.items()}
