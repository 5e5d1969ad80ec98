# SPDX-License-Identifier: GPL-2.0-only
"""The first series is complete: its patches are small, and what they include, use and describe is in them."""

import argparse
import re
from dataclasses import replace
from pathlib import PurePath

import pytest
from kernels import NEWER, mails, pristine
from rows import order, sources, upward, uses
from test_static import checkpatch, findings, kernel_doc

from lsmlab.commands import series
from lsmlab.kernel.series import history, plan
from lsmlab.kernel.series.resolve import at_least
from lsmlab.kernel.tree import source

NEWEST = source.supported()[-1]
MOST_PATCHES, MOST_LINES = 10, 500
ABI = "Documentation/ABI/testing/securityfs-lsmpmon"
USE = "Documentation/admin-guide/LSM/lsmpmon.rst"
DESIGN = "Documentation/security/lsmpmon.rst"
MONITOR = "security/lsmpmon"
# What the documents and the cover letter say of sizes on 64-bit machines.
TASK_BYTES, CELL_BYTES = 16, 64

NAME = r"((?:lsmpmon|LSMPMON)_\w+)"
DEFINITIONS = [re.compile(pattern, re.M) for pattern in (
    rf"# *define {NAME}\b",
    rf"\b(?:struct|union|enum) {NAME} \{{",
    rf"\benum \{{ {NAME} =",
    rf"^\t{NAME}(?: = [^;]+?)?,",                                       # of an enum
    rf"^(?!\s|#).*?\b{NAME}\([^;{{}}]*\)\s*\{{",                        # a function
    rf"^(?!extern\b|\s)[\w *]+?\b{NAME}(?:\[[^;]*?\])*(?: __\w+)? ?[=;]",
    rf"\bDEFINE_\w+\((?:[\w ]+, )??{NAME}\b",
    rf"\bDECLARE_(?:WORK|RWSEM)\({NAME}\b")]
# Made by macros and by dispatch.awk for each hook, or for a function with a loop; and what comments call them.
MADE = re.compile(r"LSMPMON_HOOK_[a-z]\w+|lsmpmon_(call|dispatch)_(HOOK|[a-z]\w+)|lsmpmon_twin_security_\w+|lsmpmon_NAME_show")


@pytest.fixture(scope="module")
def steps():
    return plan.first(NEWEST)


@pytest.fixture(scope="module")
def tree(steps, tmp_path_factory):
    """Return a folder with the files of the first series, without what its seams edit."""
    folder = tmp_path_factory.mktemp("first")
    past = history.History(folder, "2026-01-01T00:00:00+00:00")
    for step in steps:
        past.step(replace(step, seams=[]))
    return folder


@pytest.fixture(scope="module")
def files(tree):
    """Return {path: text}."""
    return {path.relative_to(tree).as_posix(): path.read_text() for path in tree.rglob("*") if path.is_file() and ".git" not in path.parts}


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


def test_patches_are_few_and_small(steps, files):
    counted = {step.subject: lines_of_code("\n".join([*(files[path] for path in step.files if is_code(path)), *map(edits, step.seams)]))
               for step in steps}
    assert len(steps) <= MOST_PATCHES
    assert {subject: lines for subject, lines in counted.items() if lines > MOST_LINES} == {}
    assert sum(counted.values()) > 1000


def test_lines_without_code_do_not_count():
    assert lines_of_code("// SPDX\n/*\n * Title\n */\n\nint a; /* b */\n\t/* c */\n#include <d.h>\n") == 2


def test_a_file_includes_only_what_is_there(files):
    """A header that the Makefile makes counts as there."""
    made = set(re.findall(r"^\$\(obj\)/(\w+\.h):", files[f"{MONITOR}/Makefile"], re.M))
    missing = []
    for path, text in files.items():
        if PurePath(path).suffix in (".c", ".h") and not path.startswith("tools/"):
            here = PurePath(path).parent
            names = [(name, (here / name).as_posix().replace("tests/../", "")) for name in re.findall(r'^#include "([^"]+)"', text, re.M)]
            names += [(name, f"include/{name}") for name in re.findall(r"^#include <((?:linux|trace/events)/lsmpmon[^>]*)>", text, re.M)]
            missing += [f"{path}: {name}" for name, place in names if place not in files and PurePath(name).name not in made]
    assert missing == []
    assert made == {"dispatch_calls.h", "trace_names.h"}


def defined(files):
    """Return the names of the monitor's own that files define."""
    text = re.sub(r"[ \t]*\\$", "",
                  without_comments("\n".join(text for path, text in files.items() if path.endswith((".c", ".h")))), flags=re.M)
    names = {name for pattern in DEFINITIONS for name in pattern.findall(text)}
    return names | {f"lsmpmon_{table}_fops" for table in re.findall(r"\bLSMPMON_DEFINE_HOOK_TABLE\((\w+)\)", text)}


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
    return re.findall(r'^\t\{ "(\w+)",\s+0\d{3},', files[f"{MONITOR}/fs.c"], re.M)


