# SPDX-License-Identifier: GPL-2.0-only
"""Each numbered series is complete: its patches are small, and what its files include, use and describe is in them."""

import argparse
import difflib
import re
import tempfile
from dataclasses import replace
from pathlib import Path, PurePath

import pytest
from kernels import NEWER, mails, pristine
from rows import order, sources, upward, uses
from test_static import checkpatch, findings, kernel_doc

from lsmlab.commands import series
from lsmlab.kernel.series import history, numbered, plan
from lsmlab.kernel.series.resolve import at_least
from lsmlab.kernel.tree import source

NEWEST = source.supported()[-1]
NAMES = [*numbered.TABLES]
MOST_PATCHES, MOST_LINES = 10, 500
ABI = "Documentation/ABI/testing/securityfs-lsmpmon"
USE = "Documentation/admin-guide/LSM/lsmpmon.rst"
DESIGN = "Documentation/security/lsmpmon.rst"
MONITOR = "security/lsmpmon"
# What the documents and the cover letter of the first series say of sizes on 64-bit machines.
TASK_BYTES, CELL_BYTES = 16, 64
# From the fourth series on until the fifth.
GROWN_TASK_BYTES, GROWN_CELL_BYTES = 64, 128

NAME = r"((?:lsmpmon|LSMPMON)_\w+)"
DEFINITIONS = [re.compile(pattern, re.M) for pattern in (
    rf"# *define {NAME}\b",
    rf"\b(?:struct|union|enum) {NAME} \{{",
    rf"\benum \{{ {NAME} =",
    rf"^\t{NAME}(?: = [^;]+?)?,",                                       # of an enum
    rf"^(?!\s|#).*?\b{NAME}\([^;{{}}]*\)\s*\{{",                        # a function
    rf"^(?!extern\b|\s)[\w *]+?\b{NAME}(?:\[[^;]*?\])*(?: __\w+)? ?[=;]",
    rf"^\w+ \(\*{NAME}\[",                                             # an array of functions
    rf"\bDEFINE_\w+\((?:[\w ]+, )??{NAME}\b",
    rf"\bDECLARE_(?:WORK|RWSEM)\({NAME}\b")]
# Made by macros and by dispatch.awk for each hook, or for a function with a loop; and what comments call them.
MADE = re.compile(r"LSMPMON_(HOOK|OBJECT)_[a-z]\w+|lsmpmon_(call|dispatch)_(HOOK|[a-z]\w+)|lsmpmon_twin_security_\w+|lsmpmon_NAME_show")


def texts(folder):
    """Return {path: text} of a folder."""
    return {path.relative_to(folder).as_posix(): path.read_text()
            for path in Path(folder).rglob("*") if path.is_file() and ".git" not in path.parts}


@pytest.fixture(scope="module")
def states():
    """Return {series: [(step, the files of the monitor after it)]}, without what seams edit."""
    found = {name: [] for name in NAMES}
    with tempfile.TemporaryDirectory() as folder:
        past = history.History(folder, "2026-01-01T00:00:00+00:00")
        for name, steps in numbered.steps(NEWEST).items():
            for step in steps:
                past.step(replace(step, seams=[]))
                found[name].append((step, texts(folder)))
    return found


