# SPDX-License-Identifier: GPL-2.0-only
"""Plots as SVG files, which have their own colours for light and dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH = 880
ROW = 24
# Where an axis with two signs is no longer logarithmic.
SIGNED_FROM = 10.0
# Width of a character in pixels, at the page's font size for plots.
CHARACTER = 8.2
# What a module looks like wherever it is drawn, by the name that people write.
MODULES = {"capability": 7, "SELinux": 0, "AppArmor": 1, "TOMOYO": 2, "Smack": 3, "Landlock": 4, "BPF LSM": 5}
LOOKS = 8


@dataclass(frozen=True)
class Point:
    """A value on the axis, its tooltip, and a name that is written beside it."""

    value: float
    label: str
    name: str = ""


@dataclass(frozen=True)
class Look:
    """Colour and shape of a series; `hollow`: the second one of its module."""

    number: int
    hollow: bool = False

    @property
    def kind(self) -> str:
        return f"s{self.number}{' hollow' if self.hollow else ''}"


def looks(series: Iterable[str]) -> list[Look]:
    """Of a module what is always its own, of others what is left."""
    of = [next((number for module, number in MODULES.items() if module in name), None) for name in series]
    left = iter([*(number for number in range(LOOKS) if number not in of), *range(len(of))])
    found: list[Look] = []
    for number in of:
        number = next(left) % LOOKS if number is None else number
        found.append(Look(number, any(look.number == number for look in found)))
    return found


@dataclass(frozen=True)
class Scale:
    """Maps values to pixels. `signed`: logarithmic to both sides of 0, and even around it."""

    least: float
    most: float
    left: float
    right: float
    log: bool = False
    signed: bool = False

    def __call__(self, value: float) -> float:
        at = self._at(value) - self._at(self.least)
        return round(self.left + (self.right - self.left) * at / (self._at(self.most) - self._at(self.least)), 1)

    def _at(self, value: float) -> float:
        if self.signed:
            return math.copysign(math.log10(1 + abs(value) / SIGNED_FROM), value)
        return math.log10(value) if self.log else value

    def ticks(self) -> list[float]:
        if self.signed:
            return [value for value in _signed_steps(self.least, self.most) if self.least <= value <= self.most]
        if self.log:
            return _steps(self.least, self.most)
        step = nice_step(self.most - self.least)
        first = math.ceil(self.least / step - 1e-9)
        return [round(n * step, 10) for n in range(first, math.floor(self.most / step + 1e-9) + 1)]


def nice_step(span: float, parts: int = 7) -> float:
    """1, 2 or 5 times a power of ten, for a reasonable number of ticks."""
    rough = span / parts
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)


def _steps(low: float, high: float) -> list[float]:
    """1, 2 and 5 times each power of ten between them, or only these powers if that is too many."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
    found = [value for value in found if low * 0.999 <= value <= high * 1.001]
    return found if len(found) <= 12 else [value for value in found if f"{value:e}".startswith("1.")]


def _signed_steps(low: float, high: float) -> list[float]:
    """0, and the powers of ten to both sides."""
    most = math.ceil(math.log10(max(-low, high, SIGNED_FROM)))
    powers = [10.0**power for power in range(round(math.log10(SIGNED_FROM)), most + 1)]
    return [*(-value for value in reversed(powers)), 0.0, *powers]


def log_limits(values: list[float]) -> tuple[float, float]:
    """The nearest of such steps around the values."""
    low, high = min(values), max(values)
    found = _steps(low / 10, high * 10)
    least, most = max(v for v in found if v <= low * 1.001), min(v for v in found if v >= high * 0.999)
    return (least, most) if most > least else (least, most * 10)


def times(value: float) -> str:
    """A factor, as on an axis."""
    return f"{value:g}×"


def limits(values: list[float]) -> tuple[float, float]:
    """An axis that includes 0, with a margin at the ends in use."""
    low, high = min([0.0, *values]), max([0.0, *values])
    air = (high - low or 1.0) * 0.03
    return (low - air if low < 0 else 0.0), (high + air if high > 0 else 0.0 if low < 0 else 1.0)


