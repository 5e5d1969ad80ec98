# SPDX-License-Identifier: GPL-2.0-only
"""scripts/lab hooks-count agrees with independent witnesses on each kernel's source.

A booted kernel shows which module implements which hook, grep counts the
initialisers, and the compiler tells which lines are code.
"""

import functools
import json
import re
import shutil
import subprocess

import pytest
from guests import GUESTS, LSMMON, kernel_directory, output
from kernels import REPO, VERSIONS, copy_files, pristine, source

from lsmlab.analyse.hooks import categories, count, lines, published, table
from lsmlab.kernel import change
from lsmlab.kernel.hooks import csource, defs
from lsmpmon_report.kernelfiles import parse_table

# The tests of changed trees need one kernel: the oldest that is tested.
OLDEST = VERSIONS[0]
EXCLUSIVE = ("selinux", "apparmor", "smack")
# These are on whenever they are built in.
ALWAYS = ("capability", "ima", "evm")
OPTIONS = {"lockdown": "SECURITY_LOCKDOWN_LSM", "bpf": "BPF_LSM"}
# A macro of smack.h, not of the configuration: IPv6 by ports is for kernels in which packets cannot be marked.
SMACK = """#if defined(CONFIG_IPV6) && !defined(CONFIG_SECURITY_SMACK_NETFILTER)
#define SMACK_IPV6_PORT_LABELING 1
#endif
"""


@functools.cache
def counted(version):
    return count.of(pristine(version))


def run(*words):
    return subprocess.run([REPO / "scripts/lab", "hooks-count", *words], capture_output=True, text=True)


# The booted kernel.


def options(guest):
    """Return the options that a kernel's configuration sets."""
    config = (kernel_directory(*guest) / "config").read_text()
    return set(re.findall(r"^CONFIG_(\w+)=y$", config, re.M))


def built(guest, modules):
    on = options(guest)
    return [name for name in modules if OPTIONS.get(name, f"SECURITY_{name.upper()}") in on]


def true(conditions, guest):
    """Return the conditions that the preprocessor evaluates as true, of such as "ifdef A, ifdef B"."""
    defines = [f"-DCONFIG_{name}=1" for name in options(guest)]
    text = SMACK
    for number, condition in enumerate(conditions):
        parts = condition.split(", ")
        text += "".join(f"#{part}\n" for part in parts) + f"@{number}\n" + "#endif\n" * len(parts)
    done = subprocess.run(["gcc", "-E", "-P", *defines, "-"], input=text, capture_output=True, text=True, check=True)
    return {conditions[int(number)] for number in re.findall(r"@(\d+)", done.stdout)}


def live(guest, lsm):
    """Return (active modules, hooks by module, all hooks) as the booted kernel shows them."""
    printed = output(f"cat /sys/kernel/security/lsm; echo; cat {LSMMON}/hooks", KVER=guest[0], RUNNER=guest[1], LSM=lsm)
    active, text = printed.split("\n", 1)
    rows, by_module = parse_table(text), {}
    for row in rows:
        names = row["modules"].split(",") if row["modules"] != "-" else []
        assert len({*names}) == len(names), row
        for name in names:
            by_module.setdefault(name, set()).add(row["hook"])
    return active.split(","), by_module, {row["hook"] for row in rows}


def expected(guest):
    """Return (hooks by module, all hooks) from the source and the configuration."""
    content = counted(guest[0])
    conditions = {condition for part in (content["framework"], *content["modules"].values())
                  for condition in part["conditions"].values()}
    met = true(sorted(conditions), guest)
    existing = {hook for hook in defs.read((pristine(guest[0]) / defs.PATH).read_text())
                if content["framework"]["conditions"].get(hook) in {None, *met}}
    by_module = {name: {hook for hook in module["hooks"] if module["conditions"].get(hook) in {None, *met}} & existing
                 for name, module in content["modules"].items()}
    return by_module, existing


