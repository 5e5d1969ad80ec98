# SPDX-License-Identifier: GPL-2.0-only
"""Every file, column and key that a kernel shows is in all three documents.

The actual state is read in guests; a document that is behind fails.
"""

import functools
import re

import pytest
from guests import GUESTS, LSMMON, RUNNERS, output
from kernels import DEFAULT, REPO, source

ABI = (REPO / "Documentation/ABI/testing/securityfs-lsmpmon").read_text()
USE = (REPO / "Documentation/admin-guide/LSM/lsmpmon.rst").read_text()
DESIGN = (REPO / "Documentation/security/lsmpmon.rst").read_text()
EVENTS = "/sys/kernel/tracing/events/lsmpmon"
READ = f"""
cd {LSMMON} || exit
sed 's/ .*/ 1/' features | while read -r line; do echo "$line" >features; done
echo 1 >control; ls -l / >/dev/null; echo 0 >control
for file in *; do echo "@@ $file"; [ "$file" = reset ] || head -n 30 "$file"; done
mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing
for event in {EVENTS}/lsm_*; do echo "@@ events/${{event##*/}}"; cat "$event/format"; done
"""


def names(file, lines):
    """Return the columns of a table, or else the keys if each line has one, or else nothing."""
    if file.startswith("events/"):
        fields = re.findall(r"field:.*?(\w+)(?:\[\w*\])?;", "\n".join(lines))
        return [name for name in fields if not name.startswith("common_")]
    for key in (r"(\w+): ", r"(\w+) [01]$", r"([a-z])(?: |$)"):
        matches = [re.match(key, line) for line in lines]
        if matches and all(matches):
            return [match[1] for match in matches]
    words = lines[0].split() if lines else []
    # The first and the last one of a series of columns tell what is between.
    words = [word for word in words if not re.fullmatch("share0[2-9]0", word)]
    return words if len(words) > 1 and all(map(str.isidentifier, words)) else []


def interface(text):
    """Return the columns or keys of each file."""
    parts = [part.partition("\n") for part in text.split("@@ ")[1:]]
    return {file: names(file, rest.splitlines()) for file, _, rest in parts}


@functools.cache
def shown(kver, runner):
    return interface(output(READ, KVER=kver, RUNNER=runner))


@pytest.fixture(params=GUESTS, ids="-".join)
def files(request):
    return shown(*request.param)


def blocks(text):
    """Yield the entries of the ABI document: paths, fields, description."""
    for block in re.split(r"\n(?=What:)(?<!\nWhat:)", text):
        head, _, description = block.partition("Description:")
        yield re.findall(r"^What:\t+(\S+)$", head, re.M), head, description


def entries(text):
    """Return entries by the last part of their path; consecutive What: lines share one."""
    by_name, waiting = {}, []
    for paths, head, description in blocks(text):
        waiting += paths
        if description:
            by_name.update({path.rstrip("/").rsplit("/", 1)[-1]: (head, description)
                            for path in waiting})
            waiting = []
    return by_name


def with_shared(description, shared):
    """Return a description, and what it refers to: columns that many tables have are described once."""
    return description + shared if re.search(r"columns\s+of\s+disturbed\s+calls", description) else description


def missing_in_abi(files, text=ABI):
    """Return what the ABI document lacks: each column has to be a row of a table, and each written key has to be
    quoted.
    """
    missing, entry = [], entries(text)
    for file, columns in files.items():
        _, description = entry.get(file.rsplit("/", 1)[-1], ("", ""))
        missing += [] if description else [file]
        description = with_shared(description, entry["lsmmon"][1])
        missing += [f"{file}: {name}" for name in columns
                    if not re.search(rf'^\t+{name}  |"{name}\b', description, re.M)]
    return missing


def sections(text):
    """Return the sections of a document by title."""
    parts = re.split(r"^(\S.*)\n([=-])\2{2,}\n", text, flags=re.M)
    return dict(zip(parts[1::3], parts[3::3]))