def keys(files):
    return re.findall(r'\bseq_\w+\(m, "(\w+): ', files[f"{MONITOR}/info.c"])


def entry(abi, name):
    """Return the rows of the tables of an entry of the ABI document."""
    text = re.split(r"^What:", abi.partition(f"/{name}\n")[2], maxsplit=1, flags=re.M)[0]
    return re.findall(r"^\t\t(\w+)  +\S", text, re.M)


def test_the_files_that_exist_are_described(files):
    names = nodes(files)
    assert names == ["control", "reset", "result", "verdicts", "info"]
    assert re.findall(r"^What:\t+\S+/(\w+)/?$", files[ABI], re.M) == ["lsmmon", *names, "lsm_hook_exit"]
    assert re.findall(r"^(\w+)\n-{3,}$", files[USE], re.M) == names


def test_columns_and_keys_that_exist_are_described(files):
    header = re.search(r"lsmpmon_show_header\(.*?^\}", files[f"{MONITOR}/verdicts.c"], re.M | re.S)[0]
    columns = re.findall(r'"(\w+)"', header)
    fields = re.findall(r"^\t\t__field\([\w ]+, (\w+)\)", files["include/trace/events/lsmpmon.h"], re.M)
    assert entry(files[ABI], "verdicts") == columns and "quiet_max" in columns
    assert entry(files[ABI], "info") == keys(files) and "lost" in keys(files)
    assert set(entry(files[ABI], "lsm_hook_exit")) == set(fields) and "disturbed" in fields
    assert re.findall(r"^    (\w+): ", files[USE].partition("# cat info\n")[2], re.M) == keys(files) + ["memory"]
    tables = re.findall(r"^((?:``\w+``(?:, )?)+)  +\S", files[DESIGN], re.M)
    assert {name for row in tables for name in re.findall(r"\w+", row)} == {*columns, *keys(files)}


def test_the_design_has_the_rows_and_comments_of_the_files_that_exist(files, tree):
    listed = order(files[DESIGN])
    assert sorted(listed) == sorted({PurePath(path).stem for path in files if re.fullmatch(rf"{MONITOR}/\w+\.[ch]", path)})
    assert upward(uses(sources(tree / MONITOR)), listed) == []
    documented = re.findall(r"^\.\. kernel-doc:: (\S+)$", files[DESIGN], re.M)
    assert [path for path in documented if "\n/**\n" not in files.get(path, "")] == [] and len(documented) > 20


def test_sizes_are_those_of_the_structures(files):
    """Pointers and counters have eight bytes, and a structure is a multiple of them."""
    cell, task = (re.search(rf"^struct {name} \{{\n(.*?)^\}}", files[path], re.M | re.S)[1].split(";\n")[:-1]
                  for name, path in (("lsmpmon_cell", f"{MONITOR}/store.h"), ("lsmpmon_task", "include/linux/lsmpmon_task.h")))
    assert {member.split()[0] for member in cell} == {"u64"} and 8 * len(cell) == CELL_BYTES
    assert [member.split() for member in task] == [["struct", "lsmpmon_span", "*span"], ["u8", "tracing"]]
    assert TASK_BYTES == 8 + 8


@pytest.mark.parametrize("version", NEWER[-1:], indirect=True)
def test_kernel_doc_and_checkpatch_find_nothing(version, tree, files):
    """A member or an argument that is left without its description, or a description without it, shows here."""
    code = [tree / path for path in sorted(files) if PurePath(path).suffix in (".c", ".h") and not path.startswith("tools/")]
    assert kernel_doc(version, *code) == (0, "")
    assert findings(checkpatch(pristine(version), "--showfile", *mails(version, "1"))) == []


@pytest.mark.parametrize("older", [name for name in source.supported() if not at_least(name, plan.read(plan.FIRST)["since"])])
def test_an_older_kernel_is_refused(older, tmp_path, monkeypatch, capsys):
    major, minor = older.split(".")
    (tmp_path / "security").mkdir()
    (tmp_path / "security/Kconfig").write_text("")
    (tmp_path / "Makefile").write_text(f"VERSION = {major}\nPATCHLEVEL = {minor}\nSUBLEVEL = 0\n")
    monkeypatch.setattr(series, "kernel_tree", lambda: tmp_path)
    monkeypatch.delenv("SERIES", raising=False)
    assert series.main(argparse.Namespace()) == 2
    assert re.search(f"not for {older}; SERIES=monitor", capsys.readouterr().err)
