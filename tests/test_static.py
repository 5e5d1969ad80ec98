# SPDX-License-Identifier: GPL-2.0-only
"""The kernel's own checkers have no complaint about our files, on each kernel.

checkpatch, compiler warnings (W=1), sparse, kernel-doc, the documents as Sphinx
reads them, Kconfig, MAINTAINERS. Their complaints about the kernel's own files
are not ours: it counts where a seam makes them complain more than without it.
"""

import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch

import pytest
from kernels import REPO, VERSIONS, environment, mails, pristine, undated

from lsmlab.kernel.objects import matrix, passed
from lsmlab.kernel.objects.build import Objects, compiler_version, warnings
from lsmlab.kernel.objects.tree import ours
from lsmlab.kernel.tree import source
from lsmlab.kernel.tree.staging import touched

ACCEPTED = tomllib.loads((REPO / "tests/checkpatch.toml").read_text())["accepted"]
SAID = re.compile(r"^([^:\n]*):(\d*): (?:ERROR|WARNING|CHECK):(\w+): .*$", re.M)
# checkpatch asks for a MAINTAINERS entry with each patch that adds a file; ours is the last patch.
CHECKPATCH = ("--strict", "--terse", "--show-types", "--no-summary", "--ignore", "FILE_PATH_CHANGES")


def row_has(row, path, kind):
    return kind == row["type"] and any(fnmatch(path, pattern) for pattern in row["files"])


def accepted(path, kind):
    return any(row_has(row, path, kind) for row in ACCEPTED)


