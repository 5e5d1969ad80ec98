# SPDX-License-Identifier: GPL-2.0-only
"""Tables of calls that are known one by one, as a kernel writes them that knows each call's three times.

The formats are those of Documentation/ABI/testing/securityfs-lsmpmon. `python3 made.py` writes data/made.json.
"""

from __future__ import annotations

import json
import pathlib
import random
from collections import defaultdict
from dataclasses import dataclass, field, replace

PATH = pathlib.Path(__file__).resolve().parent / "data/made.json"
# One tick is a nanosecond.
KHZ = 1_000_000
RESET = 93_000_000_000
EMPTY = 20
SPANS = "min max ave count cs_count sum"
DISTURBED = "irq_time cs_sum cs_own cs_max slept preempted unknown"
SHARES = [f"share{end:03}" for end in range(10, 101, 10)]


@dataclass(frozen=True)
class Time:
    """The time of one call: `wall` from its begin to its end, and what of it was not its own.

    If `known` is not set, measuring began in the middle of what disturbed it.
    """

    wall: int
    irq: int = 0
    slept: int = 0
    preempted: int = 0
    switched: bool = False
    known: bool = True

    @property
    def own(self) -> int:
        return self.wall - self.irq - self.slept - self.preempted if self.known else 0

    @property
    def is_switched(self) -> bool:
        return self.switched or bool(self.slept or self.preempted)


@dataclass(frozen=True)
class Call:
    """A hook call, with the callbacks of modules in it."""

    hook: str
    time: Time
    verdict: str = "allow"
    errno: str = ""
    comm: str = "tar"
    cgroup: str = "/web"
    cpu: int = 0
    callbacks: tuple[tuple[str, Time], ...] = ()
    object: str = "-"
    waits: tuple[tuple[str, str, int], ...] = ()
    """The module, the kind and the ticks of each wait."""

    @property
    def pid(self) -> str:
        return {"-": "-", "tar": "70"}.get(self.comm, "80")

    @property
    def tid(self) -> str:
        """Return the number of the thread that each process has for each CPU."""
        return "-" if self.pid == "-" else str(int(self.pid) + self.cpu)


@dataclass(frozen=True)
class Syscall:
    """A whole system call, with the hook calls in it: none of them is inside another one."""

    name: str
    time: Time
    hooks: tuple[Call, ...] = field(default=())


def spans(times: list[Time], switched: list[bool] | None = None) -> dict[str, int]:
    """Return the columns from min to sum. A callback is switched if its hook call is."""
    quiet = [time.wall for time, is_switched in zip(times, switched or [t.is_switched for t in times]) if not is_switched]
    return {"min": min(quiet, default=0), "max": max(quiet, default=0), "ave": sum(quiet) // len(quiet) if quiet else 0,
            "count": len(quiet), "cs_count": len(times) - len(quiet), "sum": sum(quiet)}


def disturbed(times: list[Time], switched: list[bool] | None = None) -> dict[str, int]:
    """Return the columns of disturbed calls."""
    switched = switched or [time.is_switched for time in times]
    quiet = [time for time, is_switched in zip(times, switched) if not is_switched]
    others = [time for time, is_switched in zip(times, switched) if is_switched]
    return {"irq_time": sum(time.irq if time.known else time.wall for time in quiet),
            "cs_sum": sum(time.wall for time in others), "cs_own": sum(time.own for time in others),
            "cs_max": max((time.wall for time in others), default=0), "slept": sum(time.slept for time in others),
            "preempted": sum(time.preempted for time in others), "unknown": sum(not time.known for time in times)}


def interrupted(times: list[Time]) -> dict[str, int]:
    """Return the columns of interrupts in verdicts. Without a switch, only an interrupt leaves the own time unknown."""
    quiet = [time for time in times if not time.is_switched]
    struck = [time.wall for time in quiet if time.irq or not time.known]
    return {"irq_count": len(struck), "irq_sum": sum(struck),
            "quiet_max": max((time.wall for time in quiet if not time.irq and time.known), default=0)}


def table(rows: list[dict[str, object]], header: str) -> str:
    """Return a table as the kernel writes it."""
    columns = header.split()
    assert all(list(row) == columns for row in rows), header
    return "".join(" ".join(map(str, line)) + "\n" for line in [columns, *(row.values() for row in rows)])


def grouped(items: list, key) -> dict:
    """Return the items by their key, in the order in which keys come first."""
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups


