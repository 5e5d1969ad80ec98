# SPDX-License-Identifier: GPL-2.0-only
"""python3 -m lsmpmon_report: tables from saved results."""

from __future__ import annotations

import argparse
import os
import pathlib
import sys

from . import host, host_peers, lmbench, overhead, peers, slopes, slopes_text, spread, states, sweep, table
from .cost import limit
from .kernelfiles import FormatError
from .runs import load

OVER_LIMIT = 3


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="lsmpmon_report", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="VERB")

    costs = verbs.add_parser("table", help="the cost of each hook under each module")
    costs.add_argument("--top", type=int, default=8, metavar="N", help="rows of the ranking (default: 8)")
    costs.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to FILE too")
    costs.add_argument("directory", nargs="+", type=pathlib.Path, help="a module's saved results")
    costs.set_defaults(act=_table)

    boots = verbs.add_parser("host", help="system calls and hooks of this machine, by boot")
    boots.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to FILE too")
    boots.add_argument("directory", type=pathlib.Path, help="what lab/shell/host run saved")
    boots.set_defaults(act=_host)

    turns = verbs.add_parser("host-overhead", help="system calls of this machine, with the monitor off and on")
    turns.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to FILE too")
    turns.add_argument("directory", type=pathlib.Path, help="what lab/shell/host overhead saved")
    turns.set_defaults(act=_host_overhead)

    monitor = verbs.add_parser("overhead", help="what the monitor itself costs")
    monitor.add_argument("--gate", action="store_true", help="fail if a target is missed")
    monitor.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to FILE too")
    monitor.add_argument("directory", type=pathlib.Path, help="what make overhead saved")
    monitor.set_defaults(act=_overhead)

    others = verbs.add_parser("peers", help="what counting hooks costs, with lsmpmon and with the kernel's tracers")
    others.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to FILE too")
    others.add_argument("directory", type=pathlib.Path, help="what scripts/lab peers saved")
    others.set_defaults(act=_peers)

    here = verbs.add_parser("host-peers", help="what counting hooks costs on this machine, with each tool that its kernel has")
    here.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to FILE too")
    here.add_argument("directory", type=pathlib.Path, help="what lab/shell/host-peers saved")
    here.set_defaults(act=_host_peers)

    lines = verbs.add_parser("slopes", help="the slope of each system call's latency on the delay of a permission check")
    lines.add_argument("--plot", type=_svg, metavar="FILE", help="draw the first result: .svg")
    lines.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to FILE too")
    lines.add_argument("--of", choices=("min", "median", "mean"), default="min", help="latency of the samples (default: min)")
    lines.add_argument("--brief", action="store_true", help="only how many slopes agree, and the table of depths")
    lines.add_argument("--gate", action="store_true", help="fail if a slope is not what the monitor counted")
    lines.add_argument("directory", nargs="+", type=pathlib.Path, help="what `lmbench-hook sweep` saved")
    lines.set_defaults(act=_slopes)

    several = verbs.add_parser("spread", help="how far apart the medians of several runs are")
    several.add_argument("--unit", choices=("ns", "ticks"), default="ns", help="(default: ns)")
    several.add_argument("file", nargs="+", type=pathlib.Path, help="what `lmbench-hook run --json` printed")
    several.set_defaults(act=_spread)

    real = verbs.add_parser("lmbench", help="lmbench-hook beside the real LMbench")
    real.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the figures to FILE too")
    real.add_argument("directory", type=pathlib.Path, help="what scripts/lab lmbench saved")
    real.set_defaults(act=_lmbench)

    report = verbs.add_parser("evaluation", help="the report of `make eval`: pages of Markdown, plots, and all differences as JSON")
    report.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="DIR", help="write README.md, the other pages and summary.json to DIR")
    report.add_argument("--slopes", action="append", default=[], type=pathlib.Path, metavar="DIR", help="add what `lmbench-hook sweep` saved; may be repeated")
    report.add_argument("directory", type=pathlib.Path, help="results: PART/NAME.json")
    report.set_defaults(act=_evaluation)

    price = verbs.add_parser("cost", help="what each commit of a range changes in the price of system calls")
    price.add_argument("--format", default="text", choices=("text", "markdown", "html", "json", "b4"), help="(default: text)")
    price.add_argument("--fail-above", type=limit.parse, metavar="LIMIT", help="status 3 if a system call costs LIMIT instructions more, or LIMIT%%")
    price.add_argument("--check", action="store_true", help="only whether the options are accepted")
    price.add_argument("range", type=pathlib.Path, help="what scripts/cost saved")
    price.set_defaults(act=_cost)
    return parser.parse_args()