def checkpatch(tree, *words):
    """Return all findings of checkpatch, one a line."""
    done = subprocess.run(["perl", "scripts/checkpatch.pl", *CHECKPATCH, *words], cwd=tree,
                          capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return done.stdout


def findings(output):
    """Return the findings that checkpatch.toml does not accept."""
    return [m[0] for m in SAID.finditer(output) if not accepted(m[1], m[3])]


def test_checkpatch_of_the_series(version):
    def check():
        output = checkpatch(pristine(version), "--showfile", *series)
        assert findings(output) == []
        return output

    series = mails(version)
    key = passed.digest("checkpatch", ACCEPTED, CHECKPATCH, *undated(series),
                        files=[pristine(version) / "scripts/checkpatch.pl"])
    output = passed.once(key, check)
    stale = [row for row in ACCEPTED if row.get("kernel", "6.12") == version
             and not any(row_has(row, m[1], m[3]) for m in SAID.finditer(output))]
    assert stale == [], "nothing of that is found any more"


@pytest.mark.full
@pytest.mark.parametrize("version", VERSIONS[-1:], indirect=True)
def test_checkpatch_of_our_files(version):
    """The newest kernel's checkpatch reads whole files; each kernel's own has read the same lines in its series."""
    def check():
        with ours(version) as tree:
            assert findings(checkpatch(tree, "--file", *names)) == []

    names = sorted(source.files())
    key = passed.digest("checkpatch files", ACCEPTED, CHECKPATCH, *names,
                        files=[*source.files().values(),
                               pristine(version) / "scripts/checkpatch.pl"])
    passed.once(key, check)


def test_checkpatch_can_complain(version, tmp_path):
    bad = tmp_path / "bad.c"
    bad.write_text("// SPDX-License-Identifier: GPL-2.0-only\n\nint f( void ) {\n  return(1);}\n")
    kinds = {m[3] for m in SAID.finditer(checkpatch(pristine(version), "--file", bad))}
    assert {"OPEN_BRACE", "SPACING", "RETURN_PARENTHESES"} <= kinds


SPARSE = ("W=1", "C=2", "CHECK=sparse")


# Our folders that a configuration builds: the Tunable Security Module or the model of LIDS, one of both.
MONITOR, TUNABLE, LIDS = matrix.OURS.values()
FOLDERS = {"all": {MONITOR, TUNABLE}, "lids": {MONITOR, LIDS}}


def warnings_of(version, verb, name="all", only=""):
    """Return the warnings of the compiler and of sparse about our files and those that the seam touches."""
    with ours(version, verb) as tree:
        config = matrix.configs(version)[name]
        objects = Objects(tree, config.arch)
        objects.configure(config.lines, config.wanted if verb == "apply" else [])
        names = matrix.targets(objects, version)
        assert "io_uring/io_uring.o" in names
        assert set(matrix.OURS.values()) & {*names} == (FOLDERS[name] if verb == "apply" else set())
        names = [name for name in names if name.startswith(only)]
        output = objects.compile(names, *SPARSE)
        matrix.all_there(objects, names)
        return warnings(output, tree)


def as_text(messages):
    return "\n".join(sorted({f"{path}: {what}" for path, what in messages}))


def test_compiler_and_sparse(version):
    """Our files have no warning and files that patches touch no new one, with every module and option on."""
    def before():
        return as_text(warnings_of(version, "unapply"))

    def check():
        reads = REPO / "lab/lsmlab/kernel/objects/build.py"
        old = passed.once(passed.digest("sparse before", *key, files=[reads]), before).splitlines()
        concern = {path for p in source.patches(version) for path in touched(p)} | set(source.files())
        both = warnings_of(version, "apply") + warnings_of(version, "apply", "lids", LIDS)
        messages = [(path, what) for path, what in both if path in concern]
        assert [line for line in as_text(messages).splitlines() if line not in old] == []

    config, lids = (matrix.configs(version)[name] for name in FOLDERS)
    key = (pristine(version).name, compiler_version(config.arch), SPARSE, *config.lines, *lids.lines,
           *sorted(path for p in source.patches(version) for path in touched(p)))
    passed.once(passed.digest("sparse", *key, files=passed.inputs(version)), check)


BAD = """// SPDX-License-Identifier: GPL-2.0-only
#include <linux/types.h>

int lsmpmon_bad(void __user *p);
int lsmpmon_bad(void __user *p)
{
	int unused;

	return *(int *)p;
}
"""


def sparse_is_taken(version):
    """Say whether sparse is used: newer kernels check whether it is new enough, and do without it if not."""
    judge = pristine(version) / "scripts/checker-valid.sh"
    if not judge.exists():
        return True
    done = subprocess.run([judge, "sparse"], stdout=subprocess.PIPE, text=True)
    return done.stdout.strip() == "1"


def test_compiler_and_sparse_can_complain(version):
    """The file misuses a user pointer and has an unused variable."""
    if not sparse_is_taken(version):
        pytest.skip(f"Linux {version} takes no sparse as old as this machine's")

    def check():
        with ours(version) as tree:
            config, bad = matrix.configs(version)["all"], tree / "security/lsmpmon/bad.c"
            objects = Objects(tree, config.arch)
            objects.configure(config.lines, config.wanted)
            bad.write_text(BAD)
            try:
                messages = warnings(objects.compile(["security/lsmpmon/bad.o"], *SPARSE), tree)
            finally:
                bad.unlink()
        text = as_text(messages)
        assert "security/lsmpmon/bad.c: warning: unused variable" in text, text
        assert "security/lsmpmon/bad.c: warning: cast removes address space" in text, text

    passed.once(passed.digest("sparse can", pristine(version).name, BAD,
                              files=passed.inputs(version)), check)


def kernel_doc(version, *paths):
    """Run kernel-doc. That of Linux 6.1 does not know -Wall."""
    tool = pristine(version) / "scripts/kernel-doc"
    every = ["-Wall"] if "Wall" in tool.read_text() else []
    env = dict(environment(), PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run([tool, "-none", "-Werror", *every, *paths], env=env, capture_output=True,
                          text=True)
    return done.returncode, done.stdout + done.stderr


def test_kernel_doc(version):
    code = [path for name, path in sorted(source.files().items())
            if name.endswith((".c", ".h")) and not name.startswith("tools/")]
    status, output = kernel_doc(version, *code)
    assert (status, output) == (0, "")


def test_kernel_doc_can_complain(version, tmp_path):
    bad = tmp_path / "bad.h"
    bad.write_text("/**\n * f - does it\n * @b: what\n */\nint f(int a);\n")
    status, output = kernel_doc(version, bad)
    assert status and "'a' not described" in output


CONFIG = re.compile(r"^config (\w+)\n((?:\t.*\n|\n)+)", re.M)


def kconfig():
    """Return all of our Kconfig files as one text."""
    return "\n".join(path.read_text() for name, path in sorted(source.files().items()) if name.endswith("/Kconfig"))


def test_kconfig_help():
    """Each option that is asked has a help text that says what it costs or tests."""
    options = CONFIG.findall(kconfig())
    assert {"SECURITY_LSMPMON", "SECURITY_TUNABLE"} <= {name for name, _ in options}
    for name, body in options:
        if re.search(r'^\tbool "|^\ttristate "', body, re.M):
            lines = [line for line in body.partition("\thelp\n")[2].splitlines() if line.strip()]
            assert len(lines) >= 4, name
            assert all(line.startswith("\t  ") for line in lines), name


def test_kconfig_defaults_to_no():
    """The option is off by default, except for those who enable all KUnit tests."""
    text = kconfig()
    assert set(re.findall(r"^\tdefault (.*)$", text, re.M)) <= {"KUNIT_ALL_TESTS"}


def test_maintainers(version):
    """The entry covers all of our files and names none that does not exist; the tunable module's patch adds to it."""
    texts = [p.read_text() for p in source.patches(version) if "MAINTAINERS" in touched(p)]
    patterns = [pattern for text in texts for pattern in re.findall(r"^\+F:\t(\S+)$", text, re.M)]
    cover = [f"{pattern}*" if pattern.endswith("/") else pattern for pattern in patterns]
    assert [name for name in source.files() if not any(fnmatch(name, c) for c in cover)] == []
    assert [c for c in cover if not any(fnmatch(name, c) for name in source.files())] == []



ABI_TOOLS = ("scripts/get_abi.pl", "scripts/get_abi.py", "tools/docs/get_abi.py")


def abi_tool(version, folder, *words):
    """Return (status, output) of the kernel's own reader of ABI files."""
    tool = next(t for t in ABI_TOOLS if (pristine(version) / t).exists())
    source_format = ["--rst-source"] if tool.endswith(".pl") else []
    runs = ["perl"] if tool.endswith(".pl") else [sys.executable, "-B"]
    done = subprocess.run([*runs, pristine(version) / tool, "--dir", folder, *source_format, *words],
                          capture_output=True, text=True, cwd=pristine(version))
    return done.returncode, done.stdout + (done.stderr if words[0] == "validate" else "")


def abi_folder(folder):
    """Make the folders of a kernel that both tools expect."""
    testing = folder / "ABI/testing"
    testing.mkdir(parents=True)
    for name, path in source.files().items():
        if name.startswith("Documentation/ABI/testing/"):
            (testing / path.name).write_text(path.read_text())
    return folder / "ABI"


def test_abi_file_is_valid(version, tmp_path):
    status, output = abi_tool(version, abi_folder(tmp_path), "validate")
    assert status == 0 and "Warning" not in output and "ERROR" not in output.upper(), output


def of_the_kernel(line, tree):
    """Say whether a complaint is about one of the kernel's own files."""
    return str(tree) in line and "lsmpmon" not in line.replace(str(tree), "")


def sphinx(version, folder, documents):
    """Return the output of Sphinx for documents, with a kernel's own settings and extensions.

    Since 7.2 these want MAINTAINERS beside a folder of the kernel's name.
    """
    top, folder = folder, folder / "Documentation"
    for name, text in documents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    titles = "\n   ".join(name.removesuffix(".rst") for name in documents)
    (folder / "index.rst").write_text(f"All\n===\n\n.. toctree::\n\n   {titles}\n")
    with ours(version) as tree:
        (top / "MAINTAINERS").symlink_to(tree / "MAINTAINERS")
        env = dict(environment(), srctree=str(tree), PYTHONDONTWRITEBYTECODE="1", LC_ALL="C.UTF-8")
        settings = {"kerneldoc_srctree": str(tree), "version": version, "release": version}
        if "add_config_value('kerneldoc_bin'" in (tree / "Documentation/sphinx/kerneldoc.py").read_text():
            settings["kerneldoc_bin"] = f"{tree}/scripts/kernel-doc"
        words = [word for name, value in settings.items() for word in ("-D", f"{name}={value}")]
        done = subprocess.run(["sphinx-build", "-q", "-E", "-b", "html", "-c", tree / "Documentation",
                               *words, folder, folder / "out"],
                              cwd=tree / "Documentation", env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return "\n".join(line for line in done.stderr.splitlines()
                     if re.search("WARNING|ERROR|SEVERE", line) and "dot(1)" not in line
                     and not of_the_kernel(line, tree))


def documents(version, folder):
    """Return our documents by path, and the page that the kernel generates from the ABI files."""
    texts = {name.removeprefix("Documentation/"): path.read_text()
             for name, path in source.files().items() if name.endswith(".rst")}
    status, text = abi_tool(version, abi_folder(folder), "rest")
    assert status == 0
    return {**texts, "abi.rst": f"ABI\n===\n\n{text}"}


def test_documents_are_clean(version, tmp_path):
    def check():
        assert sphinx(version, tmp_path / "rst", documents(version, tmp_path)) == ""

    key = passed.digest("sphinx", pristine(version).name,
                        files=[*source.files().values(), *source.patches(version)])
    passed.once(key, check)


def test_sphinx_can_complain(version, tmp_path):
    bad = "Bad\n====\n\n* a\nb ``c\n\n.. kernel-doc:: security/lsmpmon/gone.c\n"
    output = sphinx(version, tmp_path, {"bad.rst": bad})
    assert "inline literal" in output.lower() and "gone.c" in output
