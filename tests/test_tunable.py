# SPDX-License-Identifier: GPL-2.0-only
"""The Tunable Security Module: its kselftests by itself and beside others, its documents, and the oracle.

A hook that waits N ns has to read N.
"""

import functools
import re
import statistics
import subprocess

import kselftests
import pytest
from guests import DEBUG, GUESTS, counts, execute, name_of, output
from kernels import DEFAULT, REPO

TUNABLE = "/sys/kernel/security/tunable"
ABI = (REPO / "Documentation/ABI/testing/securityfs-tunable").read_text()
USE = (REPO / "Documentation/admin-guide/LSM/tunable.rst").read_text()
# First and last among modules that decide themselves.
STACKS = ("tunable", "tunable,selinux", "apparmor,tunable")
CASES = [(program, case) for program in kselftests.programs(kselftests.TUNABLE)
         for case in kselftests.cases(program)]
PLACES = [(where, lsm) for where in GUESTS for lsm in STACKS if where[1] == "uml" or lsm == STACKS[1]]
IDS = ["-".join((*where, lsm)) for where, lsm in PLACES]


@functools.cache
def guest(where, lsm):
    """Boot once: run all programs, then print the files."""
    kver, runner = where
    show = f"cd {TUNABLE} && for file in *; do echo \"@@ $file\"; cat $file; done"
    done = execute(f"{kselftests.command(kselftests.programs(kselftests.TUNABLE), kver)}; {show}",
                   KVER=kver, RUNNER=runner, LSM=lsm)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.once
@pytest.mark.parametrize("program, case", CASES, ids=[f"{p}-{c}" for p, c in CASES])
@pytest.mark.parametrize("where, lsm", PLACES, ids=IDS)
def test_kselftest(where, lsm, program, case):
    kselftests.judge(*guest(where, lsm), program, case)


@pytest.mark.once
@pytest.mark.parametrize("where, lsm", PLACES, ids=IDS)
def test_guest_has_no_complaint(where, lsm):
    status, _, errors = guest(where, lsm)
    assert status == 0, errors


@pytest.fixture(scope="module")
def policies():
    """Build the policies of the other modules, and the files that these are about."""
    subprocess.run(["make", "-s", "-C", REPO / "userspace"], check=True)
    subprocess.run([REPO / "lab/shell/lsm-tools"], check=True)


CONFINED = """
policy=$(lab/inside/lsm-setup prepare MODULE /tmp/work) || exit
echo "$policy"; [ "$policy" != none ] || exit 0
echo 1 >/sys/kernel/security/lsmmon/control
echo 1000 >/sys/kernel/security/tunable/delay_ns
lab/inside/lsm-setup exec MODULE /tmp/work lmbench-hook work creat read -n 3 -d /tmp/work || exit
lab/inside/lsm-setup exec MODULE /tmp/work lmbench-hook work stat -n 1 -d /tmp/work.denied && exit 9
cat /sys/kernel/security/tunable/stats
"""


@pytest.mark.parametrize("module, lsm", [("selinux", "tunable,selinux"), ("apparmor", "apparmor,tunable")])
def test_other_modules_decide_as_ever(module, lsm, policies):
    """Operations that another module's policy allows wait, and those that it denies are denied."""
    text = output(CONFINED.replace("MODULE", module), LSM=lsm)
    policy, _, table = text.partition("hook calls waits")
    if policy.splitlines()[0] == "none":
        pytest.skip(f"no policy for {module}")
    waits = counts("hook calls waits" + table, of=["waits"])
    assert waits["inode_permission"] > 0 and waits["file_permission"] > 0


BOTH_LABELS = """
policy=$(lab/inside/lsm-setup prepare selinux /tmp/work) || exit
echo "$policy"; [ "$policy" != none ] || exit 0
cp /bin/touch /tmp/work/touch; setfattr -n security.test -v trusted /tmp/work/touch || exit
/tmp/work/touch /tmp/work/file || exit
getfattr --absolute-names -d -m '^security' /tmp/work/file
"""


def test_a_file_has_the_labels_of_both(policies):
    text = output(BOTH_LABELS, LSM="selinux,tunable")
    if text.startswith("none"):
        pytest.skip("no policy for selinux")
    assert 'security.test="trusted"' in text
    assert re.search(r'security.selinux="base_u:object_r:work_t', text), text