def of_hooks(calls: list[Call], *keys: str, more: str = "") -> str:
    """Return a table by some attributes of hook calls. In `more` are columns after those of disturbed calls."""
    groups = grouped(calls, lambda call: tuple(getattr(call, key) for key in keys))
    rows = [{**dict(zip(keys, names)), **spans(times := [call.time for call in group]), **disturbed(times),
             **dict.fromkeys(more.split(), 0)} for names, group in groups.items()]
    return table(rows, f"{' '.join(keys)} {SPANS} {DISTURBED} {more}")


def tasks(calls: list[tuple[str, Call]]) -> str:
    """Return the table `tasks`."""
    rows = []
    for names, group in grouped(calls, lambda pair: (pair[1].pid, pair[1].tid, pair[1].comm, pair[0], pair[1].hook)).items():
        times = [call.time for _, call in group]
        rows.append({**dict(zip(("pid", "tid", "comm", "syscall", "hook"), names)), **spans(times), **disturbed(times), "missed": 0})
    return table(rows, f"pid tid comm syscall hook {SPANS} {DISTURBED} missed")


def verdicts(calls: list[Call]) -> str:
    groups = grouped(calls, lambda call: (call.hook, call.verdict))
    rows = [{"hook": hook, "verdict": verdict, **spans(times := [call.time for call in group]), **interrupted(times),
             **disturbed(times)} for (hook, verdict), group in groups.items()]
    return table(rows, f"hook verdict {SPANS} irq_count irq_sum quiet_max {DISTURBED}")


def result(calls: list[Call]) -> str:
    rows = [{"hook": hook, **spans([call.time for call in group])}
            for hook, group in grouped(calls, lambda call: call.hook).items()]
    for row in rows:
        del row["sum"]
    return table(rows, "hook min max ave count cs_count")


def denials(calls: list[Call]) -> str:
    groups = grouped([call for call in calls if call.errno], lambda call: (call.hook, call.errno))
    rows = []
    for (hook, errno), group in groups.items():
        columns = spans([call.time for call in group])
        rows.append({"hook": hook, "errno": errno, "count": columns["count"], "cs_count": columns["cs_count"]})
    return table(rows, "hook errno count cs_count")


def of_callbacks(calls: list[tuple[str, Call]], with_syscall: bool) -> str:
    """Return `stacks`, by system call, or `modules`."""
    items = [(syscall, call, module, time) for syscall, call in calls for module, time in call.callbacks]
    groups = grouped(items, lambda item: (item[0] * with_syscall, item[1].hook, item[2]))
    rows = []
    for (syscall, hook, module), group in groups.items():
        times, switched = [item[3] for item in group], [item[1].time.is_switched for item in group]
        names = {"syscall": syscall, "hook": hook, "module": module} if with_syscall else {"module": module, "hook": hook}
        denied = {} if with_syscall else {"deny_count": sum(call.verdict == "deny" and call.callbacks[-1][0] == module
                                                            for _, call, *_ in group)}
        rows.append({**names, **spans(times, switched), **denied, **disturbed(times, switched),
                     **({} if with_syscall else {"callbacks": 1})})
    if with_syscall:
        return table(rows, f"syscall hook module {SPANS} {DISTURBED}")
    return table(rows, f"module hook {SPANS} deny_count {DISTURBED} callbacks")


