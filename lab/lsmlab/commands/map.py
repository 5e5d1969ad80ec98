# SPDX-License-Identifier: GPL-2.0-only
"""make map: which hooks each system call and each operation of io_uring may reach, and which it must.

Derived from what the compiler knows about a built kernel, with the counts of
guests (scripts/lab map-counts) next to it. Writes build/map/VERSION/map.json, and
pages to build/map/VERSION/html/. With several kernels or trees, compares each
with the one before it and prints what each call lost or gained.

Variables: KVER, versions; or KDIR, trees; ARCH, x86_64 or arm64; FS and SOCKET, file systems and socket
families to consider, as in FS=tmpfs,ext4 SOCKET=unix,inet (default: all).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from lsmlab.analyse.hookmap import compare, document, on_objects, packed, summary, table7
from lsmlab.console import say
from lsmlab.kernel.objects.build import compiler
from lsmlab.measure.hookmap import Failed, chosen, cuts, entries, graph, kernel, objects, table, units
from lsmlab.measure.hookmap.facts import Facts, base
from lsmlab.measure.plans import request
from lsmlab.places import REPO
from lsmlab.publish.hookmap import html
from lsmpmon_report.kernelfiles import FormatError

OUT = REPO / "build/map"
# Pairs that --draw prints.
DRAWN = 30


def progress(done: int, total: int) -> None:
    """Show a counter on a terminal, nothing in a pipe."""
    if sys.stderr.isatty():
        text = f"\r{done:7,} of {total:,} files" if done < total else "\r\033[K"
        print(text, end="", file=sys.stderr, flush=True)


def show(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def wanted() -> list[tuple[str, str]]:
    """Return (KVER, KDIR) of each requested kernel."""
    trees = os.environ.get("KDIR", "").split()
    if trees:
        return [("", tree) for tree in trees]
    return [(version, "") for version in (os.environ.get("KVER") or "6.12").split()]


def chosen_names(variable: str) -> list[str]:
    return [name for name in os.environ.get(variable, "").replace(",", " ").split() if name]


def make(kver: str, kdir: str) -> document.Document:
    """Write the map of one kernel and return the document."""
    began = time.monotonic()
    built = kernel.build(kver, kdir, request.arch())
    paths = units.read(built.objects, built.tree, built.facts, gcc=compiler(built.arch), note=say, progress=progress)
    say(f"facts of {len(paths)} files after {time.monotonic() - began:.0f} s")
    facts = Facts().read(paths)
    picked = chosen.chooser(facts, chosen_names("FS"), chosen_names("SOCKET"))
    calls = graph.Graph(facts, cuts.read(), picked, set(built.hooks()), objects.Objects(facts, objects.read()))
    say(f"graph of {len(facts.functions):,} functions after {time.monotonic() - began:.0f} s")
    static = table.Map(calls, entries.find(facts, built.tree, built.arch), built.hooks(), built.tree)
    say(f"what calls must call after {time.monotonic() - began:.0f} s")
    name = kernel.folder(built.version, built.arch)
    folder = OUT / (name if not kdir else f"{name}-{Path(kdir).resolve().name}")
    content = document.of(built, static, folder / "counted", {"FS": chosen_names("FS"), "SOCKET": chosen_names("SOCKET")})
    folder.mkdir(parents=True, exist_ok=True)
    document.dump(content, folder / "map.json")
    html.write(content, folder / "html")
    say(f"{folder}/map.json after {time.monotonic() - began:.0f} s")
    return content


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--compare", nargs="+", metavar="FILE", type=Path, help="compare existing maps, each with the next")
    parser.add_argument("--draw", nargs=2, metavar=("SEED", "FILE"), help="print 30 pairs of an existing map that were made on "
                        "objects and never counted, drawn at random: can each of them happen?")
    parser.add_argument("--table7", metavar="FILE", type=Path, help="print Table 7 of the 2021 paper from an existing map")


def draw(seed: str, path: Path) -> Iterator[str]:
    """Yield pairs that were never counted, each with its path."""
    if not seed.isdecimal():
        raise Failed(f"--draw {seed}: the seed has to be a number")
    content = document.load(path)
    for name, call, hook in on_objects.drawn(content["by_object"], int(seed), DRAWN):
        one = next(one for one in content["syscalls"][call]["on"] if name in one["objects"])
        steps = packed.path(content["functions"], content["steps"], one["paths"][hook])
        yield f"{name}: {call} {hook}: {' > '.join(base(step) for step in steps)}"


def make_maps(options: argparse.Namespace) -> None:
    if options.draw:
        show(draw(options.draw[0], Path(options.draw[1])))
        return
    if options.table7:
        show(table7.text(document.load(options.table7)))
        return
    if options.compare:
        if len(options.compare) < 2:
            raise Failed(f"--compare {options.compare[0]}: two maps at least")
        show(compare.consecutive([document.load(path) for path in options.compare]))
        return
    maps = [make(*names) for names in wanted()]
    for content in maps:
        show(summary.text(content))
    show(compare.consecutive(maps))


def main(options: argparse.Namespace) -> int:
    try:
        make_maps(options)
    except (Failed, FormatError) as error:
        say(f"map: {error}")
        return 2
    return 0
