# SPDX-License-Identifier: GPL-2.0-only
"""Each module gets a policy that allows the benchmark its work and denies it another directory."""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import pytest
from guests import LIDS, execute, output

from lsmlab.measure.plans import bench
from lsmpmon_report.kernelfiles import parse_table

TOP = pathlib.Path(__file__).resolve().parents[3]
SETUP = TOP / "lab/inside/lsm-setup"
MODULES = ("selinux", "apparmor", "tomoyo", "tomoyo-few", "tomoyo-first", "tomoyo-last", "smack", "landlock")
DENYING = ("selinux", "apparmor", "tomoyo", "smack", "landlock")
WITH_RULES = ("apparmor", "tomoyo", "landlock", "smack")
STACKS = ("selinux,landlock,tomoyo", "tomoyo,landlock,apparmor")
DIR = "/tmp/work"


@pytest.fixture(scope="module", autouse=True)
def built():
    subprocess.run(["make", "-s", "-C", TOP / "userspace"], check=True)
    subprocess.run([TOP / "lab/shell/lsm-tools"], check=True)


def clean(**changes):
    unset = ("KDIR", "SHARE", "INITRD", "ACCEL", "CMD", "KARGS")
    env = {key: value for key, value in os.environ.items() if key not in unset}
    return env | {"RUNNER": "uml", "FLAVOUR": "patched", "TIMEOUT": "900"} | changes


def arguments(modules, mode="on"):
    done = subprocess.run([SETUP, "arguments", modules, mode], capture_output=True, text=True, check=True)
    return done.stdout.replace("\n", " ")


# After each: its output, its complaints, its status; all work of the benchmark must succeed.
SCRIPT = """
try() {{ echo "@ $1 $3 $4"; lab/inside/lsm-setup "$@" 2>/tmp/errors; echo "status: $?"; sed "s|^|error: |" /tmp/errors; }}
work() {{ lab/inside/lsm-setup exec {modules} {dir} lmbench-hook run '*' '*/*' -n 3 -w 2 --directories=20 -d {dir} >/tmp/out ||
	echo "error: work"; sed -n '$s/^/work: /p' /tmp/out; }}
closed() {{ lab/inside/lsm-setup denied {modules} {dir} | while read -r module file; do
	lab/inside/lsm-setup exec {modules} {dir} lmbench-hook run denied/open -n 3 -d {dir} --denied="$file" >/tmp/out ||
	echo "error: denied/open"; sed -n 's/^denied.open .*/closed: '"$module/p" /tmp/out; done; }}
{steps}
"""


def steps(modules):
    """Return the steps of a boot: a second proof of several in one boot would be denied by policies of the first."""
    modes = ("on",) if "," in modules else ("on", "off")
    lines = [f"try prove {modules} {DIR} {mode}\nwork" for mode in modes]
    if set(modules.split(",")) <= set(DENYING):
        lines[0] += "\nclosed"
    if modules in WITH_RULES:
        lines += [f"try rules {modules} {DIR} {number}\nwork" for number in (10, 1000)]
    return SCRIPT.format(modules=modules, dir=DIR, steps="\n".join(lines))


@functools.cache
def boot(modules):
    """Boot once with all steps, and return their lines by step."""
    text = output(steps(modules), LSM=re.sub("-(few|first|last)$", "", modules), KARGS=arguments(modules))
    lines = {}
    for part in text.split("@ ")[1:]:
        head, _, rest = part.partition("\n")
        what = head.split()[-1]
        lines[what] = rest.splitlines()
    return lines


def values(lines, key):
    return [line.partition(": ")[2] for line in lines if line.startswith(f"{key}: ")]


def proved(lines, modules, forbidden):
    """Check that the lines prove the policy of each module, in whatever order."""
    assert values(lines, "status") == ["0"], lines
    assert not values(lines, "error"), lines
    assert values(lines, "work"), lines
    assert set(values(lines, "module")) == set(modules.split(","))
    for key in ("says", "allowed", forbidden):
        assert len(values(lines, key)) == len(modules.split(",")), lines


@pytest.mark.parametrize("modules", MODULES + STACKS)
def test_on_denies_and_lets_the_benchmark_work(modules):
    lines = boot(modules)["on"]
    proved(lines, modules, "denied")
    assert all(text.endswith(("Permission denied", "Operation not permitted")) for text in values(lines, "denied"))
    assert set(values(lines, "closed")) == {module for module in modules.split(",") if module in DENYING}


