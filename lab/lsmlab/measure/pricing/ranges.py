# SPDX-License-Identifier: GPL-2.0-only
"""The file that the report reads: the states in their order, and where the results are."""

from __future__ import annotations

from pathlib import Path

from lsmlab.measure.pipeline import jobs
from lsmlab.measure.pricing.run import Run


def write(path: Path, run: Run, selftest: str = "") -> None:
    """Write the states in their order, and where the results are; `selftest` is the outcome of the self test."""
    settings = run.settings
    states = [{"part": state.ident, "name": state.name, "subject": state.subject, "files": list(state.files),
               "failed": run.failed.get(state.ident, {}).get("", "")} for state in settings.states]
    jobs.write(path, {"format": "lsmpmon-cost", "version": 1, "selftest": selftest, "stacks": settings.stacks,
                      "cycles": settings.cycles, "boots": settings.boots,
                      "results": str(run.results.relative_to(path.parent)), "states": states})
