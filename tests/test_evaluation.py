# SPDX-License-Identifier: GPL-2.0-only
"""Tests of make eval: its cells, their kept results, and resuming after an interruption."""

import functools
import json
import re
import shutil
import subprocess
import tarfile
from dataclasses import replace

import fastjsonschema
import pytest
from kernels import DEFAULT, REPO, environment

from lsmlab.measure.evaluation import atomics, elsewhere, guest, plan, result, spans, work
from lsmlab.measure.evaluation.initrds import Initrds
from lsmlab.measure.pipeline import jobs
from lsmlab.measure.pipeline.errors import LeftOut

SCHEMA = REPO / "userspace/report/schema/result.json"
RECORD = REPO / "userspace/lsmpmon/schema/record.json"
CELL = next(iter(plan.modules()))
OUTPUT = """noise before
==> proof
module: selinux
says: a policy
allowed: creat
denied: stat: Permission denied
==> state/kernel
6.12.117
==> state/cmdline
lsm= quiet
==> state/lsm
capability,selinux
==> mitigations/meltdown
Not affected
==> latency
{"benchmarks": []}
==> denied/selinux
{"benchmarks": [{"name": "denied/open", "median": 5}]}
==> records/all/info
overhead: 40
==> records/stat/result
hook min max ave count cs_count
==> records/work-1/info
overhead: 41
==> records/times-2/read/4k/syscalls
syscall hook min max ave count cs_count sum
==> not_done/web
there is no nginx here
==> recorded/status-none
{"format": "lsmpmon-record", "version": 1, "runs": [{"status": 0, "files": {"info": "overhead: 42\\n"}}]}
"""
MACHINE = {"config": "c", "processor": "p", "date": "2026-11-21"}


def validate(content):
    schema = json.loads(SCHEMA.read_text())
    schema["properties"]["records"]["additionalProperties"] = json.loads(RECORD.read_text())
    fastjsonschema.compile(schema)(content)


def test_names_of_cells_are_unique():
    for part in (*plan.PARTS.values(), plan.quick):
        paths = [cell.path for cell in part()]
        assert paths and len(set(paths)) == len(paths), part


def test_modules_that_exclude_each_other_are_not_stacked():
    for cell in plan.stacking():
        assert sum(name in plan.EXCLUSIVE for name in cell.lsm.split(",")) <= 1, cell
    assert len({cell.lsm for cell in plan.stacking()}) == 20
    assert sum(cell.name.endswith("-bare") and not cell.policies for cell in plan.stacking()) == 20


def test_each_module_of_a_pair_denies_in_both_orders():
    stacks = {cell.lsm: cell.policies for cell in plan.denials()}
    assert {"landlock", "landlock,tomoyo", "tomoyo,landlock"} <= set(stacks) and len(stacks) == 19
    assert set(stacks["tomoyo,landlock"]) == {"tomoyo", "landlock"}


def test_bpf_decides_where_its_programs_find_types():
    cells = {cell.name: cell for cell in plan.modules() if "bpf" in cell.policies}
    assert set(cells) == {"6.12-bpf-enforcing", "6.12-bpf-permissive"}
    for name, cell in cells.items():
        mode = plan.STATES[name.split("-")[-1]]
        assert (cell.flavour, cell.lsm, cell.policies) == ("btf", "bpf", {"bpf": mode})


def test_rules_of_bpf_are_in_a_kernel_with_types():
    """Rules of other modules are in the kernel that these modules are compared in elsewhere."""
    flavours = {cell.lsm: cell.flavour for cell in plan.rules()}
    assert flavours == {"bpf": "btf"} | dict.fromkeys(("landlock", "tomoyo", "apparmor", "smack"), "lsm")


# Policies that Debian has, and others that are another one with something changed.
OF_DEBIAN = ("selinux-debian", "apparmor-debian")
MADE_OF = ("tomoyo-few", "tomoyo-first", "tomoyo-last", "selinux-misses")


