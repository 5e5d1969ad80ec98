# SPDX-License-Identifier: GPL-2.0-only
"""The result of a cell: a JSON file as in userspace/report/schema/result.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lsmlab.measure.evaluation.cell import Cell
from lsmlab.measure.pipeline import errors
from lsmlab.measure.pipeline.jobs import Json
from lsmlab.measure.pipeline.printed import split

# Rounds of the records of all file operations, and of those of one sub-benchmark, KIND-N/NAME; others have EACH.
OF_ONE = {"times": 200, "calls": 200}
ROUNDS = {"work": 200, "by": 200, **OF_ONE}
EACH = 64


class BadOutput(errors.Failed):
    """Unexpected output of the guest."""


def _beneath(files: dict[str, str], folder: str) -> dict[str, str]:
    """Return {rest of the name: text} for the files in a folder."""
    return {name.removeprefix(folder + "/"): text for name, text in files.items() if name.startswith(folder + "/")}


def _json(files: dict[str, str], name: str) -> Any:
    try:
        return json.loads(files[name]) if name in files else None
    except ValueError as error:
        raise BadOutput(f"{name} is not JSON: {error}") from error


def _proofs(text: str) -> dict[str, dict[str, str]]:
    """Return by module the `key: value` lines that lsm-setup prints."""
    proofs: dict[str, dict[str, str]] = {}
    for key, _, value in (line.partition(": ") for line in text.splitlines()):
        if key == "module":
            proof = proofs.setdefault(value, {})
        elif value:
            proof[key] = value
    return proofs


def _record(name: str, files: dict[str, str], cell: Cell) -> Json:
    kind = name.partition("-")[0]
    rounds, of = ROUNDS.get(kind), name.partition("/")[2] if kind in OF_ONE else "*"
    command = ["lmbench-hook", "work", of if rounds else name, "-n", str(rounds or EACH)]
    about = {"kernel": cell.kver, "runner": cell.runner, "accelerator": cell.accel}
    return {"format": "lsmpmon-record", "version": 1, "command": command, "about": about,
            "runs": [{"status": 0, "files": files}]}


def _records(files: dict[str, str], cell: Cell) -> dict[str, Json]:
    """Return the records. Common parts such as `info` are repeated in each, so that each can be read by itself."""
    records: dict[str, dict[str, str]] = {}
    for path, text in _beneath(files, "records").items():
        record, _, name = path.rpartition("/")
        records.setdefault(record, {})[name] = text
    common = records.pop("all", {})
    return {record: _record(record, common | own, cell) for record, own in records.items()}


def _recorded(files: dict[str, str]) -> Json:
    """Return the records of `lsmpmon record`, by work and features."""
    return {name: _json(files, f"recorded/{name}") for name in _beneath(files, "recorded")}


def _state(files: dict[str, str], machine: dict[str, str]) -> Json:
    state = {name: text.strip() for name, text in _beneath(files, "state").items()}
    mitigations = {name: text.strip() for name, text in _beneath(files, "mitigations").items()}
    return {**state, "mitigations": mitigations, **machine}


def assemble(cell: Cell, key: str, output: str, machine: dict[str, str]) -> Json:
    files = split(output)
    if "state/kernel" not in files:
        raise BadOutput("the guest did not say which kernel it is")
    return {
        "format": "lsmpmon-result", "version": 1, "cell": cell.json(), "key": key,
        "state": _state(files, machine),
        "proof": _proofs(files.get("proof", "")),
        "latency": _json(files, "latency"), "openit": _json(files, "openit"),
        "denied": {module: _json(files, f"denied/{module}") for module in _beneath(files, "denied")},
        "cold": {cache: _json(files, f"cold/{cache}") for cache in _beneath(files, "cold")},
        "atomics": _json(files, "atomics"),
        "not_done": {name: text.strip() for name, text in _beneath(files, "not_done").items()},
        "records": _records(files, cell) | _recorded(files),
    }


def left_out(cell: Cell, key: str, reason: str) -> Json:
    return {"format": "lsmpmon-result", "version": 1, "cell": cell.json(), "key": key, "left_out": reason}


def read_key(path: Path) -> str | None:
    """Return the hash in a saved result; None if there is no readable result."""
    try:
        key: str | None = json.loads(path.read_text()).get("key")
        return key
    except (OSError, ValueError):
        return None
