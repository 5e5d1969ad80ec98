# SPDX-License-Identifier: GPL-2.0-only
"""Page: how the figures were made, how sure they are, on what machines and kernels, and what is left out."""

from __future__ import annotations

from ..stats import APART, BOOTS_LEAST, FLOOR, LEVEL, RESAMPLES
from . import places
from .blocks import Code, Heading, Page, Points, Table, Text, part, percent, whole
from .book import WITHIN, Book, quartiles
from .results import Result

PARTS = {
    "modules": "no LSM, the framework, and each module in each of its states",
    "stacking": "pairs of modules and more, in each order, with policies and without",
    "denials": "an open that one module of a stack denies, in each order",
    "atomics": "atomic operations in each call",
    "integrity": "audit, IMA and EVM",
    "growth": "what each added module costs, from no LSM to all modules",
    "rules": "10 to 10,000 rules",
    "kernels": "each supported kernel, with and without LSM",
    "lids": "the model of LIDS: whole calls and times of hooks on three kernels",
    "mitigations": "the same without mitigations of speculation",
    "openit": "a walk through a tree",
    "work": "everyday work: Git, a compiler, a web server and more",
    "tails": "the slowest of a million calls",
    "processors": "hooks where several processors make the same calls at once",
    "ext4": "audit, IMA and EVM on ext4, over SELinux",
    "static": "hooks and lines of code",
}


def page(book: Book) -> Page:
    return Page(
        "method",
        "How this was measured",
        [
            *_parts(book),
            Heading("How it was measured"),
            Points(HOW),
            Heading("How sure it is"),
            *(Text(text) for text in SURE),
            *_modes(book),
            Heading("Limits"),
            Points(LIMITS),
            Heading("Machines and kernels"),
            *places.settings(book),
            Heading("Proofs that policies decided"),
            *places.proofs(book),
            Heading("All boots"),
            *places.boots(book),
            Heading("How to redo it"),
            Code(COMMANDS),
        ],
    )


def _parts(book: Book) -> list:
    run = {name: len(book.results.part(name)) for name in PARTS}
    rows = [(name, [PARTS[name], str(count) if count else "not run"]) for name, count in run.items()]
    table = Table(
        "parts",
        "Parts of the evaluation, and how many boots of each are in this report",
        "",
        "part",
        ["what", "boots"],
        rows,
    )
    missing = [name for name, count in run.items() if not count]
    if not missing:
        return [table]
    return [
        table,
        Text(f"Not run: {', '.join(missing)}. Where a section needs these, it says so; nothing stands in for them."),
    ]


