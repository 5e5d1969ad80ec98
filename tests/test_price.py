# SPDX-License-Identifier: GPL-2.0-only
"""make cost from its beginning to its end: kernels are built and booted, and planted prices are found exactly."""

import json
import shutil
import subprocess

import pytest
from kernels import REPO, environment, in_time, pristine, settings

pytestmark = [pytest.mark.full, pytest.mark.last]

# Seconds: two kernels from nothing, six in their trees, and eight boots.
TAKES = 1500
# Bytes: a git tree of Linux, the tree of make cost, and one for each flavour of its kernels.
NEEDS = 12 << 30
FS, PLACE = "security/landlock/fs.c", "static int hook_file_open(struct file *const file)\n{\n"
# By subject, what is put before the callback's own code.
COMMITS = {
    "landlock: 3 more instructions": '\tasm volatile(".rept 3; nop; .endr");\n',
    "landlock: a comment": "\t/* Nothing. */\n",
}


def git(folder, *words):
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "core.compression=1"]
    subprocess.run(["git", "-C", folder, *who, *words], check=True, stdout=subprocess.DEVNULL)


def commit(tree, subject, text):
    """A new file in place of the old one, which other trees share."""
    source = (tree / FS).read_text()
    assert source.count(PLACE) == 1
    (tree / FS).unlink()
    (tree / FS).write_text(source.replace(PLACE, PLACE + text))
    git(tree, "commit", "-q", "-a", "-m", subject)


@pytest.fixture
def series():
    """Linux as a git tree with COMMITS, beside the kernels, so that the next run builds in what this one leaves."""
    tree = settings.CACHE / "cost" / f"linux-{pristine().name}"
    if not tree.exists():
        part = tree.with_name(f"{tree.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        part.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-al", pristine(), part], check=True)
        git(part, "init", "-q")
        git(part, "add", "-f", "-A")
        git(part, "commit", "-q", "-m", "base")
        git(part, "tag", "base")
        part.rename(tree)
    git(tree, "reset", "-q", "--hard", "base")
    for subject, text in COMMITS.items():
        commit(tree, subject, text)
    return tree


def measured(tree):
    """The report of make cost."""
    variables = {"KDIR": tree, "RANGE": "base..HEAD", "LSM": "landlock", "BENCH": "open stat", "FORMAT": "json"}
    asked = ["make", "-s", "-C", REPO, "cost"]
    done = subprocess.run(asked, env=environment(**variables), capture_output=True, text=True)
    if "past the deadline" in done.stderr:
        in_time()
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def test_planted_prices_are_found(request):
    in_time(TAKES)
    if shutil.disk_usage(settings.CACHE).free < NEEDS:
        pytest.skip(f"less than {NEEDS >> 30} GiB of disk are free")
    found = measured(request.getfixturevalue("series"))
    planted, comment = found["steps"]
    change, = planted["changes"]
    part, = change["parts"]
    assert (change["benchmark"], change["stack"], change["change"]) == ("open", "landlock", 3)
    assert (part["where"], part["hook"], part["change"]) == ("landlock", "file_open", 3)
    assert part["calls_before"] == part["calls_after"]
    assert comment["changes"] == [] and found["whole"]["changes"] == planted["changes"]
    assert "were found exactly" in found["selftest"]