# The module that denied each file that only one module denies, as the kernel counts.
DENIERS = """
set -e
lab/inside/lsm-setup prove {modules} {dir} >/dev/null
lab/inside/lsm-setup denied {modules} {dir} >/tmp/files
cd /sys/kernel/security/lsmmon
echo module 1 >features
while read -r module file; do
	echo 1 >reset
	echo 1 >control
	$REPO/lab/inside/lsm-setup exec {modules} {dir} \\
		lmbench-hook run denied/open -n 3 -d {dir} --denied="$file" >/tmp/out
	echo 0 >control
	echo "@ $module"
	cat modules
done </tmp/files
"""


def orders(*pairs):
    return [order for one, two in pairs for order in (f"{one},{two}", f"{two},{one}")]


PAIRS = orders(("selinux", "tomoyo"), ("apparmor", "tomoyo"), ("landlock", "tomoyo"))
MORE_PAIRS = orders(("smack", "tomoyo"), *((module, "landlock") for module in ("selinux", "apparmor", "smack")))


@pytest.mark.parametrize("modules", [*PAIRS, *(pytest.param(pair, marks=pytest.mark.full) for pair in MORE_PAIRS)])
def test_each_of_two_denies_a_file_that_the_other_allows(modules):
    """The second is asked only if the first allows: both orders together show that each file has one who denies it."""
    text = output(DENIERS.format(modules=modules, dir=DIR), LSM=modules, KARGS=arguments(modules))
    tables = [part.split("\n", 1) for part in text.split("@ ")[1:]]
    opens = [[file, row["module"]] for file, table in tables for row in parse_table(table)
             if row["deny_count"] and row["hook"] in ("inode_permission", "file_open")]
    assert sorted(opens) == sorted([module, module] for module in modules.split(",")), text


def test_a_file_that_another_module_cannot_open_is_no_proof():
    """Both modules of a stack would deny it, and the one that did would be unknown."""
    script = f"""lab/inside/lsm-setup prove landlock {DIR} >/dev/null && lab/inside/lsm-setup denied landlock {DIR} || exit
rm {DIR}/only.tomoyo/file && ln -s {DIR}.only/landlock/file {DIR}/only.tomoyo/file
lab/inside/lsm-setup denied landlock {DIR}"""
    done = execute(script, 1, LSM="landlock")
    assert done.returncode == 1 and done.stdout == f"landlock {DIR}.only/landlock/file\n"
    assert "lsm-setup: tomoyo: its file should be opened with landlock" in done.stderr


@pytest.mark.parametrize("modules", MODULES)
def test_off_lets_through_what_would_be_denied(modules):
    proved(boot(modules)["off"], modules, "not_denied")


@pytest.mark.parametrize("modules", WITH_RULES)
@pytest.mark.parametrize("number", ["10", "1000"])
def test_more_rules_decide_the_same(modules, number):
    lines = boot(modules)[number]
    proved(lines, modules, "denied")
    assert values(lines, "says")[0].endswith(f", {number} more rules before")


def test_two_orders_of_the_same_rules():
    """The kernel's list shows it: the head of one list is the end of the other."""
    rules = {}
    for order in ("first", "last"):
        script = f"lab/inside/lsm-setup prove tomoyo-{order} {DIR} >/dev/null; cat /sys/kernel/security/tomoyo/domain_policy"
        domain = output(script, LSM="tomoyo", KARGS=arguments("tomoyo")).partition("/lmbench-hook\n")[2].partition("\n<kernel>")[0]
        rules[order] = [line for line in domain.splitlines() if line.startswith("file ")]
    others = [line for line in rules["last"] if re.search("/tree/[A-Z]", line)]
    assert len(others) > 40 and sorted(rules["first"]) == sorted(rules["last"])
    walk = max(rules["first"].index(line) for line in rules["first"] if "/tree/d\\$/f\\$" in line)
    assert walk < min(map(rules["first"].index, others))
    assert min(rules["last"].index(line) for line in rules["last"] if "/fresh" in line) > max(map(rules["last"].index, others))


# Each work was done, and the last line is whether the policy forbids what it should.
WORKS = """
work=$PWD/lab/inside/work
lab/inside/lsm-setup prove {policy} {dir} >/tmp/proof || exit
$work prepare {dir}
for name in $($work list); do
	[ -z "$($work missing $name)" ] || continue
	lab/inside/lsm-setup exec {policy} {dir} $work run $name {dir} </dev/null >/dev/null || echo "denied: $name"
	echo "done: $name"
done
sed -n 's/^denied: .*: /forbids: /p' /tmp/proof
"""


