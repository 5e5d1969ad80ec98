# SPDX-License-Identifier: GPL-2.0-only
"""The input of everyday work: a tree of sources that is made here, and that is the same bytes on every machine.

Figures of two years can be compared only if the work was the same, so no file of it is one of this project, which
changes. A change of the tree is a new version: VERSION, DIGEST and COMMIT change together.
"""

from __future__ import annotations

import functools
import hashlib
import io
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import NamedTuple

VERSION = "work-1"
# SHA-256 of the archive, and Git's name of a commit of the tree.
DIGEST = "d839a10b9270899750f9def1e7230a2ae7b341f706a403c3308041305ebad546"
COMMIT = "53d85147ad541b46ed734bd57814fbb37ed680ac"

# Folders of the tree with their number of C sources, each of which has a header.
FOLDERS = {"core": 40, "core/lock": 22, "core/time": 4, "fs": 36, "fs/cache": 16, "fs/journal": 16, "fs/journal/replay": 8,
           "net": 34, "net/filter": 18, "net/route": 14, "net/route/table": 8, "mm": 24, "drivers": 10, "drivers/block": 20,
           "drivers/block/queue": 10, "drivers/serial": 16, "tools": 12, "tools/bench": 14, "tools/trace": 14}
TEXTS, SCRIPTS = 60, 30
NOUNS = ("bucket buffer cache cursor device entry extent filter frame group handle header index journal label limit list lock"
         " mask node offset option owner packet page parser path queue range record region reader route sample scope segment"
         " session slot socket span state table task timer token window writer")
VERBS = ("add check clear close copy count drain drop find flush grow init join load mark merge move open parse pick read"
         " remove reset scan seek send set shrink sort split store trim update wait write")
WORDS = ("a an and another are at be before both by can each every first for from has if in is it last may more must no not of"
         " on once one only or other same so that the then this to two until what when which while with without")


@functools.cache
def _split(words: str) -> list[str]:
    return words.split()


class Numbers:
    """Numbers that look random and are the same for the same seed in every version of Python."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % limit

    def pick(self, words: str) -> str:
        """Return one of some words, which have blanks between them."""
        choices = _split(words)
        return choices[self.below(len(choices))]

    def size(self, least: int, doublings: int) -> int:
        """Return a number from `least` on, each doubling of which is half as frequent as the one before."""
        for _ in range(doublings):
            if self.below(2):
                break
            least *= 2
        return least + self.below(least)


class Function(NamedTuple):
    """A kind of function in C. $n is its name; $k, which is at least 16, and $m are numbers."""

    head: str
    body: str
    before: str = ""


FUNCTIONS = (
    Function("uint32_t $n(const unsigned char *data, size_t size)", """{
	uint32_t sum = ${k}u;
	size_t i;

	for (i = 0; i < size; i++) {
		sum ^= data[i];
		sum *= ${m}u;
		sum ^= sum >> 13;
	}
	return sum;
}
"""),
    Function("int $n(int kind)", """{
	switch (kind) {
	case 0:
		return $k;
	case 1:
	case 2:
		return kind * $m;
	case 7:
		return -1;
	default:
		return kind > $k ? $m : kind + 1;
	}
}
"""),
    Function("struct ${n}_node *$n(struct ${n}_node *head, unsigned long key, const char *name)", """{
	struct ${n}_node **place = &head, *node;

	while (*place && (*place)->key < key)
		place = &(*place)->next;
	node = calloc(1, sizeof(*node));
	if (!node)
		return head;
	node->key = key % $k;
	snprintf(node->name, sizeof(node->name), "%.20s", name);
	node->next = *place;
	*place = node;
	return head;
}
""", """struct ${n}_node {
	struct ${n}_node *next;
	unsigned long key;
	char name[24];
};

"""),
    Function("size_t $n(const char *text, char *words[], size_t most)", """{
	size_t found = 0;

	while (*text && found < most) {
		size_t length = strcspn(text, " \\t,;");

		if (length > 0 && length < $k) {
			words[found] = strndup(text, length);
			if (!words[found])
				break;
			found++;
		}
		text += length;
		text += strspn(text, " \\t,;");
	}
	return found;
}
"""),
    Function("long $n(const short *from, size_t count)", """{
	const size_t entries = sizeof(${n}_table) / sizeof(${n}_table[0]);
	long least = $k, most = -$m;
	size_t i;

	for (i = 0; i < count; i++) {
		long value = from[i] + ${n}_table[i % entries];

		if (value < least)
			least = value;
		if (value > most)
			most = value;
	}
	return most - least;
}
""", """static const short ${n}_table[] = { $k, $m, 3, 5, 8, 13, 21, $k, 34, 55, $m };

"""),
    Function("int $n(FILE *file, unsigned int indent)", """{
	char line[$k + 80];
	int lines = 0;

	while (fgets(line, sizeof(line), file)) {
		char *end = strchr(line, '\\n');

		if (end)
			*end = '\\0';
		if (printf("%*s%s\\n", (int)(indent % $m), "", line) < 0)
			return -errno;
		lines++;
	}
	return ferror(file) ? -EIO : lines;
}
"""),
)
INCLUDES = "".join(f"#include <{name}.h>\n" for name in ("errno", "stdint", "stdio", "stdlib", "string"))
SCRIPT = """#!/bin/sh
# $said
set -eu

for file in "$$@"; do
	[ -r "$$file" ] || continue
	sed -n '${m}p' "$$file"