def _svg(width: float, height: float, label: str, body: list[str]) -> str:
    shown = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img">\n'
        f"<title>{escape(label)}</title>\n<style>{STYLE}</style>\n"
        f'<rect width="100%" height="100%" class="paper"/>\n{shown}\n</svg>\n'
    )


LIGHT = (
    "--paper: #fff; --ink: #1b1b1b; --soft: #5c5c5c; --rule: #d4d4d4; --s0: #1f6fb4; --s1: #c4501b; --s2: #2b8a4b;"
    " --s3: #8e4bb0; --s4: #a67c00; --s5: #b3285f; --s6: #0f8a8f; --s7: #666"
)
DARK = (
    "--paper: #16181b; --ink: #e4e4e1; --soft: #a5a5a0; --rule: #3c4046; --s0: #6cb2f0; --s1: #f08a55; --s2: #6fcf90;"
    " --s3: #c795e6; --s4: #e0bd4d; --s5: #f07ba8; --s6: #5cd0d4; --s7: #aaa"
)
STYLE = (
    f"""
svg {{ {LIGHT}; font: 12.5px system-ui, "Liberation Sans", "DejaVu Sans", sans-serif; }}
@media (prefers-color-scheme: dark) {{ svg {{ {DARK}; }} }}
text {{ fill: var(--ink); }} .paper {{ fill: var(--paper); }}
.tick, .figure {{ fill: var(--soft); font-size: 11.5px; }} .figure {{ font-size: 10px; }}
.grid, .rule {{ stroke: var(--rule); }} .rule {{ stroke-dasharray: 1 3; }} .zero {{ stroke: var(--ink); }}
.line {{ stroke-width: 1.8; }} polyline.line {{ fill: none; }}
"""
    + " ".join(f".s{n} {{ fill: var(--s{n}); stroke: var(--s{n}); }}" for n in range(LOOKS))
    + "\npolyline.line { fill: none; } .hollow { fill: var(--paper); } polyline.hollow { stroke-dasharray: 5 3; }\n"
)


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="{kind}"/>'


def _titled(body: str, point: Point) -> str:
    return f"<g><title>{escape(point.label)}</title>{body}</g>"


PLUS = ((-0.4, -1.3), (0.4, -1.3), (0.4, -0.4), (1.3, -0.4), (1.3, 0.4), (0.4, 0.4))
CORNERS = {
    1: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    2: ((0, -1.25), (1.15, 0.9), (-1.15, 0.9)),
    3: ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    4: ((0, 1.25), (1.15, -0.9), (-1.15, -0.9)),
    5: ((-1.3, -0.5), (1.3, -0.5), (1.3, 0.5), (-1.3, 0.5)),
    6: ((-0.5, -1.3), (0.5, -1.3), (0.5, 1.3), (-0.5, 1.3)),
    7: (*PLUS, *((-dx, -dy) for dx, dy in PLUS)),
}


def _marker(x: float, y: float, look: Look, size: float = 4.5) -> str:
    """A shape per series as well, since not everyone can tell the colours apart."""
    if look.number == 0:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" class="{look.kind}"/>'
    points = " ".join(f"{x + dx * size * 0.9:.1f},{y + dy * size * 0.9:.1f}" for dx, dy in CORNERS[look.number])
    return f'<polygon points="{points}" class="{look.kind}"/>'


def _axis(scale: Scale, top: float, bottom: float, tick: Callable[[float], str], title: str) -> list[str]:
    body = []
    for value, label in _labelled(scale, tick):
        kind = "zero" if value == 0 else "grid"
        anchor = "end" if scale(value) + len(label) * CHARACTER / 2 > WIDTH else "middle"
        body += [
            _line(scale(value), top, scale(value), bottom, kind),
            _text(scale(value), bottom + 16, label, "tick", anchor),
        ]
    return [*body, _text((scale.left + scale.right) / 2, bottom + 34, title, "tick", "middle")]


