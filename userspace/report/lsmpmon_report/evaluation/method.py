# SPDX-License-Identifier: GPL-2.0-only
"""Sections: how sure the figures are, how they were made, and how to make them again."""

from __future__ import annotations

from .blocks import EMPTY, Cell, Code, Heading, NotRun, Points, Section, Table, Text, link, part, percent
from .book import FILES, MODULES, Book, cell_of, title, where
from .results import Result
from .stats import LEVEL, RESAMPLES, SEED, Comparison, interval, spread

PARTS = {
    "modules": "each module, enforcement on and off, and none",
    "stacking": "pairs of modules and more, in each order",
    "integrity": "audit, IMA and EVM",
    "growth": "from no module to all",
    "rules": "10 to 10,000 rules",
    "kernels": "each supported kernel",
    "openit": "a walk through a tree",
    "static": "hooks and lines of code",
}


def statistics(book: Book) -> Section:
    return Section(
        "statistics",
        "Statistics",
        [
            Text(
                f"Each figure is a median. Its {part(LEVEL)} interval, and that of each ratio, is by bootstrap"
                f" (percentiles of {RESAMPLES:,} resamples, seed {SEED}, so that the same results give the same"
                " report). The effect size is Cliff's delta: by how much more often a sample with is above one"
                " without, than below; 1 means always. Whether two sets differ is tested with Mann and Whitney's test,"
                " corrected by Holm's method over all comparisons of a table. If the corrected p is not below 0.05, or"
                " the interval has 0 in it, the figure is set in grey and called noise, and no sentence of this report"
                " is about it. Hovering over a figure shows all of these."
            ),
            Text(
                "Under icount the samples of a benchmark are most often all the same, in each boot: then there is no"
                " interval and nothing to test, and a figure is called exact. That is exact of this kernel image and"
                " this work. It does not say that another compiler would give the same."
            ),
            *_judged(book),
            *_noise(book),
            *_medians(book),
        ],
    )


def _judged(book: Book) -> list:
    rows = [
        (link(ident, f"#{ident}"), [Cell(str(n)) for n in (len(entry.found), *spread(entry.found.values()))])
        for ident, entry in book.entries.items()
        if entry.found
    ]
    if not rows:
        return [NotRun("modules", "two boots that could be compared")]
    return [
        Table(
            "judged",
            "How many comparisons of each table are exact, sure, or noise",
            "",
            ["comparisons", "exact", "sure", "noise"],
            rows,
            corner="table",
        )
    ]


def _noise(book: Book) -> list:
    rows = [
        (link(ident, f"#{ident}"), _inside(f"{row}, {column}", book.results.href(entry.of(column).other), found))
        for ident, entry in book.entries.items()
        for (row, column), found in entry.found.items()
        if found.noise
    ]
    if not rows:
        return [Text("No difference in this report is inside the noise.")]
    more = [f"{len(rows) - 60} more, in summary.json"] if len(rows) > 60 else []
    header = ["what", "change", "95 % interval", "Cliff's delta", "p (Holm)"]
    table = Table("noise", "Differences inside the noise", "", header, rows[:60], corner="table")
    return [table, *(Text(f"And {text}.") for text in more)]


def _inside(name: str, href: str, found: Comparison) -> list[Cell]:
    between = f"{percent(found.low, 2)} to {percent(found.high, 2)}"
    delta = f"{found.delta:+.2f}".replace("-", "−")
    texts = [percent(found.change, 2), between, delta, f"{found.corrected:.2g}"]
    return [Cell(name, href, kind="text"), *(Cell(text, kind="noise") for text in texts)]


def _medians(book: Book) -> list:
    names = ["dac", "capability", *(f"{m}-{state}" for m in MODULES for state in ("off", "on"))]
    there = {name: result for name in names if (result := cell_of(book, name))}
    if not there:
        return []
    rows = [(row, [_median(book, r, b) for r in there.values()]) for row, b in FILES.items()]
    header = [link(_title(name), book.results.href(result)) for name, result in there.items()]
    return [
        Table(
            "medians",
            "Medians, and intervals of those that are not exact",
            where(there.values()),
            header,
            rows,
            corner="benchmark",
        )
    ]


