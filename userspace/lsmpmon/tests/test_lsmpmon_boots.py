# SPDX-License-Identifier: GPL-2.0-only
"""diff of real boots: the same kernel and work on both sides is not a change, another module is."""

import itertools
import sys

import pytest
from recorded import TOP

sys.path.append(str(TOP / "tests"))
from guests import execute  # noqa: E402

BOOTS = 6
WORK = "tar -cf /dev/null $REPO/userspace $REPO/scripts; find $REPO/userspace -newer /etc/passwd >/dev/null"

pytestmark = [pytest.mark.full, pytest.mark.guest("6.12", "uml")]


@pytest.fixture(scope="module")
def boots(plain, tmp_path_factory):
    """By module: the records of each boot."""
    found = {}
    for module in ("apparmor", "selinux"):
        where = tmp_path_factory.mktemp(module)
        for number in range(BOOTS):
            done = execute(f"lsmpmon record -r 3 -o $SHARE/{number}.json -- sh -c \"{WORK}\"", LSM=module, SHARE=where)
            assert done.returncode == 0, done.stderr
        found[module] = sorted(where.glob("*.json"))
    return found


def sure(view, one, other):
    rows = view("diff", ",".join(map(str, one)), ",".join(map(str, other)))["rows"]
    assert len(rows) > 20
    return {row["hook"] for row in rows if row["sure"] == "yes"}


def test_the_same_is_no_change(view, boots):
    """All ways to halve six boots, which are not independent of each other: one of the twenty alarms by
    chance on average, and more than three point to another cause.
    """
    alarms = []
    for records in boots.values():
        for half in itertools.combinations(records[1:], BOOTS // 2 - 1):
            one = {records[0], *half}
            alarms.append(sure(view, sorted(one), sorted(set(records) - one)))
    assert len(alarms) == 20 and sum(map(bool, alarms)) <= 3, alarms


def test_another_module_is_a_change(view, boots):
    """SELinux has no policy here, and asks itself all the same; AppArmor does not at an inode."""
    assert "inode_permission" in sure(view, boots["apparmor"], boots["selinux"])
