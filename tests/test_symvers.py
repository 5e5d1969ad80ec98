# SPDX-License-Identifier: GPL-2.0-only
"""Modules that were built without the monitor fit a kernel with it: no version of an exported symbol changes."""

import pytest
from kernels import DEFAULT, pristine

from lsmlab.kernel.objects import passed
from lsmlab.kernel.objects.build import Objects, compiler_version, fragment
from lsmlab.kernel.objects.tree import ours

pytestmark = [pytest.mark.full, pytest.mark.slow]
ARCH = "x86_64"
SECURITY = ("CONFIG_SECURITY=y", "CONFIG_SECURITYFS=y", "CONFIG_SECURITY_NETWORK=y", "CONFIG_SECURITY_YAMA=y")
CONFIG = (*fragment("base"), "CONFIG_SYSFS=y", "CONFIG_PROC_FS=y", "CONFIG_TMPFS=y", "CONFIG_NET=y", "CONFIG_UNIX=y", "CONFIG_INET=y",
          "CONFIG_FTRACE=y", "CONFIG_FTRACE_SYSCALLS=y", "CONFIG_ENABLE_DEFAULT_TRACERS=y", "CONFIG_SYMBOLIC_ERRNAME=y",
          "CONFIG_MODULES=y", "CONFIG_MODVERSIONS=y", *SECURITY)
MONITOR = "CONFIG_SECURITY_LSMPMON=y"


def versions(objects, *more):
    """Return the version of each exported symbol of a kernel."""
    objects.configure([*CONFIG, *more], ["CONFIG_MODVERSIONS=y", *SECURITY, *more])
    objects.compile(["vmlinux"], fresh=False)
    lines = (objects.folder / "vmlinux.symvers").read_text().splitlines()
    return {symbol: crc for crc, symbol, *_ in map(str.split, lines)}


@pytest.mark.parametrize("version", [DEFAULT])
def test_no_version_of_a_symbol_changes(version):
    def check():
        with ours(version) as tree:
            objects = Objects(tree, ARCH, "symvers")
            without, with_ = versions(objects), versions(objects, MONITOR)
        # Functions that are given a task, so that their versions tell its layout.
        assert {"wake_up_process", "kthread_stop", "send_sig"} <= without.keys() and len(without) > 2000
        assert {symbol for symbol, crc in without.items() if int(crc, 16) == 0} == set()
        assert {symbol: (crc, with_.get(symbol)) for symbol, crc in without.items() if with_.get(symbol) != crc} == {}

    key = passed.digest("symvers", pristine(version).name, compiler_version(ARCH), *CONFIG, files=passed.inputs(version))
    passed.once(key, check)
