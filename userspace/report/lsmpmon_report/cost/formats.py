# SPDX-License-Identifier: GPL-2.0-only
"""The report as text, markdown, HTML, JSON, and as the result of a check for b4."""

from __future__ import annotations

import json
import pathlib

import jinja2

from .differences import Difference, Part
from .limit import Limit
from .sentences import amount, answer, answers, percent, told
from .steps import Range, Step

TEMPLATES = pathlib.Path(__file__).parent / "templates"
STYLE = TEMPLATES / "style.css"
TOOL = "lsmpmon cost"
# Of each difference; JSON has all.
FUNCTIONS = 10


def unit(found: Range) -> str:
    return (f"Instructions of one system call, Linux {found.kernel} on qemu, icount: 1 tick = 1 instruction; under "
            f"{', '.join(found.stacks)}: {' '.join(found.benchmarks)}")


def about(found: Range) -> list[str]:
    """What the figures are, and why they can be believed."""
    return [unit(found), *([f"Self test: {found.selftest}"] if found.selftest else [])]


def number(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def change(value: float) -> str:
    return ("+" if value > 0 else "") + number(value)


def calls(part: Part) -> str:
    """Of the hook in one system call, if they changed."""
    return f"{part.before.calls:g} to {part.after.calls:g} calls" if part.calls else ""


def shown(found: Range) -> list[Step]:
    """The steps that have a table."""
    steps = [step for step in found.steps if step.changes]
    return [*steps, found.whole] if len(found.steps) > 1 and found.whole.changes else steps


def _part(part: Part, files: tuple[str, ...]) -> str:
    told = ", ".join(filter(None, (part.kind(files), calls(part))))
    return f"    {change(part.change):>10}  {part.name}: {told}"


def _rows(step: Step) -> list[str]:
    lines = [f"{'':<20} {'stack':<24} {'before':>9} {'after':>9} {'change':>8}"]
    for each in step.changes:
        lines.append(f"{each.benchmark:<20} {each.stack:<24} {number(each.before):>9} {number(each.after):>9} "
                     f"{change(each.change):>8} {percent(each.percent):>9}")
        lines += [_part(part, step.files) for part in each.parts]
        functions = step.functions.get(each, [])[:FUNCTIONS]
        lines += [f"    {change(value):>10}  by function: {name}" for name, value in functions]
        lines += [f"    {'':>10}  {timed.text}" for timed in step.cycles.get(each, [])]
    return lines


def text(found: Range, limit: Limit | None) -> str:
    lines = [*answers(found), *_over(found, limit), "", *about(found)]
    for step in shown(found):
        lines += ["", step.title, *_rows(step)]
    return "\n".join(lines) + "\n"


def _over(found: Range, limit: Limit | None) -> list[str]:
    over = limit.over(found) if limit else []
    several = len(found.steps) > 1
    return [f"OVER {limit.text}: {amount(each)}{f'; {step.title}' if several else ''}" for step, each in over]


def markdown(found: Range, limit: Limit | None) -> str:
    lines = [f"* {line}" for line in [*answers(found), *_over(found, limit)]]
    lines += ["", " ".join(f"{line}." for line in about(found))]
    for step in shown(found):
        lines += ["", f"### {step.title}", "", "| | stack | before | after | change | | where |",
                  "| --- | --- | ---: | ---: | ---: | ---: | --- |"]
        lines += [_markdown_row(each, step) for each in step.changes]
    return "\n".join(lines) + "\n"


def _markdown_row(each: Difference, step: Step) -> str:
    told = [" ".join(_part(part, step.files).split()) for part in each.parts]
    told += [f"{change(value)} `{name}()`" for name, value in step.functions.get(each, [])[:FUNCTIONS]]
    told += [timed.text for timed in step.cycles.get(each, [])]
    parts, numbers = "<br>".join(told), (number(each.before), number(each.after), change(each.change))
    cells = (each.benchmark, each.stack, *numbers, percent(each.percent))
    return f"| {' | '.join(cells)} | {parts} |"


def html(found: Range, limit: Limit | None) -> str:
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True,
                                     lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters.update(number=number, change=change, percent=percent)
    return environment.get_template("cost.html").render(
        answers=[*answers(found), *_over(found, limit)], about=about(found), steps=shown(found), calls=calls,
        style=STYLE.read_text())


def _json_part(part: Part, files: tuple[str, ...]) -> dict:
    return {"where": part.where, "hook": part.hook, "change": part.change, "calls_before": part.before.calls,
            "calls_after": part.after.calls, "kind": part.kind(files)}


def _json_change(each: Difference, step: Step) -> dict:
    return {"benchmark": each.benchmark, "stack": each.stack, "before": each.before, "after": each.after,
            "change": each.change, "percent": round(each.percent, 4),
            "parts": [_json_part(part, step.files) for part in each.parts],
            "functions": dict(step.functions.get(each, [])),
            "cycles": [timed.json() for timed in step.cycles.get(each, [])]}


def _json_step(step: Step) -> dict:
    return {"name": step.name, "subject": step.subject, "answer": answer(step), "failed": step.failed,
            "changes": [_json_change(each, step) for each in step.changes]}


def to_json(found: Range, limit: Limit | None) -> str:
    over = [{"commit": step.name, "benchmark": each.benchmark, "stack": each.stack, "change": each.change}
            for step, each in (limit.over(found) if limit else [])]
    return json.dumps(
        {"format": "lsmpmon-cost-report", "version": 1,
         "unit": "instructions", "runner": "qemu", "accelerator": "icount",
         "kernel": found.kernel, "stacks": found.stacks, "benchmarks": found.benchmarks, "selftest": found.selftest,
         "answers": answers(found),
         "steps": [_json_step(step) for step in found.steps], "whole": _json_step(found.whole), "over": over},
        indent=1) + "\n"


def b4(found: Range, limit: Limit | None) -> str:
    """A list of results, as b4 reads them from a command of review-series-check-cmd. It shows the patch's subject itself."""
    status = "fail" if found.failed or _over(found, limit) else "warn" if found.whole.changes else "pass"
    all_of_it = answer(found.whole) if len(found.steps) > 1 else told(found.steps[0])
    summary = all_of_it if not _over(found, limit) else _over(found, limit)[0]
    row = {"tool": TOOL, "status": status, "summary": summary, "details": text(found, limit)}
    return json.dumps([row], indent=1) + "\n"


FORMATS = {"text": text, "markdown": markdown, "html": html, "json": to_json, "b4": b4}
