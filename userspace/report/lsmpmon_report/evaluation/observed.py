# SPDX-License-Identifier: GPL-2.0-only
"""Section 5.1.1 and Table 7 of 2021: which hooks a benchmark executes, and which a system call."""

from __future__ import annotations

import re

from . import published
from .blocks import EMPTY, Block, NotRun, Table, Text, part
from .blocks import published as theirs
from .book import FILES, Book, where
from .passages import passage
from .records import hook_counts, implementers, in_syscall
from .results import Result
from .share import counting
from .titles import title


def executions(book: Book) -> list[Block]:
    """Return the hooks of each benchmark in any result: they are counted whether or not a module implements them."""
    result = next((r for r in counting(book).values() if any(b in r.records for b in FILES.values())), None)
    if not result:
        return [NotRun("modules", passage("observed.executions_not_run"))]
    rows = [(row, _execution(result, benchmark)) for row, benchmark in FILES.items() if hook_counts(result, benchmark)]
    header = ["hook calls", "inode_*", "file_*", "path_*", "others", "most often", "then"]
    caption = passage("observed.executions", kernel=result.kernel)
    said = where([result], passage("observed.executions_are", cell=result.ident))
    return [Table("executions", caption, said, "benchmark", header, rows), Text(passage("observed.executions_why"))]


def _execution(result: Result, benchmark: str) -> list[str]:
    counts = hook_counts(result, benchmark)
    total = sum(counts.values())
    kinds = [
        sum(n for hook, n in counts.items() if hook.startswith(kind)) / total for kind in ("inode_", "file_", "path_")
    ]
    often = sorted(counts, key=lambda hook: (-counts[hook], hook))[:2]
    shares = [part(each) for each in (*kinds, max(0.0, 1 - sum(kinds)))]
    named = [f"{hook} {part(counts[hook] / total)}" for hook in often]
    return [f"{total:.1f}".removesuffix(".0"), *shares, *named, *[EMPTY] * (2 - len(often))]


def observed(book: Book) -> list[Block]:
    there = {module: result for module, result in counting(book).items() if module != "capability"}
    if not there:
        return [NotRun("modules", passage("observed.checks_not_run", main=book.results.main))]
    rows = [row for call, (needed, hooks) in published.Z21_CALLS.items() for row in _call(there, call, needed, hooks)]
    beside = "/".join(title(module) for module in published.Z21_CALLS_MODULES)
    header = ["hook", *map(title, there), theirs("needed, 5.3"), theirs(f"{beside}, 5.3")]
    said = where(there.values(), passage("observed.checks_are"))
    table = Table("table-7", passage("observed.checks"), said, "system call", header, rows)
    return [table, Text(passage("observed.checks_why", again=_again(there)))]


def _again(there: dict[str, Result]) -> list[str]:
    """Return modules for which the kernel walks a path a second time."""
    found = {m: in_syscall(r, "stat").get("inode_permission", 0) for m, r in there.items() if "stat" in r.records}
    return [module for module in found if found[module] > min(found.values())]


# Sub-benchmarks that call what is not a file operation of its own.
CALLERS = FILES | {"sendfile": "copy/sendfile", "fchmod": "chmod/fd"}
CHECKS = re.compile(
    r"(path_\w+|inode_(permission|rename|mkdir|rmdir|symlink|unlink|create|setattr|getattr|follow_link|link|mknod)"
    r"|file_(open|permission|truncate))$"
)


def _call(there: dict[str, Result], syscall: str, needed: str, hooks: dict[str, str]) -> list[tuple[str, list[str]]]:
    """Return the rows of a system call. Where nothing calls it here, what was published stands by itself."""
    benchmark = CALLERS.get(syscall, syscall)
    seen = [_checks(m, result, benchmark) if benchmark in result.records else None for m, result in there.items()]
    order = dict.fromkeys([*hooks, *(hook for counts in seen for hook in counts or {})])
    beside = {hook: theirs(found.replace(" ", "/")) for hook, found in hooks.items()}
    rows = [
        (syscall, [hook, *(_times(counts, hook) for counts in seen), theirs(needed), beside.get(hook, EMPTY)])
        for hook in order
    ]
    return rows or [(syscall, ["none", *[EMPTY] * len(there), theirs(needed), EMPTY])]


def _checks(module: str, result: Result, benchmark: str) -> dict[str, float]:
    """Return how often each check is called, in hooks that this module implements."""
    known = implementers(result)
    return {h: n for h, n in in_syscall(result, benchmark).items() if CHECKS.match(h) and module in known.get(h, ())}


def _times(counts: dict[str, float] | None, hook: str) -> str:
    return EMPTY if counts is None else f"{counts.get(hook, 0):.2f}".rstrip("0").removesuffix(".")
