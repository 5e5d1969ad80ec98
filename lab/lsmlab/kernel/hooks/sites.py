# SPDX-License-Identifier: GPL-2.0-only
"""The places where a kernel calls hooks, and whether the seam measures these calls.

Only known kinds of calls count as measured. Any other mention of the tables of
callbacks, in any file, is a site that the seam misses, so a new kind of call in
a later kernel is noticed.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lsmlab.kernel.hooks import csource, defs

# Every call of a hook contains one of these.
MARKS = (r"call_(int|void)_hook|lsm_for_each_hook|security_hook_heads|static_calls_table"
         r"|lsm_static_call_|LSM_STATIC_CALL|SECURITY_HOOK_ACTIVE_KEY|LSM_LOOP_UNROLL"
         r"|__CALL_STATIC_|[>.]hook\.")
# Makes the table of lists, before Linux 6.1 as one array.
INITIALISES = "early_security_init"
# Code that is not built in, runs before there are hooks, or runs in user space.
ELSEWHERE = {"arch", "drivers", "sound", "tools", "samples", "scripts", "Documentation", "usr",
             "certs", "rust", "LICENSES"}
OURS = re.compile(r"(security/(lsmpmon|tunable|lids)/|include/linux/lsmpmon|include/trace/events/lsmpmon)")

# Macros that dispatch, and the position of the hook in their arguments.
MACROS = {"call_int_hook": 0, "call_void_hook": 0}
# The seam's own: around a loop or in the macro that makes it, and for the callback in it;
# and in functions that call modules by name, too.
EACH, LOOP, CALLBACK = "lsm_for_each_hook", "LSMPMON_LOOP", "lsmpmon_callback"
CALLBACKS = (CALLBACK, f"{CALLBACK}_void")
# Behind the head of a function that has one of these.
TWIN = "LSMPMON_TWIN"
SCOPE, NAMED = "LSMPMON_SCOPE", ("lsmpmon_named", "lsmpmon_named_void")
OPEN_LOOP, DIRECTLY = "open-coded loop", "called directly"
# The framework called these by name before they were modules.
BY_NAME = re.compile(r"\b(?:ima|evm|integrity)_\w+\s*\(")
# Before Linux 6.9: (FUNC, IRC, ...)
HAS_DEFAULT = re.compile(r"\(\s*\w+\s*,\s*\w+\s*,")
FRAMEWORK = re.compile(r"security/\w+\.c$")
# The framework itself, which makes and fills the tables and defines the macros.
FRAME = {"call_int_hook", "call_void_hook", "__CALL_STATIC_INT", "__CALL_STATIC_VOID",
         "lsm_for_each_hook", "LSM_LOOP_UNROLL", "LSM_STATIC_CALL", "SECURITY_HOOK_ACTIVE_KEY",
         "INIT_LSM_STATIC_CALL", "DEFINE_LSM_STATIC_CALL", "LSM_HOOK", "LSM_HOOK_INIT",
         "LSM_HOOK_TRAMP", "lsm_static_call_init"}
RAW = re.compile(
    r"\blsm_for_each_hook\s*\([^,()]*,\s*(?P<loop>\w+)|\bsecurity_hook_heads(?:\s*\.\s*(?P<head>\w+))?"
    r"|\bstatic_calls_table(?:\s*\.\s*(?P<table>\w+))?|\blsm_static_call_(?P<slot>\w+?)_\d+\b"
    r"|\b(?:LSM_STATIC_CALL|SECURITY_HOOK_ACTIVE_KEY)\s*\(\s*(?P<key>\w+)"
    r"|\bLSM_LOOP_UNROLL\b|\b__CALL_STATIC_\w+|(?:->|\.)\s*hook\s*\.\s*(?P<callback>\w+)\s*\(")


@dataclass(frozen=True)
class Site:
    path: str
    line: int
    function: str
    hook: str       # or "?"
    how: str
    measured: bool

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.function}(): {self.hook}: {self.how}"


def files(tree: Path) -> list[str]:
    """Return the kernel's files that may call a hook."""
    folders = [p.name for p in tree.iterdir() if p.is_dir() and p.name not in ELSEWHERE
               and not p.name.startswith(".")]
    done = subprocess.run(["grep", "-rlE", "--include=*.[ch]", MARKS, *sorted(folders)], cwd=tree,
                          stdout=subprocess.PIPE, text=True)
    return sorted(path for path in done.stdout.splitlines() if not OURS.match(path))


def _argument(text: str, start: int, number: int) -> str:
    """Return an argument, by its number, of a call whose parenthesis opens at `start`."""
    words = re.split(r"[,()]", text[start + 1:], maxsplit=number + 1)
    return words[number].strip()


def _calls(region: csource.Region, name: str) -> Iterator[tuple[int, int]]:
    """Yield (start of the call, position of its opening parenthesis)."""
    for match in re.finditer(rf"\b{name}\s*(\()", region.text):
        yield match.start(), match.start(1)


