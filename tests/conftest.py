# SPDX-License-Identifier: GPL-2.0-only
"""The kernel and the runner of each test: tests of one file and guest go together, those of the short tier go first, and
a table at the end lists them.
"""

import shutil
from collections import Counter

import deadline
import kept
import pytest
import tiers
import verdicts
from guests import ADDED, ARM64, BPF, CLANG, DEBUG, GUESTS, KERNELS, LIDS, RACES, REALTIME, RUNNERS
from kernels import DEADLINE, DEFAULT, SHORT, VERSIONS, copy_files, pristine

# The place of tests that need only a kernel's source, and of those that need no kernel.
SOURCE, ELSEWHERE = "source", ("any", "")
# The full tier, one kernel after the other: a deadline leaves out whole ones, which are not built then.
ORDER = ("", RUNNERS[0], SOURCE, RUNNERS[1], LIDS, *(runner for _, runner in ADDED))
OUTCOMES = ("passed", "failed", "skipped")


@pytest.fixture(scope="module", params=VERSIONS)
def version(request):
    pristine(request.param)
    return request.param


@pytest.fixture(scope="module")
def core(version, tmp_path_factory):
    """Copy the files of a kernel that make apply reads, and return the folder."""
    return copy_files(version, tmp_path_factory.mktemp("core"))


@pytest.fixture
def tree(core, tmp_path):
    return shutil.copytree(core, tmp_path / "tree")


@pytest.fixture
def lists(tree):
    """Say whether this kernel has lists of callbacks, as before 6.12."""
    return "security_hook_heads" in (tree / "include/linux/lsm_hooks.h").read_text()


def pytest_configure(config):
    config.pluginmanager.register(deadline)
    config.pluginmanager.register(verdicts)
    config.pluginmanager.register(kept)
    config.addinivalue_line("markers", "full: not in the short tier")
    config.addinivalue_line("markers", "once: in the short tier on User-Mode Linux only")
    config.addinivalue_line("markers", "last: begins after all others of either tier: it takes long, or runs servers, and nothing waits for it")
    config.addinivalue_line("markers", "slow: begins a quarter of an hour before the deadline, or not at all")
    config.addinivalue_line("markers", "guest(kver, runner): boots it, without being parametrised")


def pytest_sessionstart(session):
    """Print the plan in the controller of xdist, since its workers do not print."""
    if hasattr(session.config, "workerinput") or session.config.option.collectonly:
        return
    for line in tiers.plan():
        print(f"lsmpmon: {line}", flush=True)


def place(item):
    """Return (kernel, runner) from the parameters of a test."""
    values = list(item.callspec.params.values()) if hasattr(item, "callspec") else []
    named = item.get_closest_marker("guest")
    guest = named.args if named else next((value for value in values if value in (*GUESTS, *ADDED)), None)
    kver = next((value for value in values if value in VERSIONS), None)
    runner = next((value for value in values if value in KERNELS), None)
    if guest or not (kver or runner):
        return guest or ELSEWHERE
    return kver or DEFAULT, runner or SOURCE


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Have one process run the tests of a file with one guest, since many share one boot.

    Other processes build the next kernel, or test it, at the same time.
    """
    full, turn = {}, {}
    for item in items:
        where = place(item)
        full[item] = tiers.is_full(item, where)
        turn[item] = bool(item.get_closest_marker("last")), full[item], full[item] and (ORDER.index(where[1]), where[0])
        item.user_properties.append(("place", where))
        group = filter(None, (item.path.name, *where, "full" * full[item]))
        item.add_marker(pytest.mark.xdist_group(" ".join(group)))
    if SHORT:
        config.hook.pytest_deselected(items=[item for item in items if full[item]])
    kept = [item for item in items if not (SHORT and full[item])]
    items[:] = sorted(kept, key=turn.get)


def pytest_runtest_logreport(report):
    """Print the name of a failed test at once; workers of xdist do not print."""
    if report.failed:
        print(f"\nlsmpmon: {report.when} of {report.nodeid} failed", flush=True)


def outcomes(reporter):
    """Return the number of each outcome by file and place; an error counts as a failure."""
    counts = {}
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in reporter.stats.get(outcome, []):
            where = dict(getattr(report, "user_properties", [])).get("place")
            if where:
                where = tuple(where)
                name = report.nodeid.split("::")[0].rsplit("/", 1)[-1]
                counted = counts.setdefault((name, where), Counter())
                counted[outcome.replace("error", "failed")] += 1
    return counts


def deadline_summary(reporter):
    """Write for CI whether a run with a deadline ran all tests."""
    left_out = tiers.not_begun(reporter.stats.get("skipped", []))
    reporter.section("the deadline")
    reporter.line("Not begun by then, and skipped:" if left_out else "Every test had begun by then.")
    for line in left_out:
        reporter.line(f"  {line}")


def pytest_terminal_summary(terminalreporter):
    counts = outcomes(terminalreporter)
    columns = sorted({where for _, where in counts}, key=lambda where: (where[0] not in VERSIONS, where))
    names = sorted({name for name, _ in counts})
    width = max(map(len, names), default=0)
    terminalreporter.section("where tests ran: " + "/".join(OUTCOMES))
    terminalreporter.line(f"The kernel of {' '.join(DEBUG)} checks locks, memory and arithmetic; {' '.join(RACES)} is one for "
                          f"QEMU that looks for data races, {' '.join(REALTIME)} the real-time one, which checks locks, "
                          f"{' '.join(BPF)} one that can have BPF programs on hooks, {' '.join(CLANG)} one that LLVM builds, "
                          f"with CFI, {' '.join(ARM64)} one of arm64.")
    for line in range(2):
        heads = " ".join(f"{where[line]:>9}" for where in columns)
        terminalreporter.line(f"{'':<{width}} {heads}")
    for name in names:
        cells = [counts.get((name, where)) for where in columns]
        texts = ["/".join(str(cell[o]) for o in OUTCOMES) if cell else "-" for cell in cells]
        terminalreporter.line(f"{name:<{width}} " + " ".join(f"{text:>9}" for text in texts))
    terminalreporter.line(kept.summary(terminalreporter.stats.get("passed", [])))
    terminalreporter.line(verdicts.summary())
    if DEADLINE < float("inf"):
        deadline_summary(terminalreporter)