HOW = [
    (
        "A cell is one boot of one kernel with one stack of modules, and has one result file, PART/NAME.json in the"
        " archive of the results. Tables name the cells that they compare."
    ),
    (
        "Whole calls are measured by lmbench-hook, which times one system call by itself; what its clock takes is in each"
        " sample. Their unit is guest instructions. The kernels are without lsmpmon, and the files are in a tmpfs, with two"
        " exceptions: part ext4 works on an ext4 in a file there, and it and the state dispatch of part modules"
        " have lsmpmon in their kernel, which is off. Captions name kernel, flavour and file system."
    ),
    (
        "Linux 6.1 is booted with random.trust_cpu=on where whole calls are measured. Before 6.2, the kernel does not trust"
        " the processor's random numbers unless it is told to, and until it has collected enough of others, it computes a key"
        " for each new inode. That cost more than the call, and was still so in the boots with a policy and not in the others."
        " [The tables of the papers](Documentation/evaluation/papers.md) says what it changed."
    ),
    (
        "The guests' processor has neither ERMS nor FSRM. QEMU counts each iteration of a REP instruction, so with them"
        " a byte copied would count as an instruction. Without them, the kernel copies 8 bytes an iteration: a page"
        " still counts as about 512 instructions to copy or to clear."
    ),
    "Hook times and counts are of kernels with lsmpmon: two readings of the clock around each call of a hook.",
    (
        "Each policy was proved to decide before it was measured, in the same boot; where it is permissive, that it was"
        " consulted and did not deny."
    ),
    (
        "Boots were made in shuffled order; those that read a real clock one at a time, the first boots of all cells"
        " before the second ones."
    ),
]
SURE = [
    (
        "For one kernel image and one work, instruction counts are exact: a second run gives the same digits, except in the part"
        " of everyday work, whose guests read the machine's files. So nothing is tested, and a difference of medians is printed"
        " as it is, except where the samples of a call differ among themselves by more than that. Another compiler may give"
        " other counts."
    ),
    (
        f"Do not read anything into a difference of {FLOOR} instructions or less. A call may execute so many more"
        " or fewer after"
        " other work, since the kernel finds its tables in another state: in one boot of Linux 7.2 without LSM, half of the"
        " samples of rename/depth-4 were 40 above the others."
    ),
    (
        f"Cycles vary from boot to boot. With at least {BOOTS_LEAST} boots, a figure has its {part(LEVEL)} interval"
        f" over boots, by bootstrap (percentiles of {RESAMPLES:,} resamples of boots with a fixed seed). A change is"
        " called certain if 0 is outside of its interval. An interval is of one figure: of twenty that did not change, one"
        " will be called certain by chance, and nothing is adjusted where a page names the largest of several changes."
    ),
    (
        "On one kernel, a hook that neither a module nor capability implements takes another time with each module, and these"
        " times may be further apart than the intervals say. Why is not known; the layout of a kernel's image was not varied."
        " So a change of a time is compared with the most that such hooks differ by."
    ),
]
LIMITS = [
    (
        "Instructions are not time. A miss of a cache, of a TLB or of a branch prediction costs none, so what an"
        " instruction count calls equal may differ on a machine; what it calls different, by more than"
        f" {FLOOR}, differs in work."
    ),
    (
        "Cycles of User-Mode Linux are those of hook code only. It has no static calls, and its system calls are not"
        " those of a machine, so no whole call is from it."
    ),
    (
        "tmpfs has no disk under it. On ext4, what a call does for a label or a signature is counted; that these are written"
        " to the disk later is not."
    ),
    (
        "Hashes and checksums are computed with instructions of the processor, as in a distribution's kernel: SHA-1 and"
        " SHA-256 with AVX2, CRC32C with SSE4.2. QEMU's processor has no SHA-NI, with which IMA and EVM would take fewer."
    ),
    (
        "Policies are small, unless said otherwise: they decide over the benchmark. A distribution's policy has more"
        " rules to search; those of Debian are on the page on longer policies."
    ),
    (
        "Published figures are of other machines, other file systems and other kernels. Only their proportions compare"
        " with the figures of this report."
    ),
    (
        "The pages may be of more than one run: each part is measured again when something that goes into it has changed,"
        " and the page of a part can be published by itself. The last line of each page says when its results were measured."
    ),
]
COMMANDS = """\
make eval                                  # all parts; an interrupted run goes on where it was
make eval EVAL=modules                     # one part of those above
make eval EVAL=quick                       # some of it, in minutes
make eval KDIR=/path/to/linux LSM=a,b      # your tree and your stack
cp -r OTHER/build/eval/results build/eval/ # merge what another machine did"""


def _modes(book: Book) -> list:
    """Rows whose samples have more than one value: their median says less."""
    found = {}
    for result in sorted(book.results.cells, key=lambda each: each.ident):
        for name in result.benchmarks if result.exact else ():
            low, middle, high = quartiles(result, name)
            if middle > 0 and (high - low) / middle > APART and (high - low) / middle > found.get(name, (0,))[0]:
                found[name] = ((high - low) / middle, low, high, result)
    if not found:
        return [Text(f"In no row are the quartiles of the samples more than {part(APART)} apart.")]
    order = sorted(found, key=lambda name: -found[name][0])
    rows = [(name, _mode(*found[name])) for name in order]
    said = f"the boot in which the quartiles are furthest apart, where that is more than {part(APART)}"
    header = ["first quartile", "third quartile", "apart", "boot"]
    return [Table("modes", "Sub-benchmarks whose samples differ", said, "sub-benchmark", header, rows), Text(MODES)]


def _mode(apart: float, low: float, high: float, result: Result) -> list[str]:
    return [whole(low), whole(high), percent(apart).lstrip("+"), result.ident]


MODES = (
    "The quartiles may be two modes of the kernel's own: a page that is marked as used in every other read, an allocation"
    " that finds its slab empty. How often each comes may differ from boot to boot, and then the medians differ without a"
    " difference in work. So where the quartiles of either side are further apart than the difference, tables print"
    f" “{WITHIN}” instead of the difference. A sub-benchmark with two directions is two rows, one for each."
)
