# SPDX-License-Identifier: GPL-2.0-only
"""How long the kernel takes to load the policy of each module.

Boots a guest for each policy, which writes it to the kernel: once where QEMU counts instructions, and several times in
User-Mode Linux, where the code runs at the processor's own speed. Prints both, the time as the median, least and most of the
boots. The table goes to build/loading.txt as well, its figures to build/loading.json. What was measured is kept until one of
its inputs changes.

Variables: KVER, as for make; POLICIES, some of the rows; BOOTS, of User-Mode Linux (10); FRESH=1 measures all of it again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from lsmlab.analyse import loading as analyse
from lsmlab.console import CommandError
from lsmlab.guest.settings import number
from lsmlab.measure.plans import loading, request
from lsmpmon_report.evaluation.titles import title
from lsmpmon_report.kernelfiles import FormatError

HEADS = ("bytes", "loaded", "instructions", "waited", "ms", "least", "most")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments: this command takes none."""


def _title(name: str) -> str:
    module, _, rules = name.partition("-")
    return f"{title(module)}, {int(rules):,} rules" if rules.isdigit() else title(name)


def table(found: Mapping[str, Mapping[str, Any]], version: str) -> str:
    """Return the table, a row for each policy."""
    lines = [f"Linux {version}: a policy that is loaded: classes, profiles or rules, instructions, ms of waiting; ms on UML", "",
             f"{'':<28}" + "".join(f"{head:>14}" for head in HEADS)]
    for name, of in found.items():
        cells = [f"{of[head]:,}" for head in HEADS[:3]] + [f"{of['waited_ms']:.1f}"]
        cells += [f"{of['ms'][kind]:.2f}" for kind in ("median", "least", "most")]
        lines.append(f"{_title(name):<28}" + "".join(f"{cell:>14}" for cell in cells))
    return "\n".join(lines) + "\n"


def main(_: argparse.Namespace) -> None:
    request.check()
    loading.tools()
    results, boots = request.base() / "loading", number("BOOTS", loading.BOOTS, 1, 999)
    request.measure([*loading.exact(results), *loading.timed(results)], results)
    try:
        found = analyse.figures(results, loading.policies(), boots)
    except FormatError as error:
        raise CommandError(str(error)) from error
    text = table(found, request.version())
    results.with_suffix(".txt").write_text(text)
    results.with_suffix(".json").write_text(json.dumps({"kernel": request.version(), "policies": found}, indent=1) + "\n")
    print(text, end="")
