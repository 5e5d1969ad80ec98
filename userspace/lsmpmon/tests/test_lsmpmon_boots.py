# SPDX-License-Identifier: GPL-2.0-only
"""lsmpmon diff reports a delay that the Tunable Security Module adds between real boots, with its length."""


import pytest
from guests import execute

BOOTS = 6
# This is so long that other load on the machine is small beside it.
DELAY_NS = 100_000
DELAYED = ("inode_permission", "file_permission")
SET = f"echo {DELAY_NS} >/sys/kernel/security/tunable/delay_ns; "
RECORD = "lsmpmon record -r 3 -o $SHARE/{}.json -- find $REPO/userspace -newer /etc/passwd >/dev/null"

pytestmark = [pytest.mark.full, pytest.mark.guest("6.12", "uml")]


@pytest.fixture(scope="module")
def sides(plain, tmp_path_factory):
    """Return the records of each boot without the delay and with it, taken in turn."""
    folders = {"": tmp_path_factory.mktemp("without"), SET: tmp_path_factory.mktemp("with")}
    for number in range(BOOTS):
        for setting, where in folders.items():
            done = execute(setting + RECORD.format(number), LSM="tunable", SHARE=where)
            assert done.returncode == 0, done.stderr
    return folders.values()


def test_a_known_delay_is_a_change(view, sides):
    rows = {row["hook"]: row for row in view("diff", *sides)["rows"]}
    for hook in DELAYED:
        assert rows[hook]["sure"] == "yes", rows[hook]
        assert rows[hook]["ave B"] - rows[hook]["ave A"] >= DELAY_NS, rows[hook]
