# SPDX-License-Identifier: GPL-2.0-only
"""The manual, the examples and the completions have all that the program has, and nothing else."""

import re
import shutil
import subprocess

import made
import pytest
import test_lsmpmon_bpf
from recorded import RECORDS, SOURCES, TOP, Record

from lsmpmon_report.kernelfiles import parse_features

MANUAL = (SOURCES / "man/lsmpmon.1").read_text()
COMPLETIONS = SOURCES / "completions"
COMMON = {"help", "usage", "version"}


@pytest.fixture(scope="session")
def commands(lsmpmon):
    names = re.findall(r"^  (\w+) +[a-z]", lsmpmon("--help").stdout, re.M)
    return [name for name in names if name != "lsmpmon"]


def options(lsmpmon, command):
    return set(re.findall(r"--([a-z][a-z-]*)", lsmpmon(command, "--help").stdout)) - COMMON


def test_the_manual_has_every_command_and_option(lsmpmon, commands):
    wanted = set.union(*(options(lsmpmon, command) for command in commands))
    named = set(re.findall(r"\.?Fl -([a-z][a-z-]*)", MANUAL)) | \
        set(re.findall(r"Fl -([a-z]+) ,", MANUAL))
    assert wanted - named == set() and {"by", "fail-above", "repeat"} <= wanted
    assert named - wanted - {""} == set(), "there is no such option"
    for command in commands:
        assert re.search(rf"^\.It Cm {command}\b", MANUAL, re.M), command


def test_the_manual_has_every_column(view, record):
    fields = MANUAL[MANUAL.index(".Sh FIELDS"):MANUAL.index(".Sh OVERHEAD")]
    for words in (("report", record, "-q"), ("hist", "inode_permission", "-i", record),
                  ("syscalls", "-i", record), ("diff", record, record)):
        for column in view(*words)["columns"]:
            name = re.sub(" [AB]$", "", column["name"])
            assert re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", fields), name


@pytest.mark.parametrize("command", ["slowest", "waits"])
def test_the_manual_has_every_column_of(view, command):
    fields = MANUAL[MANUAL.index(".Sh FIELDS"):MANUAL.index(".Sh OVERHEAD")]
    entries = re.findall(rf"^\.It Li ([^\n]*)\n\.Pq Cm {command}$", fields, re.M)
    for column in view(command, made.PATH)["columns"]:
        name = re.escape(column["name"])
        assert re.search(rf"(?<![\w.]){name}(?![\w.])", " ".join(entries)) or name in {"hook", "module", "syscall", "comm"}


def test_the_manual_has_every_column_of_bpf(view, tmp_path):
    (entries,) = re.findall(r"^\.It Li ([^\n]*)\n\.Pq Cm bpf$", MANUAL, re.M)
    columns = [column["name"] for column in view("bpf", test_lsmpmon_bpf.recorded().write(tmp_path / "r.json"))["columns"]]
    assert ["hook", *entries.split(" , ")] == columns


