# SPDX-License-Identifier: GPL-2.0-only
"""Two maps: what a call may reach, or must, in one of them only."""

from hookmap import document


def _changes(old, new):
    """(sign, hook) of two lists."""
    yield from (("+", hook) for hook in new if hook not in old)
    yield from (("-", hook) for hook in old if hook not in new)


def _line(name, what, changes):
    words = " ".join(f"{sign}{hook}" for sign, hook in changes)
    return f"{name}: {what}: {words}" if words else ""


def differences(old, new):
    """Lines, call by call; hooks that only one kernel has are said once, and left out after that."""
    common = set(old["hooks"]) & set(new["hooks"])
    for name in dict.fromkeys([*old["syscalls"], *new["syscalls"]]):
        before, after = old["syscalls"].get(name), new["syscalls"].get(name)
        if before is None or after is None:
            yield f"{name}: {'new' if before is None else 'gone'}"
            continue
        for what, pick in (("may", document.synchronous), ("must", lambda entry: entry["must"])):
            changes = [(sign, hook) for sign, hook in _changes(pick(before), pick(after)) if hook in common]
            line = _line(name, what, changes)
            if line:
                yield line


def text(old, new):
    yield f"From Linux {old['kernel']} to {new['kernel']}: + gained, - lost; hooks that the call itself calls"
    line = _line("hooks", "reached by any call", _changes(old["hooks"], new["hooks"]))
    if line:
        yield line
    yield from differences(old, new)
