# SPDX-License-Identifier: GPL-2.0-only
"""Items take out of a file what later series add to it, and are refused if they do not say exactly what."""

import pytest

from lsmlab.kernel.series import growth
from lsmlab.kernel.tree import Refused

CODE = """\
/**
 * struct cell - counters
 * @count: calls
 * @times: times of these,
 *	in ticks
 */
struct cell {
	u64 count;
	struct times times;
};

/* More of a call. */
#define MORE(A)	\\
	add(A)

/**
 * add - add to a counter
 * @by: by how much
 */
static int add(int by)
{
	more(by);
	return by;
}

NOKPROBE_SYMBOL(add);

int add(int by);

/*
 * sub - take from a counter
 */
void sub(void)
{
	more(1);
	begin();
	end();
}
"""
MAKE = "a-y := a.o b.o c.o \\\n\td.o\n"
ABI = """\
What:		/sys/a
Description:
		The first.

What:		/sys/a/b
Description:
		The second.
"""
PAGE = """\
Title
=====

First line,
second line.

Other
-----

Of another.

Third
=====

Last.
"""


@pytest.mark.parametrize("text, item, lost, kept", [
    (CODE, "add()", ["add - add", "static int add", "NOKPROBE"], ["int add(int by);", "#define MORE", "sub(void)"]),
    (CODE, "#define MORE", ["More of a call", "#define", "\tadd(A)"], ["static int add", "struct cell {"]),
    (CODE, "member cell.times", ["@times", "in ticks", "struct times"], ["@count", "u64 count;"]),
    (CODE, "begin();", ["begin();"], ["end();"]),
    (CODE, ["begin();", "end();"], ["begin();", "end();"], ["void sub"]),
    (CODE, [" * sub - take from a counter", "}"], ["sub - take", "void sub", "end();"], ["int add(int by);"]),
    (CODE, {"every": "more(by);"}, ["more(by);"], ["more(1);"]),
    (CODE, {"every": "more(by);", "was": "\tless(by);"}, ["more(by);"], ["more(1);", "\tless(by);\n\treturn by;"]),
    (MAKE, "word b.o", ["b.o"], ["a-y := a.o c.o \\\n\td.o"]),
    (MAKE, "word d.o", ["d.o", "\\"], ["a-y := a.o b.o c.o\n"]),
    (CODE, {"now": ["begin();", "end();"], "was": "\tboth();"}, ["begin();", "end();"], ["\tmore(1);\n\tboth();\n}"]),
    (ABI, "entry b", ["/sys/a/b", "The second"], ["/sys/a\n", "The first"]),
    (PAGE, "section Other", ["Other", "Of another"], ["second line.\n\nThird\n=====\n\nLast."]),
    (PAGE, "paragraph Of another.", ["Of another"], ["Other\n-----\n\nThird"]),
    (PAGE, "paragraph Last.", ["Last"], ["Third"]),
])
def test_what_an_item_names_is_taken_out(text, item, lost, kept):
    assert all(words in text for words in lost)
    before = growth.before("a.c", text, [item])
    assert [words for words in lost if words in before] == []
    assert [words for words in kept if words not in before] == []
    assert "\n\n\n" not in before and before.endswith("\n") and not before.endswith("\n\n")


def test_items_are_taken_out_one_after_the_other():
    """A line that is there twice may be named once another item has taken out the other."""
    text = "int a(void)\n{\n\tcall();\n}\n\nint b(void)\n{\n\tcall();\n}\n"
    assert growth.before("a.c", text, ["a()", "call();"]) == "int b(void)\n{\n}\n"


@pytest.mark.parametrize("text, item, said", [
    (CODE, "none();", "0 lines are 'none();'"),
    (CODE, "/**", "2 lines are '/**'"),
    (CODE, ["none();", "end();"], "0 lines are 'none();'"),
    (CODE, ["end();", "begin();"], "0 lines are 'begin();'"),
    (CODE, {"every": "none();"}, "0 lines are 'none();'"),
    (CODE, {"now": "none();", "was": ""}, "0 lines are 'none();'"),
    (CODE, {"now": "/**", "was": ""}, "2 lines are '/**'"),
    (CODE, "none()", "no function none()"),
    (CODE, "#define NONE", "0 macros are NONE"),
    (CODE + "#define MORE(A)\n", "#define MORE", "2 macros are MORE"),
    (CODE, "member cell.none", "0 lines document cell.none, and 0 declare it"),
    (CODE, "member none.count", "0 structures are documented as none"),
    (MAKE, "word e.o", "0 lines have the word e.o"),
    (MAKE + MAKE, "word b.o", "2 lines have the word b.o"),
    (ABI, "entry none", "0 entries are of none"),
    (ABI + ABI, "entry b", "2 entries are of b"),
    (PAGE, "section None", "0 lines are 'None'"),
    (PAGE + PAGE, "section Other", "2 lines are 'Other'"),
    (PAGE, "paragraph None.", "0 lines are 'None.'"),
])
def test_an_item_that_is_there_not_once_is_refused(text, item, said):
    """The message has the file, and the text as the table has it."""
    with pytest.raises(Refused) as error:
        growth.before("security/a.c", text, [item])
    assert str(error.value) == f"patches/{{1..5}}.toml: security/a.c: {said}"
