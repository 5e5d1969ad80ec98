# SPDX-License-Identifier: GPL-2.0-only
"""Work that is split among the processors: each process is a copy of this one, so it has the graph without reading it again."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
# What the processes do, set before they begin: a bound method would be written and read again with all that it knows.
_work: list[Callable[[Any], Any]] = []


def _do(item: Any) -> Any:
    return _work[-1](item)


def _begin() -> None:
    """Let the first process answer an interrupt from the keyboard, since it ends the others, and collect no garbage."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The pool ends its processes by this signal, for which the program may have a handler of its own.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.disable()


def each(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Yield what `work` returns for each item, in their order, from as many processes as there are processors."""
    _work.append(work)
    gc.collect()
    gc.freeze()     # The collector would write to each object, and so copy it.
    try:
        with get_context("fork").Pool(os.cpu_count(), _begin) as pool:
            yield from pool.imap(_do, items)
    finally:
        gc.unfreeze()
        _work.pop()
