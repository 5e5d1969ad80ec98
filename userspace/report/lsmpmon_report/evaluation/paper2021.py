# SPDX-License-Identifier: GPL-2.0-only
"""Section: the figures and tables of Zhang, Liu & Jaeger, 2021."""

from __future__ import annotations

from .blocks import Heading, NotRun, Points, Section, Text
from .book import Book
from .framework import framework, modules
from .observed import executions, observed
from .stacking import integrity, stacking
from .static import static

EQUATIONS = [
    "overhead = (T with − T base) / T base, of medians of the same benchmark on the same runner.   (1)",
    "framework = overhead of LSM with capability over plain DAC (a kernel without CONFIG_SECURITY).   (2)",
    "hooks of a module = overhead of the module with enforcement off over capability alone.   (3)",
    "policy of a module = overhead of enforcement on over enforcement off.   (4)",
]


def section(book: Book) -> Section:
    return Section(
        "paper-2021",
        "The figures of 2021, today",
        [
            Text(
                "Zhang, Liu and Jaeger measured 14 file operations on Linux 5.3 (i7-6500U, ext4). Each of them is one"
                " system call, or one after another. We use:"
            ),
            Points(EQUATIONS),
            Text(
                "read, write and copy move a file of 100 KiB, 4 KiB a call; the path of the others has a depth of 3,"
                " unless said otherwise."
            ),
            Heading(
                "figure-2", "The framework over plain DAC, and SELinux over plain DAC (its Figures 2 and 3, Table 1)"
            ),
            *framework(book),
            Heading("figure-6", "Modules, enforcement off and on (its Figure 6)"),
            *modules(book),
            Heading("figure-7", "Stacking and its order (its Figure 7)"),
            *stacking(book),
            Heading("figure-8", "Integrity: audit, IMA, EVM (its Figure 8)"),
            *integrity(book),
            Heading("executions", "Hooks executed in each benchmark (its section 5.1.1)"),
            *executions(book),
            Heading("table-7", "Hooks observed in each system call (its Table 7)"),
            *observed(book),
            Heading("table-6", "Slopes: what a check's delay does to a system call (its Table 6)"),
            *_slopes(book),
            Heading("static", "Hooks and lines of code (its Tables 2 and 5)"),
            *static(book),
        ],
    )


def _slopes(book: Book) -> list:
    if not book.slopes:
        return [NotRun("slopes", "what scripts/slopes saves, given with --slopes")]
    # Slow to import.
    from . import depths

    return depths.blocks(book)
