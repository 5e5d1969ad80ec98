# SPDX-License-Identifier: GPL-2.0-only
"""Entries of the kernel: system calls and io_uring's operations, named as the monitor names them."""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import Path

from lsmlab.measure.hookmap import Failed
from lsmlab.measure.hookmap.facts import Call, Facts, Function

TABLES = "arch/x86/entry/syscalls"
# Prefix of the name, table of names, ABIs, function that switches, table of functions.
NATIVE = ("", "syscall_64.tbl", ("common", "64"), "x64_sys_call", "sys_call_table")
COMPAT = ("compat:", "syscall_32.tbl", ("i386",), "ia32_sys_call", "ia32_sys_call_table")
NOT_THERE = re.compile(r"__\w+_sys_ni_syscall$")
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


def numbers(tree: Path | str) -> dict[int, str]:
    """Return {number: name} of native system calls."""
    _, table, abis, *_ = NATIVE
    return names(Path(tree) / TABLES / table, abis)


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


def _table(facts: Facts, name: str) -> dict[int, str]:
    return {index: value[1:] for variable, index, _, value in facts.initialised
            if variable == name and value[0] == "&"}


def system_calls(facts: Facts, tree: Path | str, prefix: str, table: str, abis: Container[str], switch: str,
                 array: str) -> dict[str, str | None]:
    """Return {name: function, or None where the kernel has none}."""
    path = Path(tree) / TABLES / table
    # Static since 7.3.
    function = next((function for function in facts.functions.values() if function.base() == switch), None)
    numbers = _cases(function) if function else _table(facts, array)
    if not numbers or not path.is_file():
        return {}
    functions: dict[str, str | None] = {}
    for number, name in names(path, abis).items():
        entry = facts.real(numbers.get(number, "__x64_sys_ni_syscall"))
        functions[prefix + name] = None if NOT_THERE.match(entry) else entry
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


def find(facts: Facts, tree: Path | str) -> dict[str, str | None]:
    """Return {name: function, or None where the kernel has none} of all ways into the kernel."""
    native = system_calls(facts, tree, *NATIVE)
    if not native:
        raise Failed(f"{tree}: no table of system calls: the map is for x86-64")
    return {**native, **operations(facts), **system_calls(facts, tree, *COMPAT)}
