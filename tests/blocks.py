# SPDX-License-Identifier: GPL-2.0-only
"""The shell blocks of documents that are marked as tested.

A mark is a line of its own before the block: `<!-- tested -->` in Markdown,
`.. tested` in reStructuredText. Commands have the prompt `# ` and run in a
guest of User-Mode Linux, with `tested: qemu` in one of QEMU; the lines after a
command are of its output. With `tested: host` the whole block is a script for
this machine.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

MARK = re.compile(r"(?:<!-- tested(?:: (\w+))? -->|\.\. tested(?:: (\w+))?)$")
PROMPT = "# "
# A line that stands for others.
LEFT_OUT = re.compile(r"\s*\[.*\]\s*$")


@dataclass
class Step:
    """A command, and what it prints."""

    command: str
    output: list = field(default_factory=list)


@dataclass
class Block:
    path: Path
    line: int
    where: str
    text: str

    def __str__(self):
        return f"{self.path.name}:{self.line}"


def _indented(lines, start):
    """Return the first block after `start` that is indented or fenced, without its indentation or fence."""
    at, fenced = start, False
    while at < len(lines) and not lines[at].startswith((" ", "\t")) and not fenced:
        fenced = lines[at].startswith("```")
        at += 1
    end = at
    while end < len(lines) and not lines[end].startswith("```") and \
            (fenced or not lines[end] or lines[end].startswith((" ", "\t"))):
        end += 1
    block = lines[at:end]
    cut = min((len(line) - len(line.lstrip()) for line in block if line), default=0)
    return at + 1, "\n".join(line[cut:] for line in block).strip("\n")


def blocks(path):
    """Yield all marked blocks of a document, in order."""
    lines = path.read_text().expandtabs().splitlines()
    for number, line in enumerate(lines):
        mark = MARK.match(line)
        if mark:
            at, text = _indented(lines, number + 1)
            yield Block(path, at, mark[1] or mark[2] or "guest", text)


def steps(block):
    """Return the steps of a block with prompts; a backslash at the end of a line continues a command."""
    parsed = []
    for line in block.text.splitlines():
        if parsed and parsed[-1].command.endswith("\\"):
            parsed[-1].command += "\n" + line
        elif line.startswith(PROMPT):
            parsed.append(Step(line.removeprefix(PROMPT)))
        elif parsed:
            parsed[-1].output.append(line)
        elif line:
            raise ValueError(f"{block}: no command before '{line}'")
    return parsed


def plain(line):
    """Return a line without its figures, which differ from run to run."""
    return " ".join(re.sub(r"\d[\d,.]*", "0", line).split())


def unlike(step, printed):
    """Return the expected lines of a step that were not printed, or not in this order."""
    rest = [plain(line) for line in printed]
    missing = []
    for line in step.output:
        if not line.strip() or LEFT_OUT.match(line):
            continue
        wanted = plain(line)
        if wanted in rest:
            rest = rest[rest.index(wanted) + 1:]
        else:
            missing.append(line)
    return missing