def _svg(name: str) -> pathlib.Path:
    """Return the path of a picture."""
    if not name.endswith(".svg"):
        raise argparse.ArgumentTypeError(f"'{name}': give a name that ends in .svg")
    return pathlib.Path(name)


def _table(arguments: argparse.Namespace) -> int:
    runs = [load(path) for path in arguments.directory]
    if arguments.json:
        arguments.json.write_text(table.to_json(runs) + "\n")
    print(table.render(runs, arguments.top), end="", flush=True)
    return 0


def _host(arguments: argparse.Namespace) -> int:
    boots = host.load_boots(arguments.directory)
    if arguments.json:
        arguments.json.write_text(host.to_json(boots) + "\n")
    print(host.render(boots, host.running_config(os.uname().release)), end="", flush=True)
    return 0


def _host_overhead(arguments: argparse.Namespace) -> int:
    found, notes = states.load_states(arguments.directory)
    if arguments.json:
        arguments.json.write_text(states.to_json(found, notes) + "\n")
    print(states.render(found, notes), end="", flush=True)
    return 0


def _peers(arguments: argparse.Namespace) -> int:
    found = peers.load_peers(arguments.directory)
    if arguments.json:
        arguments.json.write_text(peers.to_json(found) + "\n")
    print(peers.render(found), end="", flush=True)
    return 0


def _host_peers(arguments: argparse.Namespace) -> int:
    found = host_peers.load_machine(arguments.directory)
    if arguments.json:
        arguments.json.write_text(host_peers.to_json(found) + "\n")
    print(host_peers.render(found), end="", flush=True)
    return 0


def _overhead(arguments: argparse.Namespace) -> int:
    found = overhead.load_overhead(arguments.directory)
    if arguments.json:
        arguments.json.write_text(overhead.to_json(found) + "\n")
    print(overhead.render(found), end="", flush=True)
    return 1 if arguments.gate and found.misses() else 0


def _slopes(arguments: argparse.Namespace) -> int:
    sweeps = [sweep.load_sweep(path, arguments.of) for path in arguments.directory]
    if arguments.plot:
        # Slow to import, and only this option needs it.
        from . import slopes_plot

        arguments.plot.write_text(slopes_plot.picture(sweeps[0]))
    if arguments.json:
        arguments.json.write_text(slopes.to_json(sweeps, brief=arguments.brief) + "\n")
    print(slopes_text.render(sweeps, brief=arguments.brief), end="", flush=True)
    found = [fit for each in sweeps for kind in ("delay", "apart") for fit in slopes.fits(each, kind)]
    return 1 if arguments.gate and not all(fit.agrees for fit in found) else 0


def _spread(arguments: argparse.Namespace) -> int:
    print(spread.render(spread.load_spread(arguments.file, arguments.unit), arguments.unit), end="", flush=True)
    return 0


def _lmbench(arguments: argparse.Namespace) -> int:
    pairs = lmbench.load_pairs(arguments.directory)
    if arguments.json:
        arguments.json.write_text(lmbench.to_json(pairs) + "\n")
    print(lmbench.render(pairs), end="", flush=True)
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
        return arguments.act(arguments)
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
