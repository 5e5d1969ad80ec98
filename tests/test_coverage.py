# SPDX-License-Identifier: GPL-2.0-only
"""Every hook that a kernel has is measured, wherever that kernel calls it.

The built kernel is the witness: its symbols and its table tell which hooks there are,
its code tells where they are called and recorded. See hooksites.py.
"""

import re
from collections import Counter

import pytest
from controlflow import Flow
from guests import GUESTS, LSMMON, counts, output, sites
from hooksites import CALL, DISPATCH, END, HOOK_BYTES, LOOP, Sites
from kernels import VERSIONS, pristine


@pytest.fixture(params=GUESTS, ids="-".join)
def places(request):
    return sites(*request.param)


def need_copies_apart(vmlinux):
    if not vmlinux.exact:
        pytest.skip("on User-Mode Linux, copies of loops over lists share code; see qemu")


def of_the_kernel(places):
    """Return the functions that call hooks, without those of the monitor and its tests."""
    return [f for f in places.functions.values() if f.dispatched]


def unrecorded(places):
    """Return (function, hook) for each hook that a function calls and does not record."""
    recorded = places.recorded()
    return sorted((f.name, hook) for f in of_the_kernel(places)
                  for hook in f.dispatched - recorded[f.name])


def misrecorded(places):
    """Return (function, hook) for each hook that a function records and does not call."""
    return sorted((f.name, str(hook)) for f in of_the_kernel(places)
                  for hook in places.recorded()[f.name] - f.dispatched)


def lopsided(places):
    """Return (hook, reason) for each hook whose measured dispatch is not all of it, once, and nothing else."""
    wrong = []
    for hook, function in places.measured.items():
        whole = {(hook, slot): 1 for slot in range(places.vmlinux.slots_per_hook)}
        # A list is also asked whether it is empty.
        slots = function.slots if places.vmlinux.slots_per_hook > 1 else set(function.slots)
        if Counter(slots) != whole:
            wrong.append((hook, "slots"))
        if {places.name(number) for kind, number in function.exits.values() if kind == END} != {hook}:
            wrong.append((hook, "record"))
        if any(kind != END for kind, _ in function.exits.values()):
            wrong.append((hook, "another hook"))
    return wrong


def dispatches(vmlinux, function):
    """Return how often a function dispatches each hook, outside of measured code."""
    often = Counter(hook for hook, slot in function.slots if slot == 0)
    return often + Counter(function.loops)


def test_every_call_of_a_hook_is_recorded(places):
    assert unrecorded(places) == []
    assert misrecorded(places) == []


def test_every_hook_is_recorded_somewhere(places):
    """Each hook that has a static call is called in some function, and each call is recorded."""
    existing = {hook for hook, _ in places.vmlinux.slots.values()}
    called = set().union(*(f.dispatched for f in of_the_kernel(places)))
    recorded = set().union(*(places.recorded()[f.name] for f in of_the_kernel(places)))
    print(f"{len(existing)} hooks; called nowhere: {sorted(existing - called) or 'none'}")
    assert len(existing) > 200
    assert recorded == called
    assert existing == set(places.vmlinux.hooks) and len(existing) == len(places.vmlinux.hooks)
    assert called == existing


def test_measured_dispatch_is_whole(places):
    """Each slot is called once, in the one function of the hook, which records that hook."""
    assert set(places.measured) == set(places.vmlinux.hooks)
    assert lopsided(places) == []


def test_each_dispatch_has_one_measured_call(places):
    """There are as many measured calls as dispatches, also in functions that have several."""
    for function in of_the_kernel(places):
        measured = Counter(places.name(number) for kind, number in function.exits.values() if kind == CALL)
        inside = {places.name(number) for kind, number in function.exits.values() if kind == LOOP}
        expected = {hook: n for hook, n in dispatches(places.vmlinux, function).items() if hook not in inside}
        assert measured == expected, function.name


@pytest.mark.parametrize("kver", VERSIONS)
def test_every_measured_call_is_behind_the_switch(kver):
    """A call has one switch, which leads to it on each path: arguments may be evaluated before.

    A function with a measured twin has one switch, before all else, and no measured call elsewhere.
    """
    places = sites(kver, "qemu")
    watched = places.vmlinux.watched
    for function in of_the_kernel(places):
        targets = [watched[at] for at in sorted(watched) if at in function.code]
        assert targets, f"{function.name} has no switch"
        flow = Flow(places, function)
        if function.twin:
            assert len(targets) == 1 and None not in flow.reach(targets, without={function.twin}), function.name
            assert not set(function.exits) & flow.reach([function.start], without={function.twin}), function.name
            continue
        assert len(targets) == len(function.exits), function.name
        for target in targets:
            assert None not in flow.reach([target], without=function.exits), function.name


def called_by_name(source):
    """Return the hooks in whose functions a kernel with lists calls modules by name, too."""
    bodies = [function[function.rfind("\n{"):] for function in source.split("\n}\n")]
    return {hook for body in bodies if re.search(r"\b(?:ima|evm|integrity)_\w+\(", body)
            for hook in re.findall(r"\b(?:call_(?:int|void)_hook\(\s*|security_hook_heads\.)(\w+)", body)}


