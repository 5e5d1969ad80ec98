# SPDX-License-Identifier: GPL-2.0-only
"""The answer, in the words of templates/sentences.jinja."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

import jinja2

if TYPE_CHECKING:
    from .limit import Limit
    from .steps import Range

TEMPLATES = pathlib.Path(__file__).parent / "templates"


def number(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def change(value: float) -> str:
    return ("+" if value > 0 else "") + number(value)


def percent(value: float) -> str:
    return f"{value:+.1f} %" if abs(value) >= 0.05 else f"{value:+.2g} %"


ENVIRONMENT = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), trim_blocks=True, lstrip_blocks=True,
                                 keep_trailing_newline=True, undefined=jinja2.StrictUndefined)
ENVIRONMENT.filters.update(number=number, change=change, percent=percent)
MACROS = ENVIRONMENT.get_template("sentences.jinja").module


def say(macro: str, *data: object) -> str:
    return str(getattr(MACROS, macro)(*data))


def answers(found: Range) -> list[str]:
    """Return those of each commit that changed something or failed; of the whole range last, if it is more than one commit."""
    steps = [step for step in found.steps if step.changes or step.failed]
    said = [say("answer", step) for step in steps]
    if len(steps) < len(found.steps):
        said.append(say("quiet", len(found.steps) - len(steps), len(found.steps)))
    if len(found.steps) > 1 or found.whole.failed:
        said.append(say("answer", found.whole))
    return said


def over(found: Range, limit: Limit | None) -> list[str]:
    """Return what costs more than the limit."""
    return [say("over", limit, each, step, len(found.steps)) for step, each in limit.over(found)] if limit else []


def about(found: Range) -> list[str]:
    """Return what the figures are, and why they can be believed."""
    return [say("unit", found), *([say("selftest", found)] if found.selftest else [])]
