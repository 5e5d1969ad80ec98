# SPDX-License-Identifier: GPL-2.0-only
"""python3 -m lsmpmon_report: tables from saved results."""

from __future__ import annotations

import argparse
import functools
import os
import pathlib
import sys
from collections.abc import Callable
from typing import TypeVar

from . import host, host_peers, lmbench, overhead, peers, slopes, slopes_text, spread, states, sweep, table
from .cost import limit
from .kernelfiles import FormatError
from .runs import load

OVER_LIMIT = 3


Act = Callable[[argparse.Namespace], int]
Found = TypeVar("Found")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="lsmpmon_report", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="VERB")

    def verb(name: str, act: Act, what: str, saved: str, nargs: str | None = None, json: bool = True) -> argparse.ArgumentParser:
        """Add a verb, which reads what was saved in one directory, or in several, and may write its figures."""
        added = verbs.add_parser(name, help=what)
        added.set_defaults(act=act)
        added.add_argument("directory", nargs=nargs, type=pathlib.Path, help=saved)
        if json:
            added.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to FILE too")
        return added

    costs = verb("table", _table, "the cost of each hook under each module", "a module's saved results", "+")
    costs.add_argument("--top", type=int, default=8, metavar="N", help="rows of the ranking (default: 8)")
    verb("host", _host, "system calls and hooks of this machine, by boot", "what lab/shell/host run saved")
    verb("host-overhead", _host_overhead, "system calls of this machine, with the monitor off and on",
         "what lab/shell/host overhead saved")
    monitor = verb("overhead", _overhead, "what the monitor itself costs", "what make overhead saved")
    monitor.add_argument("--gate", action="store_true", help="fail if a target is missed")
    verb("peers", _peers, "what counting hooks costs, with lsmpmon and with the kernel's tracers", "what scripts/lab peers saved")
    verb("host-peers", _host_peers, "what counting hooks costs on this machine, with each tool that its kernel has",
         "what lab/shell/host-peers saved")
    verb("lmbench", _lmbench, "lmbench-hook beside the real LMbench", "what scripts/lab lmbench saved")

    lines = verb("slopes", _slopes, "the slope of each system call's latency on the delay of a permission check",
                 "what `lmbench-hook sweep` saved", "+")
    lines.add_argument("--plot", type=_svg, metavar="FILE", help="draw the first result: .svg")
    lines.add_argument("--of", choices=("min", "median", "mean"), default="min", help="latency of the samples (default: min)")
    lines.add_argument("--brief", action="store_true", help="only how many slopes agree, and the table of depths")
    lines.add_argument("--gate", action="store_true", help="fail if a slope is not what the monitor counted")

    several = verbs.add_parser("spread", help="how far apart the medians of several runs are")
    several.add_argument("--unit", choices=("ns", "ticks"), default="ns", help="(default: ns)")
    several.add_argument("file", nargs="+", type=pathlib.Path, help="what `lmbench-hook run --json` printed")
    several.set_defaults(act=_spread)

    report = verb("evaluation", _evaluation, "the report of `make eval`: pages of Markdown, plots, and all differences as JSON",
                  "results: PART/NAME.json", json=False)
    report.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="DIR",
                        help="write README.md, the other pages and summary.json to DIR")
    report.add_argument("--slopes", action="append", default=[], type=pathlib.Path, metavar="DIR",
                        help="add what `lmbench-hook sweep` saved; may be repeated")

    price = verbs.add_parser("cost", help="what each commit of a range changes in the price of system calls")
    price.add_argument("--format", default="text", choices=("text", "markdown", "html", "json", "b4"), help="(default: text)")
    price.add_argument("--fail-above", type=limit.parse, metavar="LIMIT",
                       help="status 3 if a system call costs LIMIT instructions more, or LIMIT%%")
    price.add_argument("--check", action="store_true", help="only whether the options are accepted")
    price.add_argument("range", type=pathlib.Path, help="what scripts/cost saved")
    price.set_defaults(act=_cost)
    return parser.parse_args()


def _svg(name: str) -> pathlib.Path:
    """Return the path of a picture."""
    if not name.endswith(".svg"):
        raise argparse.ArgumentTypeError(f"'{name}': give a name that ends in .svg")
    return pathlib.Path(name)


def _print(arguments: argparse.Namespace, found: Found, to_json: Callable[[Found], str], render: Callable[[Found], str]) -> int:
    if arguments.json:
        arguments.json.write_text(to_json(found) + "\n")
    print(render(found), end="", flush=True)
    return 0


def _table(arguments: argparse.Namespace) -> int:
    runs = [load(path) for path in arguments.directory]
    return _print(arguments, runs, table.to_json, lambda runs: table.render(runs, arguments.top))


def _host(arguments: argparse.Namespace) -> int:
    boots, config = host.load_boots(arguments.directory), host.running_config(os.uname().release)
    return _print(arguments, boots, host.to_json, lambda boots: host.render(boots, config))


def _host_overhead(arguments: argparse.Namespace) -> int:
    return _print(arguments, states.load_states(arguments.directory), states.to_json, states.render)


def _peers(arguments: argparse.Namespace) -> int:
    return _print(arguments, peers.load_peers(arguments.directory), peers.to_json, peers.render)


def _host_peers(arguments: argparse.Namespace) -> int:
    return _print(arguments, host_peers.load_machine(arguments.directory), host_peers.to_json, host_peers.render)


def _lmbench(arguments: argparse.Namespace) -> int:
    return _print(arguments, lmbench.load_pairs(arguments.directory), lmbench.to_json, lmbench.render)


def _overhead(arguments: argparse.Namespace) -> int:
    found = overhead.load_overhead(arguments.directory)
    _print(arguments, found, overhead.to_json, overhead.render)
    return 1 if arguments.gate and found.misses() else 0


def _slopes(arguments: argparse.Namespace) -> int:
    sweeps = [sweep.load_sweep(path, arguments.of) for path in arguments.directory]
    if arguments.plot:
        # Slow to import, and only this option needs it.
        from . import slopes_plot

        arguments.plot.write_text(slopes_plot.picture(sweeps[0]))
    to_json, render = (functools.partial(each, brief=arguments.brief) for each in (slopes.to_json, slopes_text.render))
    _print(arguments, sweeps, to_json, render)
    return 1 if arguments.gate and not all(fit.agrees for each in sweeps for fit in slopes.all_fits(each)) else 0


def _spread(arguments: argparse.Namespace) -> int:
    print(spread.render(spread.load_spread(arguments.file, arguments.unit), arguments.unit), end="", flush=True)
    return 0


def _evaluation(arguments: argparse.Namespace) -> int:
    from .evaluation import page

    page.write(arguments.directory, arguments.output, slopes=arguments.slopes)
    print(arguments.output / "README.md")
    return 0


def _cost(arguments: argparse.Namespace) -> int:
    if arguments.check:
        return 0
    from .cost import formats, steps

    found, most = steps.load_range(arguments.range), arguments.fail_above
    print(formats.FORMATS[arguments.format](found, most), end="", flush=True)
    if most and most.over(found):
        return OVER_LIMIT
    return 1 if found.failed else 0


def main() -> int:
    arguments = _arguments()
    try:
        status: int = arguments.act(arguments)
        return status
    except FormatError as error:
        print(f"lsmpmon_report: {error}", file=sys.stderr)
        return 1
    except ImportError as error:
        print(f"lsmpmon_report: {error}; this needs the packages of requirements.txt", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader, such as `head`, has closed the pipe. Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
