# SPDX-License-Identifier: GPL-2.0-only
"""Part distributions of make eval: the stacks that people run, each module left out of them, and a container by its steps."""

import re
import subprocess

import pytest
from kernels import REPO

from lsmlab.measure.evaluation import distributions, guest, plan
from lsmlab.measure.evaluation.initrds import Initrds

CELLS = {cell.name.partition("-")[2]: cell for cell in plan.distributions()}


def test_stacks_are_those_of_the_distributions():
    """Debian's is read from its kernel's configuration: SELinux stands behind AppArmor there, and only one of them is on."""
    lists = {name: CELLS[name].lsm for name in ("debian", "ubuntu", "fedora", "android")}
    assert lists == {"debian": "landlock,lockdown,yama,apparmor,tomoyo,bpf,ipe", "ubuntu": "landlock,lockdown,yama,apparmor",
                     "fedora": "lockdown,yama,selinux,bpf,landlock,ipe", "android": "selinux,lockdown"}
    assert all(sum(name in plan.EXCLUSIVE for name in cell.lsm.split(",")) <= 1 for cell in CELLS.values())


def test_all_are_in_one_kernel_that_has_ima_and_evm():
    """Only no LSM is another one; so the base of each stack differs from it in nothing else."""
    assert {cell.flavour for name, cell in CELLS.items() if "dac" not in name} == {"patched"}
    assert {name: cell.flavour for name, cell in CELLS.items() if "dac" in name} == {"dac": "dac", "overlayfs-dac": "dac"}
    assert all(cell.exact and cell.kver == "6.12" for cell in CELLS.values())


@pytest.mark.parametrize("name", distributions.TAKEN_APART)
def test_each_module_is_left_out_once_with_its_policy(name):
    stack, found = CELLS[name], {}
    for other, cell in CELLS.items():
        if other.startswith(f"{name}-without-"):
            found[other.rpartition("-")[2]] = set(stack.lsm.split(",")) - set(cell.lsm.split(",")) - {""}
            assert set(cell.policies) <= set(stack.policies) and cell.fs == stack.fs
    assert found == {module: {module} for module in stack.lsm.split(",")} | ({"audit": set()} if "audit" in found else {})
    assert ("audit" in found) == (name in ("fedora", "android"))
    assert CELLS[f"{name}-hooks"].policies == stack.policies and CELLS[f"{name}-hooks"].measures == ("hooks",)


def test_auditing_is_as_each_has_it():
    """Fedora's rule is a policy, which is proved; Android has no rule."""
    assert (set(CELLS["fedora"].policies), CELLS["fedora"].kargs) == ({"audit-fedora", "selinux-debian"}, "")
    assert (set(CELLS["fedora-without-audit"].policies), CELLS["android-without-audit"].kargs) == ({"selinux-debian"}, "")
    assert set(CELLS["fedora-without-selinux"].policies) == {"audit-fedora"}
    assert "audit=1" in guest.arguments(CELLS["fedora"], 5, ()).split() and "audit=1" in CELLS["android"].kargs.split()
    assert "audit" not in guest.arguments(CELLS["debian"], 5, ())


def test_a_container_is_reached_step_by_step():
    """Each step has what the one before has; the profile is entered instead of none, behind all others the filter."""
    steps = [tuple(CELLS[f"overlayfs-{name}"].policies) for name in distributions.STEPS]
    assert steps == [("apparmor-unconfined",), ("container",), ("seccomp", "container"), ("seccomp", "container", "userns")]
    cells = [cell for name, cell in CELLS.items() if name.startswith("overlayfs-")]
    assert len(cells) == 8 and {cell.fs for cell in cells} == {"overlayfs"}
    assert all("cell_layers=tmpfs" in guest.arguments(cell, 5, ()).split() for cell in cells)
    assert "cell_layers" not in guest.arguments(CELLS["debian"], 5, ())


def test_a_user_namespace_is_measured_by_itself():
    """Files belong to the one who mounted an overlayfs, or do not; there are no modules."""
    names = ("userns", "overlayfs-userns", "overlayfs-userns-root")
    assert [(CELLS[name].lsm, set(CELLS[name].policies), CELLS[name].fs) for name in names] == [
        ("", {"userns"}, "tmpfs"), ("", {"userns"}, "overlayfs"), ("", {"userns-root"}, "overlayfs")]


def test_guests_have_what_policies_need():
    assert Initrds(list(plan.distributions())).policies(distributions.PART) == tuple(guest.MADE)
    for policy, needs in (("container", "apparmor-debian"), ("apparmor-unconfined", "apparmor-debian"), ("userns", "seccomp")):
        assert guest.SAME[policy] == needs and needs in guest.MADE


def test_lsm_setup_knows_each_policy():
    """The directory is missing, and that is the first complaint."""
    for cell in CELLS.values():
        if cell.policies:
            words = [REPO / "lab/inside/lsm-setup", "prove", ",".join(cell.policies)]
            done = subprocess.run(words, capture_output=True, text=True)
            assert re.search("no directory", done.stderr), (cell.name, done.stderr)
