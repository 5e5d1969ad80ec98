# SPDX-License-Identifier: GPL-2.0-only
"""Plain English: words.toml has what is not written here. A list of our own, since prose linters know neither kernels
nor our terms: they complain where nothing is wrong.
"""

import re
import tomllib
from pathlib import PurePath

import pytest
from kernels import REPO

WORDS = tomllib.loads((REPO / "tests/words.toml").read_text())


def found(text):
    """(line, word, what to write)."""
    for row in WORDS["avoid"]:
        kept = [match.span() for keep in row.get("keep", ()) for match in re.finditer(keep, text, re.I)]
        for match in re.finditer(rf"\b({row['word']})\b", text, re.I):
            if not any(start <= match.start() < end for start, end in kept):
                yield text.count("\n", 0, match.start()) + 1, match[0], row["write"]


def files():
    """Text that is ours."""
    names = {path for pattern in WORDS["read"]["files"] for path in REPO.glob(pattern) if path.is_file()}
    return sorted(path for path in names
                  if not any(PurePath(path.relative_to(REPO)).match(pattern) for pattern in WORDS["read"]["not"]))


def test_plain_words():
    said = [f"{path.relative_to(REPO)}:{line}: '{word}'; write {instead}"
            for path in files() for line, word, instead in found(path.read_text())]
    assert said == []


@pytest.mark.parametrize("text", ["it became dearer", "where it is to be\u0020had", "no such value can be had", "'x' is no command",
                                  "These are no files", "whoever asks", "it waits for\u0020ever", "for root alone", "This is no JSON.", "Simply do it"])
def test_a_word_of_the_list_is_found(text):
    assert len(list(found(text))) == 1


@pytest.mark.parametrize("text", ["It is no longer there.", "There is no such hook.", "with capability alone", "leaves other edits alone", "selinux-alone",
                                  "more expensive", "Dearborn"])
def test_right_uses_are_not(text):
    assert list(found(text)) == []