@pytest.mark.parametrize("policy", ["tomoyo-work", *(pytest.param(name, marks=pytest.mark.full) for name in (
    "selinux-work", "apparmor-work", "smack", "landlock-work"))])
def test_a_policy_for_work_lets_all_of_it_run(policy):
    subprocess.run([TOP / "lab/shell/work-files"], check=True)
    done = execute(WORKS.format(policy=policy, dir=DIR), LSM=policy.removesuffix("-work"), KARGS=arguments(policy))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert {"untar", "status", "compile", "shell"} <= set(values(lines, "done"))
    assert not values(lines, "denied"), done.stderr
    assert values(lines, "forbids")[0] in ("Permission denied", "Operation not permitted")


def test_prepare_says_one_line():
    assert output(f"lab/inside/lsm-setup prepare landlock {DIR}", LSM="landlock") == "the benchmark is in a ruleset of one rule\n"


NO_TRIGGER = "TOMOYO_trigger=/bin/true is not on the kernel's command line"


def test_what_cannot_be_set_up_is_said():
    """TOMOYO without its trigger on the command line never counts its policy as loaded."""
    done = execute(f"lab/inside/lsm-setup prepare tomoyo {DIR}; lab/inside/lsm-setup prove tomoyo {DIR}", 1, LSM="tomoyo")
    assert (done.returncode, done.stdout) == (1, "none\n")
    assert done.stderr.count(NO_TRIGGER) == 2


def test_arguments_of_several_in_one_line_each():
    words = {"TOMOYO_trigger=/bin/true", "TOMOYO_loader=/bin/true", "audit=1", "loglevel=5", "ima_appraise=log"}
    assert set(arguments("tomoyo,audit,ima", "off").split()) == words
    assert arguments("landlock") == ""