def test_the_manual_has_the_sections_and_no_fault():
    for section in ("FIELDS", "EXAMPLES", "OVERHEAD", "EXIT STATUS"):
        assert f".Sh {section}\n" in MANUAL
    assert shutil.which("mandoc"), "package mandoc is missing"
    done = subprocess.run(["mandoc", "-Tlint", "-W", "warning", SOURCES / "man/lsmpmon.1"],
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_each_command_has_an_example_with_output(commands):
    shown = {"off": "on", "reset": "on"}
    for command in commands:
        text = (SOURCES / f"examples/lsmpmon-{shown.get(command, command)}.txt").read_text()
        assert re.search(rf"^    # lsmpmon {command}\b.*\n(?:.*\n)*?    [^#\n]", text, re.M), command


def test_examples_use_what_there_is(lsmpmon, commands):
    for path in sorted((SOURCES / "examples").glob("lsmpmon-*.txt")):
        for command, rest in re.findall(r"^    # lsmpmon (\w+)(.*)$", path.read_text(), re.M):
            own = rest.split(" -- ")[0].split("|")[0]
            assert command in commands
            assert set(re.findall(r"--([a-z][a-z-]*)", own)) <= options(lsmpmon, command), path.name


BASH = """
PATH={bin}:$PATH
. {completions}/lsmpmon.bash
COMP_WORDS=({words}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_lsmpmon
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def bash(plain, *words):
    script = BASH.format(bin=plain.parent, completions=COMPLETIONS, words=" ".join(map(repr, words)))
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


def test_bash_completes_commands(plain, commands):
    assert bash(plain, "lsmpmon", "") == {*commands, "--help", "--version"}
    assert bash(plain, "lsmpmon", "re") == {name for name in commands if name.startswith("re")}


def test_bash_completes_options_and_values(plain, lsmpmon, commands):
    for command in commands:
        offered = {word[2:] for word in bash(plain, "lsmpmon", command, "--")}
        assert offered == options(lsmpmon, command) | COMMON
    assert "module" in bash(plain, "lsmpmon", "show", "--by", "m")
    assert bash(plain, "lsmpmon", "record", "-f", "h") == {"histogram"}


def completed(option):
    """Yield the words that each completion file has for an option."""
    for name, pattern in (("lsmpmon.bash", rf'{option}\) _lsmpmon_words "([^"]*)"'),
                          ("_lsmpmon", rf"{option}\) compadd ([^;]*);")):
        match = re.search(pattern, (COMPLETIONS / name).read_text().replace("-f | --", "-f|--"))
        assert match, f"{name}: {option}"
        yield set(match[1].split())


def test_what_is_completed_is_what_there_is(lsmpmon):
    """The manual and both shells have the program's own list of groupings and features."""
    listed = lsmpmon("report", RECORDS[0], "--by", "?").stderr
    keys = set(re.search(r"give (.*?);", listed)[1].replace(" or ", ", ").split(", "))
    keys |= set(re.search(r"one or more of (.*?)$", listed, re.M)[1].replace(" and ", ", ").split(", "))
    manual = re.search(r"^\.It Fl -by Ar what\n(.*?)^\.It", MANUAL, re.M | re.S)[1]
    assert keys == {"hook", "module", "syscall", "verdict", "cpu", "comm", "cgroup", "pid", "tid"}
    assert all(re.search(rf"\b{key}\b", manual) for key in keys)
    for words in completed("--by"):
        assert {word for word in words if "," not in word} == keys
        assert not [word for word in words if lsmpmon("report", made.PATH, "--by", word).returncode]
    features = parse_features(Record(made.PATH).files["features"]).keys() - {"timed"}
    manual = re.search(r"^\.It Fl f Ar list.*?\n(.*?)^\.It", MANUAL, re.M | re.S)[1]
    for words in completed(r"-f\|--features"):
        assert words == features | {"all", "none", "timed=64"}
    for command in ("record", "on"):
        usage = lsmpmon(command, "--help").stdout
        assert all(re.search(rf"\b{name}\b", usage) for name in features)
    assert all(re.search(rf"\b{name}\b", manual) for name in features)


ZSH = """
PATH={bin}:$PATH
compadd() {{ [[ $1 == -a ]] && print -l -- ${{(P)2}} || print -l -- "$@" }}
_describe() {{ print -l -- ${{${{(P)2}}%%:*}} }}
words=({words}) CURRENT=$#words
. {completions}/_lsmpmon
"""


def zsh(plain, *words):
    script = ZSH.format(bin=plain.parent, completions=COMPLETIONS, words=" ".join(map(repr, words)))
    done = subprocess.run(["zsh", "-fc", script], capture_output=True, text=True)
    assert done.stderr == ""
    return set(done.stdout.split())


def test_zsh_completes(plain, lsmpmon, commands):
    assert shutil.which("zsh"), "package zsh is missing"
    assert zsh(plain, "lsmpmon", "") == set(commands)
    for command in commands:
        assert {word[2:] for word in zsh(plain, "lsmpmon", command, "--")} == \
               options(lsmpmon, command) | COMMON
    assert "module" in zsh(plain, "lsmpmon", "show", "--by", "")


def test_install(tmp_path, plain):
    subprocess.run(["make", "-s", "-C", SOURCES, f"O={TOP / 'build'}", f"DESTDIR={tmp_path}", "PREFIX=/usr",
                    "install"], check=True)
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {"usr/bin/lsmpmon", "usr/bin/lmbench-hook", "usr/share/man/man1/lsmpmon.1",
            "usr/share/bash-completion/completions/lsmpmon",
            "usr/share/zsh/site-functions/_lsmpmon"} <= files