def test_a_module_has_its_states_and_no_other():
    """A state is called permissive only if the module has such a mode, and a second policy has no state without a
    policy.
    """
    states = {policy: plan.states(policy) for policy in ("selinux", "landlock", *OF_DEBIAN, *MADE_OF)}
    assert states == {"selinux": ["bare", "permissive", "enforcing"], "landlock": ["bare", "enforcing"],
                      **{policy: ["permissive", "enforcing"] for policy in OF_DEBIAN}, **{policy: ["enforcing"] for policy in MADE_OF}}
    cells = {cell.name: cell for cell in plan.modules()}
    assert (cells["6.12-smack-dispatch"].lsm, cells["6.12-smack-dispatch"].kargs) == ("tunable", "tunable.hooks=smack")
    assert (cells["6.12-tomoyo-bare"].lsm, cells["6.12-tomoyo-bare"].policies) == ("tomoyo", {})


def test_each_kernel_has_its_own_base():
    names = {cell.name: cell.flavour for cell in plan.kernels()}
    for kver in plan.KERNELS:
        assert (names[f"{kver}-dac-latency"], names[f"{kver}-selinux-latency"]) == ("dac", "lsm")


def test_the_model_of_lids_is_in_a_kernel_of_its_own():
    """The model has its base, on the oldest kernel, the default and the newest, and no boot that counts cycles."""
    cells = list(plan.lids())
    assert {cell.flavour for cell in cells} == {"lids"} and {cell.kver for cell in cells} == {"6.1", "6.12", "7.3"}
    base, module, *boots = [cell for cell in cells if cell.kver == "7.3"]
    assert (base.lsm, base.policies, module.lsm, module.policies) == ("", {}, "lids", {"lids": "on"})
    assert len(boots) == plan.BOOTS * plan.LAYOUTS and {cell.runner for cell in boots} == {"uml"}


def test_times_of_kernels_are_of_several_images():
    """Each image is booted once before any is booted again, so that the first boots have all of them."""
    boots = [cell for cell in plan.kernels() if (cell.kver, cell.lsm, cell.runner) == ("7.3", "landlock", "uml")]
    layouts = [cell.layout for cell in sorted(boots, key=lambda cell: cell.boot)]
    assert layouts == list(range(1, plan.LAYOUTS + 1)) * plan.BOOTS
    assert len({tuple(cell.kernel().items()) for cell in boots}) == plan.LAYOUTS and boots[0].kernel()["LAYOUT"] == "1"
    assert "LAYOUT" not in CELL.kernel() and {cell.layout for cell in plan.kernels() if cell.runner == "qemu"} == {0}


def test_work_is_counted_on_one_runner_and_timed_on_the_other():
    """Programs of this machine do the work, so the guest is not an initramfs; its policies let these programs run."""
    cells = [cell for cell in plan.work() if cell.lsm == "tomoyo"]
    assert [(cell.runner, cell.measures[0]) for cell in cells] == \
           [("qemu", "work_counts"), *[("uml", "work_times")] * plan.WORK_BOOTS]
    assert all(cell.of_host and cell.policies == {"tomoyo-work": "on"} for cell in cells) and not CELL.of_host


def test_a_policy_that_could_not_be_built_is_left_out(monkeypatch, tmp_path):
    cell = replace(CELL, policies={"bpf": "on"})
    monkeypatch.setitem(guest.MADE, "bpf", tmp_path / "bpf-deny.bpf.o")
    with pytest.raises(LeftOut, match="bpf"):
        guest.require_policy(cell)
    guest.MADE["bpf"].write_text("")
    guest.require_policy(cell)


@pytest.mark.parametrize("cells, part, policies", [
    (list(plan.stacking()), "stacking", ("selinux-debian", "apparmor-debian", "bpf", "seccomp")),
    ([*plan.modules(), *plan.quick()], "modules", ("selinux-debian", "apparmor-debian", "bpf", "seccomp")),
    ([*plan.modules(), *plan.quick()], "quick", ()),
    (list(plan.yours("6.12", "landlock,bpf")), "yours", ("bpf",)),
])
def test_guests_that_are_compared_have_the_same_files(cells, part, policies):
    assert Initrds(cells).policies(part) == policies


def test_a_file_system_is_made_in_the_memory_of_the_guest():
    """A disk of QEMU would answer in the host's time, so that two boots would differ."""
    cells = [*plan.ext4(), *plan.modules()]
    initrds = Initrds(cells)
    assert not any(cell.of_host for cell in cells)
    assert (initrds.makers("ext4"), initrds.makers("modules")) == (("/sbin/mke2fs",), ())


