# SPDX-License-Identifier: GPL-2.0-only
"""Objects of one architecture, compiled in a folder that is kept."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from lsmlab.kernel.objects import Failed
from lsmlab.places import CACHE, REPO

# ARCH= and the prefix of the compiler, which Debian has packages of.
COMPILERS = {"x86_64": "", "i386": "", "um": "", "arm64": "aarch64-linux-gnu-", "m68k": "m68k-linux-gnu-",
             "riscv": "riscv64-linux-gnu-", "arm": "arm-linux-gnueabihf-", "s390": "s390x-linux-gnu-",
             "powerpc": "powerpc64le-linux-gnu-"}
# Folders of arch/ whose name differs from ARCH.
FOLDERS = {"x86_64": "x86", "i386": "x86"}
NOT_OURS = ("KDIR", "KVER", "ARCH", "CROSS_COMPILE", "LLVM", "MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES",
            "CMD", "O", "W", "C")
CONDITION = re.compile(r"^([\w-]+)-(y|objs|\$\((CONFIG_\w+)\))[ \t]*[+:]?=[ \t]*(.*)$", re.M)
# A line of nm: archive:object:address kind name; of LLVM's for code that is not generated yet, the address is hyphens.
SYMBOL = re.compile(r"^(?:[^:\n]*:)?([^:\n]*):[0-9a-f -]* ([A-Za-z]) (\w+)$", re.M)
# A line of a compiler or checker about a place in a file.
MESSAGE = re.compile(r"^(\S+?):\d+(?::\d+)?: (?:((?:warning|error|fatal error): .*)|note: in expansion of macro .*)$", re.M)
# Lines of make about a failure, which don't help.
MAKE = re.compile(r"make(\[\d+\])?: ")
MINUTES = 60


def compiler(arch: str, llvm: str = "") -> str:
    """Return the name of gcc for an architecture, or of clang, which compiles for all. `llvm` is as LLVM of the kernel's make."""
    return f"clang{llvm.removeprefix('1')}" if llvm else f"{COMPILERS[arch]}gcc"


def compiler_version(arch: str, llvm: str = "") -> str:
    name = compiler(arch, llvm)
    if not shutil.which(name):
        raise Failed(f"there is no {name} here, which compiles for {arch}")
    done = subprocess.run([name, "--version"], stdout=subprocess.PIPE, text=True)
    return done.stdout.partition("\n")[0]


