# SPDX-License-Identifier: GPL-2.0-only
"""Result files with known figures, as small as a report can be made of."""

import json

from lsmpmon_report.evaluation import page
from lsmpmon_report.evaluation.book import FILES
from lsmpmon_report.evaluation.records import timed as timed_calls

INFO = "version: 0.1\nclock: tsc\nclock_khz: 2000000\noverhead: 40\n"
STATIC = {
    "count": 4,
    "lines": 400,
    "code_lines": 300,
    "lines_per_hook": 75.0,
    "files": 2,
    "categories": {"inode": 3},
    "file_accessing": 3,
}


def write_result(directory, part, name, samples=None, **more):
    """Write a result with samples by benchmark. The name's first word is the kernel."""
    cell = {
        "part": part,
        "name": name,
        "kver": name.partition("-")[0],
        "flavour": "lsm",
        "runner": "qemu",
        "accel": "icount",
        "fs": "tmpfs",
    }
    data = {
        "format": "lsmpmon-result",
        "version": 1,
        "cell": cell | more.pop("cell", {}),
        "key": "k",
        "state": (
            {"kernel": "6.12.1", "lsm": "capability", "date": "2026-01-01", "mitigations": {}} | more.pop("state", {})
        ),
        "proof": {},
        "latency": latency(samples) if samples else None,
        "openit": None,
        "records": {},
    } | more
    path = directory / part / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))
    return path