GUEST_FILES = ("build/policy/selinux.policy", "build/bin/lmbench-hook", "userspace/policy/selinux.sh")
ASKED_FOR = {"selinux-debian": {"build/policy/selinux-debian.policy"},
             "apparmor-debian": {"build/policy/apparmor-debian", "build/policy/apparmor-debian.profiles"},
             "bpf": {"build/policy/bpf-deny.bpf.o", "build/bin/bpf-deny"}, "seccomp": {"build/bin/contain"}}
NEVER = ("build/policy/selinux.policy.part", "userspace/policy/tests/__pycache__/test.pyc")


@pytest.fixture
def everything_made(tmp_path):
    shutil.copytree(REPO / "lab/inside/lsm", tmp_path / "lab/inside/lsm")
    for name in ("shell/guest-repo", "shell/lib.sh", "inside/lsm-setup"):
        (tmp_path / "lab" / name).parent.mkdir(exist_ok=True)
        shutil.copy(REPO / "lab" / name, tmp_path / "lab" / name)
    for name in (*GUEST_FILES, *NEVER, *set().union(*ASKED_FOR.values())):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.mark.parametrize("words", [(), ("bpf",), tuple(ASKED_FOR)], ids=" ".join)
def test_a_guest_has_what_is_asked_for_whatever_was_made(everything_made, words):
    done = subprocess.run([everything_made / "lab/shell/guest-repo", *words], capture_output=True, text=True, check=True)
    listed = dict(line.rsplit(":", 1) for line in done.stdout.splitlines() if ":" in line)
    expected = {"lab/inside/lsm-setup", "lab/inside/lsm", *GUEST_FILES}.union(*(ASKED_FOR[word] for word in words))
    assert listed == {f"{everything_made}/{name}": f"/repo/{name}" for name in expected}


def test_bad_words_of_guest_repo_are_named():
    done = subprocess.run([REPO / "lab/shell/guest-repo", "debian"], capture_output=True, text=True)
    assert done.returncode == 2 and "'debian'" in done.stderr and "selinux-debian" in done.stderr


DISASSEMBLY = """ffffffff81000000 <f>:
ffffffff81000000:	xchg   %ax,%ax
ffffffff81000002:	lock cmpxchg %edx,(%rdi)
ffffffff81000006:	xchg   %rax,0x10(%rdi)
ffffffff81000010:	xchg   %rax,%gs:0x10(%rip)
ffffffff81000018:	lock incl %gs:0x7f00(%rip)
ffffffff81000020:	mov    %rax,(%rdi)
"""


def test_atomic_operations_are_those_on_memory_that_is_shared():
    """An exchange of two registers is a no-operation, and memory at %gs: is of one processor."""
    where = atomics.places(DISASSEMBLY)
    assert where == {0xFFFFFFFF81000002, 0xFFFFFFFF81000006}
    symbols = spans.Symbols(["ffffffff81000000 T f", "ffffffff81000004 t g"])
    by_length = {9: {0xFFFFFFFF81000002: 2, 0xFFFFFFFF81000006: 1, 0xFFFFFFFF81000020: 6}}
    latency = {"benchmarks": [{"name": "open", "min": 9}]}
    counted = atomics.count(latency, by_length, where, symbols)
    assert counted == {"open": {"instructions": 9, "atomics": 3, "functions": {"f": 2, "g": 1}}}
    with pytest.raises(atomics.NotSeen, match="no span of 9 "):
        atomics.count(latency, {}, where, symbols)


