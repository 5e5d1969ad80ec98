# SPDX-License-Identifier: GPL-2.0-only
"""The kinds of plots: points in rows, bars, and lines over a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .looks import SHADES, Look, look_of, looks
from .scale import Scale, limits, log_limits
from .svg import CHARACTER, MARGIN, TICK, WIDTH, Drawing, element, line, marker, text, tooltip

ROW = 24
# Height of a bar.
BAR = 15
# Distance of the names of lines.
LABEL = 15
# Pixels beyond the end of a bar or of a row.
BESIDE = 8

Tick = Callable[[float], str]


@dataclass(frozen=True)
class Point:
    """A value on the axis, its tooltip, and a name that is written beside it."""

    value: float
    label: str
    name: str = ""


# Of a bar.
Piece = tuple[Look, Point]


def times(value: float) -> str:
    """Return a factor, as it is on an axis."""
    return f"{value:g}×"


def _axis(scale: Scale, top: float, bottom: float, tick: Tick, title: str) -> list[str]:
    body: list[str] = []
    for value, label in scale.labelled(tick):
        x = scale(value)
        anchor = "end" if x + len(label) * CHARACTER / 2 > WIDTH else "middle"
        body.append(line(x, top, x, bottom, "ink" if value == 0 else "rule"))
        body.append(text(x, bottom + 16, label, "soft", anchor, font_size=TICK))
    return [*body, text((scale.left + scale.right) / 2, bottom + 34, title, "soft", "middle", font_size=TICK)]


def _legend(names: Sequence[str], x: float, y: float, room: float) -> tuple[list[str], float]:
    """Return markers and names, on as many lines as needed, and where they end."""
    body: list[str] = []
    at = x
    for name, look in zip(names, looks(names)):
        wide = 30 + len(name) * CHARACTER
        if at > x and at + wide > x + room:
            at, y = x, y + 20
        body += [marker(at + 6, y - 4, look), text(at + 16, y, name)]
        at += wide
    return body, y + 14


def dots(
    rows: dict[str, list[list[Point]]],
    series: Sequence[str],
    title: str,
    tick: Tick,
    *,
    log: bool = False,
    signed: bool = False,
) -> Drawing | None:
    """Return one line per row with the points of all series, each series slightly above the next; None without points.

    `signed`: a logarithmic axis for changes in both directions.
    """
    rows = {name: row for name, row in rows.items() if any(row)}
    points = [point for row in rows.values() for each in row for point in each]
    if not points:
        return None
    values, left = [point.value for point in points], MARGIN + CHARACTER * max(map(len, rows))
    # A point at the end of the axis does not touch the name of its row.
    right = WIDTH - (110 if any(point.name for point in points) else 24)
    scale = Scale(*(log_limits(values) if log else limits(values)), left + 6, right, log, signed)
    body, top = _legend(series, left, 16, WIDTH - left) if len(series) > 1 else ([], 6.0)
    bottom = top + ROW * len(rows)
    body += _axis(scale, top, bottom, tick, title)
    for number, (name, row) in enumerate(rows.items()):
        y = top + ROW * (number + 0.5)
        body += [line(left, y, WIDTH - 24, y, "rule", stroke_dasharray="1 3"), text(left - BESIDE, y + 4, name, anchor="end")]
        body += _row(scale, row, looks(series), y)
    return Drawing(bottom + 42, body)


def _row(scale: Scale, row: list[list[Point]], kinds: list[Look], y: float) -> list[str]:
    """Return the points of a row. Names stand beyond the last one, where none is in their way."""
    apart = min(4.0, (ROW - 8) / max(len(row), 1))
    end = max((scale(point.value) for points in row for point in points), default=0.0)
    body: list[str] = []
    for number, points in enumerate(row):
        at = y + (number - (len(row) - 1) / 2) * apart
        for point in points:
            name = text(end + BESIDE, at + 4, point.name, "soft", font_size=10) if point.name else ""
            body.append(tooltip(marker(scale(point.value), at, kinds[number]) + name, point.label))
    return body


def bars(rows: dict[str, Point], title: str, tick: Tick) -> Drawing | None:
    """Return a bar for each row, in the colour of the module that it is named after, with the point's name at its end."""
    pieces = {name: [(look_of(name) or SHADES[len(SHADES) // 2], point)] for name, point in rows.items()}
    return _bars(pieces, [], [point.name for point in rows.values()], title, tick) if rows else None


def stacked(rows: dict[str, list[float]], series: Sequence[str], title: str, tick: Tick) -> Drawing | None:
    """Return a bar for each row, of one piece for each series, with the sum at its end. Pieces below 0 are not drawn."""
    pieces: dict[str, list[Piece]] = {}
    for name, row in rows.items():
        found = zip(looks(series), series, row)
        pieces[name] = [(look, Point(value, f"{name}, {each}: {value:,.0f}")) for look, each, value in found if value > 0]
    return _bars(pieces, series, [tick(sum(row)) for row in rows.values()], title, tick) if rows else None


def _bars(rows: dict[str, list[Piece]], series: Sequence[str], ends: list[str], title: str, tick: Tick) -> Drawing:
    sums = [sum(point.value for _, point in row) for row in rows.values()]
    left = MARGIN + CHARACTER * max(map(len, rows))
    scale = Scale(*limits(sums), left, WIDTH - MARGIN - BESIDE - CHARACTER * max(map(len, ends)))
    body, top = _legend(series, left, 16, WIDTH - left) if series else ([], 6.0)
    bottom = top + ROW * len(rows)
    body += _axis(scale, top, bottom, tick, title)
    for number, (name, row) in enumerate(rows.items()):
        y = top + ROW * number + (ROW - BAR) / 2
        body += [text(left - BESIDE, y + 11, name, anchor="end"), *_pieces(scale, row, y)]
        body.append(text(scale(sums[number]) + BESIDE, y + 11, ends[number], "soft", font_size=TICK))
    return Drawing(bottom + 42, body)


def _pieces(scale: Scale, row: list[Piece], y: float) -> list[str]:
    body: list[str] = []
    begin = 0.0
    for look, point in row:
        x, end = scale(begin), scale(begin + point.value)
        bar = element("rect", fill=look.name, stroke="paper", x=x, y=y, width=round(end - x, 1), height=BAR)
        body.append(tooltip(bar, point.label))
        begin += point.value
    return body


def lines(
    series: dict[str, list[tuple[float, Point]]],
    title: str,
    across: str,
    tick: Tick,
    *,
    log: bool = False,
    log_up: bool = False,
    names: dict[float, str] | None = None,
) -> Drawing | None:
    """Return values over a number, with the names of the series at the right end of their lines; None without series.

    `log`: both axes are logarithmic; `log_up`: that of the values.
    """
    if not series:
        return None
    xs = sorted({x for points in series.values() for x, _ in points})
    ys = [point.value for points in series.values() for _, point in points]
    right = WIDTH - 28 - CHARACTER * max(map(len, series))
    top, left = 24.0, 76.0
    bottom = max(320.0, top + LABEL * len(series))
    horizontal = Scale(xs[0], xs[-1] if xs[-1] > xs[0] else xs[0] + 1, left, right - 10, log)
    steep = log or log_up
    vertical = Scale(*(log_limits(ys) if steep else limits(ys)), bottom, top, steep)
    axes = [*_sides(vertical, left, right, tick), *_below(horizontal, xs, bottom, across, names)]
    drawn = _drawn(series, horizontal, vertical)
    return Drawing(bottom + 62, [text(MARGIN, 12, title, "soft", font_size=TICK), *axes, *drawn])


def _drawn(series: dict[str, list[tuple[float, Point]]], horizontal: Scale, vertical: Scale) -> list[str]:
    ends = _apart({name: vertical(points[-1][1].value) for name, points in series.items()}, vertical.right, vertical.left + 10)
    body: list[str] = []
    for (name, points), look in zip(series.items(), looks(series)):
        places = [(horizontal(x), vertical(point.value), point) for x, point in points]
        path = " ".join(f"{x:g},{y:g}" for x, y, _ in places)
        dashes = "5 3" if look.hollow else "none"
        body.append(element("polyline", fill="none", stroke=look.name, points=path, stroke_width=1.8, stroke_dasharray=dashes))
        body += [tooltip(marker(x, y, look, 4), point.label) for x, y, point in places]
        body += _named(places[-1][:2], ends[name], name, look)
    return body


def _named(end: tuple[float, float], y: float, name: str, look: Look) -> list[str]:
    """Return the name of a line, and a thin line to it if it had to move."""
    x = end[0]
    leader = [line(x + 6, end[1], x + 17, y, look.name)] if abs(y - end[1]) > 3 else []
    return [*leader, text(x + 19, y + 4, name)]


def _sides(vertical: Scale, left: float, right: float, tick: Tick) -> list[str]:
    body: list[str] = []
    for value, label in vertical.labelled(tick):
        y = vertical(value)
        body.append(line(left, y, right, y, "ink" if value == 0 else "rule"))
        body.append(text(left - BESIDE, y + 4, label, "soft", "end", font_size=TICK))
    return body


def _below(scale: Scale, xs: list[float], bottom: float, across: str, names: dict[float, str] | None) -> list[str]:
    """Return the axis below. Names that would touch are at two heights."""
    body: list[str] = []
    for number, x in enumerate(xs):
        y = bottom + 18 + (16 if names and len(xs) > 7 and number % 2 else 0)
        body.append(line(scale(x), bottom, scale(x), bottom + 4, "ink"))
        body.append(text(scale(x), y, (names or {}).get(x, f"{x:,g}"), "soft", "middle", font_size=TICK))
    return [*body, text((scale.left + scale.right) / 2, bottom + 54, across, "soft", "middle", font_size=TICK)]


def _apart(wanted: dict[str, float], highest: float, lowest: float) -> dict[str, float]:
    """Move labels until none touch: those that would are spread around their middle, between these two places."""
    groups: list[list[str]] = []
    tops: list[float] = []
    for name in sorted(wanted, key=wanted.__getitem__):
        groups.append([name])
        tops.append(wanted[name])
        while len(groups) > 1 and tops[-2] + LABEL * len(groups[-2]) > tops[-1]:
            groups[-2:] = [groups[-2] + groups[-1]]
            middle = sum(wanted[each] for each in groups[-1]) / len(groups[-1])
            tops[-2:] = [middle - LABEL * (len(groups[-1]) - 1) / 2]
    found = {name: top + LABEL * at for top, names in zip(tops, groups) for at, name in enumerate(names)}
    return _within(found, highest, lowest)


def _within(places: dict[str, float], highest: float, lowest: float) -> dict[str, float]:
    """Push labels that are too high down, and then those that are too low up, and others out of their way."""
    found: dict[str, float] = {}
    at = highest - LABEL
    for name, y in places.items():
        at = found[name] = max(y, at + LABEL)
    at = lowest + LABEL
    for name in reversed(list(found)):
        at = found[name] = min(found[name], at - LABEL)
    return found