def shown(where):
    """Return the output of each file."""
    text = guest(where, STACKS[1])[1].split("@@ alloc_bytes\n", 1)[1]
    parts = re.split(r"^@@ (\w+)\n", "@@ alloc_bytes\n" + text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


@pytest.mark.once
@pytest.mark.parametrize("where", GUESTS, ids=name_of)
def test_documents_have_every_file_hook_and_column(where):
    """Hooks whose name is another in this kernel are there, too."""
    files = shown(where)
    assert set(files) == {"delay_ns", "hooks", "sleep_ns", "lock_ns", "alloc_bytes", "scope", "stats", "fault"}
    hooks = [line.split()[0] for line in files["hooks"].splitlines()]
    assert len(hooks) == 8
    columns = files["stats"].splitlines()[0].split()
    letters = [line[0] for line in files["scope"].splitlines()]
    for text in (ABI, USE):
        words = set(re.findall(r"[\w/]+", text))
        assert set(files) - {name.rsplit("/", 1)[-1] for name in words} == set()
        assert {*hooks, *columns, *letters} - words == set()


def test_documents_have_no_file_that_is_gone():
    described = set(re.findall(r"/sys/kernel/security/tunable/(\w+)", ABI))
    titles = set(re.findall(r"^(\w+)\n-+$", USE, re.M))
    assert described == titles == set(shown((DEFAULT, "uml")))


def test_use_warns():
    assert re.search(r"^\.\. warning::\n\n   \S", USE[:USE.index("\n===", 200)], re.M)


EXACT = [where for where in GUESTS if where[1] == "qemu" and where != DEBUG]


@functools.cache
def exact_boot(where, number, folder):
    """Boot one of several guests that are the same in everything."""
    script, initrd = folder / "script", folder / f"initrd.{number}"
    script.write_text("exec sh /bin/oracle.sh\n")
    subprocess.run([REPO / "lab/shell/make-initrd", initrd, script, REPO / "tests/guest/oracle.sh"],
                   check=True)
    return output("", KVER=where[0], RUNNER=where[1], ACCEL="icount", LSM="tunable", INITRD=initrd)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("oracle")


@pytest.mark.full
@pytest.mark.parametrize("where", EXACT[:1], ids=name_of)
def test_oracle_is_repeatable(where, folder):
    """Two boots have the same time of each single call, to the tick."""
    assert exact_boot(where, 0, folder) == exact_boot(where, 1, folder)


def read_delays(text):
    """Return {(hook, delay): medians of the times of callback and hook, in ns}."""
    first, *lines = text.splitlines()
    khz, times = int(first.removeprefix("clock_khz ")), {}
    for line in lines:
        hook, ns, callback, whole = line.split()
        times.setdefault((hook, int(ns)), []).append((int(callback), int(whole)))
    return {key: [statistics.median(ticks) * 10**6 / khz for ticks in zip(*values)]
            for key, values in times.items()}


def deviations(text):
    """Return {(hook, delay): how many ns callback and hook read above the delay and their cost without one}."""
    read = read_delays(text)
    return {(hook, ns): [one - empty - ns for one, empty in zip(values, read[hook, 0])]
            for (hook, ns), values in read.items() if ns}


def misses(differences):
    """Return the differences of more than 2 % and more than 30 ns."""
    return {(hook, ns): values for (hook, ns), values in differences.items()
            if any(abs(value) > max(30, ns / 50) for value in values)}


def as_table(text):
    lines = ["hook                  delay ns   callback - empty - delay   hook - empty - delay"]
    lines += [f"{hook:<20} {ns:>10,} {callback:>26.1f} {whole:>22.1f}"
              for (hook, ns), (callback, whole) in deviations(text).items()]
    return "\n".join(lines)


@pytest.mark.full
@pytest.mark.parametrize("where", EXACT, ids=name_of)
def test_oracle(where, folder):
    """The limit is 2 % or 30 ns, as no delay is exact to the tick: a wait ends when a look at the clock shows it."""
    text = exact_boot(where, 0, folder)
    print(as_table(text))
    differences = deviations(text)
    assert len(differences) == 12 and {ns for _, ns in differences} >= {100, 1000000}
    assert misses(differences) == {}


@pytest.mark.parametrize("where", [where for where in GUESTS if where[1] == "uml"], ids=name_of)
def test_oracle_on_uml_is_printed(where):
    """This is real time, and so has no limit: the figures are printed for people."""
    text = output("SAMPLES=5 BATCH=20 sh tests/guest/oracle.sh", KVER=where[0], LSM="tunable")
    print(as_table(text))
    assert len(deviations(text)) == 12


def test_oracle_can_complain():
    """The hook waits half as long here."""
    text = "clock_khz 2000000\n" + "".join(
        f"file_permission {ns} {100 + ns} {180 + ns}\n" for ns in (0, 40, 1000))
    assert misses(deviations(text)) == {("file_permission", 1000): [-500, -500]}