def test_what_a_guest_prints_is_kept_by_its_names():
    content = result.assemble(CELL, "k", OUTPUT, MACHINE)
    validate(content)
    assert content["proof"]["selinux"]["denied"] == "stat: Permission denied"
    assert content["state"]["mitigations"] == {"meltdown": "Not affected"}
    assert content["state"]["lsm"] == "capability,selinux"
    assert content["latency"] == {"benchmarks": []} and content["openit"] is None
    assert content["denied"]["selinux"]["benchmarks"][0]["median"] == 5
    files = content["records"]["stat"]["runs"][0]["files"]
    assert files["info"] == "overhead: 40\n" and files["result"].startswith("hook min")
    assert content["records"]["work-1"]["runs"][0]["files"]["info"] == "overhead: 41\n"
    assert content["records"]["times-2/read/4k"]["command"] == ["lmbench-hook", "work", "read/4k", "-n", "200"]
    assert content["records"]["status-none"]["runs"][0]["files"]["info"] == "overhead: 42\n"
    assert content["not_done"] == {"web": "there is no nginx here"}


@pytest.mark.parametrize("output, reason", [
    ("", "which kernel"), ("==> state/kernel\n6.12\n==> latency\n{\n", "latency .*JSON"),
])
def test_output_that_is_not_whole_is_refused(output, reason):
    with pytest.raises(result.BadOutput, match=reason):
        result.assemble(CELL, "k", output, MACHINE)


def test_a_result_is_whole_or_not_there(tmp_path):
    path = tmp_path / "modules/x.json"
    assert result.read_key(path) is None
    jobs.write(path, result.assemble(CELL, "first", OUTPUT, MACHINE))
    assert result.read_key(path) == "first"
    path.write_text(path.read_text()[:100])
    assert result.read_key(path) is None


def test_a_cell_left_out_says_why():
    content = result.left_out(replace(CELL, lsm="landlock"), "", "no Landlock here")
    validate(content)
    assert content["left_out"] == "no Landlock here"


def test_works_are_timed_on_the_machine_itself(monkeypatch, tmp_path):
    """The works are not timed again while nothing has changed."""
    work.make_files()
    monkeypatch.setattr(work, "RUNS", 1)
    work.measure_native(tmp_path)
    path = tmp_path / work.NATIVE
    content, first = json.loads(path.read_text()), path.stat().st_mtime_ns
    validate(content)
    assert content["input"] == "work-1"
    assert {"nothing", "untar", "status", "compile"} <= set(content["native"])
    assert {"web", "database"} <= set(content["native"]) | set(content["not_done"])
    assert content["native"]["untar"][0]["elapsed"] > content["native"]["nothing"][0]["elapsed"] / 10 > 0
    work.measure_native(tmp_path)
    assert path.stat().st_mtime_ns == first


@pytest.mark.parametrize("words, message", [
    (["foo"], "verb 'foo'"), (["prepare", "/no/directory"], "'/no/directory'"), (["run", "nothing"], "no directory"),
    (["run", "sleep", "/tmp"], "work 'sleep': .*nothing untar"),
])
def test_bad_words_of_work_are_named(words, message):
    done = subprocess.run([work.SCRIPT, *words], capture_output=True, text=True)
    assert done.returncode == 2 and re.search(message, done.stderr) and done.stdout == ""


