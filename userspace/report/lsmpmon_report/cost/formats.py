# SPDX-License-Identifier: GPL-2.0-only
"""The report as text, markdown, HTML, JSON, and as the result of a check for b4."""

from __future__ import annotations

import json

from .differences import Difference, Part
from .limit import Limit
from .sentences import ENVIRONMENT, TEMPLATES, about, answers, over, say
from .steps import Range, Step

STYLE = TEMPLATES / "style.css"
TOOL = "lsmpmon cost"
# Of each difference; JSON has all.
FUNCTIONS = 10


def shown(found: Range) -> list[Step]:
    """Return the steps that have a table."""
    steps = [step for step in found.steps if step.changes]
    return [*steps, found.whole] if len(found.steps) > 1 and found.whole.changes else steps


def _render(template: str, found: Range, limit: Limit | None) -> str:
    environment = ENVIRONMENT.overlay(autoescape=template.endswith(".html"))
    return environment.get_template(template).render(
        answers=[*answers(found), *over(found, limit)], about=about(found), steps=shown(found), most=FUNCTIONS,
        style=STYLE.read_text())


def text(found: Range, limit: Limit | None) -> str:
    return _render("text.jinja", found, limit)


def markdown(found: Range, limit: Limit | None) -> str:
    return _render("markdown.jinja", found, limit)


def html(found: Range, limit: Limit | None) -> str:
    return _render("cost.html", found, limit)


def _json_part(part: Part, files: tuple[str, ...]) -> dict[str, object]:
    return {"where": part.where, "hook": part.hook, "change": part.change, "calls_before": part.before.calls,
            "calls_after": part.after.calls, "kind": part.kind(files)}


def _json_change(each: Difference, step: Step) -> dict[str, object]:
    return {"benchmark": each.benchmark, "stack": each.stack, "before": each.before, "after": each.after,
            "change": each.change, "percent": round(each.percent, 4),
            "parts": [_json_part(part, step.files) for part in each.parts],
            "functions": dict(step.functions.get(each, [])),
            "cycles": [timed.json() for timed in step.cycles.get(each, [])]}


def _json_step(step: Step) -> dict[str, object]:
    return {"name": step.name, "subject": step.subject, "answer": say("answer", step), "failed": step.failed,
            "changes": [_json_change(each, step) for each in step.changes]}


def to_json(found: Range, limit: Limit | None) -> str:
    missed = [{"commit": step.name, "benchmark": each.benchmark, "stack": each.stack, "change": each.change}
              for step, each in (limit.over(found) if limit else [])]
    return json.dumps(
        {"format": "lsmpmon-cost-report", "version": 1,
         "unit": "instructions", "runner": "qemu", "accelerator": "icount",
         "kernel": found.kernel, "stacks": found.stacks, "benchmarks": found.benchmarks, "selftest": found.selftest,
         "answers": answers(found),
         "steps": [_json_step(step) for step in found.steps], "whole": _json_step(found.whole), "over": missed},
        indent=1) + "\n"


def b4(found: Range, limit: Limit | None) -> str:
    """Return a list of results, as b4 reads them from a command of review-series-check-cmd. It shows the subject itself."""
    missed = over(found, limit)
    status = "fail" if found.failed or missed else "warn" if found.whole.changes else "pass"
    summary = missed[0] if missed else say("answer", found.whole) if len(found.steps) > 1 else say("told", found.steps[0])
    row = {"tool": TOOL, "status": status, "summary": summary, "details": text(found, limit)}
    return json.dumps([row], indent=1) + "\n"


FORMATS = {"text": text, "markdown": markdown, "html": html, "json": to_json, "b4": b4}