def adjust(by_module, version):
    """Adjust the hooks of functions that the framework calls by their names to what the monitor shows.

    On 6.1 it shows which module they are of: only those of integrity, and capability's,
    too. Later, capability's are called before the hook, and are not part of its time.
    """
    modules = counted(version)["modules"]
    named = set(modules["integrity"]["by_name"])
    adjusted = {**by_module, "integrity": named}
    if named:
        adjusted["capability"] = by_module["capability"] | set(modules["capability"]["by_name"])
    return adjusted


def stacks(guest):
    """Return values of LSM= with which each module of a kernel is on in at least one boot."""
    modules = counted(guest[0])["modules"]
    names = built(guest, [name for name in modules if name not in (*ALWAYS, "integrity")])
    others = [name for name in names if name not in EXCLUSIVE]
    return [",".join([*others, one]) for one in EXCLUSIVE if one in names]


@pytest.mark.parametrize("guest", GUESTS, ids="-".join)
def test_source_agrees_with_the_booted_kernel(guest):
    by_module, existing = expected(guest)
    by_module, seen = adjust(by_module, guest[0]), set()
    for lsm in stacks(guest):
        active, shown, hooks = live(guest, lsm)
        assert hooks == existing
        assert {name: shown.get(name, set()) for name in active} == {name: by_module[name] for name in active}
        rest = shown.keys() - set(active)
        assert {name: shown[name] for name in rest} == {name: by_module[name] for name in rest}
        seen |= shown.keys()
    missing = [name for name, module in counted(guest[0])["modules"].items() if module["count"] and name not in seen]
    print(f"hooks of {', '.join(sorted(seen))} agree; not in this kernel: {', '.join(missing) or 'none'}")
    assert {*EXCLUSIVE, *ALWAYS, "tomoyo", "yama", "loadpin", "safesetid", "lockdown"} <= seen
    assert set(missing) <= {"integrity", "bpf", "landlock"}


# Other witnesses of the source.


def test_as_many_initialisers_as_grep_finds(version):
    done = subprocess.run(["grep", "-rhoE", "--include=*.c", r"^\s*LSM_HOOK_INIT\(\w+", "security"],
                          cwd=pristine(version), stdout=subprocess.PIPE, text=True, check=True)
    modules, hooks = counted(version)["modules"], counted(version)["framework"]["hooks"]
    callbacks = sum(module["callbacks"] for name, module in modules.items()
                    if name != "integrity" and module["callbacks"] != len(module["by_name"]))
    assert len(done.stdout.splitlines()) - 1 + hooks == callbacks


@pytest.mark.full
def test_named_modules_of_6_1():
    """The expected names were counted by hand in its security.c."""
    modules = counted("6.1")["modules"]
    assert modules["evm"]["hooks"] == ["inode_init_security", "inode_setattr", "inode_setxattr",
                                       "inode_post_setxattr", "inode_removexattr"]
    assert modules["ima"]["count"] == 9 and modules["integrity"]["callbacks"] == 16
    assert modules["integrity"]["by_name"] == ["inode_free_security", "kernel_module_request"]


def code_lines(path):
    """Return the lines of code according to the compiler, which removes comments."""
    done = subprocess.run(["gcc", "-fpreprocessed", "-dD", "-E", "-x", "c", path], capture_output=True, text=True,
                          errors="replace", check=True)
    return sum(1 for line in done.stdout.split("\n") if line.strip() and not line.startswith("# "))


def test_lines_are_those_of_the_compiler(version):
    for folder in ("smack", "yama", "tomoyo", "integrity/evm"):
        for path in lines.files(pristine(version) / "security" / folder):
            ours = [line for line in csource.uncommented(path.read_text(errors="replace")).split("\n") if line.strip()]
            assert len(ours) == code_lines(path), path
            if "KUNIT" not in path.read_text(errors="replace"):
                assert lines.of_text(path.read_text(errors="replace")).code == len(ours), path