def missing_in_use(files, text=USE):
    """Return what the guide lacks: each file has to have a section that names its columns and keys."""
    missing, section = [], sections(text)
    for file, columns in files.items():
        described = section.get("Trace events" if file.startswith("events/") else file, "")
        missing += [] if described else [file]
        described = with_shared(described, section["The three times of a call"])
        missing += [f"{file}: {name}" for name in columns if not re.search(rf"\b{name}\b", described)]
    return missing


def missing_in_design(files, text=DESIGN):
    """Return what the design lacks: each name has to be there as a literal, with its source."""
    literals = set(re.findall(r"\w+", " ".join(re.findall(r"``([^`]+)``", text))))
    return [f"{file}: {name}" for file, columns in files.items()
            for name in (file.rsplit("/", 1)[-1], *columns) if name not in literals]


def test_abi(files):
    assert missing_in_abi(files) == []


def test_use(files):
    assert missing_in_use(files) == []


def test_design(files):
    assert missing_in_design(files) == []


def test_the_interface_is_read_whole(files):
    """The columns of each file are recognised."""
    assert {"control", "reset", "features", "result", "verdicts", "syscalls", "modules",
            "histogram", "hooks", "info"} <= set(files)
    assert {file for file, columns in files.items() if not columns} <= {"control", "reset", "session"}
    assert files["result"] == ["hook", "min", "max", "ave", "count", "cs_count"]
    assert {"syscall", "module", "histogram"} <= set(files["features"])
    assert "memory_per_cpu" in files["info"] and "duration" not in files
    assert {"events/lsm_hook_enter", "events/lsm_hook_exit"} <= set(files)


def test_use_has_the_files_in_the_order_of_the_kernel():
    listed = re.findall(r'^\t\{ "(\w+)",\s+0\d{3},', (REPO / "lsmpmon/fs.c").read_text(), re.M)
    assert len(listed) >= 10
    titles = list(sections(USE))
    assert sorted(listed, key=titles.index) == listed


def test_documents_name_no_file_that_is_gone():
    """Files of one runner count: calls needs an architecture that has it.

    All kernels have the same files.
    """
    existing = {file for runner in RUNNERS for file in shown(DEFAULT, runner)}
    described = {name for name in entries(ABI) if not name.startswith("lsm")}
    assert described <= existing


def test_abi_entries_say_since_when():
    for name, (head, _) in entries(ABI).items():
        version = re.search(r"^KernelVersion:\t(\d+\.\d+)$", head, re.M)
        assert version and version[1] in source.supported(), name
        assert re.search(r"^Date:\t\t\w+ \d{4}$", head, re.M), name
        assert re.search(r"^Contact:\t.+@.+$", head, re.M), name


MORE = {"result": ["hook", "brand_new"], "new_file": ["brand_new"], "info": ["version", "brand_new"],
        "events/lsm_hook_exit": ["brand_new"]}
EXPECTED = ["result: brand_new", "new_file", "new_file: brand_new", "info: brand_new",
            "events/lsm_hook_exit: brand_new"]


def test_what_is_new_is_missed():
    assert missing_in_abi(MORE) == EXPECTED
    assert missing_in_use(MORE) == EXPECTED
    assert missing_in_design(MORE) == [name if ":" in name else "new_file: new_file"
                                       for name in EXPECTED]


@pytest.mark.parametrize("file, name", [("verdicts", "irq_sum"), ("info", "lost"),
                                        ("features", "histogram")])
def test_what_a_document_loses_is_missed(file, name):
    one = {file: [name]}
    assert missing_in_abi(one) == missing_in_use(one) == missing_in_design(one) == []
    assert missing_in_abi(one, re.sub(rf"\b{name}\b", "x", ABI)) == [f"{file}: {name}"]
    assert missing_in_use(one, re.sub(rf"\b{name}\b", "x", USE))
    assert missing_in_design(one, DESIGN.replace(f"``{name}``", ""))