@pytest.fixture(scope="module", params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def files(states, name):
    """Return {path: text} at the end of a series."""
    return states[name][-1][1]


@pytest.fixture
def tree(files, tmp_path):
    """Return a folder with the files at the end of a series."""
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def is_code(path):
    return PurePath(path).suffix in (".c", ".h") and path.startswith(("security/", "include/")) and "/tests/" not in path


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def lines_of_code(text):
    """Count lines that have more than a comment."""
    return sum(bool(line.strip()) for line in without_comments(text).splitlines())


def edits(patch):
    """Return the lines that a seam adds to code of the kernel."""
    parts = re.split(r"^\+\+\+ b/", patch.read_text(), flags=re.M)[1:]
    return "\n".join(line[1:] for part in parts if is_code(part.partition("\n")[0])
                     for line in part.splitlines()[1:] if line.startswith("+"))


def code(files):
    """Return the lines of code of all files, by path."""
    return {path: [line for line in without_comments(text).splitlines() if line.strip()] for path, text in files.items() if is_code(path)}


def added(before, after):
    """Count the lines of code that a patch adds."""
    count = 0
    for path, lines in after.items():
        if lines != before.get(path, []):
            moves = difflib.SequenceMatcher(None, before.get(path, []), lines, autojunk=False).get_opcodes()
            count += sum(end - begin for kind, _, _, begin, end in moves if kind in ("insert", "replace"))
    return count


@pytest.fixture(scope="module")
def sizes(states):
    """Return {series: {subject: lines of code}}."""
    before, counted = {}, {name: {} for name in NAMES}
    for name, steps in states.items():
        for step, files in steps:
            after = code(files)
            counted[name][step.subject] = added(before, after) + sum(map(lines_of_code, map(edits, step.seams)))
            before = after
    return counted


def test_patches_are_small(sizes, name):
    assert {subject: lines for subject, lines in sizes[name].items() if lines > MOST_LINES} == {}
    assert sum(sizes[name].values()) > 500


def test_the_first_series_has_few_patches(states):
    assert len(states["1"]) <= MOST_PATCHES


def test_lines_without_code_do_not_count():
    assert lines_of_code("// SPDX\n/*\n * Title\n */\n\nint a; /* b */\n\t/* c */\n#include <d.h>\n") == 2


# Made by rules for several files, and a header of the kernel.
MADE_BY_RULES = {"syscall_names_64.h", "syscall_names_32.h", "lsm.h"}


def test_a_file_includes_only_what_is_there(files):
    """A header that the Makefile makes counts as there."""
    made = set(re.findall(r"^\$\(obj\)/(\w+\.h):", files[f"{MONITOR}/Makefile"], re.M))
    missing = []
    for path, text in files.items():
        if PurePath(path).suffix in (".c", ".h") and not path.startswith("tools/"):
            here = PurePath(path).parent
            names = [(name, (here / name).as_posix().replace("tests/../", "")) for name in re.findall(r'^#include "([^"]+)"', text, re.M)]
            names += [(name, f"include/{name}") for name in re.findall(r"^#include <((?:linux|trace/events)/lsmpmon[^>]*)>", text, re.M)]
            missing += [f"{path}: {name}" for name, place in names if place not in files and PurePath(name).name not in made | MADE_BY_RULES]
    assert missing == []
    assert {"dispatch_calls.h", "trace_names.h"} <= made


def defined(files):
    """Return the names of the monitor's own that files define."""
    text = re.sub(r"[ \t]*\\$", "",
                  without_comments("\n".join(text for path, text in files.items() if path.endswith((".c", ".h")))), flags=re.M)
    names = {name for pattern in DEFINITIONS for name in pattern.findall(text)}
    tables = re.findall(r"\bLSMPMON_DEFINE_HOOK_TABLE\((\w+)\)|\bLSMPMON_DEFINE_PAIR_TABLE\(\w+, (\w+)\)", text)
    return names | {f"lsmpmon_{first or second}_fops" for first, second in tables}


def used(files):
    """Return {name of the monitor's own: a file that has it}, without names of files, of which a part is left out, or in strings."""
    names = {}
    for path, text in files.items():
        rest = re.sub(r'"[^"\n]*"|[\w/.-]+\.(?:[ch]|rst|awk|o)\b', "", text)
        names |= {name: path for name in re.findall(rf"\b{NAME}(?<!_)\b(?!\*|##)", rest) if not MADE.fullmatch(name)}
    return names


def test_a_name_that_is_used_is_defined(files):
    """Compare comments and documents, too."""
    files = {path: text for path, text in files.items() if not path.startswith("tools/")}
    known = defined(files)
    assert {name: path for name, path in used(files).items() if name not in known} == {}
    assert {"lsmpmon_of", "lsmpmon_paused", "LSMPMON_TRACED", "lsmpmon_result_fops"} <= known


def test_a_name_without_definition_is_found():
    files = {"a.h": "int lsmpmon_a(int b,\n\t      int c);\nextern int lsmpmon_d;\n/* See lsmpmon_e(). */\n",
             "a.c": "int lsmpmon_f(void)\n{\n\treturn lsmpmon_a(LSMPMON_G, lsmpmon_d);\n}\n"}
    assert set(used(files)) - defined(files) == {"lsmpmon_a", "lsmpmon_d", "lsmpmon_e", "LSMPMON_G"}


def nodes(files):
    """Return the files of lsmmon/."""
    return re.findall(r'^\t\{ "(\w+)",\s+0\d{3},', files[f"{MONITOR}/fs.c"], re.M)


def events(files):
    return re.findall(r"^TRACE_EVENT_FN\((\w+),", files["include/trace/events/lsmpmon.h"], re.M)


def keys(files):
    return re.findall(r'\bseq_\w+\(m, "(\w+): ', files[f"{MONITOR}/info.c"])


def entry(abi, name):
    """Return the rows of the tables of an entry of the ABI document."""
    text = re.split(r"^What:", abi.partition(f"/{name}\n")[2], maxsplit=1, flags=re.M)[0]
    return re.findall(r"^\t\t(\w+)  +\S", text, re.M)


# What each series adds.
FILES = {"1": {"control", "reset", "result", "verdicts", "info"}, "2": {"features", "modules"}, "3": {"syscalls"}, "4": {"histogram"}}


def test_the_files_that_exist_are_described(files, name):
    names = nodes(files)
    if name in FILES:
        assert set(names) == set().union(*(FILES[one] for one in NAMES[:NAMES.index(name) + 1]))
    assert sorted(re.findall(r"^What:\t+\S+/(\w+)/?$", files[ABI], re.M)) == sorted(["lsmmon", *names, *events(files)])
    assert sorted(re.findall(r"^(\w+)\n-{3,}$", files[USE], re.M)) == sorted(names)


def test_columns_and_keys_that_exist_are_described(files, name):
    header = re.search(r"lsmpmon_show_header\(.*?^\}", files[f"{MONITOR}/verdicts.c"], re.M | re.S)[0]
    columns = re.findall(r'"(\w+)"', header)
    event = files["include/trace/events/lsmpmon.h"]
    fields = re.findall(r"^\t\t__(?:field\([\w ]+|dynamic_array\(char), (\w+)", event, re.M)
    assert entry(files[ABI], "verdicts") == columns and "quiet_max" in columns
    assert entry(files[ABI], "info") == keys(files) and "lost" in keys(files)
    assert set(entry(files[ABI], "lsm_hook_exit")) == set(fields) and "disturbed" in fields
    assert re.findall(r"^    (\w+): ", files[USE].partition("# cat info\n")[2], re.M) == keys(files) + ["memory"]
    tables = re.findall(r"^((?:``\w+``(?:, )?)+)  +\S", files[DESIGN], re.M)
    described = {name for row in tables for name in re.findall(r"\w+", row)}
    assert {*columns, *keys(files)} <= described
    assert name != "1" or described == {*columns, *keys(files)}


def test_the_design_has_the_rows_and_comments_of_the_files_that_exist(files, tree, name):
    listed = order(files[DESIGN])
    assert sorted(listed) == sorted({PurePath(path).stem for path in files if re.fullmatch(rf"{MONITOR}/\w+\.[ch]", path)})
    assert upward(uses(sources(tree / MONITOR)), listed) == []
    documented = re.findall(r"^\.\. kernel-doc:: (\S+)$", files[DESIGN], re.M)
    assert [path for path in documented if path not in files] == [] and len(documented) > 20
    assert [path for path in documented if "\n/**\n" not in files[path]] == []


def test_a_series_does_not_name_files_of_later_ones(files, states, name):
    """Headers of the kernel may have the same names."""
    later = {PurePath(path).name for path in states[NAMES[-1]][-1][1] if path not in files and path.startswith(MONITOR) and "/tests/" not in path}
    named = [f"{path}: {word}" for path, text in files.items() if not path.startswith("tools/")
             for word in re.findall(r"(?<![\w/<.-])\w+\.[ch]\b", text) if word in later]
    assert named == []


BYTES = {"u64": 8, "u8": 1, "bool": 1, "unsigned int": 4, "struct lsmpmon_times": 7 * 8, "struct lsmpmon_irq": 2 * 8}


def size_of(structure, text):
    """Return the size of a structure whose members are in their natural places on 64-bit machines."""
    members, align = re.search(rf"^struct {structure} \{{\n(.*?)^\}}(?: __aligned\((\d+)\))?;", text, re.M | re.S).groups()
    size = 0
    for kind, pointer, times in re.findall(r"^\t([\w ]+?)\s+(\*?)\w+(?:\[(\w+)\])?;", members, re.M):
        one = 8 if pointer else BYTES[kind]
        size += -size % min(one, 8) + one * {"": 1, "LSMPMON_IRQS": 2}[times]
    return size + -size % int(align or 8)


def test_sizes_are_those_of_the_structures(states):
    """Documents say how large cells and the state of a task are."""
    assert size_of("a", "struct a {\n\tu8 a;\n\tu64 *b;\n\tstruct lsmpmon_irq c[LSMPMON_IRQS];\n\tbool d;\n};\n") == 8 + 8 + 32 + 8
    for name, sizes in (("1", (TASK_BYTES, CELL_BYTES)), ("3", (TASK_BYTES, CELL_BYTES)), ("4", (GROWN_TASK_BYTES, GROWN_CELL_BYTES))):
        files = states[name][-1][1]
        assert (size_of("lsmpmon_task", files["include/linux/lsmpmon_task.h"]), size_of("lsmpmon_cell", files[f"{MONITOR}/store.h"])) == sizes
    times = re.search(r"^struct lsmpmon_times \{\n(.*?)^\}", files[f"{MONITOR}/times.h"], re.M | re.S)[1]
    assert re.findall(r"^\t(\w+) \w+;", times, re.M) == ["u64"] * 7


@pytest.mark.parametrize("version", NEWER[-1:], indirect=True)
def test_kernel_doc_and_checkpatch_find_nothing(version, tree, files, name):
    """A member or an argument that is left without its description, or a description without it, shows here."""
    code = [tree / path for path in sorted(files) if PurePath(path).suffix in (".c", ".h") and not path.startswith("tools/")]
    assert kernel_doc(version, *code) == (0, "")
    assert findings(checkpatch(pristine(version), "--showfile", *mails(version, name))) == []


@pytest.mark.parametrize("older", [name for name in source.supported() if not at_least(name, numbered.read()["1"]["since"])])
def test_an_older_kernel_is_refused(older, tmp_path, monkeypatch, capsys):
    major, minor = older.split(".")
    (tmp_path / "security").mkdir()
    (tmp_path / "security/Kconfig").write_text("")
    (tmp_path / "Makefile").write_text(f"VERSION = {major}\nPATCHLEVEL = {minor}\nSUBLEVEL = 0\n")
    monkeypatch.setattr(series, "get_source", lambda: tmp_path)
    monkeypatch.delenv("SERIES", raising=False)
    assert series.main(argparse.Namespace()) == 2
    assert re.search(f"not for {older}; SERIES=monitor", capsys.readouterr().err)


def test_all_series_together_are_the_monitor(states):
    """Byte for byte, as it is mailed for one version."""
    with tempfile.TemporaryDirectory() as folder:
        past = history.History(folder, "2026-01-01T00:00:00+00:00")
        for step in plan.steps(plan.read(), NEWEST, whole=False):
            past.step(replace(step, seams=[]))
        assert states[NAMES[-1]][-1][1] == texts(folder)


def test_each_step_changes_what_it_names(states):
    """A file that a patch makes grow is another one afterwards."""
    before = {}
    for steps in states.values():
        for step, files in steps:
            assert [path for path in step.files if files[path] == before.get(path)] == [], step.subject
            before = files
