# SPDX-License-Identifier: GPL-2.0-only
"""What was counted: files `syscalls` of the monitor, as saved from guests."""

from collections import Counter
from pathlib import Path

from hookmap import Failed

HEADER = ["syscall", "hook", "min"]
# These return twice, in the child, too.
RETURNS = {"clone": 2, "clone3": 2, "fork": 2, "vfork": 2}


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


def works(folder):
    """{work: (pairs, {number: calls without an error})} of all that is in a folder."""
    found = {}
    for path in sorted(Path(folder).glob("*.syscalls")):
        returned = path.with_suffix(".success")
        lines = returned.read_text().splitlines() if returned.is_file() else ()
        numbers = {int(number): int(calls) for number, calls in map(str.split, lines)}
        found[path.stem] = read_text(path.read_text(), path), numbers
    return found


def pairs_of(found):
    total = Counter()
    for pairs, _ in found.values():
        total += pairs
    return total


def successes(found, names):
    """{system call: calls without an error} of all works; `names` has them by number."""
    total = Counter()
    for _, numbers in found.values():
        for number, calls in numbers.items():
            if number in names:
                total[names[number]] += calls // RETURNS.get(names[number], 1)
    return total


def _sure(entry):
    return [hook for hook in entry["must"] if hook not in entry["unless"]] if entry else []


def broken(syscalls, found, names):
    """[(work, system call, hook, successes, calls of the hook)] where a must was not called each time.

    Of those that hold without any `unless`.
    """
    wrong = []
    for work, (pairs, numbers) in found.items():
        for number, calls in numbers.items():
            name = names.get(number)
            calls //= RETURNS.get(name, 1)
            wrong += [(work, name, hook, calls, pairs[name, hook])
                      for hook in _sure(syscalls.get(name)) if pairs[name, hook] < calls]
    return wrong


def checked(syscalls, found, names):
    """How many musts were held against counts."""
    called = successes(found, names)
    return sum(len(_sure(entry)) for name, entry in syscalls.items() if called[name])


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
