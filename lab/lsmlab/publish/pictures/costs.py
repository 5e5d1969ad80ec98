# SPDX-License-Identifier: GPL-2.0-only
"""A bar chart of what each module costs, from the figures of `make run`."""

from __future__ import annotations

from typing import TypedDict
from xml.sax.saxutils import escape

from lsmpmon_report import table

WIDTH, ROW, TOP, BOTTOM = 600, 40, 76, 62
LEFT, RIGHT = 104, 332      # of the bars
BASE = "capability"
NAMES = {"selinux": "SELinux", "apparmor": "AppArmor", "tomoyo": "TOMOYO", "smack": "Smack",
         "landlock": "Landlock"}
STYLE = """
text { font: 16px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
.title { font-size: 18px; font-weight: 600 }
.small { font-size: 13px; fill: #59636e }
.bar { fill: #2a6fc9 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .small { fill: #9198a1 } .bar { fill: #58a6ff }
}
"""

# Module, nanoseconds above capability, costliest hook, its nanoseconds.
Row = tuple[str, float, str, float]


class Hook(TypedDict):
    """Its calls, and the mean of one in nanoseconds."""

    ave_ns: float
    calls: int


class Module(TypedDict):
    """The hooks of a run with the module, by name."""

    hooks: dict[str, Hook]


class Figures(TypedDict):
    """What `make run` writes."""

    modules: dict[str, Module]
    about: dict[str, str]


def _round_ns(module: Module, rounds: int) -> float:
    """Return the nanoseconds spent in hooks in one round of all operations."""
    return sum(hook["ave_ns"] * hook["calls"] for hook in module["hooks"].values()) / rounds


def _costliest(hooks: dict[str, Hook], base: dict[str, Hook]) -> tuple[float, str]:
    """Return (mean of a call, name) of the hook with the longest mean call, among those whose cost the module raises."""
    found = [(hook["ave_ns"], name) for name, hook in hooks.items() if hook["calls"] >= table.RANKED_CALLS
             and (name not in base or hook["ave_ns"] > base[name]["ave_ns"] * table.NOTICEABLE)]
    return max(found)


def rows(figures: Figures) -> list[Row]:
    """Return the rows, the cheapest first."""
    modules, rounds = figures["modules"], int(figures["about"]["rounds"])
    base = modules[BASE]
    found: list[Row] = []
    for name in modules.keys() - {BASE}:
        ave, hook = _costliest(modules[name]["hooks"], base["hooks"])
        found.append((name, _round_ns(modules[name], rounds) - _round_ns(base, rounds), hook, ave))
    return sorted(found, key=lambda row: row[1])


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def _bar(number: int, row: Row, most: float) -> list[str]:
    module, added, hook, ave = row
    y = TOP + number * ROW
    width = round((RIGHT - LEFT) * added / most, 1)
    return [_text(LEFT - 12, y + 18, NAMES.get(module, module), anchor="end"),
            f'<rect x="{LEFT}" y="{y}" width="{width}" height="26" rx="3" class="bar"/>',
            _text(LEFT + width + 8, y + 18, f"{added / 1000:,.1f} µs"),
            _text(WIDTH - 8, y + 18, f"{hook}: {ave:,.0f} ns", "small", "end")]


def svg(figures: Figures) -> str:
    """Return the picture; it follows the reader's light or dark setting."""
    bars, about = rows(figures), figures["about"]
    height = TOP + len(bars) * ROW + BOTTOM
    title = "What security modules add to 16 file operations"
    body = [_text(8, 26, title, "title"),
            _text(8, 52, "Time in hooks of one round, beyond capability", "small"),
            _text(WIDTH - 8, 52, "mean call of the costliest hook", "small", "end")]
    most = bars[-1][1]
    for number, row in enumerate(bars):
        body += _bar(number, row, most)
    where = f"Linux {about['kernel']} as User-Mode Linux on a real processor ({about['processor']})."
    body += [_text(8, height - 34, where, "small"), _text(8, height - 14, f"{about['work']}.", "small")]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' role="img" aria-label="{title}">', f"<style>{STYLE}</style>", *body, "</svg>", ""])
