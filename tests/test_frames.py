# SPDX-License-Identifier: GPL-2.0-only
"""While it is off, the monitor adds a no-op to a hook call, and nothing else: no frame, no canary, no instruction. While it is
on, a hook call takes little of the stack.
"""

import functools

import frames
import pytest
from kernels import DEFAULT, VERSIONS, pristine

from lsmlab.kernel.objects import stack
from lsmlab.kernel.objects.tree import ours

# Registers are allocated again, and a way out of a function may come twice, with its six registers. In the functions of mmap
# and brk, no instruction is added; in that of fork, those of lsmpmon_inherit().
SLACK = 6
EXACT = ("security_vm_enough_memory_mm", "security_mmap_file", "security_mmap_addr", "security_file_mprotect",
         "security_bprm_check")
FORK = "security_task_alloc"
LOOP = "security_vm_enough_memory_mm"
# Bytes that a measured hook call may take, of a stack that has 8 KiB on 32-bit arm.
STACK = 640

every_version = pytest.mark.parametrize("version", VERSIONS)


@functools.cache
def compared(version, protector):
    pristine(version)
    with ours(version) as tree:
        return frames.compare(tree, version, protector)


@every_version
@pytest.mark.parametrize("protector", [False, True], ids=["plain", "stackprotector"])
def test_no_frame_and_no_canary(version, protector):
    pairs = compared(version, protector)
    assert LOOP in pairs and sum(with_.branches for _, with_ in pairs.values()) > 200
    assert {name: (was, is_) for name, (was, is_) in pairs.items()
            if is_.frame > was.frame or is_.canary != was.canary} == {}


@every_version
def test_one_branch_and_no_other_instruction(version):
    more = {name: is_.instructions - was.instructions for name, (was, is_) in compared(version, False).items()}
    print({name: n for name, n in more.items() if n})
    assert {name: n for name, n in more.items() if n > SLACK} == {}
    assert {name: more[name] for name in EXACT if more[name] > 0} == {}
    assert {compared(version, False)[name][1].branches for name in (*EXACT, FORK)} == {1}


@every_version
def test_canary_of_a_frame_is_seen(version):
    """The comparison can fail: some functions have a canary without the monitor."""
    pairs = compared(version, True)
    assert 0 < sum(was.canary for was, _ in pairs.values()) < len(pairs)
    assert max(was.frame for was, _ in pairs.values()) > 64


@pytest.mark.parametrize("arch, protector", [
    ("x86_64", False), pytest.param("x86_64", True, marks=pytest.mark.full),
    pytest.param("arm64", False, marks=pytest.mark.full), pytest.param("arm", False, marks=pytest.mark.full)])
def test_a_measured_call_takes_little_of_the_stack(arch, protector):
    pristine(DEFAULT)
    taken = stack.added(DEFAULT, arch, protector)
    assert len(taken) > 200 and min(taken.values()) > 64
    assert {hook: size for hook, size in taken.items() if size > STACK} == {}
