# SPDX-License-Identifier: GPL-2.0-only
"""Each module gets a policy that allows the benchmark its work and denies it another directory."""

import os
import pathlib
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]
ARGUMENTS = {"tomoyo": "TOMOYO_trigger=/bin/true TOMOYO_loader=/bin/true"}


@pytest.fixture(scope="module", autouse=True)
def built():
    subprocess.run(["make", "-s", "-C", TOP / "userspace"], check=True)
    subprocess.run([TOP / "scripts" / "lsm-tools"], check=True)


def in_guest(module, command, kargs=""):
    """On the patched kernel, which is the one that is measured."""
    unset = ("KDIR", "SHARE", "INITRD", "ACCEL", "CMD")
    env = {key: value for key, value in os.environ.items() if key not in unset}
    env |= {"RUNNER": "uml", "FLAVOUR": "patched", "LSM": module, "KARGS": kargs, "TIMEOUT": "120"}
    return subprocess.run([TOP / "scripts" / "exec", command], capture_output=True, text=True, env=env, check=False)


@pytest.mark.parametrize("module", ["selinux", "apparmor", "tomoyo", "smack", "landlock"])
def test_the_policy_decides(module):
    done = in_guest(module, f"scripts/lsm-setup prepare {module} /tmp/work", ARGUMENTS.get(module, ""))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() not in ("", "none"), done.stderr


@pytest.mark.parametrize("module", ["selinux", "apparmor", "tomoyo", "smack", "landlock"])
def test_all_of_the_benchmark_is_allowed(module):
    prepare = f"scripts/lsm-setup prepare {module} /tmp/work >/dev/null"
    work = f"scripts/lsm-setup exec {module} /tmp/work lmbench-hook work '*' -n 3 -d /tmp/work"
    done = in_guest(module, f"{prepare} && {work}", ARGUMENTS.get(module, ""))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 rounds of each")


def test_what_cannot_be_set_up_is_said():
    """TOMOYO without its trigger on the command line never counts its policy as loaded."""
    done = in_guest("tomoyo", "scripts/lsm-setup prepare tomoyo /tmp/work")
    assert done.stdout.strip() == "none"
    assert "TOMOYO_trigger=/bin/true is not on the kernel's command line" in done.stderr


@pytest.mark.parametrize(
    "arguments, says",
    [("", "verb ''"), ("prepare", "module ''"), ("prepare yama /tmp", "module 'yama'"), ("exec smack", "no directory")],
)
def test_bad_arguments_are_named(arguments, says):
    done = subprocess.run(
        [TOP / "scripts" / "lsm-setup", *arguments.split()], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert says in done.stderr
