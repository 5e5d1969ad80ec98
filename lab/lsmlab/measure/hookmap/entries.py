# SPDX-License-Identifier: GPL-2.0-only
"""Entries of the kernel: system calls and io_uring's operations, named as the monitor names them."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

from lsmlab.measure.hookmap import Failed
from lsmlab.measure.hookmap.facts import Call, Facts, Function


@dataclass(frozen=True)
class Table:
    """A table of system calls in a kernel's source, and where its code has their functions."""

    prefix: str             # of the names
    path: str
    abis: tuple[str, ...]
    array: str              # of functions, by number
    switch: str = ""        # a function that calls them, where one does


TABLES = {
    "x86_64": (Table("", "arch/x86/entry/syscalls/syscall_64.tbl", ("common", "64"), "sys_call_table", "x64_sys_call"),
               Table("compat:", "arch/x86/entry/syscalls/syscall_32.tbl", ("i386",), "ia32_sys_call_table", "ia32_sys_call")),
    "arm64": (Table("", "arch/arm64/tools/syscall_64.tbl", ("common", "64", "renameat", "rlimit", "memfd_secret"),
                    "sys_call_table"),
              Table("compat:", "arch/arm64/tools/syscall_32.tbl", ("common",), "compat_sys_call_table")),
}
# The function of a number without a system call; the architecture's name is before it.
NONE = "__sys_ni_syscall"
NOT_THERE = re.compile(r"__(\w+_)?sys_ni_syscall$")
# io_uring's tables of functions, and of names.
OPERATIONS = {"io_issue_def.issue", "io_op_def.issue"}
NAMES = {"io_cold_def.name", "io_op_def.name"}


def names(path: Path, abis: Container[str]) -> dict[int, str]:
    """Return {number: name} of a table of system calls."""
    by_number: dict[int, str] = {}
    for line in Path(path).read_text().splitlines():
        words = line.partition("#")[0].split()
        if len(words) >= 3 and words[1] in abis:
            by_number[int(words[0])] = words[2]
    return by_number


def numbers(tree: Path | str, arch: str) -> dict[int, str]:
    """Return {number: name} of native system calls."""
    native = TABLES[arch][0]
    return names(Path(tree) / native.path, native.abis)


def _cases(function: Function) -> dict[int, str]:
    """Return {number: function called} of a function that is one switch."""
    by_number: dict[int, str] = {}
    for block in function.blocks.values():
        if block.end and block.end[0] == "!":
            for to, case in block.end[3]:
                calls = [s for s in function.blocks[to].body if isinstance(s, Call) and s.callees[0][0] == "="]
                if case != "*" and calls:
                    low, _, high = case.partition("..")
                    by_number.update(dict.fromkeys(range(int(low), int(high or low) + 1), calls[0].callees[0][1:]))
    return by_number


def _array(facts: Facts, name: str) -> dict[int, str]:
    return {index: value[1:] for variable, index, _, value in facts.initialised
            if variable == name and value[0] == "&"}


def system_calls(facts: Facts, tree: Path | str, table: Table) -> dict[str, str | None]:
    """Return {name: function, or None where the kernel has none}."""
    path = Path(tree) / table.path
    # Static since 7.3.
    switch = next((function for function in facts.functions.values() if function.base() == table.switch), None)
    numbers = _cases(switch) if switch else _array(facts, table.array)
    if not numbers or not path.is_file():
        return {}
    functions: dict[str, str | None] = {}
    for number, name in names(path, table.abis).items():
        entry = facts.real(numbers.get(number, NONE))
        functions[table.prefix + name] = None if NOT_THERE.match(entry) else entry
    return functions


def operations(facts: Facts) -> dict[str, str]:
    """Return {uring:NAME: function}."""
    run, called = {}, {}
    for _, index, field, value in facts.initialised:
        if field in OPERATIONS:
            run[index] = facts.real(value[1:])
        elif field in NAMES:
            called[index] = value[1:]
    return {f"uring:{called.get(index, index)}": name for index, name in sorted(run.items())}


def find(facts: Facts, tree: Path | str, arch: str) -> dict[str, str | None]:
    """Return {name: function, or None where the kernel has none} of all ways into the kernel."""
    native, compat = (system_calls(facts, tree, table) for table in TABLES[arch])
    if not native:
        raise Failed(f"{tree}: no table of the system calls of {arch} in {TABLES[arch][0].path}, or none of their functions")
    return {**native, **operations(facts), **compat}