def _close(text: str, opens: int) -> int:
    """Return the position of the matching closing parenthesis."""
    depth = 0
    for at in range(opens, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return at
    return len(text)


def _names(region: csource.Region, macro: str, number: int, hook: str) -> bool:
    """Say whether a macro is used there with that hook as one of its arguments."""
    return any(_argument(region.text, opens, number) == hook for _, opens in _calls(region, macro))


def _has_twin(region: csource.Region) -> bool:
    """Say whether a function is there twice: its own dispatch is measured in a copy."""
    return re.search(rf"\b{TWIN}\b", region.head) is not None


def marked(region: csource.Region) -> list[range]:
    """Return the calls of modules by name that a function marks, in a scope of the hook."""
    return [range(opens, _close(region.text, opens)) for name in NAMED for _, opens in _calls(region, name)
            if _has_twin(region) and _names(region, SCOPE, 0, _argument(region.text, opens, 0))]


class Reader:
    """The sites of one kernel."""

    def __init__(self, read: Callable[[str], str]) -> None:
        """Take `read`, which returns the text of a file by its path."""
        self.read = read
        self.measuring: set[str] = set()        # macros that take the measured path
        self.defaults: dict[str, str] = {}      # of hooks, where a call says by itself what it answers if no module does

    def sites(self, paths: Iterable[str]) -> list[Site]:
        """Return the sites in these files."""
        regions = [(path, region) for path in paths for region in csource.regions(self.read(path))]
        self.measuring = {r.name for _, r in regions if r.kind == "macro"
                          and r.name in (*MACROS, EACH) and "LSMPMON_" in r.text}
        if any(r.name == "call_int_hook" and HAS_DEFAULT.match(r.text) for _, r in regions):
            self.defaults = {name: hook.default for name, hook in defs.read(self.read(defs.PATH)).items()}
        return [site for path, region in regions if region.name not in FRAME
                for site in self._of(path, region)]

    def _site(self, path: str, region: csource.Region, at: int, hook: str, how: str, measured: bool) -> Site:
        line = region.line + region.text.count("\n", 0, at)
        return Site(path, line, region.name, hook, how, measured)

    def _of(self, path: str, region: csource.Region) -> Iterator[Site]:
        """Yield the sites in a function or macro."""
        for macro, number in MACROS.items():
            for at, opens in _calls(region, macro):
                hook = _argument(region.text, opens, number)
                if macro in self.measuring and self._has_own_default(region, macro, opens, hook):
                    yield self._site(path, region, at, hook, f"{macro} without {TWIN}", False)
                else:
                    yield self._site(path, region, at, hook, macro, macro in self.measuring)
        for match in RAW.finditer(region.text):
            hook = next((name for name in match.groupdict().values() if name), "?")
            if hook == "?" and region.name == INITIALISES:
                continue
            loop = match["loop"] or match["head"]
            how, measured = self._loop(region, match, hook) if loop else (DIRECTLY, False)
            yield self._site(path, region, match.start(), hook, how, measured)
        if FRAMEWORK.match(path) and region.name.startswith("security_"):
            yield from self._by_name(path, region)

    def _has_own_default(self, region: csource.Region, macro: str, opens: int, hook: str) -> bool:
        """Say whether a call has to be in a twin and is not."""
        return macro == "call_int_hook" and hook in self.defaults and not _has_twin(region) \
            and _argument(region.text, opens, 1) != self.defaults[hook]

    def _loop(self, region: csource.Region, match: re.Match[str], hook: str) -> tuple[str, bool]:
        """Return the kind of a loop, and whether it is measured."""
        inside = EACH in self.measuring if match["loop"] else \
            _names(region, LOOP, 0, hook) or _names(region, SCOPE, 0, hook)
        if not inside:
            return OPEN_LOOP, False
        if not any(_names(region, name, 1, hook) for name in CALLBACKS):
            return f"{OPEN_LOOP} without {CALLBACK}", False
        if not _has_twin(region):
            return f"{OPEN_LOOP} without {TWIN}", False
        return LOOP, True

    def _by_name(self, path: str, region: csource.Region) -> Iterator[Site]:
        """Yield the calls of modules by name that are not marked."""
        spans = marked(region)
        for match in BY_NAME.finditer(region.text):
            if not any(match.start() in span for span in spans):
                name = match[0].rstrip("( ")
                yield self._site(path, region, match.start(), name, "called by name", False)


def _once(sites: list[Site]) -> list[Site]:
    """Merge a loop and the call in it into one site."""
    loops = {(s.path, s.function, s.hook) for s in sites if s.how == OPEN_LOOP}
    return [s for s in sites
            if s.how != DIRECTLY or (s.path, s.function, s.hook) not in loops]


def unused(hooks: Iterable[str], sites: Iterable[Site], texts: Iterable[str]) -> list[str]:
    """Return the hooks that no code names: some vendor's kernel declares one and does not call it."""
    called = {site.hook for site in sites}
    code = [csource.clean(text) for text in texts]
    return [name for name in hooks if name not in called
            and not any(re.search(rf"\b{name}\b", text) for text in code)]


def missed(hooks: Iterable[str], sites: list[Site]) -> list[str]:
    """Return the reasons why hooks of a kernel are not measured."""
    wrong = [site for site in _once(sites) if not site.measured]
    reasons = [str(site) for site in wrong if site.how not in MACROS]
    for macro in MACROS:
        times = sum(site.how == macro for site in wrong)
        reasons += [f"{macro}() measures nothing: {times} calls"] if times else []
    called = {site.hook for site in sites}
    return reasons + [f"{name}: no call of it was found" for name in hooks if name not in called]
