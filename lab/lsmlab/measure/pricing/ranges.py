# SPDX-License-Identifier: GPL-2.0-only
"""What the report reads: the states in their order, and where the results are."""

from lsmlab.measure.evaluation import result


def write(path, measuring, selftest=""):
    """`selftest` says what came of it."""
    settings = measuring.settings
    states = [{"part": state.ident, "name": state.name, "subject": state.subject, "files": list(state.files),
               "failed": measuring.failed.get(state.ident, {}).get("", "")} for state in settings.states]
    result.write(path, {"format": "lsmpmon-cost", "version": 1, "selftest": selftest, "stacks": settings.stacks,
                        "cycles": settings.cycles, "boots": settings.boots,
                        "results": str(measuring.results.relative_to(path.parent)), "states": states})
