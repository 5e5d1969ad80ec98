# SPDX-License-Identifier: GPL-2.0-only
"""Tests that pass without being run: only where nothing that goes into them has changed."""

import re
import subprocess
import sys

import pytest
from kernels import REPO, environment

COUNT = "def test_it(): open('runs', 'a').write('{} ')\n"
# Says that a test looks at all files; in two parts, since this test does not.
LOOKS_AT_ALL = "# It looks at git ls" "-files."
FILES = {
    "pytest.ini": "[pytest]\npythonpath = tests\n",
    "README": "One.\n",
    "code.c": "int one;\n",
    "tests/helper.py": "ONE = 1\n",
    "tests/test_narrow.py": COUNT.format("narrow"),
    "tests/test_all.py": f"{LOOKS_AT_ALL}\n{COUNT.format('all')}",
    "tests/test_one.py": f"# It looks at Documentation/one.md.\n{COUNT.format('one')}",
    "tests/test_tier.py": f"SHORT = 0\n{COUNT.format('tier')}",
    "Documentation/one.md": "One.\n",
    "Documentation/two.md": "One.\n",
    "Documentation/security/one.rst": "One.\n",
}


@pytest.fixture
def top(tmp_path):
    """Return a repository with tests that note when they run."""
    top = tmp_path / "top"
    for name, text in FILES.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    subprocess.run(["git", "init", "-q", top], check=True)
    return top


def run(top, *words, **variables):
    """Run pytest in the repository; return the tests that ran, and what it printed."""
    (top / "runs").unlink(missing_ok=True)
    (top / ".gitignore").write_text("runs\n__pycache__\n")
    env = environment(PYTHONPATH=f"{REPO}/tests:{REPO}/lab", XDG_CACHE_HOME=top.parent / "cache", **variables)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "kept", "-p", "no:cacheprovider", *words, "tests"],
                          cwd=top, env=env, capture_output=True, text=True)
    runs = (top / "runs").read_text().split() if (top / "runs").exists() else []
    return sorted(runs), done.stdout


ALL = ["all", "narrow", "one", "tier"]


@pytest.mark.parametrize("path, text, ran", [
    (None, None, []),
    ("code.c", "int two;\n", ALL),
    ("new.c", "int new;\n", ALL),
    ("code.c", None, ALL),
    ("tests/helper.py", "ONE = 2\n", ALL),
    ("tests/test_narrow.py", "\n" + FILES["tests/test_narrow.py"], ["all", "narrow"]),
    ("Documentation/one.md", "Two.\n", ["all", "one"]),
    ("Documentation/two.md", "Two.\n", ["all"]),
    ("Documentation/security/one.rst", "Two.\n", ALL),
])
def test_what_changed_is_run(top, path, text, ran):
    """The second run has only tests that may depend on the file that was changed, added or removed."""
    assert run(top)[0] == ALL
    if path and text:
        (top / path).write_text(text)
    elif path:
        (top / path).unlink()
    assert run(top)[0] == ran


def test_an_executable_file_is_another_input(top):
    run(top)
    (top / "code.c").chmod(0o755)
    assert run(top)[0] == ALL


def test_the_tier_is_an_input_of_those_that_ask_for_it(top):
    run(top, LSMPMON_TIER="short")
    assert run(top, LSMPMON_TIER="full")[0] == ["tier"]


def test_everything_runs_if_asked_for(top):
    run(top)
    assert run(top, FRESH="1")[0] == ALL


def test_nothing_is_kept_outside_of_git(top):
    (top / ".git").rename(top / "git")
    run(top)
    assert run(top)[0] == ALL


@pytest.mark.parametrize("body", [
    "assert not open('runs', 'a').write('bad ')",
    "open('runs', 'a').write('bad '); __import__('pytest').skip('no')",
])
def test_only_a_pass_is_kept(top, body):
    (top / "tests/test_bad.py").write_text(f"def test_it(): {body}\n")
    run(top)
    assert run(top)[0] == ["bad"]


def test_a_kept_test_counts_as_passed(top):
    run(top)
    assert re.search(r"^4 passed", run(top)[1], re.M)


def test_fixtures_end_before_the_next_file(top):
    """A kept test between two others does not leave a fixture of the first to the second."""
    fixture = ("import pytest\n@pytest.fixture(scope='module', autouse=True)\n"
               "def it(): open('runs', 'a').write('+ '); yield; open('runs', 'a').write('- ')\n")
    (top / "tests/test_a.py").write_text(f"{fixture}def test_1(): assert 0\ndef test_2(): pass\n")
    (top / "tests/test_b.py").write_text(f"{fixture}def test_1(): assert 0\n")
    run(top)
    (top / "runs").unlink()
    text = run(top)[1]
    assert (top / "runs").read_text().split() == ["+", "-"] * 2 and re.search(r"^2 failed, 5 passed", text, re.M)


def test_a_file_that_reads_documents_unnoticed_fails(top):
    """A document is opened in a file whose text does not show it."""
    (top / "tests/test_sly.py").write_text("def test_it(): open('Documentation/one' + '.m' + 'd', 'rb')\n".replace(
        "'Documentation", f"'{top}/Documentation"))
    assert "reads Documentation/one.md" in run(top)[1]
