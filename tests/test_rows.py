# SPDX-License-Identifier: GPL-2.0-only
"""The monitor's files are in rows that use only rows below: no circle of includes."""

import pytest
from kernels import REPO
from rows import circles, sources, unprefixed, uses

LSMPMON = REPO / "lsmpmon"


def test_no_circle():
    found = uses(sources(LSMPMON))
    assert len(found) > 25 and "store" in found["record"]
    assert circles(found) == []


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


def test_name_without_prefix_is_found(tmp_path):
    (tmp_path / "a.c").write_text("static int\nadd(int a,\n    int b)\n{\n}\n\nstatic void lsmpmon_lose(void)\n{\n}\n"
                                  "static int declared(void);\n")
    assert unprefixed(sources(tmp_path)) == ["a.c: add"]