class Objects:
    """A configured output folder of a tree."""

    def __init__(self, tree: Path, arch: str, use: str = "", llvm: str = "") -> None:
        self.tree, self.arch, self.llvm = tree, arch, llvm
        self.config: dict[str, str] = {}
        self.folder = CACHE / "objects" / "-".join(filter(None, (tree.name, arch, use, llvm and "llvm")))
        self.folder.mkdir(parents=True, exist_ok=True)

    def make(self, *words: str) -> tuple[int, str]:
        """Return (status, all output), in English."""
        env = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
        # Skips the preprocessor on a cache miss: see build-kernel.
        env.update(CCACHE_DIR=str(CACHE / "ccache"), CCACHE_MAXSIZE="5G", CCACHE_DEPEND="1", LC_ALL="C")
        launcher = "ccache " if shutil.which("ccache") else ""
        command = ["make", "-C", str(self.tree), f"O={self.folder}", f"ARCH={self.arch}",
                   f"LLVM={self.llvm}" if self.llvm else f"CROSS_COMPILE={COMPILERS[self.arch]}",
                   f"CC={launcher}{compiler(self.arch, self.llvm)}", *words]
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, errors="replace",
                              timeout=60 * MINUTES)
        return done.returncode, done.stdout

    def configure(self, lines: Iterable[str], wanted: Iterable[str]) -> None:
        """Switch everything off except `lines`. Those in `wanted` must be in the result.

        Of a line `A or B` in `wanted`, one must be.
        """
        (self.folder / "fragments").write_text("".join(f"{line}\n" for line in lines))
        status, output = self.make("-s", f"KCONFIG_ALLCONFIG={self.folder}/fragments", "allnoconfig")
        if status:
            raise Failed(f"allnoconfig:\n{output}")
        self.config = dict(re.findall(r"^(CONFIG_\w+)=(.*)$",
                                      (self.folder / ".config").read_text(), re.M))
        for line in wanted:
            if not any(self._is_set(each) for each in alternatives(line)):
                raise Failed(f"{line} cannot be set")

    def _is_set(self, line: str) -> bool:
        name, _, value = line.partition("=")
        return self.config.get(name, "n") == value

    def compile(self, targets: list[str], *words: str, fresh: bool = True) -> str:
        """Compile everything, or what has changed. Return the compiler's output."""
        for path in self._made(targets) if fresh else ():
            path.unlink(missing_ok=True)
        status, output = self.make("-s", "-k", f"-j{os.cpu_count()}", *words, *targets)
        if status:
            raise Failed("\n".join(line for line in output.splitlines() if not MAKE.match(line)))
        return output

    def _made(self, targets: list[str]) -> Iterator[Path]:
        for target in targets:
            path = self.folder / target
            yield from path.rglob("*.o") if target.endswith("/") else [path]

    def wants(self, target: str) -> bool:
        """Say whether the configuration contains an object, according to its folder's Makefile."""
        path = Path(target)
        text = (self.tree / path.parent / "Makefile").read_text().replace("\\\n", " ")
        return self._listed(path.name, CONDITION.findall(text))

    def _listed(self, name: str, rows: list[tuple[str, str, str, str]]) -> bool:
        for whole, _, option, words in rows:
            wanted = name in words.split() and (not option or self.config.get(option) == "y")
            if wanted and (whole in ("obj", "lib") or self._listed(f"{whole}.o", rows)):
                return True
        return False

    def symbols(self, targets: list[str]) -> tuple[set[str], set[str]]:
        """Return (defined, undefined) symbols of what was compiled; a folder is an archive."""
        listed = self.listed_symbols(targets)
        return {n for _, kind, n in listed if kind != "U"}, {n for _, kind, n in listed if kind == "U"}

    def listed_symbols(self, targets: list[str]) -> list[tuple[str, str, str]]:
        """Return (object, kind as nm has it, name) for each symbol; an object is named as in its archive."""
        files = [self.folder / (f"{t}built-in.a" if t.endswith("/") else t) for t in targets]
        nm = f"llvm-nm{self.llvm.removeprefix('1')}" if self.llvm else f"{COMPILERS[self.arch]}nm"
        return symbols_in(files, nm)


def symbols_in(files: Iterable[Path], nm: str = "nm") -> list[tuple[str, str, str]]:
    """Return what Objects.listed_symbols() does, for object files and archives by their paths."""
    done = subprocess.run([nm, "--print-file-name", *files], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=True)
    return SYMBOL.findall(done.stdout)


def warnings(output: str, tree: Path) -> list[tuple[str, str]]:
    """Return (path in the tree, message) for each message of a compiler or checker.

    A message about what a macro stands for is one about the file that uses the macro, which the last note behind it names.
    """
    here = re.compile(rf"^({re.escape(str(tree))}/|(\.\.?/)+)")
    messages: list[tuple[str, str]] = []
    for path, message in MESSAGE.findall(output):
        if message:
            messages.append((here.sub("", path), message))
        elif messages:
            messages[-1] = (here.sub("", path), messages[-1][1])
    return messages


def alternatives(line: str) -> list[str]:
    """Return what `A or B` names: an option that has another name in newer kernels."""
    return line.split(" or ")


def fragment(name: str) -> list[str]:
    text = (REPO / "kconfigs" / name).read_text()
    return [line for line in text.splitlines() if line.startswith("CONFIG_")]
