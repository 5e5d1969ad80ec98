# SPDX-License-Identifier: GPL-2.0-only
"""States of a range, made from saved output of guests; changes of known size are planted in it."""

import json
import re
import subprocess
from types import SimpleNamespace

from kernels import REPO

from lsmlab.measure.evaluation import result
from lsmlab.measure.pipeline import jobs
from lsmlab.measure.pricing.boot import boots
from lsmlab.places import CACHE

PYTHON = CACHE / "venv/bin/python"
PRINTED = {kind: (REPO / f"tests/cost/landlock-{kind}.txt").read_text() for kind in ("latency", "callbacks")}


def slower(number):
    """Return a change: the timed call executes so many instructions more."""
    def plant(kind, text):
        if kind != "latency":
            return text
        least = re.compile(r'("name": *"open",.*?"min": *)([0-9.]+)', re.S)
        return least.sub(lambda match: f"{match[1]}{float(match[2]) + number}", text)
    return plant


def in_table(table, row, calls, ticks, benchmark="open"):
    """Return a change: a row of a table has so many calls and ticks more in each round."""
    def line(rounds, text):
        words = text.split()
        words[-3], words[-1] = str(int(words[-3]) + calls * rounds), str(int(words[-1]) + ticks * rounds)
        return "  ".join(words)

    def plant(kind, text):
        parts = re.split(rf"(==> records/{benchmark}/{table}-(\d+)\n)", text)
        for at in range(1, len(parts), 3):
            lines = parts[at + 2].splitlines(keepends=True)
            rounds = int(parts[at + 1])
            parts[at + 2] = "".join(f"{line(rounds, entry)}\n" if entry.split()[:len(row)] == list(row) else entry
                                    for entry in lines)
            parts[at + 1] = ""
        return "".join(parts)
    return plant


def with_stat(kind, text):
    """Return a record of `open` once more as `stat`, with inode_getattr in place of inode_permission."""
    if kind == "latency":
        head, _, body = text.partition("==> latency\n")
        latency = json.loads(body)
        latency["benchmarks"] += [{**row, "name": "stat"} for row in latency["benchmarks"]]
        return f"{head}==> latency\n{json.dumps(latency)}\n"
    records = text[text.index("==> records/open/"):]
    return text + records.replace("==> records/open/", "==> records/stat/").replace("inode_permission", "inode_getattr")


def with_nested(kind, text):
    """Return a record that tells that IMA's callback of file_post_open asks for the subject's label, once in an open."""
    if kind == "latency":
        return text
    for table, module in (("nested", "-"), ("nested_stack", "ima")):
        for rounds in (8, 72):
            text += (f"==> records/open/{table}-{rounds}\nhook outer module min max ave count cs_count sum\n"
                     f"file_open - - 1211 1211 1211 {rounds} 0 {1211 * rounds}\n"
                     f"current_getsecid_subj file_post_open {module} 7 7 7 {rounds} 0 {7 * rounds}\n")
    return text


def both(hook, module, calls, ticks):
    """Return a change in a module's callback, and so in the hook around it."""
    return in_table("syscalls", ("open", hook), calls, ticks), in_table("stacks", ("open", hook, module), calls, ticks)


class Range:
    """A range file with its results, in a folder."""

    def __init__(self, folder):
        self.folder, self.states, self.cycles = folder, [], {}

    def add(self, subject, *plants, files=(), failed=""):
        part = f"state{len(self.states)}"
        self.states.append({"part": part, "name": part, "subject": subject, "files": list(files), "failed": failed})
        for boot in boots(SimpleNamespace(ident=part), "/nowhere", "6.12", ["landlock"]) if not failed else ():
            kind, = boot.measures
            text = PRINTED[kind]
            for plant in plants:
                text = plant(kind, text)
            jobs.write(self.folder / "results" / boot.path, result.assemble(boot, "key", text, {}))
        return self

    def add_cycles(self, stack, benchmark, side, number, rows, back=1):
        """Add a boot on User-Mode Linux for the last state: rows of `result`, with an empty span of 20 cycles.

        `back` says how many states before it the boot is compared with.
        """
        state = self.states[-1]["part"]
        booted = self.states[-1 - back if side == "before" else -1]["part"]
        self.cycles |= {(benchmark, stack): max(number, self.cycles.get((benchmark, stack), 0))}
        text = (f"==> state/kernel\n6.12\n==> records/all/info\noverhead: 20\n==> records/{benchmark}/result-1\n"
                f"hook min max ave count cs_count\n{rows}")
        boot, = boots(SimpleNamespace(ident=booted), "/nowhere", "6.12", [stack], ["callbacks"])
        path = self.folder / "results" / state / f"cycles/{stack}-{benchmark}-{side}-{number}.json"
        jobs.write(path, result.assemble(boot, "key", text, {}))

    def report(self, *words):
        path = self.folder / "range.json"
        jobs.write(path, {"format": "lsmpmon-cost", "version": 1, "selftest": "all was found", "results": "results",
                            "cycles": list(self.cycles), "boots": max(self.cycles.values(), default=0),
                            "stacks": ["landlock"], "states": self.states})
        return subprocess.run([PYTHON, "-m", "lsmpmon_report", "cost", path, *words], capture_output=True, text=True,
                              env={"PYTHONPATH": str(REPO / "userspace/report"), "PATH": "/usr/bin:/bin"})

    def json(self):
        return json.loads(self.report("--format", "json").stdout)
