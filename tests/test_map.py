# SPDX-License-Identifier: GPL-2.0-only
"""The static map, rule by rule, on kernels of a few lines: hookmap/RULE.c, and the expected map in RULE.json.

UPDATE=1 pytest tests/test_map.py renews the latter; look at the difference before you commit it.
"""

import functools
import json
import os
import re
import signal
import subprocess
from collections import Counter
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from lsmlab.analyse.hookmap import code, compare, counted, document, made, on_objects, packed, table7
from lsmlab.kernel.objects.build import compiler
from lsmlab.measure.hookmap import Failed, chosen, cuts, entries, graph, masks, objects, shape, shared, table, units, ways
from lsmlab.measure.hookmap.facts import Facts
from lsmlab.publish.hookmap import html
from lsmpmon_report.kernelfiles import FormatError

FAKE = Path(__file__).resolve().parent / "hookmap"
# Several files of one kernel.
WITH = {"same_name": ["same_name", "same_name_2"], "included": ["included", "included_2"], "by_name": ["by_name", "security/integrity/ima"],
        "object": ["object", "fs/one/one", "fs/two/two"], "stacked": ["stacked", "fs/over/over", "fs/lower/lower"]}
# How system calls are entered, by the architecture.
ENTERED = {"switch": "x86_64", "static_switch": "x86_64", "array": "arm64"}
RULES = sorted(path.stem for path in FAKE.glob("*.c") if path.stem not in {"same_name_2", "included_2"})


@pytest.fixture(scope="session")
def plugin(tmp_path_factory):
    """Return a function that builds the plugin for a compiler, once."""
    return functools.cache(lambda gcc: units.build_plugin(tmp_path_factory.mktemp("plugin"), gcc))


@pytest.fixture
def read(plugin, tmp_path):
    """Return the facts of C files, read as the commands of kbuild are."""
    def facts(paths, gcc="gcc"):
        made = []
        for path in paths:
            out = tmp_path / f"{path.stem}.facts"
            command = [gcc, "-O2", "-c", "-o", "x.o", path]
            subprocess.run(units.read_by(command, plugin(gcc), FAKE, out), check=True, cwd=tmp_path)
            made.append(out)
        return Facts().read(made)
    return facts


def calls_of(rule, facts):
    """Return {name: function} of a fake kernel."""
    if rule in ENTERED:
        return entries.system_calls(facts, FAKE / "tree", entries.TABLES[ENTERED[rule]][0])
    return {**entries.operations(facts), **{name: name for name in sorted(facts.functions) if name.startswith("sys_")}}


def described(rule, facts):
    rows = FAKE / f"{rule}.toml"
    calls = graph.Graph(facts, cuts.read(), objects=objects.Objects(facts, objects.read(rows) if rows.is_file() else []))
    static = table.Map(calls, calls_of(rule, facts), tree=FAKE / "tree")
    entries = {name: static.entry(name) for name in static.entries}
    assert table.Witnesses(calls).broken(entries)[1] == []
    return entries


@pytest.mark.parametrize("gcc", map(compiler, entries.TABLES))
@pytest.mark.parametrize("rule", RULES)
def test_rule(rule, gcc, read):
    """A rule holds for each architecture that there is a map of."""
    facts = read([FAKE / f"{name}.c" for name in WITH.get(rule, [rule])], gcc)
    text = json.dumps(described(rule, facts), indent=1, sort_keys=True) + "\n"
    golden = FAKE / f"{rule}.json"
    if os.environ.get("UPDATE"):
        golden.write_text(text)
    assert text == golden.read_text()


def test_a_pool_ends_its_processes_whatever_handles_its_signal():
    """A handler that raises an exception may keep a process, and the pool with it, forever."""
    before = signal.signal(signal.SIGTERM, lambda *_: os._exit(1))
    try:
        assert set(shared.each(lambda _: signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, range(4))) == {True}
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("name, package", [("gcc", "gcc-12-plugin-dev"),
                                           ("aarch64-linux-gnu-gcc", "gcc-12-plugin-dev-aarch64-linux-gnu")])
