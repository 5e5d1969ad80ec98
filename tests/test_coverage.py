# SPDX-License-Identifier: GPL-2.0-only
"""Every hook that a kernel has is measured, wherever that kernel calls it.

Judged by the built kernel: its symbols and its table say which hooks there are,
its code says where they are called and recorded. See hooksites.py.
"""

import re
from collections import Counter

import pytest
from guests import GUESTS, LSMMON, counts, output, sites
from hooksites import (COPIES, DETAILED_ENTERS, DETAILED_EXITS, ENTERS, HOOK_BYTES, MEASURED,
                       Sites)
from kernels import VERSIONS, pristine

LOOP_EXIT = "lsmpmon_loop_exit"


@pytest.fixture(params=GUESTS, ids="-".join)
def found(request):
    return sites(*request.param)


def need_copies_apart(vmlinux):
    if not vmlinux.exact:
        pytest.skip("on User-Mode Linux, copies of loops over lists share code; see qemu")


def of_the_kernel(found):
    """Functions that call hooks: not those of the monitor and its tests."""
    return [f for f in found.functions.values() if f.dispatched]


def unrecorded(found):
    """(function, hook): called there, and not recorded there."""
    recorded = found.recorded()
    return sorted((f.name, hook) for f in of_the_kernel(found)
                  for hook in f.dispatched - recorded[f.name])


def misrecorded(found):
    """(function, hook): recorded there under a name of which no call is there."""
    return sorted((f.name, str(hook)) for f in of_the_kernel(found)
                  for hook in found.recorded()[f.name] - f.dispatched)


