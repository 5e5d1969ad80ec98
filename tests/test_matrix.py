# SPDX-License-Identifier: GPL-2.0-only
"""Our files and those that patches touch compile in many configurations, on each kernel.

Only objects are compiled, and what has passed is remembered. See kconfigs/matrix.toml. The
configuration with everything in it is compiled by test_static.py, with more warnings.
"""

import tomllib

import pytest
from kernels import DEFAULT, VERSIONS, pristine

from lsmlab.kernel.objects import Failed, matrix
from lsmlab.kernel.objects.build import Objects
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


def test_what_does_not_compile_or_link_fails():
    config = CONFIGS["no-module"]
    with ours(DEFAULT) as tree:
        objects, bad = Objects(tree, config.arch), tree / "security/lsmpmon/bad.c"
        objects.configure(config.lines, config.wanted)
        try:
            for text, message in ((BROKEN, "nowhere"), (UNDEFINED, "lsmpmon_gone")):
                bad.write_text(text)
                with pytest.raises(Failed, match=message):
                    objects.compile(["security/lsmpmon/bad.o"])
                    matrix.all_there(objects, ["security/lsmpmon/bad.o"])
        finally:
            bad.unlink()


def test_configuration_that_cannot_be_had_fails():
    config = CONFIGS["security-off"]
    with ours(DEFAULT) as tree, pytest.raises(Failed, match="CONFIG_SECURITY_LSMPMON=y cannot be set"):
        Objects(tree, config.arch).configure(config.lines, ["CONFIG_SECURITY_LSMPMON=y"])