def _labelled(scale: Scale, tick: Callable[[float], str]) -> list[tuple[float, str]]:
    """With all digits where rounding would make two labels equal."""
    found = [(value, tick(value)) for value in scale.ticks()]
    return found if len({label for _, label in found}) == len(found) else [(value, f"{value:,g}") for value, _ in found]


def _legend(names: list[str], x: float, y: float, room: float) -> tuple[list[str], float]:
    """Markers and names, on as many lines as needed. Returns where they end."""
    body, at = [], x
    for name, look in zip(names, looks(names)):
        wide = 30 + len(name) * CHARACTER
        if at > x and at + wide > x + room:
            at, y = x, y + 20
        body += [_marker(at + 6, y - 4, look), _text(at + 16, y, name)]
        at += wide
    return body, y + 14


def dots(
    rows: dict[str, list[list[Point]]],
    series: list[str],
    title: str,
    tick: Callable[[float], str],
    *,
    log: bool = False,
    signed: bool = False,
) -> str:
    """One line per row with the points of all series, each series slightly above the next. Nothing without points.
    `signed`: a logarithmic axis for changes in both directions.
    """
    rows = {name: row for name, row in rows.items() if any(row)}
    values = [point.value for row in rows.values() for each in row for point in each]
    if not values:
        return ""
    left, named = 16 + CHARACTER * max(len(name) for name in rows), any(
        p.name for r in rows.values() for e in r for p in e
    )
    # A point at the end of the axis does not touch the name of its row.
    right = WIDTH - (110 if named else 24)
    scale = Scale(*(log_limits(values) if log else limits(values)), left + 6, right, log, signed)
    body, top = _legend(series, left, 16, WIDTH - left) if len(series) > 1 else ([], 6.0)
    bottom = top + ROW * len(rows)
    body += _axis(scale, top, bottom, tick, title)
    for number, (name, row) in enumerate(rows.items()):
        y = top + ROW * (number + 0.5)
        body += [_line(left, y, WIDTH - 24, y, "rule"), _text(left - 8, y + 4, name, "", "end")]
        body += _row(scale, row, looks(series), y)
    return _svg(WIDTH, bottom + 42, title, body)


def _row(scale: Scale, row: list[list[Point]], kinds: list[Look], y: float) -> list[str]:
    """Names stand beyond the last point, where none is in their way."""
    apart = min(4.0, (ROW - 8) / max(len(row), 1))
    end = max((scale(point.value) for points in row for point in points), default=0.0)
    body = []
    for number, points in enumerate(row):
        at = y + (number - (len(row) - 1) / 2) * apart
        for point in points:
            name = _text(end + 8, at + 4, point.name, "figure") if point.name else ""
            body.append(_titled(_marker(scale(point.value), at, kinds[number]) + name, point))
    return body


def stacked(rows: dict[str, list[float]], series: list[str], title: str, tick: Callable[[float], str]) -> str:
    """A bar for each row, of one piece for each series, with the sum at its end. Pieces below 0 are not drawn."""
    if not rows:
        return ""
    sums = [sum(max(value, 0) for value in row) for row in rows.values()]
    left = 16 + CHARACTER * max(len(name) for name in rows)
    scale = Scale(*limits(sums), left, WIDTH - 80)
    body, top = _legend(series, left, 16, WIDTH - left)
    bottom = top + ROW * len(rows)
    body += _axis(scale, top, bottom, tick, title)
    for number, (name, row) in enumerate(rows.items()):
        y = top + ROW * number + 5
        body += [_text(left - 8, y + 11, name, "", "end"), *_pieces(scale, name, row, series, y)]
        body.append(_text(scale(sums[number]) + 4, y + 11, tick(sum(row)), "figure"))
    return _svg(WIDTH, bottom + 42, title, body)