def latency(samples):
    return {
        "benchmarks": [
            {"name": name, "median": sorted(each)[len(each) // 2], "samples": each} for name, each in samples.items()
        ]
    }


def constant(value, **others):
    """Return five samples of each file operation; `others` differ."""
    return {benchmark: [others.get(row, value)] * 5 for row, benchmark in FILES.items()}


def record(files, name="stat", rounds=64):
    return {
        "format": "lsmpmon-record",
        "version": 1,
        "command": ["lmbench-hook", "work", name, "-n", str(rounds)],
        "runs": [{"status": 0, "files": {"info": INFO} | files}],
    }


def hooks(**averages):
    """Return the text of `result`, with 100 calls of each hook."""
    lines = [f"{hook} {ave} {ave} {ave} 100 0" for hook, ave in averages.items()]
    return "\n".join(["hook min max ave count cs_count", "bpf", *lines]) + "\n"


def write_static(directory, kernel):
    path = directory / "static" / f"{kernel}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    modules = {"selinux": STATIC}
    path.write_text(
        json.dumps(
            {
                "format": "lsmpmon-static",
                "version": 1,
                "kernel": f"{kernel}.1",
                "framework": {"hooks": 250},
                "modules": modules,
            }
        )
    )
    return path


def write_all(directory):
    """Write some results of each part."""
    for name, value, flavour in (("dac", 900, "dac"), ("capability", 1000, "patched"), ("debian", 1300, "patched")):
        write_result(directory, "distributions", f"6.12-{name}", constant(value), cell={"flavour": flavour, "lsm": "landlock"})
    write_result(directory, "modules", "6.12-dac", constant(1000), cell={"flavour": "dac"}, state={"lsm": ""})
    write_result(directory, "modules", "6.12-capability", constant(1100))
    proof = {"selinux": {"says": "own policy, enforcing", "allowed": "stat a", "denied": "stat b: Permission denied"}}
    write_result(directory, "modules", "6.12-selinux-bare", constant(1130))
    write_result(directory, "modules", "6.12-selinux-permissive", constant(1210))
    write_result(directory, "modules", "6.12-selinux-enforcing", constant(1210, open=2200), proof=proof)
    hooks_cell = {"flavour": "patched", "lsm": "selinux"}
    write_result(
        directory, "modules", "6.12-selinux-enforcing-hooks", records={"stat": record(COUNTS)}, cell=hooks_cell
    )
    for stack in ("selinux.tomoyo", "tomoyo.selinux"):
        write_result(directory, "stacking", f"6.12-{stack}", constant(1320))
        write_result(directory, "stacking", f"6.12-{stack}-bare", constant(1111))
    write_denials(directory)
    write_atomics(directory)
    for name in ("none", "ima", "ima.evm", "ima-off"):
        write_result(directory, "integrity", f"6.12-{name}", constant(1000 + 100 * len(name)))
    for number, lsm in enumerate(("", "capability", "capability,yama")):
        write_result(directory, "growth", f"6.12-{number}", constant(1000 + number), state={"lsm": lsm})
    for rules in (10, 10000):
        write_result(directory, "rules", f"6.12-landlock-{rules}", constant(1000 + rules))
    write_kernels(directory)
    write_result(directory, "lids", "6.12-capability-latency", constant(1000), cell={"flavour": "lids"})
    write_result(directory, "mitigations", "6.12-capability-off", constant(900))
    for name, value in (("6.12-dac", 10), ("6.12-selinux", 11), ("7.3-dac", 20), ("7.3-selinux", 33)):
        write_result(directory, "openit", name, openit=latency({"openit": [value] * 9}))
    write_work(directory)
    write_tails(directory)
    write_calls(directory)
    for name, value in (("capability", 1000), ("capability.ima", 2000), ("selinux", 2000), ("selinux.ima", 3000)):
        write_result(directory, "ext4", f"6.12-{name}", constant(value), state={"filesystem": "ext4"})
    write_result(directory, "yours", "6.12-dac", constant(1000))
    write_result(directory, "yours", "6.12-mine", constant(1500))
    for kernel in ("6.1", "6.12"):
        write_static(directory, kernel)


def opened(allowed, denied):
    return latency({"open": [allowed] * 5, "denied/open": [denied] * 5})


def write_denials(directory):
    """Let TOMOYO take 9,000 to deny, Landlock 40; a module after the one that denies is not asked."""
    write_result(directory, "denials", "6.12-landlock", denied={"landlock": opened(1200, 1040)})
    for stack, tomoyo, landlock in (("landlock.tomoyo", 10100, 1040), ("tomoyo.landlock", 10000, 10040)):
        denied = {"landlock": opened(9200, landlock), "tomoyo": opened(9200, tomoyo)}
        write_result(directory, "denials", f"6.12-{stack}", denied=denied)


def write_atomics(directory):
    """Let AppArmor add a lock and two counts to an open."""
    for name, added in (("capability", {}), ("apparmor", {"aa_get_buffer": 2, "_raw_spin_lock": 2})):
        functions = {"lockref_get": 3, "_raw_spin_lock": 1} | added
        opened = {"instructions": 3633, "atomics": sum(functions.values()), "functions": functions}
        write_result(directory, "atomics", f"6.12-{name}", atomics={"open": opened})


VERDICTS = "hook verdict min max ave count cs_count sum irq_count irq_sum quiet_max\n"
MODULES = "module hook min max ave count cs_count sum deny_count\n"


def counted(calls):
    """Return a work of as many calls of one hook, each with a callback of SELinux."""
    return {"result": f"hook min max ave count cs_count\nfile_open 1 1 1 {calls - 1} 1\n",
            "modules": f"{MODULES}selinux file_open 1 1 1 {calls} 0 9 0\n"}


def timed(ticks):
    """Return 10 calls of a hook, one of which was interrupted."""
    return {"verdicts": f"{VERDICTS}file_open allow 1 1 1 10 0 {9 * ticks + 5000} 1 5000 9\n"}


def write_work(directory):
    """Let git status call a hook 1,000 times more than what starts it, of 140 ticks with SELinux (50 ns without the clock's
    40), and take 5 ms of processors. A shell is not there.
    """
    for module, ticks in (("capability", 60), ("selinux", 140)):
        cell = {"flavour": "patched", "lsm": module}
        records = {f"{name}-module": record(counted(calls)) for name, calls in (("nothing", 24), ("status", 1024))}
        write_result(directory, "work", f"6.12-{module}-counts", records=records, cell=cell, not_done={"shell": "there is no sed here"})
        for boot in range(1, 4):
            times = {"status-none": record(timed(ticks + 10 * boot - 10)), "status-module": record(counted(1000))}
            own = cell | {"runner": "uml", "accel": "none"}
            write_result(directory, "work", f"6.12-{module}-{boot}", records=times, cell=own, state={"processor": "P"})
    runs = {"nothing": [{"elapsed": 0.002, "user": 0.0, "system": 0.001}] * 3,
            "status": [{"elapsed": 0.009, "user": 0.002, "system": 0.004}] * 3}
    write_result(directory, "native", "work", native=runs, cell={"runner": "host"}, state={"kernel": "7.0-host"})


def write_tails(directory):
    """Write a million calls of one hook, a thousand of which are slower by far, and three were switched out."""
    rows = ("hook le count own wall", "inode_permission 100 998997 999000 998997", "inode_permission 300 900 900 900",
            "inode_permission 5000 100 100 100", "inode_permission 9000 0 0 3")
    buckets = "".join(f"{row}\n" for row in rows)
    head = VERDICTS.replace("quiet_max", "quiet_max irq_time cs_sum cs_own cs_max slept preempted unknown")
    verdicts = f"{head}inode_permission allow 90 5000 100 999997 3 100000000 7 30000 4000 2000 25000 300 8500 0 24700 0\n"
    for name, cell in (("exact", {}), ("1", {"runner": "uml", "accel": "none"})):
        records = {"open": record({"histogram": buckets, "verdicts": verdicts})}
        write_result(directory, "tails", f"6.12-selinux-{name}", records=records, cell={"flavour": "patched"} | cell)


CALLS = "syscall count sum hook_count hook_sum cs_count irq_time cs_own unknown hook_own\n"
# The call that stops the monitor.
STOPPED = "write 1 50000 1 60 0 0 0 0 60\n"


def called(benchmark, ticks, hooks, disturbed=0):
    """Return the file calls after 10 rounds of a benchmark with four hooks in each call, one of them interrupted."""
    rows, stopped = {name: [10, 10 * ticks, 40, 10 * hooks] for name in timed_calls(benchmark)}, STOPPED
    if "write" in rows:
        rows["write"], stopped = [11, 10 * ticks + 50000, 41, 10 * hooks + 60], ""
    lines = [f"{name} {count} {total + disturbed} {asked} {spent} 0 {disturbed} 0 0 {spent}\n"
             for name, (count, total, asked, spent) in rows.items()]
    return {"calls": CALLS + "".join(lines) + stopped}


def write_called(directory, name, ticks, hooks, **cell):
    """Write a boot: `ticks` and `hooks` are those of each call; in the last record, something interrupts one."""
    records = {f"calls-{turn}/{each[0]}": record(called(*each, 900 * (turn == 3)), each[0], 200)
               for turn in (1, 2, 3) for each in zip(FILES.values(), ticks, hooks)}
    state, cell = {"kernel": "7.3.4", "processor": "P"}, {"flavour": "patched", "runner": "uml"} | cell
    write_result(directory, "calls", f"7.3-{name}", records=records, cell=cell, state=state)


def write_calls(directory, boots=1):
    """Let SELinux add from 100 to 1,400 instructions to a call, half of them in hooks, each of which takes two cycles there and
    four elsewhere. Each turn of boots takes longer than the one before.
    """
    write_called(directory, "capability-exact", steps(1000), steps(100))
    write_called(directory, "selinux-exact", steps(1100, 100), steps(150, 50))
    for boot in range(1, boots + 1):
        cell = {"accel": "none", "boot": boot}
        write_called(directory, f"capability-{boot}", steps(2000 + 50 * boot), steps(200), **cell)
        write_called(directory, f"selinux-{boot}", steps(2300 + 50 * boot, 300), steps(300, 100), **cell)


def steps(first, step=0):
    """Return a number for each of the file operations, each larger by a step than the one before."""
    return [first + step * number for number in range(len(FILES))]


COUNTS = {
    "result": hooks(inode_permission=50, inode_getattr=60).replace(" 100 0", " 128 0"),
    "syscalls": (
        "syscall hook min max ave count cs_count sum\nstat inode_permission 50 50 50 128 0 6400\nstat inode_getattr 60"
        " 60 60 128 0 7680\n"
    ),
    "calls": "syscall count sum hook_count hook_sum cs_count\nstat 64 28160 256 14080 0\n",
    "modules": "module hook min max ave count cs_count sum\nselinux inode_permission 30 30 30 10 0 300\n",
    "hooks": "hook modules\ninode_permission selinux\ninode_getattr selinux,apparmor\n",
}
DETAIL = (
    "syscall hook min max ave count cs_count sum\nclose file_free_security 200 200 200 100 0 20000\ncreat inode_create"
    " 400 400 400 100 0 40000\n"
)


OWN = COUNTS | {"modules": "module hook min max ave count cs_count sum\nselinux inode_permission 20 20 20 10 0 200\n"}


def write_kernels(directory):
    for kernel in ("6.1", "6.12"):
        base = constant(900 if kernel == "6.1" else 950, read=5)
        write_result(directory, "kernels", f"{kernel}-dac-latency", base, cell={"flavour": "dac"})
        for module, ticks in (("capability", 50), ("selinux", 200), ("tomoyo", 400)):
            records = {
                "work-1": record({"result": hooks(inode_create=ticks, file_open=ticks + 1)}, "*", 1000),
                "by-syscall": record({"syscalls": DETAIL}, "*", 200),
            }
            write_result(
                directory,
                "kernels",
                f"{kernel}-{module}-1",
                records=records,
                cell={"runner": "uml", "accel": "none", "lsm": module},
                state={"processor": "P"},
            )
            exact = records | {"stat": record(OWN)} if kernel == "6.12" else records | {"stat": record(COUNTS)}
            write_result(directory, "kernels", f"{kernel}-{module}-exact", records=exact)
            write_result(
                directory,
                "kernels",
                f"{kernel}-{module}-latency",
                constant(1000 + ticks, read=5) | {"close": [7], "read": [3], "write": [3]},
            )


class Report:
    """A report: the text of each page, and all rows of all tables, without Markdown's bars."""

    def __init__(self, results):
        self.folder = folder = results.parent / "out"
        page.write(results, folder)
        self.pages = {path.stem: path.read_text() for path in sorted(folder.glob("*.md"))}
        self.text = "\n".join(self.pages.values())
        self.rows = [line.strip("| ").split(" | ") for line in self.text.splitlines() if line.startswith("|")]
        self.summary = json.loads((folder / "summary.json").read_text())

    def data(self, passage, page=None):
        """Return what each passage of this name was written from, on all pages or on one, also those that are in others."""
        return list(written(self.summary["pages"][page] if page else self.summary["pages"], passage))

    def table(self, ident):
        """Return a table of the summary: caption, where, header, rows and missing."""
        [table] = (page["tables"][ident] for page in self.summary["pages"].values() if ident in page["tables"])
        return table

    def ratios(self, table):
        return {(ratio["row"], ratio["column"]): ratio for ratio in self.summary["tables"][table]["ratios"]}


def written(found, passage):
    if isinstance(found, dict) and found.get("passage") == passage:
        yield found["data"]
    elif isinstance(found, (dict, list)):
        for each in found.values() if isinstance(found, dict) else found:
            yield from written(each, passage)
