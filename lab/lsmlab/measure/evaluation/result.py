# SPDX-License-Identifier: GPL-2.0-only
"""The result of a cell: a JSON file as in userspace/report/schema/result.json."""

import json
import os

# Rounds of the records of all file operations; those of a sub-benchmark have EACH.
ROUNDS = {"work": 1000, "by": 200}
EACH = 64


class BadOutput(Exception):
    """Unexpected output of the guest."""


def split(text):
    """The files in the output, by the names in its lines "==> NAME"."""
    files, lines = {}, None
    for line in text.splitlines(keepends=True):
        if line.startswith("==> "):
            lines = files.setdefault(line[4:].strip(), [])
        elif lines is not None:
            lines.append(line)
    return {name: "".join(lines) for name, lines in files.items()}


def _beneath(files, folder):
    """{rest of the name: text} for the files in a folder."""
    return {name.removeprefix(folder + "/"): text for name, text in files.items() if name.startswith(folder + "/")}


def _json(files, name):
    try:
        return json.loads(files[name]) if name in files else None
    except ValueError as error:
        raise BadOutput(f"{name} is not JSON: {error}") from error


def _proofs(text):
    """By module, the `key: value` lines that lsm-setup prints."""
    found = {}
    for key, _, value in (line.partition(": ") for line in text.splitlines()):
        if key == "module":
            proof = found.setdefault(value, {})
        elif value:
            proof[key] = value
    return found


def _record(name, files, cell):
    rounds = ROUNDS.get(name.partition("-")[0])
    command = ["lmbench-hook", "work", "*" if rounds else name, "-n", str(rounds or EACH)]
    about = {"kernel": cell.kver, "runner": cell.runner, "accelerator": cell.accel}
    return {"format": "lsmpmon-record", "version": 1, "command": command, "about": about,
            "runs": [{"status": 0, "files": files}]}


def _records(files, cell):
    """Common parts such as `info` are repeated in each, so that each can be read by itself."""
    found = {}
    for path, text in _beneath(files, "records").items():
        record, _, name = path.rpartition("/")
        found.setdefault(record, {})[name] = text
    common = found.pop("all", {})
    return {record: _record(record, common | own, cell) for record, own in found.items()}


def _recorded(files):
    """What `lsmpmon record` wrote, by work and features."""
    return {name: _json(files, f"recorded/{name}") for name in _beneath(files, "recorded")}


def _state(files, machine):
    state = {name: text.strip() for name, text in _beneath(files, "state").items()}
    mitigations = {name: text.strip() for name, text in _beneath(files, "mitigations").items()}
    return {**state, "mitigations": mitigations, **machine}


def assemble(cell, key, output, machine):
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


def left_out(cell, key, reason):
    return {"format": "lsmpmon-result", "version": 1, "cell": cell.json(), "key": key, "left_out": reason}


def read_key(path):
    """The hash in a saved result; None if there is no readable result."""
    try:
        return json.loads(path.read_text()).get("key")
    except (OSError, ValueError):
        return None


def write(path, result):
    """Write atomically, since an evaluation may be interrupted at any time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(result, indent=1) + "\n")
    os.replace(part, path)
