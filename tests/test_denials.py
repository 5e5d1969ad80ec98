# SPDX-License-Identifier: GPL-2.0-only
"""A denial is shown as one, under the module that denied and no other.

Each module has a policy that lets the benchmark work in one directory and not
in the one beside it; the benchmark is run once in each.
"""

import subprocess

import pytest
from guests import GUESTS, LSMMON, available, counts, output
from kernels import CLEAN, REPO

# The hook in which each module denies to make a directory.
DENIED = {
    "selinux": "inode_permission",
    "smack": "inode_permission",
    "apparmor": "path_mkdir",
    "tomoyo": "path_mkdir",
    "landlock": "path_mkdir",
}
COMMAND = f"""
policy=$(lab/inside/lsm-setup prepare $LSM /tmp/work) || exit
[ "$policy" != none ] || {{ echo "no policy" >&2; exit 3; }}
confined() {{ lab/inside/lsm-setup exec $LSM /tmp/work lmbench-hook work stat -n 1 -d "$1" >&-; }}
cd {LSMMON}
echo module 1 >features
echo 1 >control
cd $REPO
confined /tmp/work; allowed=$?
confined /tmp/work.denied; denied=$?
cd {LSMMON}
echo 0 >control
echo $allowed $denied
echo @@ verdicts; cat verdicts
echo @@ modules; cat modules
"""


@pytest.fixture(scope="module", autouse=True)
def built():
    subprocess.run(["make", "-s", "-C", REPO / "userspace"], check=True, env=CLEAN)
    subprocess.run([REPO / "lab/shell/lsm-tools"], check=True, env=CLEAN)


def arguments(module):
    return subprocess.run([REPO / "lab/inside/lsm-setup", "arguments", module],
                          capture_output=True, text=True, check=True).stdout


@pytest.mark.once
@pytest.mark.parametrize("module", DENIED)
@pytest.mark.parametrize("kver, runner", GUESTS)
def test_denial(kver, runner, module):
    if not available([module], kver, runner):
        pytest.skip(f"Linux {kver} has no {module} on {runner}")
    text = output(COMMAND, KVER=kver, RUNNER=runner, LSM=module, KARGS=arguments(module))
    statuses, verdicts, modules = text.split("@@ ")
    allowed, denied = map(int, statuses.split())
    assert allowed == 0 and denied != 0

    hook = DENIED[module]
    by_verdict = counts(verdicts.removeprefix("verdicts\n"), "hook", "verdict")
    assert {key[0]: number for key, number in by_verdict.items() if key[1] == "deny"} == {hook: 1}
    assert by_verdict[hook, "allow"] > 0

    modules = modules.removeprefix("modules\n")
    denials = counts(modules, "module", "hook", of=["deny_count"])
    assert {key: number for key, number in denials.items() if number} == {(module, hook): 1}
    assert counts(modules, "module", "hook")[module, hook] > 1
