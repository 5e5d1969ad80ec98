# SPDX-License-Identifier: GPL-2.0-only
"""Page: how the figures were made, how sure they are, on what machines and kernels, and what is left out."""

from __future__ import annotations

from ..stats import APART, BOOTS_LEAST, FLOOR, LEVEL, RESAMPLES
from . import kernels, places
from .blocks import Block, Code, Heading, Points, Table, Text, percent, whole
from .book import WITHIN, Book, quartiles
from .floors import floors
from .passages import passage
from .results import Result

PARTS = ("distributions", "modules", "stacking", "denials", "atomics", "integrity", "growth", "rules", "kernels", "lids",
         "mitigations", "openit", "work", "tails", "ext4", "calls", "static")


def blocks(book: Book) -> list[Block]:
    return [
        *_parts(book),
        Heading(passage("method.how")),
        Points(_how(book)),
        Heading(passage("method.sure")),
        *map(Text, _sure(book)),
        *_modes(book),
        Heading(passage("method.limits")),
        Points(_limits(book)),
        Heading(passage("method.machines")),
        *places.settings(book),
        Heading(passage("method.proofs")),
        *places.proofs(book),
        Heading(passage("method.boots")),
        *places.boots(book),
        Heading(passage("method.redo")),
        Code(COMMANDS),
    ]


def _parts(book: Book) -> list[Block]:
    run = {name: len(book.results.part(name)) for name in PARTS}
    rows = [(name, [passage("method.part", part=name), str(count) if count else "not run"]) for name, count in run.items()]
    table = Table("parts", passage("method.parts"), "", "part", ["what", "boots"], rows)
    missing = [name for name, count in run.items() if not count]
    return [table, Text(passage("method.not_run", parts=missing))] if missing else [table]


def _x86(book: Book, text: str) -> list[str]:
    """Return a passage that is about processors of x86-64, if guests had one."""
    return [text] if not all(result.arch for result in book.results.cells) else []


def _how(book: Book) -> list[str]:
    return [
        passage("method.how_cells"),
        passage("method.how_calls"),
        passage("method.how_random"),
        *_x86(book, passage("method.how_copies")),
        passage("method.how_hooks"),
        passage("method.how_policies"),
        passage("method.how_order"),
    ]


def _sure(book: Book) -> list[str]:
    return [
        passage("method.sure_counts"),
        passage("method.sure_differences", floors=floors(book), unknown=FLOOR),
        passage("method.sure_times", boots=BOOTS_LEAST, level=LEVEL, resamples=RESAMPLES),
        passage("method.sure_hooks", images=kernels.images(book)),
    ]


def _limits(book: Book) -> list[str]:
    return [
        passage("method.limits_instructions"),
        passage("method.limits_uml"),
        passage("method.limits_disk"),
        *_x86(book, passage("method.limits_hashes")),
        passage("method.limits_policies"),
        passage("method.limits_published"),
        passage("method.limits_runs"),
    ]


COMMANDS = """\
make eval                                  # all parts; an interrupted run goes on where it was
make eval EVAL=modules                     # one part of those above
make eval EVAL=quick                       # some of it, in minutes
make eval KDIR=/path/to/linux LSM=a,b      # your tree and your stack
cp -r OTHER/build/eval/results build/eval/ # merge what another machine did"""


def _modes(book: Book) -> list[Block]:
    """Return the rows whose samples have more than one value: their median says less."""
    found: dict[str, tuple[float, float, float, Result]] = {}
    for result in sorted(book.results.cells, key=lambda each: each.ident):
        for name in result.benchmarks if result.exact else ():
            low, middle, high = quartiles(result, name)
            apart = (high - low) / middle if middle > 0 else 0.0
            if apart > APART and (name not in found or apart > found[name][0]):
                found[name] = apart, low, high, result
    if not found:
        return [Text(passage("method.no_modes", apart=APART))]
    order = sorted(found.items(), key=lambda item: -item[1][0])
    rows = [
        (name, [whole(low), whole(high), percent(apart).lstrip("+"), result.ident]) for name, (apart, low, high, result) in order
    ]
    header, said = ["first quartile", "third quartile", "apart", "boot"], passage("method.modes_where", apart=APART)
    table = Table("modes", passage("method.modes"), said, "sub-benchmark", header, rows)
    return [table, Text(passage("method.modes_are", within=WITHIN))]