def of_another_default(kver, source):
    """Return the hooks that security.c calls with another default than lsm_hook_defs.h has."""
    defs = (pristine(kver) / "include/linux/lsm_hook_defs.h").read_text()
    default = {hook: value for value, hook in re.findall(r"LSM_HOOK\(int, (\S+), (\w+)", defs)}
    return {hook for hook, value in re.findall(r"call_int_hook\((\w+),\s+([^,()]+)[,)]", source)
            if hook in default and value != default[hook]}


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_open_coded_loops_are_those_of_the_source(kver, runner):
    places = sites(kver, runner)
    source = (pristine(kver) / "security/security.c").read_text()
    loops = set(re.findall(r"^\t(?:lsm_for_each_hook\(\w+, |hlist_for_each_entry\(hp,\s+"
                           r"&security_hook_heads\.)(\w+)\b", source, re.M))
    recorded = set().union(*(places.recorded([LOOP])[f.name] for f in of_the_kernel(places)))
    in_place = set() if places.vmlinux.slots_per_hook > 1 else called_by_name(source) | of_another_default(kver, source)
    assert recorded == loops | in_place
    if places.vmlinux.slots_per_hook > 1:
        assert {hook for f in of_the_kernel(places) for hook in f.loops} == loops
    assert len(loops) >= 10


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_result_has_all_hooks_in_order(kver, runner):
    """The offset in the code counts lines of `result`, so the order matters."""
    lines = list(counts(output(f"cat {LSMMON}/result", KVER=kver, RUNNER=runner)))
    assert lines == sites(kver, runner).vmlinux.hooks


@pytest.fixture(scope="module", params=GUESTS, ids="-".join)
def text(request):
    """Return the disassembly of a few functions, which tests then change."""
    vmlinux = sites(*request.param).vmlinux
    names = "(security|lsmpmon_call|lsmpmon_dispatch|lsmpmon_twin_security)_(file_permission|task_prctl|inode_rename|getprocattr|file_open)"
    blocks = vmlinux.disassembly().split("\n\n")
    kept = [b for b in blocks if re.match(rf"\n*[0-9a-f]+ <{names}>:", b)]
    assert len(kept) == 17
    return vmlinux, "\n\n".join(kept)


def redirected(text, hook, address):
    """Return the code with the measured calls of a hook going to another address."""
    vmlinux, code = text
    measured = f"{vmlinux.address[CALL + hook]:x}"
    assert measured in code
    return Sites(vmlinux, code.replace(measured, f"{address:x}"))


def misnumbered(text, hook, change):
    """Return the code with a change of all instructions that load a loop's hook."""
    vmlinux, code = text
    load = rf"mov +\$0x{vmlinux.hooks.index(hook):x},%esi"
    assert re.search(load, code)
    return Sites(vmlinux, re.sub(load, change, code))


def test_untouched_code_passes(text):
    places = Sites(*text)
    assert unrecorded(places) == [] and misrecorded(places) == [] and lopsided(places) == []


def test_missing_call_is_noticed(text):
    places = redirected(text, "file_permission", text[0].address[CALL + "file_permission"] + 1)
    assert unrecorded(places) == [("security_file_permission", "file_permission")]


def test_call_for_another_hook_is_noticed(text):
    places = redirected(text, "file_permission", text[0].address[CALL + "file_open"])
    assert ("security_file_permission", "file_permission") in unrecorded(places)
    assert ("security_file_permission", "file_open") in misrecorded(places)


@pytest.mark.parametrize("hook", ["task_prctl", "getprocattr"])
def test_missing_record_of_a_loop_is_noticed(text, hook):
    places = misnumbered(text, hook, "mov    %ebp,%esi")
    assert (f"security_{hook}", hook) in unrecorded(places)


def test_record_of_another_hook_is_noticed(text):
    vmlinux, code = text
    own, other = (vmlinux.hooks.index(hook) * HOOK_BYTES for hook in ("file_permission", "file_open"))
    assert f"$0x{own:x},%edi" in code
    places = Sites(vmlinux, code.replace(f"$0x{own:x},%edi", f"$0x{other:x},%edi"))
    assert ("file_permission", "record") in lopsided(places)


def test_incomplete_dispatch_is_noticed(text):
    """A slot is called nowhere, or only in the measured dispatch."""
    vmlinux, code = text
    slot = ("file_permission", min(3, vmlinux.slots_per_hook - 1))
    before, begin, rest = code.partition(f"<{DISPATCH}file_permission>:")
    function, end, after = rest.partition("\n\n")
    address = next(f"{a:x}" for a, s in vmlinux.slots.items() if s == slot and f"{a:x}" in function)
    # A list may be looked at twice: whether it is empty, and for what is in it.
    gone = function.replace(address, "f" * len(address))
    places = Sites(vmlinux, before + begin + gone + end + after)
    assert ("file_permission", "slots") in lopsided(places)
