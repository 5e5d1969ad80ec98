# SPDX-License-Identifier: GPL-2.0-only
"""Tests of make cost from beginning to end: kernels are built and booted, and a planted price is reported exactly."""

import json
import shutil
import subprocess

import pytest
from kernels import REPO, environment, in_time, pristine

from lsmlab.places import CACHE

pytestmark = [pytest.mark.full, pytest.mark.last]

# Seconds on a busy machine: six kernels and eight boots, and the first time two of the kernels from nothing.
FIRST, NEXT = 1800, 900
# Bytes: a git tree of Linux, the tree of make cost, and one for each flavour of its kernels.
NEEDS = 8 << 30
FILE, PLACE = "security/landlock/fs.c", "static int hook_file_open(struct file *const file)\n{\n"
PLANTED = '\tasm volatile(".rept 3; nop; .endr");\n'
# All blobs go into one pack, and stay there.
GIT = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "core.compression=1", "-c", "core.bigFileThreshold=1",
       "-c", "gc.auto=0")


def git(folder, *words):
    subprocess.run(["git", *GIT, "-C", folder, *words], check=True, stdout=subprocess.DEVNULL)


def make_tree(tree):
    part = tree.with_name(f"{tree.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-al", pristine(), part], check=True)
    git(part, "init", "-q")
    git(part, "add", "-f", "-A")
    git(part, "commit", "-q", "-m", "base")
    git(part, "tag", "base")
    part.rename(tree)


def plant(tree):
    """Write a new file in place of the old one, which other trees share."""
    git(tree, "reset", "-q", "--hard", "base")
    source = (tree / FILE).read_text()
    assert source.count(PLACE) == 1
    (tree / FILE).unlink()
    (tree / FILE).write_text(source.replace(PLACE, PLACE + PLANTED))
    git(tree, "commit", "-q", "-a", "-m", "landlock: 3 more instructions")


def measured(tree):
    """Return the report of make cost."""
    variables = {"KDIR": tree, "RANGE": "base..HEAD", "LSM": "landlock", "BENCH": "open stat", "FORMAT": "json"}
    words = ["make", "-s", "-C", REPO, "cost"]
    done = subprocess.run(words, env=environment(**variables), capture_output=True, text=True)
    if "past the deadline" in done.stderr:
        in_time()
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_planted_price_is_found():
    """The tree is beside the kernels, so that the next run builds in the same one."""
    tree = CACHE / "cost" / f"linux-{pristine().name}"
    in_time(NEXT if tree.exists() else FIRST)
    if not tree.exists():
        if shutil.disk_usage(CACHE).free < NEEDS:
            pytest.skip(f"less than {NEEDS >> 30} GiB of disk are free")
        make_tree(tree)
    plant(tree)
    report = measured(tree)
    change, = report["steps"][0]["changes"]
    part, = change["parts"]
    assert (change["benchmark"], change["stack"], change["change"]) == ("open", "landlock", 3)
    assert (part["where"], part["hook"], part["change"]) == ("landlock", "file_open", 3)
    assert part["calls_before"] == part["calls_after"]
    assert "were found exactly" in report["selftest"]