TEXT = '''/* A comment of
 * two lines */
#include <a.h>

char *s = "/* no comment */";	// one
/* then */ int f(void)
{
#ifdef CONFIG_X_KUNIT_TEST
#ifdef CONFIG_Y
	test();
#endif

#endif /* CONFIG_X_KUNIT_TEST */
#ifdef CONFIG_Y
	return 1;
#else
	return 0;
#endif
}
'''


def test_lines_of_a_text():
    assert lines.of_text(TEXT) == lines.Lines(files=1, all=19 - 6, code=10)
    assert lines.of_text(TEXT.rstrip("\n")) == lines.of_text(TEXT)
    assert lines.of_text("") == lines.Lines(1, 0, 0)


def test_else_of_a_test_is_code():
    assert lines.of_text("#if IS_ENABLED(CONFIG_KUNIT)\nint a;\n#else\nint b;\n#endif\n").code == 2
    assert lines.of_text("#ifndef CONFIG_KUNIT\nint a;\n#endif\n").code == 3


def test_files_of_tests_and_of_the_build_are_left_out(tmp_path):
    for name in ("a.c", "include/a.h", "a_test.c", "b_tests.c", "tests/c.c", "flask.h", "genheaders.c", "a.mod.c",
                 "a.S"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("int a;\n")
    (tmp_path / ".gitignore").write_text("# mine\nflask.h\n/genheaders\n")
    (tmp_path / "Makefile").write_text("obj-y := a.o\nhostprogs := genheaders\n")
    assert [path.relative_to(tmp_path).as_posix() for path in lines.files(tmp_path)] == ["a.c", "include/a.h"]


# Categories.


def test_each_hook_is_in_one_category(version):
    patterns = {**categories.PAPER, **categories.MORE}
    for hook in defs.read((pristine(version) / defs.PATH).read_text()):
        assert sum(bool(re.match(pattern, hook)) for pattern in patterns.values()) == 1, hook
    assert counted(version)["framework"]["other"] == []


def test_sums_of_the_paper():
    """The paper's "file accessing" is the same sum as ours."""
    for number, name in enumerate(published.COLUMNS):
        column = {row: numbers[number] for row, numbers in published.CATEGORIES.items()}
        assert categories.file_accessing(column) == published.FILE_ACCESSING[number], name
        assert sum(column.values()) <= published.TOTAL[number], name
    assert list(published.CATEGORIES) == list(categories.PAPER)


@pytest.mark.full
def test_hooks_that_are_as_they_were():
    """Categories that have not changed since Linux 5.3 have the paper's count."""
    modules = counted("6.1")["modules"]
    for name in ("capability", "yama", "evm"):
        categories = modules[name]["categories"]
        assert {row: categories.get(row, 0) for row in published.CATEGORIES} == \
            {row: published.by_category(row, name) for row in published.CATEGORIES}, name


# The tool.


@pytest.fixture
def tree(tmp_path):
    """Copy the files of a kernel that are counted, and those that our patches touch, for tests to change."""
    folder = tmp_path / "tree"
    for name in ("security", "include/linux", "kernel/bpf"):
        shutil.copytree(pristine(OLDEST) / name, folder / name)
    return copy_files(OLDEST, folder)


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_lsmpmon_in_the_tree_changes_nothing(tree):
    """The counts are the same, although lsmpmon wraps callbacks and, on Linux 6.1, calls by name."""
    change.apply(tree)
    assert "lsmpmon_callback" in (tree / "security/security.c").read_text()
    assert count.of(tree) == counted(OLDEST)


def test_hook_of_an_unknown_kind_is_named(tree, tmp_path):
    edit(tree / defs.PATH, "LSM_HOOK(int, 0, syslog, int type)",
         "LSM_HOOK(int, 0, syslog, int type)\nLSM_HOOK(int, 0, brand_new, int type)")
    done = run("--tree", tree, "--json", tmp_path / "out.json")
    assert done.returncode == 0 and re.search(r": brand_new\.$", done.stdout, re.M)
    content = json.loads((tmp_path / "out.json").read_text())
    assert content["framework"]["other"] == ["brand_new"] and content["framework"]["categories"]["other"] == 1
    assert content["modules"]["bpf"]["count"] == content["framework"]["hooks"] == counted(OLDEST)["framework"]["hooks"] + 1


def test_module_that_is_new(tree):
    (tree / "security/brand").mkdir()
    (tree / "security/brand/new.c").write_text("\tLSM_HOOK_INIT(file_open, brand_file_open),\n")
    brand = count.of(tree)["modules"]["brand"]
    assert (brand["hooks"], brand["code_lines"], brand["file_accessing"]) == (["file_open"], 1, 1)


def test_hook_that_there_is_not(tree):
    edit(tree / "security/yama/yama_lsm.c", "LSM_HOOK_INIT(task_prctl", "LSM_HOOK_INIT(task_gone")
    done = run("--tree", tree)
    assert done.returncode == 2
    assert done.stderr == "hooks-count: security/yama/yama_lsm.c: LSM_HOOK_INIT(task_gone): no such hook\n"


def test_json_and_table_say_the_same(version, tmp_path):
    done = run(version, "--json", tmp_path / "out.json")
    assert (done.returncode, done.stderr) == (0, "")
    content = json.loads((tmp_path / "out.json").read_text())
    assert content == counted(version) and (content["format"], content["version"]) == ("lsmpmon-static", 1)
    assert content["kernel"].startswith(f"{version}.")
    assert done.stdout == "\n".join(table.text(content)) + "\n"
    for name, module in content["modules"].items():
        assert module["count"] == len(module["hooks"]) == sum(module["categories"].values()) <= module["callbacks"]
        assert 0 < module["code_lines"] < module["lines"], name
    selinux = re.search(r"^selinux +(\d+) \(204\) +(\d+) +(\d+) \(21266\) +\d+ \(104\)$", done.stdout, re.M)
    one = content["modules"]["selinux"]
    assert [int(number) for number in selinux.groups()] == [one["count"], one["lines"], one["code_lines"]]


@pytest.mark.full
def test_all_kernels_without_any_named():
    for version in source.supported():
        pristine(version)
    done = run()
    assert done.returncode == 0
    assert re.findall(r"^Linux (\d+\.\d+)\.\d+: ", done.stdout, re.M) == source.supported()


@pytest.mark.parametrize("words, message", [
    (["5.3"], "KVER='5.3' .*6.1 6.12 7.2 7.3"),
    ([""], "KVER='' .*6.1 6.12 7.2 7.3"),
    (["--tree", "/dev"], "/dev .*"),
    (["--tree", "/not/there"], "/not/there .*"),
    (["--tree", "/dev", "6.12"], "--tree /dev and KVER 6.12: .*"),
    (["6.1", "6.12", "--json", "x"], "--json x .*6.1 6.12"),
    (["6.12", "--json", "/not/there"], "--json /not/there: No such file or directory"),
    (["6.12", "--json", "/dev"], "--json /dev: Is a directory"),
    (["6.12", "--json", ""], "--json [.]: Is a directory"),
])
def test_bad_input(words, message):
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "") and re.fullmatch(f"hooks-count: {message}\n", done.stderr), done.stderr


def test_tree_of_a_kernel_that_is_too_old(tmp_path):
    (tmp_path / "Makefile").write_text("VERSION = 5\nPATCHLEVEL = 3\nSUBLEVEL = 0\n")
    done = run("--tree", tmp_path)
    assert done.returncode == 2
    assert re.search(r"\bLinux 5\.3\.0 .*include/linux/lsm_hook_defs\.h\b", done.stderr)
