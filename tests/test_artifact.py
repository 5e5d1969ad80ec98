# SPDX-License-Identifier: GPL-2.0-only
"""ARTIFACT.md and CITATION.cff say what is so: commands that exist, each answer of the first page, one version, one list of
kernels.
"""

import re

import pytest
from kernels import REPO

from lsmlab.guest.settings import KVER
from lsmlab.measure.evaluation import plan, published

TEXT = (REPO / "ARTIFACT.md").read_text()
FIRST = (REPO / "Documentation/evaluation/report/README.md").read_text()
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in TEXT.splitlines() if line.startswith("| ")]
CLAIMS = [row for row in ROWS if len(row) == 5 and row[0] != "claim" and not row[0].startswith("---")]
COMMANDS = sorted({command for row in CLAIMS for command in re.findall(r"`([^`]+)`", row[1])})


def test_each_claim_has_a_command_minutes_a_tolerance_and_a_machine():
    assert len(CLAIMS) >= 15
    for claim, command, minutes, differs, machine in CLAIMS:
        assert claim and differs and machine and (minutes.isdigit() or minutes == "–"), claim
        assert "`" in command or "README" in command, claim


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_exists(command):
    words = [word for word in command.split() if not re.match("[A-Z]+=", word)]
    if words[0] == "make":
        assert re.search(rf"^\.PHONY:.* {words[1]}\b", (REPO / "Makefile").read_text(), re.M)
    else:
        assert words[0] == "scripts/lab" and (REPO / f"lab/lsmlab/commands/{words[1]}.py").is_file()
    named = re.search(r"EVAL=(?:'([^']*)'|(\w+))", command)
    assert not named or set((named[1] or named[2]).split()) <= set(plan.PARTS)


def test_the_kernels_are_those_of_the_published_report():
    said = re.search(r"^Linux ([\d., ]+); ", FIRST, re.M)[1].split(", ")
    assert said == list(published.KERNELS.values())
    assert list(published.KERNELS) == list(plan.KERNELS) and KVER in published.KERNELS
    rows = [row for row in ROWS if re.match(r"\d+\.\d+\.\d+$", row[0])]
    assert [row[0] for row in rows] == said and all(row[1].startswith(row[0]) for row in rows)
    assert all(re.fullmatch("`[0-9a-f]{64}`", row[2]) for row in rows)


def test_another_point_release_is_said():
    names = ["6.12-6.12.118-1~deb12u1-uml-patched-0123", "6.12-6.12.118-1~deb12u1-qemu-lsm-4567", "7.3-7.3.4-1~bpo13+1-uml-lsm-8"]
    [said] = published.others(names)
    assert said.startswith("Linux 6.12.118: the published report is of 6.12.117; ")
    assert (REPO / published.STUDY).is_file() and published.others(names[2:]) == [] == published.others(["asis"])


def test_the_version_to_cite_is_that_of_the_tools():
    version = re.search(r'LSMPMON_VERSION\s+"(.*)"', (REPO / "lsmpmon/version.h").read_text())[1]
    assert f"\nversion: {version}\n" in (REPO / "CITATION.cff").read_text()
