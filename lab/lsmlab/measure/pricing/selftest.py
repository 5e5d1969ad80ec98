# SPDX-License-Identifier: GPL-2.0-only
"""Checks before a price is believed that a planted change is measured where it is, exactly.

plant.py plants it in the first state. The boots of the check are kept as all others are, so each base is tested once with
a configuration and a compiler.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from lsmlab.guest.settings import BadSetting
from lsmlab.measure.pipeline.jobs import Json
from lsmlab.measure.pricing import plant, ranges
from lsmlab.measure.pricing.measuring import Measuring
from lsmlab.measure.pricing.settings import Settings
from lsmlab.measure.pricing.states import State
from lsmlab.places import CACHE, REPO

FOLDER = REPO / "build/cost/selftest"
RANGE = FOLDER / "range.json"
OFF = "switched off by SELFTEST=no: nothing shows that a planted change is found"
PASSED = (f"{plant.NOPS} no-operations in {plant.MODULE}'s {plant.CALLBACK} and one more call of {plant.HOOK}, planted "
          "in the first commit, were found exactly")


class Failed(Exception):
    """The planted change was not measured as it is."""


def wanted() -> bool:
    text = os.environ.get("SELFTEST") or "yes"
    if text not in ("yes", "no"):
        raise BadSetting(f"SELFTEST='{text}' is not accepted; yes or no")
    return text == "yes"


def planted(base: State) -> State:
    ident = hashlib.sha256(base.ident.encode() + Path(plant.__file__).read_bytes()).hexdigest()[:40]
    return replace(base, ident=ident, name="planted", subject="the self test", files=plant.FILES, planted=True)


def measuring(settings: Settings, say: Callable[[str], object], progress: Callable[[str], object]) -> Measuring:
    """Return the Measuring of the first state, as it is and planted."""
    base = settings.states[0]
    changed = replace(settings, states=[base, planted(base)], stacks=[plant.MODULE],
                      patterns=[plant.LONGER, plant.ASKED_TWICE], functions=[], cycles=())
    return Measuring(changed, say, progress, results=FOLDER)


def _changes() -> dict[str, Json]:
    """Return the changes by sub-benchmark, as the report has them."""
    env = dict(os.environ, PYTHONPATH=str(REPO / "userspace/report"))
    words = [str(CACHE / "venv/bin/python"), "-m", "lsmpmon_report", "cost", str(RANGE), "--format", "json"]
    done = subprocess.run(words, env=env, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise Failed(f"no report of it, status {done.returncode}")
    step, = json.loads(done.stdout)["steps"]
    return {change["benchmark"]: change for change in step["changes"]}


def _places(change: Json) -> dict[tuple[str, str], tuple[float, float]]:
    return {(part["where"], part["hook"]): (part["change"], part["calls_after"] - part["calls_before"])
            for part in change["parts"]}


def verify(changes: dict[str, Json]) -> None:
    """Raise Failed unless the planted change, and nothing else, was measured where it is.

    The instructions of a call outside of the hook are not known beforehand.
    """
    if set(changes) != {plant.LONGER, plant.ASKED_TWICE}:
        raise Failed(f"it should change {plant.LONGER} and {plant.ASKED_TWICE}; "
                     f"it changed {' '.join(changes) or 'nothing'}")
    places, longer = _places(changes[plant.LONGER]), changes[plant.LONGER]["change"]
    if longer != plant.NOPS or places != {(plant.MODULE, plant.CALLBACK): (plant.NOPS, 0)}:
        raise Failed(f"{plant.LONGER} should execute {plant.NOPS} instructions more, in {plant.MODULE}'s "
                     f"{plant.CALLBACK}; found {longer:+g}: {places}")
    places = {place: change for place, change in _places(changes[plant.ASKED_TWICE]).items() if place[1]}
    if {hook for _, hook in places} != {plant.HOOK} or {calls for _, calls in places.values()} != {1}:
        raise Failed(f"{plant.ASKED_TWICE} should call {plant.HOOK} once more, and no other hook; found {places}")


def run(test: Measuring) -> None:
    """Measure and verify, or raise Failed."""
    try:
        test.run()
    except plant.NoPlace as error:
        raise Failed(str(error)) from error
    for part, reasons in test.failed.items():
        raise Failed(f"{'the first commit' if part == test.settings.states[0].ident else 'the planted change'}: "
                     f"{next(iter(reasons.values()))}")
    ranges.write(RANGE, test)
    verify(_changes())
