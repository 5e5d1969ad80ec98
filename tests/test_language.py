# SPDX-License-Identifier: GPL-2.0-only
"""Plain English: words that words.toml lists are not in our text.

The list is our own, since prose linters know neither kernels nor our terms: they complain where nothing is wrong.
"""

import ast
import re
import tomllib
from fnmatch import fnmatch
from pathlib import PurePath

import pytest
from kernels import REPO

WORDS = tomllib.loads((REPO / "tests/words.toml").read_text())
IMPERATIVES, VERBS, REFUSED = (WORDS["docstrings"][name].split() for name in ("imperatives", "verbs", "refused"))
HAS_VERB = re.compile(rf"\b({'|'.join(VERBS)})\b")
# The docstring of a command's module is what its --help prints.
HELP = "lab/lsmlab/commands/*.py"


def avoided(text):
    """Yield (line, word, what to write instead)."""
    for row in WORDS["avoid"]:
        kept = [match.span() for keep in row.get("keep", ()) for match in re.finditer(keep, text, re.I)]
        for match in re.finditer(rf"\b({row['word']})\b", text, re.I):
            if not any(start <= match.start() < end for start, end in kept):
                yield text.count("\n", 0, match.start()) + 1, match[0], row["write"]


def files():
    """Return the files whose text is ours."""
    names = {path for pattern in WORDS["read"]["files"] for path in REPO.glob(pattern) if path.is_file()}
    return sorted(path for path in names
                  if not any(PurePath(path.relative_to(REPO)).match(pattern) for pattern in WORDS["read"]["not"]))


def ours(path):
    """Return the text of a file; of a patch, without the lines of others that it takes away or leaves."""
    text = path.read_text()
    return re.sub(r"^[ -](?!-).*", "", text, flags=re.M) if path.suffix == ".patch" else text


def test_plain_words():
    complaints = [f"{path.relative_to(REPO)}:{line}: '{word}'; write {instead}"
                  for path in files() for line, word, instead in avoided(ours(path))]
    assert complaints == []


@pytest.mark.parametrize("text", ["it became dearer", "where it is to be\u0020had", "no such value can be had", "'x' is no command",
                                  "These are no files", "whoever asks", "it waits for\u0020ever", "for root alone", "This is no JSON.", "Simply do it"])
def test_a_word_of_the_list_is_reported(text):
    assert len(list(avoided(text))) == 1


@pytest.mark.parametrize("text", ["It is no longer there.", "There is no such hook.", "with capability alone", "leaves other edits alone", "selinux-alone",
                                  "more expensive", "Dearborn"])
def test_right_uses_are_not(text):
    assert list(avoided(text)) == []


def python():
    """Yield (path in the repository, its syntax tree) of Python."""
    for folder in ("lab", "tests", "userspace"):
        for path in sorted((REPO / folder).rglob("*.py")):
            yield path.relative_to(REPO).as_posix(), ast.parse(path.read_text())


def fragment(node, text):
    """Return why a docstring is a fragment, as far as its words show it; None if it is a sentence.

    A module or a class may have a title, which names what it is.
    """
    first = re.match(r"\w*", text.lstrip("`"))[0]
    if not re.split(r"\n\s*\n", text)[0].endswith((".", ":")):
        return "it does not end with a period"
    if first in REFUSED:
        return f"'{first}' begins the tail of another sentence"
    if not isinstance(node, ast.FunctionDef) or first in IMPERATIVES:
        return None
    if node.name.startswith("test_"):
        return None if HAS_VERB.search(text) else "it has no verb; words.toml lists them"
    return f"'{first}' is not an imperative that words.toml lists"


def fragments(name, tree):
    """Yield a line for each docstring of a file that is a fragment."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and not (
                isinstance(node, ast.Module) and fnmatch(name, HELP)):
            text = ast.get_docstring(node)
            if text is not None and (reason := fragment(node, text)):
                yield f"{name}:{node.body[0].lineno}: {reason}: {text.splitlines()[0] if text else ''}"


def test_docstrings_are_sentences():
    assert [line for name, tree in python() for line in fragments(name, tree)] == []


@pytest.mark.parametrize("text", ["Of a kernel, by name.", "And the median between them, of the samples.", "By name.", "Its tail.", "Ids.",
                                  "The files of a kernel.", "returns the files.", "Return the files", "", "`files`: path and content."])
def test_a_fragment_is_reported(text):
    assert list(fragments("file.py", ast.parse(f'def rows():\n    """{text}"""\n')))


@pytest.mark.parametrize("text", ["Wherever the folder is.", "For each of the tests.", "Whole files, by checkpatch.", "It says so."])
def test_a_fragment_of_a_test_is_reported(text):
    assert list(fragments("file.py", ast.parse(f'def test_rows():\n    """{text}"""\n')))


@pytest.mark.parametrize("head, text", [
    ("def rows():\n    ", "Return the rows."), ("def test_rows():\n    ", "Python before 3.11 has no tomllib."),
    ("class Rows:\n    ", "The rows of a table."), ("", "Kernel logs, and complaints in them.\n\n    example FILE\n"),
])
def test_a_sentence_is_not(head, text):
    assert list(fragments("file.py", ast.parse(f'{head}"""{text}"""\n'))) == []
