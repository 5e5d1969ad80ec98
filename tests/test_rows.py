# SPDX-License-Identifier: GPL-2.0-only
"""The monitor's files are in rows that use only rows below, judged by includes and by calls of their objects."""

import subprocess

import pytest
from kernels import REPO
from rows import both, calls, circles, compiled, order, sources, unprefixed, upward, uses

from lsmlab.kernel.objects.build import symbols_in

LSMPMON = REPO / "lsmpmon"
DOCUMENT = REPO / "Documentation/security/lsmpmon.rst"


def test_no_circle():
    included, called = uses(sources(LSMPMON)), compiled()
    assert len(included) > 25 and "write" in included["record"] and "keys" in called["record"]
    assert {path.stem for path in sources(LSMPMON) if path.suffix == ".c"} <= set(called)
    assert circles(both(included, called)) == []


def test_rows_are_those_of_the_document():
    listed = order(DOCUMENT.read_text())
    assert sorted(listed) == sorted({path.stem for path in LSMPMON.glob("*.[ch]")})
    assert upward(both(uses(sources(LSMPMON)), compiled()), listed) == []


def test_static_functions_have_the_prefix():
    assert unprefixed(sources(LSMPMON)) == []


@pytest.mark.parametrize("longest", [400])
def test_no_file_is_long(longest):
    long = {p.name: n for p in sources(LSMPMON) if (n := len(p.read_text().splitlines())) > longest}
    assert long == {}


def test_circle_is_found(tmp_path):
    for name, text in (("a.c", '#include "a.h"\n#include "c.h"\n'), ("a.h", ""), ("b.h", '#include "a.h"\n'),
                       ("c.h", ""), ("c.c", '#include "b.h"\n'), ("top.c", '#include "a.h"\n'),
                       ("leaf.h", "#include <linux/types.h>\n")):
        (tmp_path / name).write_text(text)
    assert circles(uses(sources(tmp_path))) == ["a", "b", "c"]


def test_circle_behind_a_header_is_found(tmp_path):
    """Here, as once before, one header declares what two files define that call each other."""
    (tmp_path / "filter.h").write_text("int wanted(void);\nint matches(void);\n")
    (tmp_path / "filter.c").write_text('#include "filter.h"\nint wanted(void) { return matches(); }\n')
    (tmp_path / "path.c").write_text('#include "filter.h"\nint matches(void) { return wanted(); }\n')
    for name in ("filter", "path"):
        subprocess.run(["gcc", "-c", "-o", tmp_path / f"{name}.o", tmp_path / f"{name}.c"], check=True)
    included, called = uses(sources(tmp_path)), calls(symbols_in(sorted(tmp_path.glob("*.o"))))
    assert circles(included) == []
    assert circles(both(included, called)) == ["filter", "path"]
    assert upward(both(included, called), ["path", "filter"]) == ["filter uses path"]


def test_name_without_prefix_is_found(tmp_path):
    (tmp_path / "a.c").write_text("static int\nadd(int a,\n    int b)\n{\n}\n\nstatic void lsmpmon_count_lost(void)\n{\n}\n"
                                  "static int declared(void);\n")
    assert unprefixed(sources(tmp_path)) == ["a.c: add"]
