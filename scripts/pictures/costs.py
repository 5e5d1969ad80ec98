# SPDX-License-Identifier: GPL-2.0-only
"""What each module costs, as bars: the figures from `make run`, and their picture."""

import sys
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "userspace/report"))
from lsmpmon_report import runs, table  # noqa: E402

WIDTH, ROW, TOP, BOTTOM = 600, 40, 76, 62
LEFT, RIGHT = 92, 320      # of the bars
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


def _round_ns(run):
    """Nanoseconds in hooks of one round of all operations."""
    ticks = sum(cost.ave * cost.calls for cost in run.costs.values())
    return run.ns(ticks) / int(run.about["rounds"])


def _row(run, base, ranked):
    hook, _, cost = next(entry for entry in ranked if entry[1] is run)
    return {"module": run.module, "ns": round(_round_ns(run) - _round_ns(base)),
            "hook": hook, "hook_ns": round(run.ns(cost.ave))}


def figures(folders):
    """Of saved results of `make run`: a row for each module, the cheapest first."""
    found = [runs.load(folder) for folder in folders]
    if any(run.exact or run.emulated for run in found):
        raise ValueError(f"{folders[0]}: emulated; the picture is of times on a real processor")
    base = next(run for run in found if run.module == BASE)
    ranked = table.ranked(found)
    rows = [_row(run, base, ranked) for run in found if run is not base]
    about = {name: base.about[name] for name in ("kernel", "runner", "processor", "work")}
    return {"about": about, "rows": sorted(rows, key=lambda row: row["ns"])}


def _text(x, y, text, kind="", anchor="start"):
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def _bar(number, row, most):
    y = TOP + number * ROW
    width = round((RIGHT - LEFT) * row["ns"] / most, 1)
    return [_text(LEFT - 12, y + 18, NAMES.get(row["module"], row["module"]), anchor="end"),
            f'<rect x="{LEFT}" y="{y}" width="{width}" height="26" rx="3" class="bar"/>',
            _text(LEFT + width + 8, y + 18, f"{row['ns'] / 1000:,.1f} µs"),
            _text(WIDTH - 8, y + 18, f"{row['hook']}: {row['hook_ns']:,} ns", "small", "end")]


def svg(found):
    """The picture; it follows the reader's light or dark setting."""
    rows, about = found["rows"], found["about"]
    height = TOP + len(rows) * ROW + BOTTOM
    title = "What security modules add to 16 file operations"
    body = [_text(8, 26, title, "title"),
            _text(8, 52, "Time in hooks of one round, beyond capability", "small"),
            _text(WIDTH - 8, 52, "mean call of the costliest hook", "small", "end")]
    most = max(row["ns"] for row in rows)
    for number, row in enumerate(rows):
        body += _bar(number, row, most)
    where = f"Linux {about['kernel']} as User-Mode Linux on a real processor ({about['processor']})."
    body += [_text(8, height - 34, where, "small"), _text(8, height - 14, f"{about['work']}.", "small")]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' role="img" aria-label="{title}">', f"<style>{STYLE}</style>", *body, "</svg>", ""])
