# SPDX-License-Identifier: GPL-2.0-only
"""Tests of how builds of lab/shell/build-kernel wait for each other and what they say when they fail, with a make that
compiles nothing and ends on request.
"""

import re
import subprocess
import time

import pytest
from kernels import CLEAN, REPO

from lsmlab.measure.pipeline import kernel

# Seconds after which something will not happen any more, however busy the machine is.
PATIENCE = 20
MAKE = """#!/bin/sh
for word; do case $word in O=*) out=${word#O=} ;; esac; done
case " $* " in
*" allnoconfig "*) exec touch "$out/.config" ;;
*" alldefconfig "*) exec cp "$FOLDER/made" "$out/.config" ;;
esac
for word; do target=$word; done
touch "$FOLDER/began-$target"
[ ! -e "$FOLDER/log" ] || { cat "$FOLDER/log"; exit 2; }
until [ -e "$FOLDER/ends-$target" ]; do sleep 0.1; done
mkdir -p "$out/security"
cd "$out" && cp /bin/true linux && cp /bin/true vmlinux && touch System.map
"""


@pytest.fixture
def folder(tmp_path):
    """Make a kernel tree without code, an empty cache, and that make."""
    for name in ("tree", "bin"):
        (tmp_path / name).mkdir()
    (tmp_path / "tree/Makefile").write_text("VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 0\n")
    (tmp_path / "bin/make").write_text(MAKE)
    (tmp_path / "bin/make").chmod(0o755)
    return tmp_path