done
"""


def _sentence(numbers: Numbers) -> str:
    words = [numbers.pick(WORDS if at % 2 else NOUNS) for at in range(6 + numbers.below(9))]
    return f"{' '.join(words).capitalize()}."


def _text(numbers: Numbers) -> str:
    return "".join(_sentence(numbers) + "\n" for _ in range(numbers.size(16, 6)))


def _values(numbers: Numbers, name: str) -> dict[str, str]:
    return {"n": name, "k": str(16 + numbers.below(2000)), "m": str(3 + numbers.below(900)), "said": _sentence(numbers)}


def _sources(numbers: Numbers, folder: str, stem: str) -> Iterator[tuple[str, str]]:
    """Yield a C source and its header, by path."""
    guard = f"{folder.replace('/', '_')}_{stem}"
    header = [f"#ifndef {guard}_h\n#define {guard}_h\n\n#include <stdint.h>\n#include <stdio.h>\n"]
    source = [f'/* {_sentence(numbers)} */\n{INCLUDES}\n#include "{stem}.h"\n']
    for at in range(numbers.size(5, 5)):
        kind, values = FUNCTIONS[numbers.below(len(FUNCTIONS))], _values(numbers, f"{guard}_{numbers.pick(VERBS)}_{at}")
        source.append(Template(f"\n{kind.before}/* $said */\n{kind.head}\n{kind.body}").substitute(values))
        header.append(Template(f"{'struct ${n}_node;' if 'struct' in kind.head else ''}\n{kind.head};\n").substitute(values))
    yield f"{folder}/{stem}.c", "".join(source)
    yield f"{folder}/{stem}.h", "".join([*header, "\n#endif\n"])


def tree() -> dict[str, str]:
    """Return the text of each file by its path, sorted."""
    numbers = Numbers(1)
    files = {f"docs/{numbers.pick(NOUNS)}-{at}.txt": _text(numbers) for at in range(TEXTS)}
    for at in range(SCRIPTS):
        name = f"{numbers.pick(VERBS)}-{at}"
        files[f"scripts/{name}"] = Template(SCRIPT).substitute(_values(numbers, name))
    for folder, sources in FOLDERS.items():
        for at in range(sources):
            files.update(_sources(numbers, folder, f"{numbers.pick(NOUNS)}_{at}"))
    return dict(sorted(files.items()))


def _add(archive: tarfile.TarFile, name: str, mode: int, content: bytes | None = None) -> None:
    """Add a file or a folder, with time zero and no owner."""
    member = tarfile.TarInfo(name)
    member.mode = mode
    if content is None:
        member.type = tarfile.DIRTYPE
    else:
        member.size = len(content)
    archive.addfile(member, io.BytesIO(content or b""))


def archive() -> bytes:
    """Return the archive of the tree, whose folder is VERSION."""
    buffer, folders = io.BytesIO(), set()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path, text in tree().items():
            for folder in reversed(Path(VERSION, path).parents[:-1]):
                if folder not in folders:
                    folders.add(folder)
                    _add(tar, folder.as_posix(), 0o755)
            _add(tar, f"{VERSION}/{path}", 0o755 if path.startswith("scripts/") else 0o644, text.encode())
    return buffer.getvalue()


class Differs(Exception):
    """A file is not the one that every machine makes. The message names both."""


def _check(what: str, actual: str, wanted: str) -> None:
    if actual != wanted:
        raise Differs(f"{what} of {VERSION} is {actual}; it has to be {wanted}: the work would not be that of other figures")


# Git's own settings, for every machine the same.
GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": os.devnull, "LC_ALL": "C"}
WHO = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
       for what, value in (("NAME", "lsmpmon"), ("EMAIL", "lsmpmon@localhost"), ("DATE", "@0 +0000"))}


def _git(folder: Path, *words: str) -> str:
    env = {"PATH": os.environ["PATH"]} | GIT | WHO
    return subprocess.run(["git", "-C", folder, *words], env=env, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def _repository(tar: Path, folder: Path) -> None:
    """Make a repository of the tree in a folder. Its index knows nothing of the files, as after an unpacking."""
    with tarfile.open(tar) as opened:
        opened.extractall(folder)
    (folder / VERSION).rename(folder / "repository")
    for words in (("init", "-q", "--template="), ("add", "."), ("commit", "-q", "-m", VERSION), ("read-tree", "HEAD")):
        _git(folder / "repository", *words)
    _check("Git's commit", _git(folder / "repository", "rev-parse", "HEAD"), COMMIT)


def _as_nobody(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


def make(folder: Path) -> None:
    """Make VERSION.tar and, as a git repository, VERSION-git.tar in a folder, unless they are there.

    Raise Differs if they would not be those of every machine. After an interruption or on a full disk, each is there as
    a whole, or not at all.
    """
    tar, repository = folder / f"{VERSION}.tar", folder / f"{VERSION}-git.tar"
    with tempfile.TemporaryDirectory(dir=folder) as work:
        if not tar.is_file():
            part = Path(work, tar.name)
            part.write_bytes(archive())
            part.rename(tar)
        _check("The archive's SHA-256", hashlib.sha256(tar.read_bytes()).hexdigest(), DIGEST)
        if repository.is_file():
            return
        _repository(tar, Path(work))
        part = Path(work, repository.name)
        with tarfile.open(part, "w", format=tarfile.USTAR_FORMAT) as packed:
            packed.add(Path(work, "repository"), "repository", filter=_as_nobody)
        part.rename(repository)