def _title(name: str) -> str:
    module, _, state = name.partition("-")
    return title(module) + (f", {state}" if state else "")


def _median(book: Book, result: Result, benchmark: str) -> Cell:
    samples = result.samples(benchmark)
    if samples is None:
        return EMPTY
    found = interval(samples)
    text = f"{found.median:,.0f}" + ("" if found.exact else f" ({found.low:,.0f} to {found.high:,.0f})")
    return Cell(text, book.results.href(result), f"{len(samples)} samples")


def method(book: Book) -> Section:
    return Section(
        "method",
        "Method, limits, and how to redo it",
        [
            *_parts(book),
            Heading("how", "How it was measured"),
            Points(_how()),
            Heading("limits", "Limits"),
            Points(_limits()),
            Heading("redo", "How to redo it"),
            Code(COMMANDS),
            Text(
                "summary.json beside this page has every ratio, with its interval, test and files: two runs are"
                " compared by comparing these. Results are JSON; their form is in userspace/report/schema/."
            ),
        ],
    )


COMMANDS = """\
make eval                                  # all parts; interrupt it when you like, it goes on where it was
make eval EVAL=modules                     # one part of those above
make eval EVAL=quick                       # some of it, in minutes
make eval KDIR=/path/to/linux LSM=a,b      # your tree and your stack
cp -r OTHER/build/eval/results build/eval/ # merge what another machine did
PYTHONPATH=userspace/report python3 -m lsmpmon_report evaluation build/eval/results -o build/report"""


def _parts(book: Book) -> list:
    run = {name: len(book.results.part(name)) for name in PARTS}
    missing = [name for name, count in run.items() if not count]
    rows = [(name, [Cell(PARTS[name], kind="text"), _count(count)]) for name, count in run.items()]
    caption = "Parts of the evaluation, and how many boots of each are in this report"
    table = Table("parts", caption, "", ["what", "boots"], rows, corner="part")
    if not missing:
        return [table]
    return [table, Text(f"Not run: {', '.join(missing)}. Sections that need these say so; nothing stands in for them.")]


def _count(count: int) -> Cell:
    return Cell(str(count)) if count else Cell("not run", kind="none")


def _how() -> list[str]:
    return [
        (
            "A cell is one boot of one kernel with one stack of modules; each has one result file, and every figure"
            " links to the one it is from."
        ),
        (
            "End-to-end figures are of unpatched kernels, by lmbench-hook, which times one system call by itself in a "
            "tmpfs; what its clock takes is in each sample."
        ),
        (
            "Hook times and counts are of kernels with lsmpmon: two readings of the clock around each call of a hook."
            " The empty span between them is in each figure, not subtracted."
        ),
        (
            "Each policy was proved to decide before it was measured, in the same boot; with enforcement off, that it"
            " was consulted and did not deny."
        ),
        "Boots were made in shuffled order.",
    ]


def _limits() -> list[str]:
    return [
        (
            "Instructions are not time. A miss of a cache, of a TLB or of a branch prediction costs none, so what an "
            "instruction count calls equal may differ on a machine; what it calls different differs in work."
        ),
        (
            "Cycles of User-Mode Linux are those of hook code only. It has no static calls, and its system calls are not"
            " those of a machine, so no end-to-end figure is from it."
        ),
        "tmpfs has no disk under it: what a label or a signature costs on a disk is not here.",
        (
            "Policies are small, unless said otherwise: they decide over the benchmark. A distribution's policy has"
            " more rules to search."
        ),
        (
            "Published figures are of other machines, other file systems and other kernels. Only their proportions are"
            " to be compared with ours."
        ),
    ]