def lopsided(found):
    """(function, slot): not the same in the measured copies as outside them.

    Each copy of a dispatch asks each slot's switch and calls each slot; whether
    there is any module to look at is asked of the first slot, once more. Where
    that is not a jump label, the compiler may merge some of it in a function that
    has several dispatches, and need not ask the first slot's again.
    """
    exact = bool(found.vmlinux.jumps)
    wrong = []
    for function in of_the_kernel(found):
        calls, tests = Counter(function.slots), Counter(function.tests)
        looped = {found.name(number) for mark, number in function.exits.values() if mark == LOOP_EXIT}
        for slot in calls | tests:
            # A loop has no copy for what the filter passes over.
            copies = COPIES - (slot[0] in looped)
            if (calls[slot] < copies
                    or ((exact or slot[1]) and tests[slot] < copies)
                    or (exact and (calls[slot] % copies or tests[slot] not in
                                   (calls[slot], calls[slot] + (not slot[1]) * calls[slot] // copies)))):
                wrong.append((function.name, slot))
    return wrong


def dispatches(vmlinux, function):
    """How often a function dispatches any hook, by the switches it asks: that
    of a hook's only slot once more than copies, that of the second as often.
    """
    counted, times = (0, COPIES + 1) if vmlinux.slots_per_hook == 1 else (1, COPIES)
    tests = Counter(function.tests)
    asked = [-(-tests[slot] // times) for slot in tests if slot[1] == counted]
    return sum(asked) + len(function.loops)


def test_every_call_of_a_hook_is_recorded(found):
    assert unrecorded(found) == []
    assert misrecorded(found) == []


def test_every_hook_is_recorded_somewhere(found):
    """Each hook that has a static call is called somewhere, and each call is recorded."""
    existing = {hook for hook, _ in found.vmlinux.slots.values()}
    called = set().union(*(f.dispatched for f in of_the_kernel(found)))
    recorded = set().union(*(found.recorded()[f.name] for f in of_the_kernel(found)))
    print(f"{len(existing)} hooks; called nowhere: {sorted(existing - called) or 'none'}")
    assert len(existing) > 200
    assert recorded == called
    assert existing == set(found.vmlinux.hooks) and len(existing) == len(found.vmlinux.hooks)
    assert called == existing


def test_measured_copies_are_whole(found):
    need_copies_apart(found.vmlinux)
    assert lopsided(found) == []


@pytest.mark.parametrize("enters", [ENTERS, DETAILED_ENTERS])
def test_each_dispatch_has_one_copy(found, enters):
    """There are as many copies as dispatches, also in functions that have several."""
    need_copies_apart(found.vmlinux)
    for function in of_the_kernel(found):
        begun = [mark for _, mark in function.calls if mark in enters]
        assert len(begun) == dispatches(found.vmlinux, function), function.name


def test_the_detailed_path_records_every_call(found):
    if not found.vmlinux.jumps:
        pytest.skip("without jump labels, the ends of the plain and detailed copies share code")
    recorded = found.recorded(DETAILED_EXITS)
    assert [f.name for f in of_the_kernel(found) if recorded[f.name] != f.dispatched] == []


@pytest.mark.parametrize("kver", VERSIONS)
def test_every_measured_copy_is_behind_the_switch(kver):
    """With jump labels, each copy has one switch, which leads to its beginning."""
    found = sites(kver, "qemu")
    watched = found.vmlinux.watched
    for function in of_the_kernel(found):
        targets = [watched[at] for at in sorted(watched) if at in function.code]
        assert targets, f"{function.name} has no switch"
        assert MEASURED * len(targets) == len(function.calls), function.name
        enters = sorted(at for at, _ in function.calls)
        for target in targets:
            assert first_call(function, target) in enters, function.name


def first_call(function, address):
    """The address of the first call or jump of code that runs straight on."""
    code = sorted(a for a in function.code if a >= address)
    return next(a for a in code if function.code[a].name.startswith(("call", "j", "ret")))


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_open_coded_loops_are_those_of_the_source(kver, runner):
    found = sites(kver, runner)
    source = (pristine(kver) / "security/security.c").read_text()
    loops = set(re.findall(r"^\t(?:lsm_for_each_hook\(\w+, |hlist_for_each_entry\(hp,\s+"
                           r"&security_hook_heads\.)(\w+)\b", source, re.M))
    recorded = set().union(*(found.recorded([LOOP_EXIT])[f.name] for f in of_the_kernel(found)))
    assert recorded == loops
    if found.vmlinux.slots_per_hook > 1:
        assert {hook for f in of_the_kernel(found) for hook in f.loops} == loops
    assert len(loops) >= 10


@pytest.mark.parametrize("kver, runner", GUESTS)
def test_result_has_all_hooks_in_order(kver, runner):
    """The offset in the code counts lines of `result`, so the order matters."""
    lines = list(counts(output(f"cat {LSMMON}/result", KVER=kver, RUNNER=runner)))
    assert lines == sites(kver, runner).vmlinux.hooks


@pytest.fixture(scope="module", params=GUESTS, ids="-".join)
def text(request):
    """The disassembly of a few functions, to be doctored."""
    vmlinux = sites(*request.param).vmlinux
    names = "security_(file_permission|inode_getsecctx|task_prctl|inode_rename|getprocattr)"
    blocks = vmlinux.disassembly().split("\n\n")
    kept = [b for b in blocks if re.match(rf"\n*[0-9a-f]+ <{names}>:", b)]
    assert len(kept) == 5
    return vmlinux, "\n\n".join(kept)


def doctored(text, hook, change):
    """The same code with all instructions changed that load a hook's number."""
    vmlinux, code = text
    load = rf"mov +\$0x{vmlinux.hooks.index(hook) * HOOK_BYTES:x},%edi"
    assert re.search(load, code)
    return Sites(vmlinux, re.sub(load, change, code))


def test_untouched_code_passes(text):
    found = Sites(*text)
    assert unrecorded(found) == [] and misrecorded(found) == [] and lopsided(found) == []


@pytest.mark.parametrize("hook", ["file_permission", "inode_getsecctx", "task_prctl"])
def test_missing_record_is_noticed(text, hook):
    found = doctored(text, hook, "mov    %ebp,%edi")
    assert (f"security_{hook}", hook) in unrecorded(found)


def test_record_of_another_hook_is_noticed(text):
    wrong = text[0].hooks.index("file_open")
    found = doctored(text, "file_permission", f"mov    $0x{wrong * HOOK_BYTES:x},%edi")
    assert ("security_file_permission", "file_permission") in unrecorded(found)
    assert ("security_file_permission", "file_open") in misrecorded(found)


def test_missing_exit_is_noticed(text):
    """Calls of the monitor's end are gone, whatever way it is called."""
    vmlinux, code = text
    exits = [vmlinux.address[name] for name in ("lsmpmon_exit", LOOP_EXIT)]
    for address in exits:
        code = code.replace(f"{address:x}", f"{address + 1:x}")
    names = {name for name, _ in unrecorded(Sites(vmlinux, code))}
    assert {"security_file_permission", "security_task_prctl"} <= names


def test_incomplete_copy_is_noticed(text):
    """The last time that a slot is called or its switch asked is gone; that its
    address is handed on is neither.
    """
    vmlinux, code = text
    need_copies_apart(vmlinux)
    slot = ("file_permission", min(3, vmlinux.slots_per_hook - 1))
    places = vmlinux.slots if vmlinux.jumps else vmlinux.switches
    address = next(f"{a:x}" for a, s in places.items() if s == slot and f"{a:x}" in code)
    at = list(re.finditer(rf"(?<!\$0x){address}", code))[-1].start()
    found = Sites(vmlinux, f"{code[:at]}{'f' * len(address)}{code[at + len(address):]}")
    assert ("security_file_permission", slot) in lopsided(found)
