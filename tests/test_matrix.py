# SPDX-License-Identifier: GPL-2.0-only
"""Our files and those that patches touch compile in many configurations, on each kernel.

Only objects are compiled, and what has passed is remembered. See kconfigs/matrix.toml. The
configuration with everything in it is compiled by test_static.py, with more warnings.
"""

import tomllib
from contextlib import contextmanager
from pathlib import Path

import pytest
from kernels import DEFAULT, VERSIONS, pristine

from lsmlab.kernel.objects import Failed, matrix
from lsmlab.kernel.objects.build import SYMBOL, Objects, compiler_version, warnings
from lsmlab.kernel.objects.tree import ours

CONFIGS = matrix.configs(DEFAULT)
TABLE = tomllib.loads(matrix.TABLE.read_text())
EVERYWHERE = TABLE["everywhere"]
CASES = [pytest.param(version, name, marks=() if name in TABLE["short"] else pytest.mark.full) for version in VERSIONS for name in CONFIGS
         if name != "all" and (version == DEFAULT or name in EVERYWHERE)]


def test_configurations_in_lists_are_known():
    assert {*EVERYWHERE, *TABLE["short"]} <= set(CONFIGS)


def test_no_configuration_is_skipped_on_the_default_kernel():
    pristine(DEFAULT)
    assert [name for name, config in CONFIGS.items() if not config.exists(DEFAULT)] == []


@pytest.mark.parametrize("version, name", CASES)
def test_objects_compile(version, name):
    pristine(version)
    config = matrix.configs(version)[name]
    if not config.exists(version):
        pytest.skip(f"Linux {version} has no {config.needs} for {config.arch}")
    names = matrix.compile(version, config).split()
    print(*names)
    assert config.only or ("io_uring/io_uring.o" in names) is ("CONFIG_IO_URING=n" not in config.wanted)
    assert {folder for folder in names if folder.endswith("/")} == ours_in(config)


def ours_in(config):
    """Return our folders that a configuration builds, by the last line about each; all need CONFIG_SECURITY."""
    lines = [] if "CONFIG_SECURITY=n" in config.wanted else config.lines
    value = dict(line.split("=", 1) for line in lines)
    return {folder for option, folder in matrix.OURS.items() if value.get(option) == "y"}


BROKEN = "int lsmpmon_bad(void)\n{\n\treturn nowhere;\n}\n"
UNDEFINED = "int lsmpmon_gone(void);\nint lsmpmon_bad(void);\nint lsmpmon_bad(void)\n{\n\treturn lsmpmon_gone();\n}\n"


# What min() of Linux 6.12 takes, and that of 6.6 does not.
MIXED = """#include <linux/minmax.h>
#include <linux/types.h>

size_t lsmpmon_bad(size_t size, unsigned int number);
size_t lsmpmon_bad(size_t size, unsigned int number)
{
	return min(size, number);
}
"""
BAD = "security/lsmpmon/bad.c"


@contextmanager
def no_module():
    """Yield (objects of a configuration, the path of a bad file in their tree)."""
    config = CONFIGS["no-module"]
    with ours(DEFAULT) as tree:
        objects = Objects(tree, config.arch, llvm=config.llvm)
        objects.configure(config.lines, config.wanted)
        try:
            yield objects, tree / BAD
        finally:
            (tree / BAD).unlink()


def test_what_does_not_compile_or_link_fails():
    with no_module() as (objects, bad):
        for text, message in ((BROKEN, "nowhere"), (UNDEFINED, "lsmpmon_gone")):
            bad.write_text(text)
            with pytest.raises(Failed, match=message):
                objects.compile(["security/lsmpmon/bad.o"])
                matrix.all_there(objects, ["security/lsmpmon/bad.o"])


def test_strict_configurations_find_arguments_of_min_of_two_types():
    with no_module() as (objects, bad):
        bad.write_text(MIXED)
        assert objects.compile(["security/lsmpmon/bad.o"]) == ""
        output = matrix.strictly(objects, ["security/lsmpmon/bad.o"])
    [(path, message)] = warnings(output, objects.tree)
    assert path == BAD and "comparison of distinct pointer types" in message


# What gcc says of a macro in a header, of which an include line and the code are left out.
EXPANDED = """/trees/6.6/security/lsmpmon/name.c: In function 'lsmpmon_unix_text':
/trees/6.6/include/linux/minmax.h:21:35: warning: comparison of distinct pointer types lacks a cast
   21 |         (!!(sizeof((typeof(x) *)1 == (typeof(y) *)1)))
/trees/6.6/include/linux/minmax.h:27:18: note: in expansion of macro '__typecheck'
/trees/6.6/security/lsmpmon/name.c:135:18: note: in expansion of macro 'min'
./include/linux/slab.h:7:1: warning: 'unused' defined but not used
../security/lsmpmon/pair.c:9:2: error: 'nowhere' undeclared
/trees/6.6/security/lsmpmon/pair.c:9:2: note: each undeclared identifier is reported only once
"""


def test_a_message_about_a_macro_is_about_the_file_that_uses_it():
    assert warnings(EXPANDED, Path("/trees/6.6")) == [
        ("security/lsmpmon/name.c", "warning: comparison of distinct pointer types lacks a cast"),
        ("include/linux/slab.h", "warning: 'unused' defined but not used"),
        ("security/lsmpmon/pair.c", "error: 'nowhere' undeclared")]


@pytest.mark.parametrize("line, symbol", [
    ("security/lsmpmon/built-in.a:keys.o:0000000000000010 T lsmpmon_keys_use", ("keys.o", "T", "lsmpmon_keys_use")),
    ("security/security.o:                 U lsmpmon_measure", ("security/security.o", "U", "lsmpmon_measure")),
    ("security/lsmpmon/keys.o: ---------------- T lsmpmon_keys_use", ("security/lsmpmon/keys.o", "T", "lsmpmon_keys_use"))])
def test_symbols_are_read_whichever_nm_prints_them(line, symbol):
    assert SYMBOL.findall(line) == [symbol]


def test_a_compiler_that_is_not_there_is_named():
    with pytest.raises(Failed, match="no clang-77 here"):
        compiler_version("x86_64", "-77")


def test_our_code_is_compiled_strictly_for_32_and_64_bits_with_and_without_smp():
    strict = [config for config in CONFIGS.values() if config.strict]
    assert {config.name for config in strict} & {*TABLE["short"]}
    assert {config.name for config in strict} <= {*EVERYWHERE}
    assert {config.arch for config in strict} == {"x86_64", "i386"}
    assert {"CONFIG_SMP=y" in config.wanted for config in strict if config.arch == "x86_64"} == {True, False}


def test_configuration_that_cannot_be_had_fails():
    config = CONFIGS["security-off"]
    with ours(DEFAULT) as tree, pytest.raises(Failed, match="CONFIG_SECURITY_LSMPMON=y cannot be set"):
        Objects(tree, config.arch).configure(config.lines, ["CONFIG_SECURITY_LSMPMON=y"])