def _pieces(scale: Scale, name: str, row: list[float], series: list[str], y: float) -> list[str]:
    body, begin = [], 0.0
    for value, piece, look in zip(row, series, looks(series)):
        if value > 0:
            x, end = scale(begin), scale(begin + value)
            rect = f'<rect x="{x:g}" y="{y:g}" width="{end - x:.1f}" height="{ROW - 9}" class="{look.kind}"/>'
            body.append(_titled(rect, Point(value, f"{name}, {piece}: {value:,.0f}")))
            begin += value
    return body


def lines(
    series: dict[str, list[tuple[float, Point]]],
    title: str,
    across: str,
    tick: Callable[[float], str],
    *,
    log: bool = False,
    log_up: bool = False,
    names: dict[float, str] | None = None,
) -> str:
    """Values over a number, with the names of the series at the right end of their lines. `log`: both axes; `log_up`:
    that of the values.
    """
    if not series:
        return ""
    xs = sorted({x for points in series.values() for x, _ in points})
    ys = [point.value for points in series.values() for _, point in points]
    right = WIDTH - 28 - CHARACTER * max(len(name) for name in series)
    top, bottom, left = 24.0, 320.0, 76.0
    horizontal = Scale(xs[0], xs[-1] if xs[-1] > xs[0] else xs[0] + 1, left, right - 10, log)
    steep = log or log_up
    vertical = Scale(*(log_limits(ys) if steep else limits(ys)), bottom, top, steep)
    axes = [*_sides(vertical, left, right, tick), *_below(horizontal, xs, bottom, across, names)]
    drawn = _drawn(series, horizontal, vertical)
    return _svg(WIDTH, bottom + 62, title, [_text(left - 60, 12, title, "tick"), *axes, *drawn])


def _drawn(series: dict[str, list[tuple[float, Point]]], horizontal: Scale, vertical: Scale) -> list[str]:
    ends = _apart({name: vertical(points[-1][1].value) for name, points in series.items()})
    body = []
    for (name, points), look in zip(series.items(), looks(series)):
        places = [(horizontal(x), vertical(point.value), point) for x, point in points]
        path = " ".join(f"{x:g},{y:g}" for x, y, _ in places)
        body.append(f'<polyline points="{path}" class="line {look.kind}"/>')
        body += [_titled(_marker(x, y, look, 4), point) for x, y, point in places]
        body += _named(places[-1][:2], ends[name], name, look)
    return body


def _named(end: tuple[float, float], y: float, name: str, look: Look) -> list[str]:
    """The name of a line, and a thin line to it if it had to move."""
    x = end[0]
    leader = [_line(x + 6, end[1], x + 17, y, look.kind)] if abs(y - end[1]) > 3 else []
    return [*leader, _text(x + 19, y + 4, name)]


def _sides(vertical: Scale, left: float, right: float, tick: Callable[[float], str]) -> list[str]:
    body = []
    for value, label in _labelled(vertical, tick):
        y = vertical(value)
        body += [
            _line(left, y, right, y, "zero" if value == 0 else "grid"),
            _text(left - 8, y + 4, label, "tick", "end"),
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
    """Moves labels until none touch: those that would are spread around their middle. None leaves the plot."""
    groups: list[list[str]] = []
    tops: list[float] = []
    for name in sorted(wanted, key=wanted.__getitem__):
        groups.append([name])
        tops.append(wanted[name])
        while len(groups) > 1 and tops[-2] + least * len(groups[-2]) > tops[-1]:
            groups[-2:] = [groups[-2] + groups[-1]]
            middle = sum(wanted[each] for each in groups[-1]) / len(groups[-1])
            tops[-2:] = [middle - least * (len(groups[-1]) - 1) / 2]
    found = {name: top + least * at for top, names in zip(tops, groups) for at, name in enumerate(names)}
    over = max([0.0, *(y - 330.0 for y in found.values())])
    return {name: y - over for name, y in found.items()}
