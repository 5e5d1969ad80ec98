# SPDX-License-Identifier: GPL-2.0-only
"""What was counted: files `syscalls` of the monitor, as saved from guests."""

from collections import Counter
from pathlib import Path

from hookmap import Failed

HEADER = ["syscall", "hook", "min"]


def read_text(text, what):
    """{(system call, hook): calls} of one file."""
    lines = text.splitlines()
    if not lines or lines[0].split()[:3] != HEADER:
        raise Failed(f"{what}: not a file `syscalls` of the monitor: it has to begin with {' '.join(HEADER)}")
    columns = lines[0].split()
    count, switched = columns.index("count"), columns.index("cs_count")
    found = Counter()
    for line in lines[1:]:
        words = line.split()
        found[words[0], words[1]] += int(words[count]) + int(words[switched])
    return found


def read(folder):
    """All that is in a folder, and the files' names."""
    found, names = Counter(), []
    for path in sorted(Path(folder).glob("*.syscalls")):
        found += read_text(path.read_text(), path)
        names.append(path.stem)
    return found, names


def recall(syscalls, counted):
    """(pairs that are in the map, pairs that are not)."""
    there, missed = [], []
    for name, hook in counted:
        (there if hook in syscalls.get(name, {"may": ()})["may"] else missed).append((name, hook))
    return there, sorted(missed)


def precision(syscalls, counted, kinds=("sync",)):
    """(synchronous pairs that were counted, all of them)."""
    pairs = [(name, hook) for name, entry in syscalls.items() for hook, kind in entry["kind"].items()
             if kind in kinds and name != "-"]
    return sum(pair in counted for pair in pairs), len(pairs)
