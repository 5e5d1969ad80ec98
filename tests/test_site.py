# SPDX-License-Identifier: GPL-2.0-only
"""README and site: they build without a warning, their links lead somewhere, their commands work, and their pictures are
those of the results beside them.
"""

import html.parser
import json
import re
import subprocess
import urllib.parse

import blocks
import pytest
from guests import GUESTS, LSMMON, execute, name_of
from kernels import DEFAULT, REPO, environment, pristine

from lsmlab.publish.pictures import PICTURES, SESSION

SITE = REPO / "build/docs/html"
# The README, and whatever is in Documentation.
DOCUMENTS = [REPO / "README.md", REPO / "CONTRIBUTING.md",
             *sorted((REPO / "Documentation").rglob("*.md")), *sorted((REPO / "Documentation").rglob("*.rst"))]
# The documents that show output.
LSM = "landlock,yama,apparmor,tomoyo"
HERE = [guest for guest in GUESTS if guest == (DEFAULT, "uml")]
# perf and bpftrace take long in an emulated guest.
FULL = [pytest.param(guest, marks=pytest.mark.full) for guest in GUESTS if guest == (DEFAULT, "qemu")]


def test_the_readme_is_short():
    assert len((REPO / "README.md").read_text().splitlines()) <= 150


class Page(html.parser.HTMLParser):
    """The links of a page, and its anchors."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.places |= {values[name] for name in ("id", "name") if values.get(name)}
        self.links |= {values[name] for name in ("href", "src") if values.get(name)}


@pytest.fixture(scope="module")
def site():
    """Build the site, and return all pages by path."""
    pristine(DEFAULT)
    done = subprocess.run([REPO / "scripts/docs"], capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr
    return {path: Page(path.read_text()) for path in SITE.rglob("*.html")
            if "_downloads" not in path.parts}


def broken(pages, path, link):
    """Say whether a link to this site leads nowhere."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return True
    return bool(parts.fragment and target in pages
                and urllib.parse.unquote(parts.fragment) not in pages[target].places)


def test_links_of_the_site(site):
    assert len(site) > 20
    assert [f"{path.relative_to(SITE)}: {link}" for path, page in site.items()
            for link in sorted(page.links) if broken(site, path, link)] == []


def test_a_broken_link_is_found(site):
    path = SITE / "index.html"
    for link in ("gone.html", "start.html#gone", "#gone"):
        assert broken(site, path, link)
    assert not broken(site, path, "start.html#reading-the-table")


def test_each_document_is_in_the_site(site):
    built = {path.relative_to(SITE).with_suffix("").as_posix() for path in site}
    written = {path.relative_to(REPO / "Documentation").with_suffix("").as_posix()
               for path in DOCUMENTS if (REPO / "Documentation") in path.parents}
    assert written - built == set()
    assert {"reference/lsmpmon", "reference/abi", "reference/examples"} <= built


