# SPDX-License-Identifier: GPL-2.0-only
"""BPF programs on hooks of a live kernel, one by one: two whose loops are known, and others that come meanwhile."""

import subprocess

import pytest
from built import make
from guests import BPF, execute
from kernels import VERSIONS
from recorded import TOP
from test_lsmpmon_bpf import of

pytestmark = [pytest.mark.guest(*BPF), pytest.mark.skipif(BPF[0] not in VERSIONS, reason=f"Linux {BPF[0]} is not tested")]
LOOPS = "build/lsmpmon/tests/loops.bpf.o"
# As loops.bpf.c has them; a round is three instructions of x86: sub, test, jne.
ROUNDS = {"file_open": 1000, "bprm_check_security": 10000}
ROUND = 3
OPENS, EXECS = {"few": 1000, "many": 3000}, 10
SCRIPT = f"""
cd /tmp && mount -t bpf bpf /sys/fs/bpf && mkdir /sys/fs/bpf/loops /sys/fs/bpf/more || exit
"$REPO/build/bin/bpf-deny" "$REPO/{LOOPS}" /sys/fs/bpf/loops || exit
cat >work <<'X'
i=0
while [ $i -lt $1 ]; do : </etc/hostname; i=$((i+1)); done
i=0
while [ $i -lt $2 ]; do /bin/true; i=$((i+1)); done
X
python3 -c '
import ctypes, struct, time
path = ctypes.create_string_buffer(b"/sys/fs/bpf/loops/loop_exec")
attributes = struct.pack("=QQ", ctypes.addressof(path), 0)
assert ctypes.CDLL(None).syscall(321, 7, attributes, len(attributes)) >= 0
open("/proc/self/comm", "w").write("agent one")
open("/tmp/held", "w")
time.sleep(1000)' & agent=$!
until [ -e held ]; do sleep 0.1; done
lsmpmon record --bpf -f none -o few.json -- sh work {OPENS["few"]} {EXECS} || exit
lsmpmon record --bpf -f none -o many.json -- sh work {OPENS["many"]} {EXECS} || exit
cat >more <<'X'
"$REPO/build/bin/bpf-deny" "$REPO/{LOOPS}" /sys/fs/bpf/more && : </etc/hostname && /bin/true
X
lsmpmon record --bpf -f none -o more.json -- sh more || exit
cat /proc/sys/kernel/bpf_stats_enabled >stats
echo $agent >agent
mount -t tmpfs none /sys/kernel/btf && lsmpmon record --bpf -o none.json -- true 2>untyped
echo $? >untyped.status
cp few.json many.json more.json stats agent untyped untyped.status "$SHARE"
"""


@pytest.fixture(scope="module")
def live(plain, tmp_path_factory):
    """Return where a guest left records of two programs with known loops."""
    if subprocess.run([TOP / "lab/shell/lsm-tools", "bpf"], check=False).returncode:
        pytest.skip("programs of BPF could not be built here")
    make(TOP / "build", TOP / LOOPS)
    where = tmp_path_factory.mktemp("loops")
    done = execute(SCRIPT, KVER=BPF[0], RUNNER=BPF[1], ACCEL="icount", LSM="bpf", SHARE=where)
    assert done.returncode == 0, done.stderr
    return where


def test_programs_run_as_often_as_their_hooks_are_called(live, view):
    """Programs are timed while the monitor is on, which has in addition the file that is opened to switch it off."""
    calls, programs = {}, (("file_open", "loop_open", 1), ("bprm_check_security", "loop_exec", 0))
    for name in OPENS:
        for hook, program, more in programs:
            found = of(view("bpf", hook, live / f"{name}.json")["rows"], hook)
            calls[name, hook] = found[program]["calls"]
            assert found["(callback)"]["calls"] == found[program]["calls"] + more
    assert calls["many", "file_open"] - calls["few", "file_open"] == OPENS["many"] - OPENS["few"]
    assert calls["few", "bprm_check_security"] == calls["many", "bprm_check_security"] == EXECS + 1


def test_each_program_has_the_time_of_its_loop(live, view):
    rows = view("bpf", live / "many.json")["rows"]
    ave = {row["hook"]: row["ave"] for row in rows if row["id"] is not None}
    assert all(ROUND * ROUNDS[hook] < ave[hook] < ROUND * ROUNDS[hook] * 1.1 for hook in ROUNDS), ave
    more = ave["bprm_check_security"] - ave["file_open"]
    assert more / (ROUNDS["bprm_check_security"] - ROUNDS["file_open"]) == pytest.approx(ROUND, rel=0.03)


def test_programs_take_no_more_than_the_callback(live, view):
    for name in ("few", "many", "more"):
        for hook in ROUNDS:
            found = of(view("bpf", hook, live / f"{name}.json")["rows"], hook)
            programs = sum(row["wall"] for row in found.values() if row["id"] is not None)
            assert 0 < programs < found["(callback)"]["wall"]
            if name != "more":
                assert 0 < found["(trampoline)"]["ave"] < 1000, found


def test_who_has_a_program(live, view):
    rows = view("bpf", live / "few.json")["rows"]
    agent = (live / "agent").read_text().strip()
    assert {row["program"]: (row["owner"], row["uid"]) for row in rows if row["id"] is not None} == {
        "loop_open": ("/sys/fs/bpf/loops/loop_open", 0),
        "loop_exec": (f"agent\\040one:{agent},/sys/fs/bpf/loops/loop_exec", 0)}


def test_a_program_that_is_loaded_meanwhile(live, view):
    rows = [row for row in view("bpf", "bprm_check_security", live / "more.json")["rows"] if row["id"] is not None]
    assert {row["owner"].split(",")[-1]: row["calls"] for row in rows} == {
        "/sys/fs/bpf/loops/loop_exec": 3, "/sys/fs/bpf/more/loop_exec": 1}


def test_statistics_end_with_the_record(live):
    assert (live / "stats").read_text() == "0\n"


def test_a_kernel_without_types(live):
    said = (live / "untyped").read_text()
    assert (live / "untyped.status").read_text() == "2\n" and said.count("\n") == 1
    assert "no '/sys/kernel/btf/vmlinux' (CONFIG_DEBUG_INFO_BTF)" in said
