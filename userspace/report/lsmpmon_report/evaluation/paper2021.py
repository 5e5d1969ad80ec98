# SPDX-License-Identifier: GPL-2.0-only
"""Page: the figures and tables of Zhang, Liu & Jaeger, 2021."""

from __future__ import annotations

from . import questions, table1, table3
from .blocks import Heading, NotRun, Page, Points, Text
from .book import Book
from .observed import executions, observed
from .static import static

EQUATIONS = [
    "overhead = (T with − T base) / T base, of medians of the same benchmark on the same runner",
    "framework = overhead of LSM with capability over plain DAC (a kernel without CONFIG_SECURITY)",
    "state of a module = what it adds to the state before it: dispatch, no policy, permissive, enforcing",
]


def page(book: Book) -> Page:
    return Page(
        "paper-2021",
        "The tables of 2021, today",
        [
            Text(
                "Zhang, Liu and Jaeger measured 14 file operations on Linux 5.3 (i7-6500U, ext4). Each of them is one"
                " system call or several, of which one is timed here; Table 3 says which. Their Figures 2, 3, 6, 7 and 8"
                " and the changes of Table 1 are on the page about modules. We use:"
            ),
            Points(EQUATIONS),
            Text(
                "read, write and copy move a file of 100 KiB, 4 KiB a call. The path of the others is absolute and has four"
                " names, each of which is a search, as in depth-4 of Table 6. rename has two rows, there and back. Published figures are in italics."
            ),
            Heading("Calls of each benchmark (Table 3)"),
            *table3.blocks(book),
            Heading("Latencies, and modules that deny nothing (Table 1, section 5)"),
            *table1.blocks(book),
            Heading("Hooks executed in each benchmark (section 5.1.1)"),
            *executions(book),
            Heading("Hooks observed in each system call (Table 7)"),
            *observed(book),
            Heading("Slopes: what a check's delay does to a system call (Table 6)"),
            *_slopes(book),
            Heading("Hooks and lines of code (Tables 2 and 5)"),
            *static(book),
            Heading("Its questions (section 6)"),
            *questions.blocks(book),
        ],
    )


def _slopes(book: Book) -> list:
    if not book.slopes:
        return [NotRun("slopes", "what scripts/lab slopes saves, given with --slopes")]
    # Slow to import.
    from . import depths

    return depths.blocks(book)