@pytest.mark.parametrize(
    "words, says",
    [
        ("", "verb ''"),
        ("prepare", "module ''"),
        ("prepare yama /tmp", "module 'yama'"),
        ("prove selinux,yama /tmp", "module 'yama'"),
        ("exec smack", "no directory"),
        ("exec smack /tmp", "no program"),
        ("prepare smack /tmp maybe", "mode 'maybe'"),
        ("arguments smack maybe", "mode 'maybe'"),
        ("rules selinux /tmp 10", "rules of 'selinux'"),
        ("rules landlock /tmp", "rules ''"),
        ("denied tomoyo-few /tmp", "denied of 'tomoyo-few'"),
        ("rules landlock /tmp 1e3", "rules '1e3'"),
    ],
)
def test_bad_arguments_are_named(words, says):
    done = subprocess.run([SETUP, *words.split()], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert says in done.stderr


INTEGRITY = "ima,evm,audit"


def exact_boot(modules, lsm, *modes, made=(), then=""):
    """Boot an initramfs that has nothing of the host but what was made, and return the lines by mode."""
    lines = "\n".join(f"try prove {modules} {DIR} {mode}\nwork" for mode in modes)
    command = SCRIPT.format(modules=modules, dir=DIR, steps=f"{lines}\n{then}")
    with tempfile.TemporaryDirectory() as folder:
        bench.make_initrd(pathlib.Path(folder, "initrd"), command, made)
        done = subprocess.run([TOP / "scripts/exec"], capture_output=True, text=True, check=False, env=clean(
            LSM=lsm, RUNNER="qemu", ACCEL="icount", KARGS=arguments(modules, modes[0]), INITRD=f"{folder}/initrd"))
    assert done.returncode == 0, done.stderr
    return [part.partition("\n")[2].splitlines() for part in done.stdout.split("@ ")[1:]]


@pytest.mark.parametrize("mode, forbidden", [("on", "denied"), pytest.param("off", "not_denied", marks=pytest.mark.full)])
def test_integrity_in_an_initramfs(mode, forbidden):
    [lines] = exact_boot(INTEGRITY, "", mode)
    proved(lines, INTEGRITY, forbidden)


@pytest.mark.full
def test_more_rules_of_audit_record_the_same():
    on, more = exact_boot("audit", "", "on", then=f"try rules audit {DIR} 100\nwork")
    proved(on, "audit", "denied")
    proved(more, "audit", "denied")
    assert values(more, "says") == ["audit=1 and two rules, 100 more rules before"]


@pytest.mark.full
@pytest.mark.guest("6.12", "uml-lids")
def test_the_model_of_lids():
    """The kernel that has it is one that other tests of the full tier need as well."""
    text = output(steps("lids"), RUNNER=LIDS, LSM="lids")
    on, off = (part.partition("\n")[2].splitlines() for part in text.split("@ ")[1:])
    proved(on, "lids", "denied")
    proved(off, "lids", "not_denied")


@pytest.mark.full
@pytest.mark.parametrize("module", ["selinux", "apparmor"])
def test_debians_policy_in_an_initramfs(module):
    policy = f"{module}-debian"
    status = subprocess.run([TOP / "lab/shell/lsm-tools", policy], check=False).returncode
    if status == 1:
        pytest.skip("Debian's policy is not available here")
    assert status == 0
    enforcing, permissive = exact_boot(policy, module, "on", "off", made=[policy])
    proved(enforcing, policy, "denied")
    proved(permissive, policy, "not_denied")


def made(*words):
    """Make what words of lsm-tools stand for, or skip the test where it is not available."""
    status = subprocess.run([TOP / "lab/shell/lsm-tools", *words], check=False).returncode
    if status == 1:
        pytest.skip("Debian's profiles are not available here")
    assert status == 0


# What a program may do in a container, and not. The filter is the same for all who start it.
CONTAINED = f"""
inside() {{ echo "@ $1"; shift; lab/inside/lsm-setup exec "$@" 2>&1 | sed 's|^|said: |'; }}
inside user seccomp,container,userns {DIR} cat /proc/self/uid_map /proc/self/attr/apparmor/current
inside fork seccomp {DIR} sh -c '(echo forked)'
inside mounts seccomp {DIR} mount -t tmpfs none {DIR}
inside profile container {DIR} mount -t tmpfs none {DIR}
"""


@pytest.mark.full
def test_a_container_of_a_host_with_apparmor():
    made("apparmor-debian", "seccomp")
    words = "seccomp,container,userns"
    proof, *found = exact_boot(words, "landlock,apparmor,bpf", "on", made=["apparmor-debian", "seccomp"], then=CONTAINED)
    proved(proof, words, "denied")
    user, fork, mounts, profile = (values(lines, "said") for lines in found)
    assert [line.split() for line in user] == [["0", "100000", "65536"], ["container", "(enforce)"]]
    assert fork == ["forked"]
    assert "are you root" in mounts[-1] and "Permission denied" in profile[-1]


@pytest.mark.full
def test_a_program_in_no_profile_of_a_host_with_apparmor():
    made("apparmor-debian")
    [lines] = exact_boot("apparmor-unconfined", "apparmor", "on", made=["apparmor-debian"])
    proved(lines, "apparmor-unconfined", "denied")


def test_fedoras_rule_audits_no_task():
    """A rule about a directory records an access before it, and none after; of policies, only this mode is there."""
    on, off = exact_boot("audit-fedora", "", "on", "off")
    proved(on, "audit-fedora", "denied")
    assert values(off, "status") == ["1"] and "no other mode" in "".join(values(off, "error"))


@pytest.mark.parametrize("words", [[], ["--seccomp"], ["--userns=me", "true"], ["--container", "true"]], ids=" ".join)
def test_bad_words_of_contain_are_named(words):
    made("seccomp")
    done = subprocess.run([TOP / "build/bin/contain", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.startswith("usage: contain [--seccomp] [--userns=USER] PROGRAM")


@pytest.mark.full
def test_a_cache_that_keeps_nothing_is_missed():
    """The kernel's own count of labels shows it."""
    if subprocess.run([TOP / "lab/shell/lsm-tools", "selinux-debian"], check=False).returncode == 1:
        pytest.skip("Debian's policy is not available here")
    [lines] = exact_boot("selinux-misses", "selinux", "on", made=["selinux-debian"],
                         then="sed -n '2s/^/stats: /p' /sys/fs/selinux/avc/cache_stats")
    proved(lines, "selinux-misses", "denied")
    [stats] = values(lines, "stats")
    lookups, hits, misses = map(int, stats.split()[:3])
    assert misses > lookups / 10 and hits + misses == lookups


@pytest.fixture(scope="module")
def bpf_deny():
    if subprocess.run([TOP / "lab/shell/lsm-tools", "bpf"], check=False).returncode:
        pytest.skip("programs of BPF could not be built here")
    return TOP / "build/bin/bpf-deny"


def test_who_has_no_clang_builds_the_rest(tmp_path):
    """A request for BPF gets an error."""
    make = ["make", "-C", TOP / "userspace", f"O={tmp_path}", "CLANG=/no/clang"]
    rest = subprocess.run([*make, "-n", "all"], capture_output=True, text=True, check=True)
    assert "-o " in rest.stdout and "bpf-deny" not in rest.stdout
    wanted = subprocess.run([*make, tmp_path / "policy/bpf-deny.bpf.o"], capture_output=True, text=True, check=False)
    assert wanted.returncode and "/no/clang" in wanted.stderr


@pytest.mark.parametrize(
    "words, status, says",
    [
        ("", 2, "usage: bpf-deny"),
        ("/no/object /tmp", 1, "bpf-deny: /no/object: No such file"),
        (f"{__file__} /tmp", 1, f"bpf-deny: {__file__}: BPF object format invalid"),
        (f"{TOP}/build/policy/bpf-deny.bpf.o /tmp /no/directory", 1, "bpf-deny: /no/directory: No such file"),
        (f"{TOP}/build/policy/bpf-deny.bpf.o /tmp /tmp -1", 2, "bpf-deny: others '-1': give a number up to 99999"),
    ],
)
def test_bad_words_of_bpf_deny_are_named(bpf_deny, words, status, says):
    done = subprocess.run([bpf_deny, *words.split()], capture_output=True, text=True, check=False)
    assert done.returncode == status and says in done.stderr


def test_bpf_has_a_program_for_each_way_to_a_file(bpf_deny):
    """The sections of the object name the hooks."""
    listed = subprocess.run(["readelf", "-SW", TOP / "build/policy/bpf-deny.bpf.o"], capture_output=True, text=True,
                            check=True)
    for hook in ("file_open", "file_permission", "inode_permission", "inode_getattr", "inode_setattr", "inode_create",
                 "inode_unlink", "inode_mkdir", "inode_rmdir", "inode_symlink", "inode_link", "inode_rename"):
        assert f" lsm/{hook} " in listed.stdout, hook


def test_a_tree_and_libraries_are_the_same_bytes_again(tmp_path):
    (tmp_path / "script").write_text("true\n")
    words = [f"{TOP}/userspace/policy:/repo/policy", "/usr/bin/setfattr"]
    for name in ("one", "two"):
        subprocess.run([TOP / "lab/shell/make-initrd", tmp_path / name, tmp_path / "script", *words], check=True)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    listed = subprocess.run(f"zcat {tmp_path}/one | cpio -t --quiet", shell=True, capture_output=True, text=True)
    names = listed.stdout.splitlines()
    assert "repo/policy/selinux.conf" in names and any("ld-linux" in name for name in names)


CHECKPOLICY = """#!/bin/sh
echo called >>"${0%/*}/../../calls"
sleep 0.5
echo policy >"$4"
"""
FETCHED = ("bin/apparmor_parser", "bin/checkpolicy", "bin/keyctl", "bin/auditctl", "lib/libkeyutils.so.1",
           "lib/libaudit.so.1", "lib/libauparse.so.0", "lib/libcap-ng.so.0")


def test_lsm_tools_at_once_do_each_thing_once(tmp_path):
    """The tree is one of its own, with all files but a policy."""
    sources = ("userspace/policy/selinux.conf", "userspace/policy/selinux-work.conf")
    for name in ("lab/shell/lsm-tools", "lab/shell/lib.sh", *sources):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOP / name, tmp_path / name)
    for name in FETCHED:
        path = tmp_path / "build/tools" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CHECKPOLICY)
        path.chmod(0o755)
    started = [subprocess.Popen([tmp_path / "lab/shell/lsm-tools"]) for _ in range(3)]
    assert [process.wait() for process in started] == [0, 0, 0]
    assert (tmp_path / "build/calls").read_text() == "called\n" * 2
    made = sorted(path.name for path in (tmp_path / "build/policy").iterdir())
    assert made == ["selinux-work.policy", "selinux.policy"]


def test_bad_words_of_lsm_tools_are_named():
    done = subprocess.run([TOP / "lab/shell/lsm-tools", "debian"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "'debian'" in done.stderr
