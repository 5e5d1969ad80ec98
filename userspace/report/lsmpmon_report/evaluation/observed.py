# SPDX-License-Identifier: GPL-2.0-only
"""Section 5.1.1 and Table 7 of 2021: which hooks a benchmark executes, and which a system call."""

from __future__ import annotations

import re

from . import published
from .blocks import EMPTY, Cell, NotRun, Table, Text, heat, link, part
from .book import FILES, Book, title, where
from .records import hook_counts, implementers, in_syscall
from .results import Result


def _counting(book: Book) -> Result | None:
    """Any result with counts: hooks are counted whether or not a module implements them."""
    names = [
        f"{book.results.main}-{module}-on-hooks"
        for module in ("selinux", "apparmor", "tomoyo", "smack", "landlock", "bpf")
    ]
    found = [book.results.get("modules", name) for name in [*names, f"{book.results.main}-capability-hooks"]]
    return next((result for result in found if result and any(b in result.records for b in FILES.values())), None)


EXECUTIONS_WHY = (
    "Published: file_permission is 99 % of the hooks in read, write and copy; inode_permission, inode_getattr and "
    "inode_follow_link are 99 % in stat; "
    "in open 60 % are inode and 33 % file hooks. A round here is the timed call with those that it needs (open "
    "with its close, creat with close and unlink). "
    "Since 5.3, hooks were added at the ends of calls (file_post_open, file_release, inode_post_...), so shares "
    "of the older ones are lower."
)
OBSERVED_WHY = (
    "Published is what the source says could be called (a path of depth d calls inode_permission once for each of "
    "its directories); ours is what was called, counted, for a "
    "path in lmbench-hook's own directory, whose own depth is in it. A 0 in one of ours: the module does not "
    "implement the hook, or the call did not reach it. "
    "Hooks that only allocate, free or inform are left out; file_permission is of the call itself."
)


def executions(book: Book) -> list:
    result = _counting(book)
    if not result:
        return [NotRun("modules", "cells whose names end in -hooks, on the kernel with the monitor")]
    rows = [
        (name, _execution(book, result, benchmark))
        for name, benchmark in FILES.items()
        if hook_counts(result, benchmark)
    ]
    header = ["hook calls", "inode_*", "file_*", "path_*", "others", "most often", "then"]
    table = Table(
        "executions",
        f"Hook calls in a round of each benchmark, and their shares, {result.kernel}",
        where([result], f"counts, not times; from {result.ident}"),
        header,
        rows,
        corner="benchmark",
    )
    return [table, Text(EXECUTIONS_WHY, "What differs, and why.")]


def _execution(book: Book, result: Result, benchmark: str) -> list[Cell]:
    counts, href = hook_counts(result, benchmark), book.results.href(result)
    total = sum(counts.values())
    kinds = {
        kind: sum(n for hook, n in counts.items() if hook.startswith(kind)) / total
        for kind in ("inode_", "file_", "path_")
    }
    often = sorted(counts, key=lambda hook: (-counts[hook], hook))[:2]
    cells = [
        Cell(f"{total:.1f}".removesuffix(".0"), href),
        *(Cell(part(each), href, heat=heat(each, 2)) for each in kinds.values()),
    ]
    cells.append(Cell(part(max(0.0, 1 - sum(kinds.values()))), href))
    return (
        cells
        + [Cell(f"{hook} {part(counts[hook] / total)}", href, kind="text") for hook in often]
        + [EMPTY] * (2 - len(often))
    )


def observed(book: Book) -> list:
    modules = (*published.Z21_CALLS_MODULES, "landlock", "bpf")
    names = {m: f"{book.results.main}-{m}-on-hooks" for m in modules}
    found = {m: book.results.get("modules", name) for m, name in names.items()}
    there = {module: result for module, result in found.items() if result and result.records}
    if not there:
        return [NotRun("modules", f"{book.results.main}-MODULE-on-hooks, with the hooks that each system call reached")]
    table = _observed_table(book, there, [name for m, name in names.items() if m not in there])
    return [table, Text(OBSERVED_WHY + _again(there), "What differs, and why.")]


def _observed_table(book: Book, there: dict[str, Result], missing: list[str]) -> Table:
    rows = [
        row
        for syscall, (needed, hooks) in published.Z21_CALLS.items()
        for row in _observed_call(book, there, syscall, needed, hooks)
    ]
    ours = [link(title(m), book.results.href(r)) for m, r in there.items()]
    header = ["hook", *ours, "needed", *(title(m) for m in published.Z21_CALLS_MODULES)]
    groups = [("observed, in one call", 1 + len(there)), ("published, 5.3 (d: depth)", 5)]
    said = where(there.values(), "counts, not times; path of depth 3")
    caption = "Checks in one system call that a module implements"
    return Table("table-7", caption, said, header, rows, groups, "system call", missing)


def _again(there: dict[str, Result]) -> str:
    """A module that would have to sleep makes the kernel walk the path a second time."""
    counts = {
        m: in_syscall(result, "stat").get("inode_permission", 0)
        for m, result in there.items()
        if "stat" in result.records
    }
    more = [m for m in counts if counts[m] > min(counts.values())]
    if not more:
        return ""
    return (
        f" {' and '.join(title(m) for m in more)}: inode_permission is called once more for a path. A module that does"
        " not answer while the kernel walks a path without locks (-ECHILD) makes it start again with locks, from the"
        " first directory."
    )


CHECKS = re.compile(
    r"(path_\w+|inode_(permission|rename|mkdir|rmdir|symlink|unlink|create|setattr|getattr|follow_link|link|mknod)"
    r"|file_(open|permission|truncate))$"
)


def _observed_call(book: Book, there: dict[str, Result], syscall: str, needed: str, hooks: dict[str, str]) -> list:
    benchmark = FILES.get(syscall, syscall)
    seen = {
        module: {
            h: n
            for h, n in in_syscall(result, benchmark).items()
            if CHECKS.match(h) and module in implementers(result).get(h, ())
        }
        for module, result in there.items()
    }
    if not any(benchmark in result.records for result in there.values()):
        return []
    order = dict.fromkeys([*hooks, *(hook for counts in seen.values() for hook in counts)]) or {"": None}
    return [
        (syscall if not n else "", _observed_row(book, there, seen, hook, needed if not n else "", hooks.get(hook, "")))
        for n, hook in enumerate(order)
    ]


def _observed_row(book: Book, there: dict[str, Result], seen: dict, hook: str, needed: str, beside: str) -> list[Cell]:
    counts = [
        Cell(
            f"{seen[m].get(hook, 0):.2f}".removesuffix("0").removesuffix(".0"),
            book.results.href(r),
            kind="number" if hook in seen[m] else "none",
        )
        for m, r in there.items()
    ]
    theirs = [Cell(text, kind="published") for text in beside.split()] or [EMPTY] * 4
    return [
        Cell(hook or "none", kind="text"),
        *(counts if hook else [EMPTY] * len(there)),
        Cell(needed, kind="published"),
        *theirs,
    ]
