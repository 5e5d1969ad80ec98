# SPDX-License-Identifier: GPL-2.0-only
"""The Tunable Security Module with empty hooks of another module: they are that module's, and decide nothing."""

import functools
import re
import subprocess

import pytest
from guests import LSMMON, VERSIONS, available, output
from kernels import REPO, pristine

from lsmlab.kernel.hooks import defs, modules
from lsmpmon_report.kernelfiles import parse_table

SETS = REPO / "modules/tunable/sets.awk"
MEMBER = re.compile(r"^TUNABLE_MEMBER\((\w+), (\w+)\)$", re.M)
# Stacks in which each module is once; the second and third exclude the first.
STACKS = (("lockdown", "yama", "loadpin", "safesetid", "landlock", "tomoyo", "selinux"), ("smack",), ("apparmor",))
PLACES = [pytest.param(kver, "uml", id=f"{kver}-uml") for kver in VERSIONS]


def made(tree, *more):
    """Return what the build makes of a tree: its standard error, and (module, hook) pairs."""
    files = [path for pattern in ("*", "*/*", "*/*/*") for path in sorted((tree / "security").glob(f"{pattern}.[ch]"))]
    words = ["awk", "-v", f"top={tree}/security/", "-f", SETS, tree / defs.PATH, *files, *more]
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stderr, MEMBER.findall(done.stdout)


def test_sets_are_what_modules_declare(version):
    """The witness is the reader of sources that the tables of hooks come from."""
    hooks = defs.read((pristine(version) / defs.PATH).read_text())
    declared = {name: sorted(hook for hook, _ in module.initialised)
                for name, module in modules.find(pristine(version), hooks).items() if module.initialised}
    errors, pairs = made(pristine(version))
    assert errors == ""
    assert {name: sorted(hook for of, hook in pairs if of == name) for name in dict(pairs)} == declared


@pytest.mark.parametrize("text, message", [
    ("LSM_HOOK_INIT(no_such_hook, a),\n", "LSM_HOOK_INIT(no_such_hook): no such hook"),
    ("#if A\n", "the file before does not end"),
])
def test_source_that_is_not_understood_is_refused(version, text, message, tmp_path):
    bad, good = tmp_path / "bad.c", tmp_path / "good.c"
    bad.write_text(text)
    good.write_text("LSM_HOOK_INIT(inode_permission, a),\n")
    assert message in made(pristine(version), bad, good)[0]


SOURCE = '''\
/* LSM_HOOK_INIT(inode_create, a), */
#define MINE "/*"
#if defined(A) && \\
    defined(B)
	LSM_HOOK_INIT(inode_permission, a), LSM_HOOK_INIT(
		file_permission, b), // LSM_HOOK_INIT(inode_link, c)
#elif C
	LSM_HOOK_INIT(inode_unlink, a),
#else /* neither
#endif */
# ifndef D
	LSM_HOOK_INIT(inode_rmdir, a),
# endif
#endif
#ifdef E
	LSM_HOOK_INIT(socket_bind, a),
#endif
'''


def test_conditions_are_kept(version, tmp_path):
    """There are conditions of lines, of the module's own macros, and of hooks that not every kernel has."""
    folder = tmp_path / "security/mine"
    folder.mkdir(parents=True)
    (folder / "a.h").write_text("#ifndef GUARD\n#define GUARD\n#if F\n#define E\n#endif\n#endif\n")
    (folder / "b.c").write_text(SOURCE)
    words = ["awk", "-v", f"top={tmp_path}/security/", "-f", SETS, pristine(version) / defs.PATH,
             folder / "a.h", folder / "b.c"]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert MEMBER.findall(text) == [("mine", name) for name in ("inode_permission", "file_permission", "inode_unlink",
                                                               "inode_rmdir", "socket_bind")]

    def members(*given):
        done = subprocess.run(["cpp", "-P", *(f"-D{word}" for word in given)], input=text, capture_output=True,
                              text=True, check=True)
        return " ".join(hook for _, hook in MEMBER.findall(done.stdout))

    assert members() == "inode_rmdir"
    assert members("A", "B", "C") == "inode_permission file_permission"
    assert members("A", "C") == "inode_unlink"
    assert members("D") == ""
    assert members("D", "F") == ""
    assert members("D", "F", "CONFIG_SECURITY_NETWORK") == "socket_bind"
    assert members("D", "E", "CONFIG_SECURITY_NETWORK") == ""


@functools.cache
def implemented(kver, lsm, kargs=""):
    """Return the hooks of each module, as the kernel shows them."""
    hooks = {}
    for row in parse_table(output(f"cat {LSMMON}/hooks", KVER=kver, LSM=lsm, KARGS=kargs)):
        for module in row["modules"].split(","):
            hooks.setdefault(module, set()).add(row["hook"])
    return hooks


# Linux 6.1 calls these of capability by name, where no other module has them: they are not registered.
BY_NAME = {("6.1", "capability"): {"inode_setxattr", "inode_removexattr"}}


def has(module, kver, runner):
    return available([module.replace("lockdown", "lockdown_lsm")], kver, runner)


@pytest.mark.parametrize("module", ["capability", *(name for stack in STACKS for name in stack)])
@pytest.mark.parametrize("kver, runner", PLACES)
def test_it_has_the_hooks_of_the_module_and_no_other(kver, runner, module):
    """The witness is what that module registers in the same kernel."""
    if module != "capability" and not has(module, kver, runner):
        pytest.skip(f"Linux {kver} as User-Mode Linux has no {module}")
    stack = next((stack for stack in STACKS if module in stack), ())
    real = implemented(kver, ",".join(name for name in stack if has(name, kver, runner)))
    empty = implemented(kver, "tunable", f"tunable.hooks={module}")
    assert empty["tunable"] == real[module] - BY_NAME.get((kver, module), set())


NONSENSE = f"dmesg | grep 'tunable: '; cat {LSMMON}/hooks; ls /sys/kernel/security"


@pytest.mark.parametrize("name", ["nonsense", "", "selinux,smack", "SELINUX"])
@pytest.mark.parametrize("kver, runner", PLACES[:1])
def test_unknown_module_is_refused(kver, runner, name):
    text = output(NONSENSE, KVER=kver, LSM="", KARGS=f"lsm=tunable tunable.hooks={name}")
    match = re.search(rf"tunable: hooks={re.escape(name)} is not accepted, no hook is registered; one of: (.*)", text)
    assert set(match[1].split()) == {of for of, _ in made(pristine(kver))[1]}
    assert not re.search(r"^\w+ (\S+,)?tunable\b", text, re.M)
    assert "tunable" not in text.rpartition("lsmmon")[0].split()


@functools.cache
def answers(kver, lsm, kargs=""):
    return output("python3 tests/guest/answers.py", KVER=kver, LSM=lsm, KARGS=kargs)


@pytest.mark.parametrize("module", ["selinux", "smack", "bpf"])
@pytest.mark.parametrize("kver, runner", PLACES)
def test_empty_callbacks_decide_nothing(kver, runner, module):
    """BPF has every hook."""
    assert answers(kver, "tunable", f"tunable.hooks={module}") == answers(kver, "")


@pytest.mark.parametrize("kver, runner", PLACES[:1])
def test_a_module_that_decides_is_noticed(kver, runner):
    assert answers(kver, "smack") != answers(kver, "")
