# SPDX-License-Identifier: GPL-2.0-only
"""Section 5.1.1 and Table 7 of 2021: which hooks a benchmark executes, and which a system call."""

from __future__ import annotations

import re

from . import published
from .blocks import EMPTY, NotRun, Table, Text, part
from .blocks import published as theirs
from .book import FILES, Book, where
from .records import hook_counts, implementers, in_syscall
from .results import Result
from .share import counting
from .titles import title

EXECUTIONS_WHY = (
    "Published: file_permission is 99 % of the hooks in read, write and copy; inode_permission, inode_getattr and"
    " inode_follow_link are 99 % in stat; in open 60 % are inode and 33 % file hooks. What is counted here is the timed call"
    " with those that it needs (open with its close, creat with close and unlink, rename with the one back); a read, a write and a copy have no open"
    " and close. Since 5.3, hooks were added at the ends of calls (file_post_open, file_release, inode_post_...): without"
    " these, shares of the older ones would be higher. They also depend on the path, each directory of which is an"
    " inode_permission."
)
OBSERVED_WHY = (
    "d is the depth of a path, which calls inode_permission once for each of its directories. How the published figures were"
    " counted, and what the 6 in those of open and openat is, is not among the figures at hand: one call of open asks"
    " file_open once. The columns before them are counted calls. A 0 there: the module does not implement the hook, or the"
    " call did not reach it. Hooks that only allocate, free or inform are left out; file_permission is of the call itself."
    " The published inode_permission of stat, d/0/0/d for SELinux, AppArmor, Smack and TOMOYO, seems to be a slip: the"
    " last d is probably that of Smack. Table 5 there gives TOMOYO one hook of inodes, and inode_getattr is one already."
    " rename asks inode_rename a second time only if it exchanges two files, which may be what the published 2 includes."
)


def executions(book: Book) -> list:
    """Any result will do: hooks are counted whether or not a module implements them."""
    result = next((r for r in counting(book).values() if any(b in r.records for b in FILES.values())), None)
    if not result:
        return [NotRun("modules", "cells whose names end in -hooks, on the kernel with the monitor")]
    rows = [(row, _execution(result, benchmark)) for row, benchmark in FILES.items() if hook_counts(result, benchmark)]
    header = ["hook calls", "inode_*", "file_*", "path_*", "others", "most often", "then"]
    caption = f"Hook calls of the timed call and of those that it needs, and their shares, {result.kernel}"
    said = where([result], f"counts, not times; from {result.ident}")
    return [
        Table("executions", caption, said, "benchmark", header, rows),
        Text(EXECUTIONS_WHY, "What differs, and why."),
    ]


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


def observed(book: Book) -> list:
    there = {module: result for module, result in counting(book).items() if module != "capability"}
    if not there:
        return [NotRun("modules", f"{book.results.main}-MODULE-enforcing-hooks, with the hooks that each call reached")]
    rows = [row for call, (needed, hooks) in published.Z21_CALLS.items() for row in _call(there, call, needed, hooks)]
    beside = "/".join(title(module) for module in published.Z21_CALLS_MODULES)
    header = ["hook", *map(title, there), theirs("needed, 5.3"), theirs(f"{beside}, 5.3")]
    said = where(there.values(), "counts, not times; an absolute path of four names; published: d is the depth")
    caption = "Checks in one system call that a module implements"
    table = Table("table-7", caption, said, "system call", header, rows)
    return [table, Text(OBSERVED_WHY + _again(there), "What differs, and why.")]


def _again(there: dict[str, Result]) -> str:
    """A module that would have to sleep makes the kernel walk the path a second time."""
    found = {m: in_syscall(r, "stat").get("inode_permission", 0) for m, r in there.items() if "stat" in r.records}
    often = [module for module in found if found[module] > min(found.values())]
    if not often:
        return ""
    return (
        f" {' and '.join(map(title, often))}: inode_permission is called once more for a path. A module that does"
        " not answer while the kernel walks a path without locks (-ECHILD) makes it start again with locks, from the"
        " first directory."
    )


# Sub-benchmarks that call what is not a file operation of its own.
CALLERS = FILES | {"sendfile": "copy/sendfile", "fchmod": "chmod/fd"}
CHECKS = re.compile(
    r"(path_\w+|inode_(permission|rename|mkdir|rmdir|symlink|unlink|create|setattr|getattr|follow_link|link|mknod)"
    r"|file_(open|permission|truncate))$"
)


def _call(there: dict[str, Result], syscall: str, needed: str, hooks: dict[str, str]) -> list[tuple[str, list[str]]]:
    """Where nothing calls it here, what was published stands by itself."""
    benchmark = CALLERS.get(syscall, syscall)
    seen = [_checks(m, result, benchmark) if benchmark in result.records else None for m, result in there.items()]
    order = dict.fromkeys([*hooks, *(hook for counts in seen for hook in counts or {})])
    rows = [
        (syscall, [hook, *(_times(counts, hook) for counts in seen), theirs(needed), _beside(hooks.get(hook))])
        for hook in order
    ]
    return rows or [(syscall, ["none", *[EMPTY] * len(there), theirs(needed), EMPTY])]


def _checks(module: str, result: Result, benchmark: str) -> dict[str, float]:
    """Those that decide, and only in hooks that this module implements."""
    known = implementers(result)
    return {h: n for h, n in in_syscall(result, benchmark).items() if CHECKS.match(h) and module in known.get(h, ())}


def _times(counts: dict[str, float] | None, hook: str) -> str:
    return EMPTY if counts is None else f"{counts.get(hook, 0):.2f}".rstrip("0").removesuffix(".")


def _beside(found: str | None) -> str:
    return theirs(found.replace(" ", "/")) if found else EMPTY