def heading(text):
    """Return the anchor of a Markdown heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


def anchors(path):
    return {heading(text) for text in re.findall(r"^#+ (.*)$", path.read_text(), re.M)}


MARKDOWN = ["README.md", "CONTRIBUTING.md",
            *sorted(str(path.relative_to(REPO)) for path in (REPO / "Documentation").rglob("*.md"))]


@pytest.mark.parametrize("name", MARKDOWN)
def test_links_in_the_repository(name):
    """People read these documents there before there is a site."""
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"\n\s+", " ", (REPO / name).read_text()))
    local = [link for link in links if not re.match(r"\w+:", link)]
    assert local or name not in ("README.md", "CONTRIBUTING.md")
    for link in local:
        path, _, anchor = link.partition("#")
        target = (REPO / name).parent / path if path else REPO / name
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("picture, data, kind", PICTURES, ids=lambda value: getattr(value, "stem", ""))
def test_pictures_are_of_their_data(picture, data, kind):
    """If this fails after `make run` and `make figures`, `scripts/lab draw` renews the pictures."""
    assert kind.svg(json.loads(data.read_text())) == picture.read_text()


def test_the_session_is_the_readmes():
    shown = [step["command"] for step in json.loads(SESSION.read_text())]
    script = next(block.text for block in blocks.blocks(REPO / "README.md") if block.where == "host")
    assert "\n".join(shown).startswith(script)


MARKED = [block for path in DOCUMENTS for block in blocks.blocks(path)]
# The runner of the guest of a block, by its mark.
RUNNERS = {"guest": "uml", "qemu": "qemu"}
RESET = f"cd {LSMMON} && echo 0 >control; sed 's/ .*/ 0/' features | while read -r line; do " \
        "echo \"$line\" >features; done; for key in s o p; do echo $key >filter; done; echo >reset"


def paths(runner):
    """Return the documents with blocks for a guest of this runner."""
    return sorted({block.path for block in MARKED if RUNNERS.get(block.where) == runner})


def commands(path, runner):
    """Return the commands of a document, in one shell, as a reader types them."""
    return [step for block in MARKED if block.path == path and RUNNERS.get(block.where) == runner
            for step in blocks.steps(block)]


def script(runner):
    """Return a script of all documents, each in a shell of its own; the output of a step begins with its place."""
    parts = []
    for path in paths(runner):
        parts.append("(")
        for number, step in enumerate(commands(path, runner)):
            parts += [f"printf '\\n@@ {path.relative_to(REPO)} {number}\\n'", step.command,
                      "status=$?; [ $status = 0 ] || printf '\\n@@ status %s\\n' $status"]
        parts += [")", f"({RESET})"]
    return "\n".join(["exec 2>&1", *parts, "true"])


@pytest.fixture(scope="module")
def printed(guest):
    """Return {(document, number of the step): lines}. One boot serves all documents."""
    done = execute(script(guest[1]), KVER=guest[0], RUNNER=guest[1], LSM=LSM)
    assert done.returncode == 0, done.stderr
    parts = re.split(r"^@@ (\S+) (\d+)\n", done.stdout, flags=re.M)
    lines, last = {}, None
    for name, number, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        failed = name == "status"
        key = last if failed else (name, int(number))
        lines[key] = [*lines.get(key, []), *([f"status {number}"] if failed else text.splitlines())]
        last = key
    return lines


@pytest.mark.parametrize("guest", [*HERE, *FULL], ids=name_of, scope="module")
def test_blocks_in_a_guest(guest, printed):
    wrong = []
    for path in paths(guest[1]):
        for number, step in enumerate(commands(path, guest[1])):
            lines = printed.get((str(path.relative_to(REPO)), number), ["status: never run"])
            wrong += [f"{path.relative_to(REPO)}: {step.command}: {line}" for line in lines if line.startswith("status")]
            wrong += [f"{path.relative_to(REPO)}: {step.command}: not printed: {line}" for line in blocks.unlike(step, lines)]
    assert wrong == []


@pytest.mark.parametrize("guest", HERE, ids=name_of)
@pytest.mark.parametrize("block", [block for block in MARKED if block.where == "host"], ids=str)
def test_blocks_on_the_host(block, guest):
    done = subprocess.run(["bash", "-euc", block.text], cwd=REPO, env=environment(KVER=guest[0]),
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("text, expected", [
    ("<!-- tested -->\n\n    # ls\n    a 1\n\n    b\n", [("guest", "# ls\na 1\n\nb")]),
    ("<!-- tested: host -->\n\n```sh\nmake\n```\n", [("host", "make")]),
    (".. tested\n\nDo::\n\n\t# ls\n\nText\n", [("guest", "# ls")]),
    ("Not tested::\n\n    # ls\n", []),
])
def test_blocks_are_found(text, expected, tmp_path):
    path = tmp_path / "text"
    path.write_text(text)
    assert [(block.where, block.text) for block in blocks.blocks(path)] == expected


def test_other_output_is_found():
    step = blocks.Step("cat x", ["hook  min", "[3 more]", "inode_permission 5 1,676"])
    assert blocks.unlike(step, ["hook min", "x 1", "inode_permission 77 3.5"]) == []
    assert blocks.unlike(step, ["hook max", "inode_permission 77 3"]) == ["hook  min"]
    assert blocks.unlike(step, ["inode_permission 1 1", "hook min"]) == ["inode_permission 5 1,676"]