def test_a_compiler_without_headers_for_plugins_is_an_error(monkeypatch, tmp_path, name, package):
    (tmp_path / name).write_text("#!/bin/sh\necho plugin\n")
    (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(Failed, match=f"the package {package} has it$"):
        units.build_plugin(tmp_path, name)


def test_files_that_a_kernel_is_made_of_are_read_once(tmp_path):
    objects, facts, steps = tmp_path / "objects", tmp_path / "facts", []
    for name, command in (("fs/a", f"gcc -O2 -Werror -c -o fs/a.o {FAKE}/macro.c"), ("fs/asm", "gcc -c -o fs/asm.o asm.S"),
                          ("tools/b", f"gcc -c -o tools/b.o {FAKE}/loop.c")):
        made = objects / f"{name}.o"
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_bytes(b"")
        made.with_name(f".{made.name}.cmd").write_text(f"savedcmd_{name}.o := {command}\n")
    paths = units.read(objects, FAKE, facts, progress=lambda *count: steps.append(count))
    assert paths == [facts / "fs/a.o.facts"] and steps == [(1, 1)]
    assert "sys_kill" in Facts().read(paths).functions
    before = paths[0].stat().st_mtime_ns
    assert units.read(objects, FAKE, facts) == paths and paths[0].stat().st_mtime_ns == before
    os.utime(objects / "fs/a.o", ns=(before + 10**9, before + 10**9))
    units.read(objects, FAKE, facts)
    assert paths[0].stat().st_mtime_ns > before
    with pytest.raises(Failed, match=f"{facts}: "):
        units.read(facts, FAKE, facts)


def test_path_that_is_none(read):
    calls = graph.Graph(read([FAKE / "macro.c"]), cuts.read())
    witnesses = table.Witnesses(calls)
    path = ["sys_kill", "security_task_kill"]
    assert witnesses.is_path(path, "task_kill")
    for wrong, hook in ((path[:1], "task_kill"), (path, "task_free"), (path[::-1], "task_kill"),
                        (["no_such", *path], "task_kill")):
        assert not witnesses.is_path(wrong, hook)
    assert witnesses.broken({"kill": {"paths": {"task_kill": path, "task_free": path}}}) == (2, [("kill", "task_free")])


# Values and their classes.


@pytest.mark.parametrize("operator, number, classes", [
    ("eq", 0, "Z"), ("ne", 0, "NP"), ("lt", 0, "N"), ("ge", 0, "ZP"), ("gt", 0, "P"), ("le", 0, "NZ"),
    ("eq", -13, "N"), ("ne", -13, "NZP"), ("eq", 2**64 - 13, "N"), ("gt", 2**64 - 4096, "N"), ("le", 2**64 - 4096, "ZP"),
    ("lt", 2**64 - 4095, "ZP"), ("lt", 2**64 - 8, "NZP"),
    ("lt", 1, "NZ"), ("gt", -1, "ZP"), ("ge", 1, "P"), ("lt", 5, "NZP"), ("gt", 5, "P"), ("le", -1, "N"),
])
def test_classes_that_a_condition_leaves(operator, number, classes):
    letters = {"N": shape.N, "Z": shape.Z, "P": shape.P}
    assert shape.classes_where(operator, number) == sum(letters[one] for one in classes)


# What nodes lead to.


def led_to(out, root):
    """Return the nodes that a node leads to, one by one."""
    seen, waiting = {root}, [root]
    while waiting:
        waiting += (fresh := set(out[waiting.pop()]) - seen)
        seen |= fresh
    return seen


@pytest.mark.parametrize("seed", range(20))
def test_bits_of_all_that_a_node_leads_to(seed):
    """Random graphs have circles, and circles within circles."""
    random = Random(seed)
    out = [random.choices(range(30), k=random.randrange(3)) for _ in range(30)]
    bits = masks.closure(range(30), out, [1 << number for number in range(30)])
    assert bits == [sum(1 << number for number in led_to(out, root)) for root in range(30)]


def test_way_that_is_part_of_a_joined_one_changes_nothing():
    """Otherwise a loop in which many ways meet would never be done."""
    known = [(("v", one), ("w", other)) for one in (1, 2, 4) for other in (1, 2, 4, 3, 5)]
    met = ways.Ways()
    assert all(met.add(values, 6) for values in known[:ways.APART + 1])
    assert len(list(met)) == 1
    assert not any(met.add(values, called) for values in known[:3] for called in (6, 7))
    assert met.add(known[0], 2) and sorted(called for _, called in met) == [2, 6]


# Chosen objects.


# The part of the facts that the choice of objects needs.
PLACES = SimpleNamespace(
    variables={"a": ("file_system_type", "fs/ext4/super.c"), "b": ("file_system_type", "fs/overlayfs/super.c"),
               "c": ("file_system_type", "mm/shmem.c"), "d": ("net_proto_family", "net/unix/af_unix.c"),
               "e": ("net_proto_family", "net/ipv4/af_inet.c"), "f": ("file_operations", "fs/proc/base.c")},
    functions={path: SimpleNamespace(file=path) for path in ("fs/ext4/a.c", "fs/overlayfs/a.c", "mm/shmem.c", "fs/namei.c",
                                                             "net/unix/a.c", "net/ipv4/a.c", "fs/proc/a.c")})


@pytest.mark.parametrize("filesystems, sockets, left_out", [
    ([], [], None), (["ext4"], [], {"fs/overlayfs/a.c", "mm/shmem.c"}), (["tmpfs", "overlay"], [], {"fs/ext4/a.c"}),
    ([], ["unix"], {"net/ipv4/a.c"}), (["ext4", "tmpfs", "overlay"], ["unix", "inet"], None),
])
def test_objects_that_are_chosen(filesystems, sockets, left_out):
    is_chosen = chosen.chooser(PLACES, filesystems, sockets)
    if left_out is None:
        assert is_chosen is None
    else:
        assert {path for path in PLACES.functions if not is_chosen(path)} == left_out


def test_object_that_there_is_not():
    with pytest.raises(Failed, match=r"FS='xfs' .*ext4 overlayfs shmem.c"):
        chosen.chooser(PLACES, ["xfs"])


def test_chosen_objects_are_said(tmp_path):
    content = whole("6.12.0", [])
    assert document.objects(content) == ""
    content["objects"] = {"FS": ["tmpfs", "ext4"], "SOCKET": ["unix"]}
    html.write(content, tmp_path)
    assert "Only with FS=tmpfs,ext4 SOCKET=unix." in (tmp_path / "index.html").read_text()


# Counts, and differences of kernels.

COUNTED = """syscall hook min max ave count cs_count sum
openat file_open 1 2 1 5 1 9
openat inode_permission 1 2 1 7 0 9
- sb_mount 1 2 1 1 0 2
"""


def entry(must, **kinds):
    """Return a call whose paths all are the only step there is."""
    return {"alike": "", "function": "f", "may": list(kinds), "must": must, "kind": kinds, "paths": dict.fromkeys(kinds, 0),
            "order": list(kinds), "times": {}, "when": {}, "unless": {}, "named": {}, "deferred": [], "calls": {}, "price": {},
            "object": "", "on": []}


def test_counted_pairs_are_looked_for():
    pairs = counted.read_text(COUNTED, "x").pairs
    assert pairs == Counter({("openat", "file_open"): 6, ("openat", "inode_permission"): 7, ("-", "sb_mount"): 1})
    calls = {"openat": entry([], file_open="sync", inode_getattr="sync"), "-": entry([], sb_mount="sync")}
    present, missed = counted.recall(calls, pairs)
    assert sorted(present) == [("-", "sb_mount"), ("openat", "file_open")] and missed == [("openat", "inode_permission")]
    assert counted.precision(calls, pairs) == (1, 2)


def save(folder, **files):
    """Write files as a guest prints them."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)


def test_price_is_of_works_whose_ticks_mean_something(tmp_path):
    for name, unit, ticks in (("exact", "instructions", 9), ("again", "instructions", 21), ("real", "cycles", 70),
                              ("tcg", "", 5)):
        save(tmp_path / name, syscalls=COUNTED.replace("5 1 9", f"5 1 {ticks}"), unit=unit and f"{unit}\n")
    unit, prices = counted.prices(counted.works(tmp_path))
    assert unit == "instructions" and prices["openat", "file_open"] == 3 and prices["openat", "inode_permission"] == 1
    (tmp_path / "exact/unit").unlink()
    (tmp_path / "again/unit").unlink()
    assert counted.prices(counted.works(tmp_path))[0] == "cycles"
    (tmp_path / "real/unit").unlink()
    assert counted.prices(counted.works(tmp_path)) == ("", {})


def test_must_that_is_not_called_each_time(tmp_path):
    save(tmp_path / "work", syscalls=COUNTED, success="257 7\n56 10\n999 1\n")
    works, names = counted.works(tmp_path), {257: "openat", 56: "clone"}
    calls = {"openat": entry(["file_open", "inode_permission"], file_open="sync", inode_permission="sync"),
             "clone": entry(["task_alloc"], task_alloc="sync")}
    assert counted.successes(works, names) == {"openat": 7, "clone": 5}
    assert counted.broken(calls, works, names) == [("work", "openat", "file_open", 7, 6), ("work", "clone", "task_alloc", 5, 0)]
    assert counted.checked(calls, works, names) == 3


def test_execveat_ends_as_execve(tmp_path):
    header = COUNTED.splitlines()[0]
    rows = [f"{name} bprm_creds_for_exec 1 9 5 {calls} 0 30" for name, calls in (("execve", 5), ("execveat", 2))]
    save(tmp_path / "work", syscalls="\n".join([header, *rows]) + "\n")
    calls = {"execve": entry(["bprm_creds_for_exec"], bprm_creds_for_exec="sync")}
    for successes, broken in ((7, []), (8, [("work", "execve", "bprm_creds_for_exec", 8, 7)])):
        save(tmp_path / "work", success=f"59 {successes}\n")
        assert counted.broken(calls, counted.works(tmp_path), {59: "execve"}) == broken


CALLS = """rename,_two_directories rename 1 - 8 inode_permission 32
rename,_two_directories rename 5 - 8 inode_permission 96
rename,_two_directories rename 1 - 8 inode_rename 8
rename,_two_directories rename 5 - 8 inode_rename 8
rename,_two_directories rename 1 from 8 inode_permission 16
rename,_two_directories rename 5 from 8 inode_permission 16
close close 1 - 8 - 0
close close 5 - 8 - 0
renameat renameat 1 - 8 - 0
renameat renameat 5 - 8 - 0
"""


def test_published_table_beside_ours(tmp_path):
    asks = entry(["inode_permission"], inode_permission="sync", inode_rename="sync")
    asks["on"] = [{"objects": ["ext4"], "must": ["inode_rename"], "paths": {"inode_permission": 0, "inode_rename": 0},
                   "times": {"inode_permission": "each path component"}}]
    content = whole("6.12.0", ["inode_permission"], rename=asks, close=entry([]))
    content["modules"] = {"inode_permission": ["selinux", "smack"], "inode_rename": ["selinux"]}
    save(tmp_path / "table7", calls=CALLS)
    content["table7"] = made.read(tmp_path / "table7/calls")
    lines = list(table7.text(content))
    assert [line.split()[3:] for line in lines if line.startswith("rename, two directories  ")] == [
        ["inode_rename", "must", "1", "1", "-", "-", "-", "|", "4", "2", "0", "2", "0"],
        ["path_rename", "-", "0", "-", "-", "-", "-", "|", "4", "0", "1", "0", "1"],
        ["inode_permission", "may", "d", "d", "-", "d", "-", "|", "4", "5", "0", "5", "0"],
        ["inode_permission", "2d+2", "2d+2", "-", "2d+2", "-"], ["inode_rename", "1", "1", "-", "-", "-"]]
    assert [line.split()[:3] for line in lines if line.startswith("close")] == 2 * [["close", "none", "asked"]]
    # This call is not published, so the columns right of the bar are empty.
    assert [line.split() for line in lines if line.startswith("renameat ")] == [
        ["renameat", "none", "asked", "-", "0", *"----", "|"], ["renameat", "none", "asked", "0", *"----"]]
    below = [line.partition(": ")[2] for line in lines if line.startswith("rename, two directories: ")]
    assert any(re.fullmatch(r"inode_permission .*`from` 2\b.*", line) for line in below)
    assert any(re.fullmatch(r"SELinux .* 1 \+ 2d\+2 .*\(inode_rename, inode_permission\).* 7\b.* 4\b.*", line) for line in below)


def test_table_7_is_of_calls_made_one_by_one(tmp_path):
    content = whole("6.12.0", [], read=entry([]))
    content["table7"] = {}
    with pytest.raises(Failed, match="scripts/lab map-counts table7"):
        list(table7.text(content))
    save(tmp_path / "table7", calls="read read one - 8 file_permission 8\n")
    with pytest.raises(Failed, match="line 1"):
        made.read(tmp_path / "table7/calls")


def test_pairs_of_an_object_are_held_against_that_object(tmp_path):
    save(tmp_path, objects="ext4 openat file_open 3\next4 openat cred_free 1\next4 openat path_mknod 4\ntcp openat file_open 2\n"
         "ext4 - cred_prepare 1\n",
         success="ext4 257 3\next4 56 2\ntcp 257 9\ntcp 999 1\n")
    counts = on_objects.read(tmp_path, {257: "openat", 56: "clone"})
    assert counts.successes == {("ext4", "openat"): 3, ("ext4", "clone"): 1, ("tcp", "openat"): 9}
    openat = on_objects.Said({"file_open": "sync", "cred_free": "last", "inode_create": "sync", "path_mknod": "sync"},
                             {"file_open": "", "inode_create": "O_PATH"})
    said = {("ext4", "openat"): openat, ("ext4", "clone"): on_objects.Said({"task_alloc": "sync"}, {"task_alloc": ""})}
    assert on_objects.held(counts, said) == {
        "there": 3, "missed": [("tcp", "openat", "file_open")],
        "shares": {"ext4": {"seen": 2, "synchronous": 3}},
        "musts": 2, "broken": [("ext4", "clone", "task_alloc", 1, 0)], "always": [("ext4", "openat", "path_mknod")],
        "never": [("ext4", "openat", "inode_create")]}


@pytest.mark.parametrize("files", [{"objects": "ext4 openat file_open\n"}, {"objects": "ext4 openat file_open many\n"},
                                   {"success": "ext4 257\n"}])
def test_what_was_not_printed_of_objects(tmp_path, files):
    assert on_objects.read(tmp_path / "gone", {}) == ({}, {})
    save(tmp_path, **files)
    with pytest.raises(Failed, match="line 1"):
        on_objects.read(tmp_path, {257: "openat"})


def test_number_that_is_no_call_is_left_out(tmp_path):
    save(tmp_path, success="ext4 one 3\next4 7 1\n")
    assert on_objects.read(tmp_path, {257: "openat"}).successes == {}


def test_file_that_is_not_of_the_monitor():
    with pytest.raises(FormatError, match=r"x: .*'hook min max'.* syscall, count"):
        counted.read_text("hook min max\n", "x")


def whole(release, hooks, **calls):
    return {"format": table.FORMAT, "version": table.VERSION, "kernel": release, "hooks": hooks, "modules": {"file_open": ["selinux"]}, "counted": [], "unit": "",
            "common": {}, "objects": {"FS": [], "SOCKET": []}, "functions": ["f"], "steps": [(0, 0)],
            "code": {"calls": {}, "digests": {}}, "syscalls": calls}


# Numbers of functions, and of the steps that end there.
OPEN, WALK, HOOK_A, HOOK_B = range(4)


def kernel(release, hooks, digest="1", also=(), **calls):
    """Return a map in which open() walks, a path to one hook, and itself calls the functions in `also`."""
    content = whole(release, hooks, **calls)
    content["functions"] = ["do_open", f"walk@fs/{release}.c", "security_a", "security_b"]
    content["steps"] = [(0, OPEN), (1, WALK), (1, HOOK_A), (3, HOOK_B)]
    content["code"] = {"calls": {"0": [WALK, *also], "1": [HOOK_A]}, "digests": {"0": digest, "1": "same"}}
    return content


def reaching(must, **ends):
    """Return a call with the last step of the path to each hook."""
    return {**entry(must, **dict.fromkeys(ends, "sync")), "paths": ends}


def test_what_calls_gained_and_lost():
    old = kernel("6.1.0", ["a", "b", "gone"], open=reaching(["a"], a=HOOK_A, gone=HOOK_A), close=entry([]),
                 openat=reaching([], a=HOOK_A))
    new = kernel("6.12.0", ["a", "b", "new"], digest="2", also=[HOOK_B], open=reaching([], a=HOOK_A, b=HOOK_B, new=HOOK_B),
                 pidfd=entry([]), openat=reaching([], a=HOOK_A, b=HOOK_B))
    first, *rest = compare.text(old, new)
    assert re.findall(r"\d+\.\d+\.\d+", first) == ["6.1.0", "6.12.0"]
    assert rest == ["hooks: +new -gone", "syscalls: +pidfd -close", "must: do_open() has changed: -a: open",
                    "may: do_open() calls security_b(): +b: open openat"]
    assert list(compare.text(new, old))[3:] == ["must: do_open() has changed: +a: open",
                                                "may: do_open() no longer calls security_b(): -b: open openat"]


def test_function_that_only_one_kernel_has_has_not_changed():
    old = kernel("6.1.0", ["a"], open=reaching(["a"], a=HOOK_A))
    new = kernel("6.12.0", ["a"], open=reaching([], a=HOOK_A))
    new["functions"] = ["do_open_anew", *new["functions"][1:]]
    assert list(compare.text(old, new))[1:] == ["must: do_open_anew() is new: -a: open"]
    assert "must: do_open_anew() is gone: +a: open" in list(compare.text(new, {**old, "syscalls": {"open": reaching(["a"])}}))


def test_difference_that_no_code_accounts_for_is_left_out():
    old = kernel("6.1.0", ["a", "b"], also=[HOOK_B], open=reaching(["a"], a=HOOK_A))
    new = kernel("6.12.0", ["a", "b"], also=[HOOK_B], open=reaching([], a=HOOK_A, b=HOOK_B))
    left_out = list(compare.text(old, new))[1:]
    assert len(left_out) == 1 and left_out[0].startswith("2 differences ")


def test_change_is_that_of_the_object_that_a_call_is_shown_on():
    on = [{"objects": ["tmpfs"], "must": [], "paths": {"b": HOOK_B}}, {"objects": ["ext4"], "must": [], "paths": {}}]
    old = kernel("6.1.0", ["a", "b"], open={**reaching([], a=HOOK_A), "on": on, "object": "ext4"})
    new = kernel("6.12.0", ["a", "b"], also=[HOOK_B], open={**reaching([], a=HOOK_A), "on": on, "object": "tmpfs"})
    assert [line.split(": ")[1:] for line in compare.text(old, new)][1:] == [["do_open() calls security_b()", "+b", "open"]]


def test_code_is_the_same_wherever_it_is(read, tmp_path):
    digests = []
    for text in ("int f(int a) { return a ? g(a) : 0; }", "\n\nint f(int b) { return b ? g(b) : 0; }",
                 "int f(int a) { return a ? h(a) : 0; }", "int f(int a) { return a == 3 ? g(a) : 0; }"):
        source = tmp_path / "code.c"
        source.write_text(f"int g(int a); int h(int a);\n{text}\n")
        digests.append(code.digest(read([source]).functions["f"]))
    assert digests[0] == digests[1] and len(set(digests)) == 3


def test_what_many_calls_gained_is_shortened():
    old, new = (kernel("6.1.0", ["a", "b"], also=also, **{f"c{i:02}": reaching([], **hooks) for i in range(30)})
                for also, hooks in (((), {"a": HOOK_A}), ([HOOK_B], {"a": HOOK_A, "b": HOOK_B})))
    assert list(compare.text(old, new))[1:] == ["may: do_open() calls security_b(): +b: "
                                                "c00 c01 c02 c03 c04 c05 c06 c07 and 22 more"]


def test_each_map_is_compared_with_the_one_before():
    first, second, third = whole("6.1.0", ["a"]), whole("6.12.0", ["a", "b"]), whole("7.2.0", ["b"])
    lines = list(compare.consecutive([first, second, third]))
    assert lines[::3] == ["", ""] and lines[2::3] == ["hooks: +b", "hooks: -a"]
    assert [re.findall(r"\d+\.\d+\.\d+", line) for line in lines[1::3]] == [["6.1.0", "6.12.0"], ["6.12.0", "7.2.0"]]
    assert list(compare.consecutive([first])) == []


def test_one_map_is_nothing_to_compare():
    done = subprocess.run([FAKE.parents[1] / "scripts/lab", "map", "--compare", "one.json"],
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "") and "--compare one.json: " in done.stderr


def test_pages_for_each_call_and_hook(tmp_path):
    opened = entry(["file_open"], file_open="sync", inode_create="sync")
    opened["calls"], opened["named"] = {"file_open": 3}, {"ima_file_check": {"sure": "must", "path": ["f", "do_open"]}}
    content = whole("6.12.0", ["file_open"], **{"open": opened, "uring:OPENAT": entry([]), "-": entry([])})
    html.write(content, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "hook_file_open.html", "index.html", "none.html", "open.html", "unseen.html", "uring_OPENAT.html"]
    page = (tmp_path / "open.html").read_text()
    assert "hook_file_open.html" in page and "<td>ima_file_check<td>must" in page
    assert "selinux" in (tmp_path / "hook_file_open.html").read_text()
    unseen = (tmp_path / "unseen.html").read_text()
    assert "inode_create" in unseen and "file_open" not in unseen


def test_paths_are_kept_once():
    packer = packed.Packer()
    paths = {"a": ["f", "g", "h"], "b": ["f", "g"], "c": ["g"], "d": ["f", "g", "h"]}
    ends = packer.ends(paths)
    assert ends["a"] == ends["d"] and len(packer.steps()) == 4
    assert {hook: packed.path(list(packer.functions), packer.steps(), end) for hook, end in ends.items()} == paths


def test_page_of_a_call_by_object(tmp_path):
    opened = {**entry([], file_open="sync", sk_free="sync"), "object": "ext4", "on": [
        {"objects": ["tcp"], "must": [], "unless": {}, "kinds": {"sync": ["sk_free"]}, "paths": {"sk_free": 0},
         "order": ["sk_free"], "times": {}, "when": {}},
        {"objects": ["ext4", "tmpfs"], "must": ["file_open"], "unless": {"file_open": "O_TMPFILE"},
         "kinds": {"sync": ["file_open"], "last": ["cred_free"]}, "paths": {"file_open": 0}, "order": ["file_open"],
         "times": {"file_open": "each descriptor"}, "when": {"file_open": ["not O_PATH"]}}]}
    html.write(whole("6.12.0", ["file_open"], open=opened), tmp_path)
    text = (tmp_path / "open.html").read_text()
    first, second = text[text.index("<h2>By object"):text.index("<h2>On all")].split("<summary>On ")[1:]
    assert second.startswith("tcp: 1<") and "sk_free" in second and "cred_free" in first
    assert "<details open><summary>On ext4, tmpfs: 1<" in text and "each descriptor" in first and "not O_PATH" in first
    assert "must, unless O_TMPFILE" in first and "must" not in second.replace("class=must", "")


def test_what_is_the_same_on_several_objects_is_said_once():
    on = {"must": ["file_open"], "unless": {}, "kind": {"file_open": "sync", "cred_free": "last"},
          "paths": {"file_open": ["f", "g"]}, "order": ["file_open", "cred_free"], "times": {"file_open": "once"}, "when": {}}
    other, unsure = {**on, "kind": {"file_open": "sync"}}, {**on, "unless": {"file_open": "O_PATH"}}
    packer = packed.Packer()
    first, second, third = document.by_object({"objects": {"ext4": on, "tcp": other, "tmpfs": on, "proc": unsure}}, packer)
    assert first["objects"] == ["ext4", "tmpfs"] and second["objects"] == ["tcp"] and first["times"] == {}
    assert first["order"] == ["file_open"] and first["kinds"] == {"sync": ["file_open"], "last": ["cred_free"]}
    assert first["paths"] == {"file_open": 1} and third["objects"] == ["proc"]


def test_file_that_is_not_a_map(tmp_path):
    path = tmp_path / "map.json"
    path.write_text("{}")
    with pytest.raises(Failed, match=f"{path}: .*lsmpmon-map"):
        document.load(path)
    with pytest.raises(Failed, match="No such file"):
        document.load(tmp_path / "gone")
    path.write_text(json.dumps({"format": table.FORMAT, "version": 2}))
    with pytest.raises(Failed, match=f"{path}: .*version 2.*make map again"):
        document.load(path)


def test_call_that_is_like_another_is_kept_once(tmp_path):
    native = {**entry(["file_open"], file_open="sync"), "calls": {"file_open": 3}}
    other = {**native, "alike": "open", "calls": {"file_open": 1}, "successes": 1}
    content = whole("6.12.0", ["file_open"], **{"open": native, "compat:open": other})
    document.dump(content, tmp_path / "map.json")
    written = json.loads((tmp_path / "map.json").read_text())["syscalls"]
    assert "kind" in written["open"] and "may" not in written["open"] and "kind" not in written["compat:open"]
    assert document.load(tmp_path / "map.json")["syscalls"] == {"open": native, "compat:open": other}
    html.write(content, tmp_path / "html")
    assert "open.html" in (tmp_path / "html/compat_open.html").read_text()


# A kernel's map, whole.


@pytest.mark.full
@pytest.mark.skipif("LSMPMON_MAP" not in os.environ, reason="makes a whole map, about 15 minutes; LSMPMON_MAP=1 runs it")
def test_what_is_counted_is_in_the_map():
    """Each must is called whenever its call succeeds, and each path is one.

    The guests do lmbench-hook's work, and calls one by one.
    """
    repo = FAKE.parents[1]
    environment = {**os.environ, "KVER": "6.12", "KDIR": "", "FS": "", "SOCKET": "", "FLAVOUR": "patched"}
    for words in ([repo / "scripts/lab", "map-counts", "table7", "lmbench"], [repo / "scripts/lab", "map"]):
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    content = document.load(repo / "build/map/6.12/map.json")
    assert "lmbench" in content["counted"] and content["recall"]["there"] > 100
    assert content["recall"]["missed"] == []
    assert content["must"]["checked"] > 30 and content["must"]["broken"] == []
    assert content["paths"]["checked"] > 10_000 and content["paths"]["broken"] == []
    assert content["unit"] == "instructions" and content["syscalls"]["openat"]["price"]["file_open"] > 0
    assert table7.formula(content["table7"]["open"]["-"]["inode_permission"]) == "d+1"
