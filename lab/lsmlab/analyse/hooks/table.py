# SPDX-License-Identifier: GPL-2.0-only
"""The counts as text, with the paper's numbers in brackets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lsmlab.analyse.hooks import categories, published
from lsmpmon_report.evaluation.files import Framework, Module, Static

NOTES = """\
In brackets: the paper's numbers, for Linux {kernel}; its lines are taken to be lines of code.
Hooks: those that a module has a function for, whatever the configuration. "in all" means that
it has more functions than hooks; lines per hook are then lines per function.
Lines: *.c and *.h of the module's directory (capability: commoncap.c; bpf: bpf_lsm.c, too;
integrity: with IMA and EVM), without KUnit tests. Of code: not empty, and not only a comment.
File accessing: {accessing}. What the paper has of IMA as file
are by their number kernel_read_file, kernel_post_read_file and kernel_load_data: kernel here."""


def beside(ours: object, theirs: object) -> str:
    return f"{ours} ({theirs})" if theirs is not None else f"{ours}"


def aligned(rows: Iterable[list[str]]) -> Iterator[str]:
    """Align columns as wide as necessary, the first one left."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for first, *others in rows:
        cells = [f"{cell:>{width}}" for cell, width in zip(others, widths[1:])]
        yield "  ".join([f"{first:<{widths[0]}}", *cells]).rstrip()


def _module(name: str, module: Module) -> list[str]:
    hooks, lines, per_hook = published.MODULES.get(name, (published.by_category("total", name), None, None))
    own = "" if module["callbacks"] == module["count"] else f", {module['callbacks']} in all"
    per = module["lines_per_hook"]
    return [name, beside(f"{module['count']}{own}", hooks), f"{module['lines']}",
            beside(module["code_lines"], lines), beside("-" if per is None else round(per), per_hook)]


def modules(counted: Static) -> Iterator[str]:
    rows = [["module", "hooks", "lines", "of code", "a hook"]]
    return aligned(rows + [_module(name, module) for name, module in counted["modules"].items()])


def _row(counted: Static, row: str, names: Iterable[str], number: Callable[[Module | Framework], int]) -> list[str]:
    modules = counted["modules"]
    cells = [beside(number(modules[name]), published.by_category(row, name)) for name in names]
    return [row, f"{number(counted['framework'])}", *cells]


def _of_category(row: str) -> Callable[[Module | Framework], int]:
    return lambda one: one["categories"].get(row, 0)


def by_category(counted: Static, names: list[str]) -> Iterator[list[str]]:
    """Yield a table of some modules, without 0 where the paper has no number."""
    framework = counted["framework"]["categories"]
    for row in categories.NAMES:
        if row in framework:
            yield _row(counted, row, names, _of_category(row))
    yield _row(counted, "file accessing", names, lambda one: categories.file_accessing(one["categories"]))
    yield _row(counted, "total", names, lambda one: sum(one["categories"].values()))


def _categories(counted: Static, names: list[str]) -> Iterator[str]:
    return aligned([["category", "LSM", *names], *by_category(counted, names)])


def _remarks(counted: Static) -> Iterator[str]:
    for name in counted["framework"]["other"]:
        yield f"In no category that is known: {name}."
    for name, module in counted["modules"].items():
        if module["by_name"]:
            yield f"The framework calls {name} by its name in: {', '.join(module['by_name'])}."


def text(counted: Static) -> Iterator[str]:
    """Yield all tables, line by line."""
    names = list(counted["modules"])
    theirs = [name for name in published.COLUMNS if name in names]
    yield (f"Linux {counted['kernel']}: {beside(counted['framework']['hooks'], published.FRAMEWORK)} "
           "hooks in the framework\n")
    yield from modules(counted)
    for some in (theirs, [name for name in names if name not in theirs]):
        yield ""
        yield from _categories(counted, some)
    yield ""
    yield NOTES.format(kernel=published.KERNEL, accessing=", ".join(categories.FILE_ACCESSING))
    yield from _remarks(counted)