def of_syscalls(calls: list[Syscall]) -> str:
    """Return the table `calls`."""
    rows = []
    for name, group in grouped(calls, lambda call: call.name).items():
        times = [call.time for call in group]
        columns, shares = spans(times), [0] * len(SHARES)
        inside = {switched: [hook for call in group if call.time.is_switched == switched for hook in call.hooks]
                  for switched in (False, True)}
        for call in group:
            if call.time.known:
                shares[min(10 * sum(hook.time.own for hook in call.hooks) // call.time.own, 9)] += 1
        rows.append({
            "syscall": name, "count": columns["count"], "sum": columns["sum"], "hook_count": len(inside[False]),
            "hook_sum": sum(hook.time.wall for hook in inside[False]), "cs_count": columns["cs_count"], **disturbed(times),
            "cs_hook_count": len(inside[True]), "cs_hook_sum": sum(hook.time.wall for hook in inside[True]),
            "hook_own": sum(hook.time.own for call in group for hook in call.hooks), **dict(zip(SHARES, shares))})
    return table(rows, f"syscall count sum hook_count hook_sum cs_count {DISTURBED} cs_hook_count cs_hook_sum hook_own "
                       f"{' '.join(SHARES)}")


def bucket(ticks: int) -> int:
    """Return the end of the kernel's bucket."""
    width = max(1 << max(ticks.bit_length() - 1, 0) >> 3, 1) if ticks >= 16 else 1
    return ticks // width * width + width - 1


def histogram(calls: list[Call]) -> str:
    buckets = defaultdict(lambda: {"count": 0, "own": 0, "wall": 0})
    order = list(dict.fromkeys(call.hook for call in calls))
    for call in calls:
        buckets[call.hook, bucket(call.time.wall)]["wall"] += 1
        buckets[call.hook, bucket(call.time.wall)]["count"] += not call.time.is_switched
        if call.time.known:
            buckets[call.hook, bucket(call.time.own)]["own"] += 1
    rows = [{"hook": hook, "le": le, **columns}
            for (hook, le), columns in sorted(buckets.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))]
    return table(rows, "hook le count own wall")


def slowest(calls: list[tuple[str, Call]]) -> str:
    """Return the table `slowest`, as if each call ended a microsecond after the one before it."""
    groups = grouped([(end, *call) for end, call in enumerate(calls, 1)], lambda item: item[2].hook)
    rows = []
    for hook, group in groups.items():
        for end, syscall, call in sorted(group, key=lambda item: -item[2].time.wall)[:16]:
            time, known = call.time, call.time.known
            module = max(call.callbacks, key=lambda part: part[1].wall, default=("-",))[0]
            rows.append({"hook": hook, "wall": time.wall, "own": time.own if known else "-",
                         "slept": time.slept if known else "-", "preempted": time.preempted if known else "-",
                         "end": RESET + 1000 * end, "pid": 0 if call.comm == "-" else 70 + call.cpu, "comm": call.comm,
                         "syscall": syscall, "module": module, "error": call.errno or "0", "object": call.object})
    return table(rows, "hook wall own slept preempted end pid comm syscall module error object")


def waits(calls: list[Call]) -> str:
    groups = grouped([(call.hook, *wait) for call in calls for wait in call.waits], lambda wait: wait[:3])
    rows = [{"hook": hook, "module": module, "kind": kind, "count": len(group), "sum": sum(wait[3] for wait in group),
             "max": max(wait[3] for wait in group)} for (hook, module, kind), group in groups.items()]
    return table(rows, "hook module kind count sum max")


def nested(calls: list[Call]) -> str:
    """Return the table `nested`, of calls that are in no other."""
    rows = []
    for hook, group in grouped(calls, lambda call: call.hook).items():
        times = [call.time for call in group]
        rows.append({"hook": hook, "outer": "-", "module": "-", **spans(times), **disturbed(times)})
    return table(rows, f"hook outer module {SPANS} {DISTURBED}")


INFO = f"""version: 0.2.0
abi: 1
clock: tsc
clock_khz: {KHZ}
clock_step: 1
overhead: {EMPTY}
overhead_min: 18
hooks: 264
modules: capability,apparmor,ima
syscall_source: ptregs
lost: 0
backwards: 0
enabled_ns: 7400000000
reset_ns: {RESET}
features: syscall,module,histogram,calls,stack,comm,cgroup,task,slowest,waits,nested
cpus: 2
timed: 1
memory_per_cpu: 3496704
memory: 6993408
"""
FEATURES = "".join(f"{name} 1\n" for name in "syscall module histogram calls stack comm cgroup task slowest waits nested timed".split())
HOOKS = {"inode_permission": "-", "file_open": "apparmor", "file_post_open": "ima", "file_permission": "apparmor",
         "capable": "capability,apparmor", "task_free": "-"}


def files(calls: list[Syscall], outside: list[Call]) -> dict[str, str]:
    """Return all files of the monitor after these system calls, and after hook calls outside of any."""
    by_syscall = [(call.name, hook) for call in calls for hook in call.hooks] + [("-", hook) for hook in outside]
    hooks = [hook for _, hook in by_syscall]
    rows = [{"syscall": syscall, "hook": hook, **spans(times := [call.time for _, call in group]), **disturbed(times)}
            for (syscall, hook), group in grouped(by_syscall, lambda pair: (pair[0], pair[1].hook)).items()]
    return {
        "calls": of_syscalls(calls), "cgroups": of_hooks(hooks, "cgroup", "hook", more="missed"),
        "comms": of_hooks(hooks, "comm", "hook", more="missed"), "control": "0\n", "cpus": of_hooks(hooks, "cpu"),
        "denials": denials(hooks), "features": FEATURES, "filter": "s\no\n", "histogram": histogram(hooks),
        "hooks": table([{"hook": hook, "modules": modules, "objects": "-"} for hook, modules in HOOKS.items()],
                       "hook modules objects"),
        "info": INFO, "modules": of_callbacks(by_syscall, False), "nested": nested(hooks), "result": result(hooks), "session": "-\n",
        "slowest": slowest(by_syscall),
        "stacks": of_callbacks(by_syscall, True),
        "syscalls": table(rows, f"syscall hook {SPANS} {DISTURBED}"), "tasks": tasks(by_syscall), "verdicts": verdicts(hooks),
        "waits": waits(hooks),
    }


def inside(time: Time, less: int) -> Time:
    """Return the time of a callback in a hook call, in which what disturbed the call happened."""
    return replace(time, wall=time.wall - less)


def whole(name: str, more: int, hooks: list[Call], slept: int = 0) -> Syscall:
    """Return a system call that does `more` besides its hooks, and sleeps so long."""
    times = [hook.time for hook in hooks]
    return Syscall(name, Time(
        wall=more + slept + sum(time.wall for time in times), irq=sum(time.irq for time in times),
        slept=slept + sum(time.slept for time in times), preempted=sum(time.preempted for time in times),
        switched=any(time.switched for time in times), known=all(time.known for time in times)), tuple(hooks))


def calls_of(number: int) -> tuple[list[Syscall], list[Call]]:
    """Return the calls of a run: what IMA reads is slow, some sleep, some are preempted and some are interrupted."""
    chance, found = random.Random(number), []

    def some(hook, mean, modules=(), **words):
        time = words.pop("time", None) or Time(round(mean * chance.uniform(0.8, 1.3)))
        parts = tuple((module, inside(time, 15 + 5 * place) if place == len(modules) - 1 else Time(11))
                      for place, module in enumerate(modules))
        return Call(hook, time, callbacks=parts, **words)

    for turn in range(400):
        payer = {"comm": "tar" if turn % 3 else "gzip", "cgroup": "/web" if turn % 2 else "/batch", "cpu": turn % 2}
        lookups = [some("inode_permission", 40, object="/" if turn % 2 else "t", **payer) for _ in range(chance.randrange(2, 5))]
        if turn == 7:
            lookups[0] = some("inode_permission", 0, time=Time(4_000_180, irq=100, preempted=4_000_000), object="t",
                              waits=(("-", "lock", 250),), **payer)
        opened = some("file_open", 500, ("apparmor",), **payer)
        if turn % 40 == 11:
            opened = some("file_open", 0, ("apparmor",), time=Time(26_000, irq=25_500), **payer)
        post = some("file_post_open", 900, ("ima",), **payer)
        if turn % 50 == 20:
            own, slept = chance.randrange(300_000_000, 600_000_000), chance.randrange(1_000_000, 30_000_000)
            post = some("file_post_open", 0, ("ima",), time=Time(own + slept + 90_000, 90_000, slept), object=f"file{turn}",
                        waits=(("ima", "lock", slept // 2), ("ima", "reclaim", 700), ("-", "lock", 40)), **payer)
        found.append(whole("openat", chance.randrange(800, 40_000), [*lookups, opened, post]))
        found += [whole("read", chance.randrange(300, 900), [some("file_permission", 90, ("apparmor",), **payer)])
                  for _ in range(3)]
        if turn % 100 == 0:
            denied = some("capable", 300, ("capability", "apparmor"), verdict="deny", errno="EPERM", **payer)
            found.append(whole("kill", 250, [denied]))
            found.append(whole("nanosleep", 1200, [], slept=50_000_000))
    # Measuring began while a task was off the CPU in its hook, and in an interrupt in another one.
    found.append(whole("openat", 900, [some("file_post_open", 0, ("ima",), time=Time(70_000, switched=True, known=False))]))
    found.append(whole("read", 400, [some("file_permission", 0, ("apparmor",), time=Time(9_000, known=False))]))
    return found, [Call("task_free", Time(30 + turn), "none", comm="-", cgroup="-") for turn in range(20)]


def record() -> dict[str, object]:
    runs = [{"status": 0, "seconds": 7.4, "files": files(*calls_of(number))} for number in (1, 2)]
    return {"format": "lsmpmon-record", "version": 1, "command": ["tar", "-cf", "/dev/null", "t"],
            "about": {"kernel": "made by hand", "cpus_online": "0-1"}, "runs": runs}


if __name__ == "__main__":
    PATH.write_text(json.dumps(record(), indent="\t") + "\n")
