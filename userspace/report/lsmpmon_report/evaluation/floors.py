# SPDX-License-Identifier: GPL-2.0-only
"""Instructions that boots with the same work differ by, in each call."""

from __future__ import annotations

from collections.abc import Iterator

from ..stats import FLOOR
from .book import FILES, MODULES, Book, cell_of
from .results import Result

# The part that measures calls of some boots once more, after other sub-benchmarks, which leave the kernel's tables in another
# state.
AGAIN = "atomics"


def _pairs(book: Book) -> Iterator[tuple[Result, Result]]:
    """Yield boots with the same kernel, modules and policy, and what they did before; or with the same modules in another
    order.
    """
    for module in ("capability", *MODULES):
        name = module if module == "capability" else f"{module}-enforcing"
        one, other = cell_of(book, name), cell_of(book, module, AGAIN)
        if one and other and (one.flavour, one.setting) == (other.flavour, other.setting):
            yield one, other
    if orders := book.entries.get("orders"):
        yield from ((column.base, column.other) for column in orders.columns)


def floors(book: Book) -> dict[str, float]:
    """Return the most instructions that two such boots differ by, by call; nothing of a call that only one boot measured."""
    found: dict[str, float] = {}
    for one, other in _pairs(book):
        for row, benchmark in FILES.items():
            medians = one.median(benchmark), other.median(benchmark)
            if medians[0] is not None and medians[1] is not None:
                found[row] = max(found.get(row, 0.0), abs(medians[0] - medians[1]))
    return found


def limit(book: Book, row: str) -> float:
    """Return what a change between two kernels has to be more than: it is the difference of two differences."""
    return 2 * floors(book).get(row, FLOOR / 2)
