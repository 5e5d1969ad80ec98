# SPDX-License-Identifier: GPL-2.0-only
"""The obvious form of the seam is two branches around the one dispatch of a hook. It costs more while nobody measures.

The cover letter of the series says by how much; here security.o is compiled with that form.
"""

import re

import frames
import pytest
from kernels import VERSIONS, pristine, replaced

from lsmlab.kernel.objects.tree import ours

# Linux 6.12, gcc 12: functions of security.o that dispatch a hook by a macro, how many of them save a register more with two
# branches, and by how many instructions all of them grow, with one branch and with two. Other compilers and kernels differ a
# little.
MEASURED = {"functions": 258, "saving": 247, "one": 263, "two": 1559}
LITTLE = 0.1
FORM = {
    r"(do \{ +\\\n)(\t\tLSM_LOOP_UNROLL\(__CALL_STATIC_VOID, HOOK, __VA_ARGS__\); \\\n)":
        r"\1\t\tu64 begin __uninitialized;\\\n\t\tBEGIN\\\n\2\t\tEND(HOOK, 0)\\\n",
    r"(\tint RC = LSM_RET_DEFAULT\(HOOK\);\t+\\\n)(\t+\\\n\tLSM_LOOP_UNROLL\(__CALL_STATIC_INT, RC, HOOK, OUT, __VA_ARGS__\);\t*\\\nOUT:\t+\\\n)":
        r"\1\tu64 begin __uninitialized;\\\n\tBEGIN\\\n\2\tEND(HOOK, RC)\\\n",
}
# The calls are what is done only while somebody measures, which is not counted.
DECLARED = f"""
#include <linux/jump_label.h>
DECLARE_STATIC_KEY_FALSE({frames.KEY});
u64 two_begin(void);
void two_end(void *hook, u64 begin, int rc);
#define BEGIN if (static_branch_unlikely(&{frames.KEY})) begin = two_begin();
#define END(HOOK, RC) if (static_branch_unlikely(&{frames.KEY})) two_end(&static_calls_table.HOOK, begin, RC);
"""


def two_branches(text):
    """Return security.c with two branches around the dispatch; its own measured dispatch is not built."""
    for pattern, form in FORM.items():
        text, places = re.subn(pattern, form, re.sub(r"\t*if \(LSMPMON_(VOID|INT)_HOOK\(.*\\\n.*\\\n", "", text))
        assert places == 1, pattern
    return re.sub(r"(\n#define call_void_hook)", lambda match: DECLARED + match[1], text, count=1)


@pytest.mark.full
@pytest.mark.parametrize("version", [version for version in VERSIONS if version != "6.1"])
def test_two_branches_around_one_dispatch_cost_more(version):
    """Each function that dispatches a hook has one branch more than with a dispatch of its own, and most save a register."""
    pristine(version)
    with ours(version) as tree:
        source = tree / "security/security.c"
        without, monitor = (frames.compiled(tree, version, on, False) for on in (False, True))
        with replaced(source, two_branches(source.read_text())):
            two = frames.compiled(tree, version, False, False)
    plain, one, both = ({name: frames.off(function) for name, function in functions.items()}
                        for functions in (without, monitor, two))
    names = [name for name in plain if both[name].branches]
    found = {"functions": len(names), "saving": sum(both[name].frame > plain[name].frame for name in names)}
    for kind, functions in (("one", one), ("two", both)):
        found[kind] = sum(functions[name].branches + functions[name].instructions - plain[name].instructions for name in names)
    assert found == {name: pytest.approx(number, rel=LITTLE) for name, number in MEASURED.items()}
    assert {name for name in names if both[name].branches < 2 * one[name].branches} == set()
    assert [name for name in names if one[name].frame > plain[name].frame] == []
