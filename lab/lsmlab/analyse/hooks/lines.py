# SPDX-License-Identifier: GPL-2.0-only
"""Length of a module's source, without its tests.

A line of code has more than blanks and comments. Preprocessor directives count,
and so does a single brace.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from lsmlab.kernel.hooks import csource

TESTS = ("*_test.c", "*_tests.c", "*_kunit.c", "test_*.c")
TEST_FOLDERS = {"test", "tests"}
# Files that exist only after a build.
BUILT = ("*.mod.c",)
HOST = re.compile(r"^hostprogs(?:-\w+)?\s*[:+]?=(.*)$", re.M)


@dataclass
class Lines:
    files: int = 0
    all: int = 0
    code: int = 0

    def __add__(self, other: Lines) -> Lines:
        return Lines(self.files + other.files, self.all + other.all, self.code + other.code)


def _number(text: str, at: int) -> int:
    return text.count("\n", 0, at)


def _tests(text: str) -> set[int]:
    """Return the numbers of the lines compiled only for KUnit, with their #if and #endif."""
    numbers: set[int] = set()
    opened: list[int | None] = []
    for match in re.finditer(csource.CONDITION, text, re.M):
        begins = match["directive"].startswith("if")
        if not begins and opened and (start := opened.pop()) is not None:
            numbers.update(range(start, _number(text, match.end()) + 1))
        if begins:
            for_tests = match["directive"] != "ifndef" and "KUNIT" in match["rest"] and "!" not in match["rest"]
            opened.append(_number(text, match.start()) if for_tests else None)
        elif match["directive"] != "endif":
            opened.append(None)
    return numbers


def of_text(text: str) -> Lines:
    code = csource.uncommented(text)
    tests = _tests(code)
    total = text.count("\n") + (not text.endswith("\n") and text != "")
    filled = [number for number, line in enumerate(code.split("\n"))
              if line.strip() and number not in tests]
    return Lines(1, total - len(tests), len(filled))


def _generated(folder: Path) -> list[str]:
    """Return patterns of files that a build makes, and of programs that run during the build."""
    ignored, makefile = folder / ".gitignore", folder / "Makefile"
    patterns = [*BUILT]
    if ignored.is_file():
        patterns += [line.strip() for line in ignored.read_text().splitlines()
                     if line.strip() and not line.startswith("#")]
    if makefile.is_file():
        patterns += [f"{name}.c" for names in HOST.findall(makefile.read_text()) for name in names.split()]
    return patterns


def files(folder: Path) -> Iterator[Path]:
    """Yield the C files of a folder and its subfolders that become part of the kernel."""
    generated = _generated(folder)
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in TEST_FOLDERS:
            yield from files(path)
        elif path.suffix in (".c", ".h") and not any(fnmatch(path.name, p) for p in (*TESTS, *generated)):
            yield path


def count(paths: Iterable[Path]) -> Lines:
    return sum((of_text(path.read_text(errors="replace")) for path in paths), Lines())