@pytest.mark.parametrize("name, value, accepted", [
    ("EVAL", "everything", "distributions modules stacking denials atomics integrity growth rules kernels lids mitigations openit work tails ext4 calls static quick"),
    ("SAMPLES", "4", "from 5 to 99999"), ("SAMPLES", "many", "from 5 to 99999"),
    ("PROFILE", "many", "one of: slurm"), ("PROFILE", "/", "config.yaml"),
])
def test_bad_variables_are_named(name, value, accepted):
    done = subprocess.run([REPO / "scripts/lab", "eval"], env=environment(**{name: value}), capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
    assert f"{name}='{value}'" in done.stderr and accepted in done.stderr


def test_what_arm64_cannot_have_is_left_out_with_the_reason():
    why = {cell.name: elsewhere.why_not(cell, "arm64") for cell in [*plan.modules(), *plan.quick()]}
    assert {name for name, said in why.items() if said} == \
           {"6.12-capability-btf", "6.12-bpf-bare", "6.12-bpf-permissive", "6.12-bpf-enforcing", "6.12-selinux-1"}
    assert "FLAVOUR=btf" in why["6.12-bpf-bare"] and "User-Mode Linux" in why["6.12-selinux-1"]
    assert {elsewhere.cell_for(cell, "arm64").cpu for cell in plan.modules()} == {"max,pauth-impdef=on"}
    assert all(not elsewhere.why_not(cell, "x86_64") and elsewhere.cell_for(cell, "x86_64") == cell for cell in plan.work())


@pytest.mark.parametrize("part, said", [
    ("growth", "FLAVOUR=btf"), ("atomics", "atomic operations"), ("work", "programs of this machine"), ("modules", ""), ("integrity", ""),
])
def test_a_part_of_which_arm64_can_have_nothing_is_refused(part, said):
    done = subprocess.run([REPO / "scripts/lab", "eval", "--check"], env=environment(EVAL=part, RUNNER="qemu", ARCH="arm64"),
                          capture_output=True, text=True)
    assert done.returncode == (2 if said else 0) and done.stdout == ""
    assert not said or (f"EVAL='{part}' is not accepted with ARCH='arm64'" in done.stderr and said in done.stderr)


# As few as are accepted.
SAMPLES = 5


@functools.cache
def quick():
    """Run EVAL=quick twice: the second time measures nothing."""
    env = environment(EVAL="quick", SAMPLES=SAMPLES)
    runs = [subprocess.run([REPO / "scripts/lab", "eval"], env=env, capture_output=True, text=True) for _ in range(2)]
    for done in runs:
        assert done.returncode == 0, done.stderr
    return runs


def kept(cell):
    return json.loads((REPO / "build/eval/results" / cell.path).read_text())


def differences(one, other, place=""):
    """Return where two results differ, and how; a whole result is too long to read."""
    if type(one) is type(other) is dict and one.keys() == other.keys():
        pairs = [(one[name], other[name], f"{place}/{name}") for name in one]
    elif type(one) is type(other) is list and len(one) == len(other):
        pairs = [(*both, f"{place}/{number}") for number, both in enumerate(zip(one, other))]
    else:
        return [] if one == other else [(place, one, other)]
    return [difference for pair in pairs for difference in differences(*pair)]


@pytest.mark.full
@pytest.mark.slow
@pytest.mark.parametrize("guest", [(DEFAULT, "qemu")], ids="-".join)
class TestQuick:
    def test_every_cell_is_measured(self, guest):
        assert quick()
        for cell in plan.quick():
            content = kept(cell)
            validate(content)
            assert (content["latency"] is not None) == ("latency" in cell.measures)
            assert content["records"], cell

    def test_modules_decided(self, guest):
        assert quick()
        for cell in plan.quick():
            assert set(kept(cell)["proof"]) == set(cell.policies)
            for module in cell.policies:
                assert "denied" in kept(cell)["proof"][module]

    def test_a_byte_is_no_instruction(self, guest):
        """QEMU counts each iteration of REP. Without ERMS and FSRM, the kernel copies 8 bytes in one."""
        assert quick()
        for cell in plan.quick():
            rows = (kept(cell)["latency"] or {"benchmarks": []})["benchmarks"]
            took = {row["name"]: row["median"] for row in rows}
            assert not took or took["read-4k"] - took["read"] < 1000, cell

    def test_a_second_run_measures_nothing(self, guest):
        _, again = quick()
        assert f"measured 0 of {len(list(plan.quick()))} cells" in again.stderr

    def test_two_boots_under_icount_are_identical(self, guest):
        assert quick()
        cell = next(cell for cell in plan.quick() if cell.policies and cell.exact)
        first, path = kept(cell), REPO / "build/eval/results" / cell.path
        # The first may have been measured on an earlier day.
        del first["state"]["date"]
        path.unlink()
        done = subprocess.run([REPO / "scripts/lab", "eval"], env=environment(EVAL="quick", SAMPLES=SAMPLES), text=True,
                              capture_output=True)
        assert done.returncode == 0, done.stderr
        again = kept(cell)
        del again["state"]["date"]
        assert not differences(first, again)

    def test_the_report_is_there(self, guest):
        page = quick()[0].stdout.strip()
        assert page.endswith("build/report/README.md")
        assert "SELinux" in (REPO / "build/report/README.md").read_text()
        with tarfile.open(REPO / "build/eval/evaluation.tar.gz") as archive:
            assert {"eval/results/quick/6.12-capability.json", "report/summary.json"} <= set(archive.getnames())