@pytest.fixture
def build(folder):
    """Yield a function that starts a build for a runner; at the end, all may end."""
    env = dict(CLEAN, KDIR=str(folder / "tree"), FLAVOUR="asis", FOLDER=str(folder),
               XDG_CACHE_HOME=str(folder / "cache"), PATH=f"{folder}/bin:{CLEAN['PATH']}")
    started = []

    def start(runner, **variables):
        started.append(subprocess.Popen([REPO / "lab/shell/build-kernel"], env=dict(env, RUNNER=runner, **variables), text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        return started[-1]

    yield start
    for target in ("linux", "vmlinux"):
        (folder / f"ends-{target}").touch()
    for process in started:
        process.communicate()


def wait_for(path):
    until = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.1)


def is_waiting(process):
    """Check that a build prints that it waits."""
    assert "waiting" in process.stderr.readline()


def test_who_waits_for_a_kernel_gets_it_when_it_is_there(folder, build):
    """The waiting build ends then, although one that has waited longer is being built."""
    first = build("uml")
    wait_for(folder / "began-linux")
    other = build("qemu")
    is_waiting(other)
    second = build("uml")
    is_waiting(second)
    (folder / "ends-linux").touch()
    wait_for(folder / "began-vmlinux")
    output, errors = second.communicate(timeout=PATIENCE)
    assert (second.returncode, output) == (0, first.stdout.read()), errors
    assert other.poll() is None


# The options of a fragment, and those that make gives them.
ASKED = """# A comment.
# CONFIG_DEBUG_INFO_NONE is not set
CONFIG_DEBUG_INFO_BTF=y
CONFIG_NR_CPUS=4
CONFIG_LOCALVERSION=""
# CONFIG_NOT_THERE is not set
"""
MADE = """CONFIG_DEBUG_INFO_NONE=y
# CONFIG_DEBUG_INFO_BTF is not set
CONFIG_NR_CPUS=16
CONFIG_LOCALVERSION=""
"""
# Each option that differs: asked for, made, and the file of ours that has it so.
LOST = [("DEBUG_INFO_NONE", "n", "y", "kconfigs/base"), ("DEBUG_INFO_BTF", "y", "n", ""), ("NR_CPUS", "4", "16", "kconfigs/qemu")]


def lost(lines):
    """Return what lines say of options that differ, as in LOST."""
    pattern = r"CONFIG_(\w+): (\S+) in CONFIG, (\S+) in [^:]*: (?:(kconfigs/\w+) )?.*"
    return [re.fullmatch(pattern, line).groups(default="") for line in lines]


def configured(folder, build, wanted, made):
    (folder / "asked").write_text(wanted)
    (folder / "made").write_text(made)
    for target in ("linux", "vmlinux"):
        (folder / f"ends-{target}").touch()
    process = build("qemu", CONFIG=str(folder / "asked"))
    _, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, [line for line in errors.splitlines() if "CONFIG" in line]


def test_a_fragment_that_does_not_win_is_refused(folder, build):
    status, messages = configured(folder, build, ASKED, MADE)
    *options, last = messages
    assert status == 2 and lost(options) == LOST and last.startswith(f"lsmpmon: CONFIG='{folder}/asked': 3 ")
    assert not (folder / "began-vmlinux").exists()


def test_a_fragment_that_wins_is_built(folder, build):
    assert configured(folder, build, ASKED, ASKED) == (0, [])


def test_a_whole_configuration_is_told_what_guests_cannot_have(folder, build):
    """A distribution's configuration has hundreds of options that guests have otherwise."""
    status, messages = configured(folder, build, f"#\n# Automatically generated file; DO NOT EDIT.\n{ASKED}", MADE)
    listed, = (folder / "cache").glob("lsmpmon/objects/*/overridden")
    assert status == 0 and len(messages) == 1
    for word in ("lsmpmon: 3 ", f"CONFIG='{folder}/asked'", str(listed)):
        assert word in messages[0]
    assert lost(listed.read_text().splitlines()) == LOST


# What gcc 12 says of name.c in Linux 6.6.9 with CONFIG_WERROR=y, without three of the lines on what includes what.
ERROR = """In file included from /trees/6.6.9/include/linux/kernel.h:27,
                 from /trees/6.6.9/include/linux/binfmts.h:5,
                 from /trees/6.6.9/security/lsmpmon/name.c:12:
/trees/6.6.9/security/lsmpmon/name.c: In function 'lsmpmon_unix_text':
/trees/6.6.9/include/linux/minmax.h:21:35: error: comparison of distinct pointer types lacks a cast [-Werror]
   21 |         (!!(sizeof((typeof(x) *)1 == (typeof(y) *)1)))
      |                                   ^~
/trees/6.6.9/include/linux/minmax.h:27:18: note: in expansion of macro '__typecheck'
   27 |                 (__typecheck(x, y) && __no_side_effects(x, y))
      |                  ^~~~~~~~~~~
/trees/6.6.9/include/linux/minmax.h:37:31: note: in expansion of macro '__safe_cmp'
   37 |         __builtin_choose_expr(__safe_cmp(x, y), \\
      |                               ^~~~~~~~~~
/trees/6.6.9/include/linux/minmax.h:68:25: note: in expansion of macro '__careful_cmp'
   68 | #define min(x, y)       __careful_cmp(x, y, <)
      |                         ^~~~~~~~~~~~~
/trees/6.6.9/security/lsmpmon/name.c:135:18: note: in expansion of macro 'min'
  135 |         length = min(length, UNIX_PATH_MAX);
      |                  ^~~
"""
BEGINS = "make: Entering directory '/trees/6.6.9'\n"
ENDS = """make[5]: *** [/trees/6.6.9/scripts/Makefile.build:243: security/lsmpmon/name.o] Error 1
make[5]: *** Waiting for unfinished jobs....
make[1]: Leaving directory '/objects'
make: *** [Makefile:234: __sub-make] Error 2
"""


def objects(number):
    """Return what make prints of so many objects."""
    return "".join(f"  CC      security/{n}.o\n" for n in range(number))


def first_error(folder, log):
    (folder / "log").write_text(log)
    done = subprocess.run([REPO / "lab/shell/first-error", folder / "log"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_kernel_is_built_with_llvm(folder, build):
    """All programs of one version are LLVM's, but for those that the build itself runs."""
    for name in ("clang-77", "ld.lld-77"):
        (folder / "bin" / name).write_text("#!/bin/sh\necho version 77\n")
        (folder / "bin" / name).chmod(0o755)
    asked = "\n".join(line for name in ("llvm", "cfi") for line in (REPO / "kconfigs" / name).read_text().splitlines())
    (folder / "bin/make").write_text(MAKE.replace('exec touch "$out/.config"', f"cat >\"$out/.config\" <<'END'; exit\n{asked}\nEND\n")
                                     .replace("#!/bin/sh\n", "#!/bin/sh\necho \"$@\" >\"$FOLDER/words\"\n"))
    (folder / "ends-vmlinux").touch()
    process = build("qemu", LLVM="-77")
    printed, errors = process.communicate()
    assert process.returncode == 0, errors
    words = (folder / "words").read_text()
    assert re.search(r" LLVM=-77 CC=(ccache )?clang-77 HOSTCC=(ccache )?gcc ", words), words
    assert "-qemu-llvm-asis-" in printed


def test_a_compiler_that_is_not_there_is_named(folder, build):
    process = build("qemu", LLVM="-77")
    assert "no clang-77 here" in process.communicate()[1] and process.returncode == 2


def test_the_first_error_is_printed_wherever_it_is_in_the_log(tmp_path):
    """The error is complete, although another compiler prints a line in the middle of it, and make goes on."""
    line, caret = "  135 |         length", ERROR.splitlines(keepends=True)[-1]
    log = BEGINS + objects(100) + ERROR.replace(line, objects(1) + line) + objects(90) + ENDS
    printed = first_error(tmp_path, log)
    assert printed.startswith(ERROR) and caret in printed and "  CC " not in printed
    assert "Error 2" not in printed and len(printed.splitlines()) < 40


@pytest.mark.parametrize("error", [
    "fs/a.c:3:10: fatal error: a.h: No such file or directory", "cc1: error: unrecognized command-line option '-x'",
    "/tmp/a.s:12: Error: no such instruction: `movx'", "ld: b.o: undefined reference to `y'",
    "ERROR: modpost: \"lsmpmon_call\" undefined!", "/bin/sh: 1: pahole: not found",
])
def test_errors_of_each_tool_are_found(tmp_path, error):
    log = objects(100) + f"fs/b.c:1:1: warning: 'x' is unused\n{error}\nmake[1]: *** [fs/a.o] Error 1\n" + objects(90)
    printed = first_error(tmp_path, log).splitlines()
    assert printed == ["fs/b.c:1:1: warning: 'x' is unused", error, "make[1]: *** [fs/a.o] Error 1"]


def test_the_end_of_a_log_without_errors_is_printed(tmp_path):
    assert first_error(tmp_path, objects(100) + "Killed\n") == "".join(objects(100).splitlines(keepends=True)[-39:]) + "Killed\n"


def test_a_build_that_fails_shows_the_first_error_and_where_the_log_is(folder, build):
    (folder / "log").write_text(BEGINS + objects(100) + ERROR + objects(90) + ENDS)
    process = build("uml")
    output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, output) == (1, "")
    log, = (folder / "cache").glob("lsmpmon/objects/*/build.log")
    assert log.read_text() == (folder / "log").read_text()
    assert ERROR in errors and "  CC " not in errors
    assert errors.splitlines()[-1].startswith("lsmpmon: ") and errors.endswith(f"build failed; the whole log: {log}\n")
    assert kernel.reason(errors).endswith(": error: comparison of distinct pointer types lacks a cast [-Werror]")
