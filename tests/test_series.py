# SPDX-License-Identifier: GPL-2.0-only
"""Tests of make series: git accepts the mails, and they do what make apply does."""

import re
import subprocess

import pytest
from kernels import DEFAULT, NEWER, REPO, copy_files, environment, mails, pristine, undated

from lsmlab.kernel import change
from lsmlab.kernel.objects import matrix, passed
from lsmlab.kernel.objects.build import Objects, compiler_version
from lsmlab.kernel.objects.tree import ours
from lsmlab.kernel.series import choice, history, numbered, plan, resolve, steps
from lsmlab.kernel.tree import Refused, source

SIGNED = re.compile(r"^Signed-off-by: (.+)$", re.M)


@pytest.fixture(scope="module")
def series(version):
    """Return the mails, the cover letter first."""
    patches = mails(version)
    return sorted(patches[0].parent.glob("*.patch"))


@pytest.fixture(scope="module")
def monitor(version):
    """Return the proposed series: the monitor without the modules that are for measurements."""
    return mails(version, "monitor")


@pytest.fixture(scope="module", params=NEWER)
def newer(request):
    """Return a kernel that the numbered series are for."""
    pristine(request.param)
    return request.param


@pytest.fixture(scope="module")
def parts(newer):
    """Return {numbered series: its mails, the cover letter first}; the first is what is written unless SERIES says something else."""
    return {name: sorted(mails(newer, "" if name == "1" else name)[0].parent.glob("*.patch")) for name in numbered.TABLES}


def content(folder):
    """Return the bytes of each file, and whether it may be executed."""
    return {p.relative_to(folder).as_posix(): (p.read_bytes(), p.stat().st_mode & 0o111)
            for p in folder.rglob("*")
            if p.is_file() and ".git" not in p.parts and p.name != change.RECORD}


def message(mail):
    return mail.read_text().partition("\n---\n")[0]


def test_git_am_is_make_apply(version, series, tmp_path):
    applied = copy_files(version, tmp_path / "applied")
    change.apply(applied)
    taken = copy_files(version, tmp_path / "taken")
    past = history.History(taken, "2026-01-01T00:00:00+00:00")
    past.commit("a <a@example.com>", "base\n")
    past.git("am", "-q", "--empty=drop", *map(str, series))
    assert content(taken) == content(applied)
    assert past.git("rev-list", "--count", "HEAD").strip() == str(len(series))


def taken(version, folder, *series):
    """Return a history with the mails of series, which are applied one after the other."""
    every = [step for steps in numbered.steps(version).values() for step in steps]
    past = history.History(copy_files(version, folder, *history.touched_by(every)), "2026-01-01T00:00:00+00:00")
    past.commit("a <a@example.com>", "base\n")
    for one in series:
        past.git("am", "-q", *map(str, one))
    return past


def test_git_am_takes_the_numbered_series(newer, parts, tmp_path):
    """Each is applied on those before it, and all of them together are the monitor."""
    one_by_one = taken(newer, tmp_path / "parts", *(part[1:] for part in parts.values()))
    subjects = [step.subject for steps in numbered.steps(newer).values() for step in steps]
    assert one_by_one.git("log", "--format=%s", "--reverse").splitlines()[1:] == subjects
    at_once = taken(newer, tmp_path / "monitor", mails(newer, "monitor"))
    assert content(one_by_one.folder) == content(at_once.folder)


def check_numbers_and_signatures(series):
    subjects = [re.search(r"^Subject: (.*(?:\n .*)*)", m.read_text(), re.M)[1] for m in series]
    last = len(series) - 1
    for number, (mail, subject) in enumerate(zip(series, subjects)):
        flat = subject.replace("\n", "")
        assert re.match(rf"\[PATCH (v\d+ )?{number:0{len(str(last))}}/{last}\] ", flat), subject
        if number:
            assert re.search(r"\] (\w[\w/-]*: )+[a-z]\S* ", flat), f"not `area: verb ...`: {flat}"
            assert len(re.sub(r"^\[[^]]*\] ", "", flat)) <= 75, flat
            author = re.search(r"^From: (.+@.+)$", message(mail), re.M)[1]
            assert SIGNED.findall(message(mail)) == [author], mail.name
            body = message(mail).partition("\n\n")[2].partition("Signed-off-by:")[0]
            assert len(body.split()) >= 10, f"{mail.name} does not say why"


def test_mails_are_numbered_and_signed(series):
    check_numbers_and_signatures(series)


@pytest.mark.parametrize("name", numbered.TABLES)
def test_mails_of_the_numbered_series_are_numbered_and_signed(parts, name):
    check_numbers_and_signatures(parts[name])


def edited(series):
    """Return the paths of existing files that mails edit, as the diffs name them."""
    return {path for mail in series for path in re.findall(r"^--- a/.*\n\+\+\+ b/(.*)$", mail.read_text(), re.M)}


def check_cover_letter(text, version, paths):
    """Check that it says what it is for, and which files that are there are touched."""
    release = re.findall(r"^(?:VERSION|PATCHLEVEL|SUBLEVEL) = (\d+)$",
                         (pristine(version) / "Makefile").read_text()[:200], re.M)
    assert f"Base: Linux {'.'.join(release)}" in text
    assert re.search(r"^v\d+: ", text, re.M), "what changed"
    assert re.search(r"^ \d+ files changed, ", text, re.M)
    assert "***" not in text
    edits = re.search(r"(\d+) lines added, (\d+) removed, in (\d+) files", text)
    assert int(edits[3]) == len(paths)


def test_cover_letter(version, series):
    check_cover_letter(series[0].read_text(), version, edited(source.patches(version)))


@pytest.mark.parametrize("name", numbered.TABLES)
def test_cover_letter_of_the_numbered_series(newer, parts, name):
    """A later series says which ones it is applied on; what it edits may be new in these, or edited by several of its patches."""
    text = parts[name][0].read_text()
    made = {path for mail in parts[name] for path in re.findall(r"^--- /dev/null\n\+\+\+ b/(.*)$", mail.read_text(), re.M)}
    check_cover_letter(text, newer, edited(parts[name][1:]) - made)
    before = {"1": None, "2": "series 1", "3": "series 1 to 2", "4": "series 1 to 3", "5": "series 1 to 4"}[name]
    assert re.findall(r"^with (.*) of this monitor applied$", text, re.M) == [before] * (before is not None)


QUESTIONS = ("Who needs it", "Why not fentry", "Why not only tracepoints", "Why a second copy", "What it costs where", "Side channels",
             "What it found")


@pytest.mark.parametrize("table", [plan.TABLE, numbered.TABLES["1"]], ids=lambda path: path.stem)
def test_cover_letter_answers_what_will_be_asked(table):
    """One paragraph is the answer to each question, and the whole can be read in a mail."""
    paragraphs = plan.read(table)["cover"].strip().split("\n\n")
    assert [[text.startswith(question) for text in paragraphs].count(True) for question in QUESTIONS] == [1] * len(QUESTIONS)
    lines = [line for text in paragraphs for line in text.splitlines()]
    assert len(lines) + len(paragraphs) <= 64
    assert [line for line in lines if len(line) > 75 and "://" not in line] == []
    links = {line[:3] for line in paragraphs[-1].splitlines()}
    assert links == set(re.findall(r"\[\d\]", "\n".join(paragraphs[:-1])))


def test_it_brings_what_a_series_has_to(series):
    """The series has documents, tests and MAINTAINERS."""
    added = "\n".join(mail.read_text() for mail in series)
    for path in ("Documentation/ABI/testing/", "Documentation/admin-guide/", "MAINTAINERS",
                 "tools/testing/selftests/lsmpmon/Makefile", "security/lsmpmon/tests/",
                 "tools/testing/selftests/Makefile"):
        assert re.search(rf"^\+\+\+ b/{path}", added, re.M), path


def test_the_monitor_is_proposed_without_what_is_for_measurements(monitor, series):
    """The proposed series is the whole one, less the patches that are only for measurements."""
    files = [set(re.findall(r"^\+\+\+ b/(.*)$", mail.read_text(), re.M)) for mail in (*monitor, *series[1:])]
    proposed, whole = files[:len(monitor)], files[len(monitor):]
    assert all(some <= more for some, more in zip(proposed, whole, strict=False))
    left_out = set().union(*whole[:len(proposed)]) - set().union(*proposed)
    assert left_out <= set(plan.read()["versions"])
    assert not [path for path in set().union(*proposed) if "tunable" in path or "lids" in path]
    rest = set().union(*whole[len(proposed):])
    assert {f"security/{name}/Kconfig" for name in ("tunable", "lids")} <= rest
    assert "security/lsmpmon/setup.c" not in rest


def test_what_is_proposed_speaks_of_no_other_version(version, monitor):
    added = [line[1:] for mail in monitor for line in mail.read_text().splitlines()
             if line.startswith("+") and not line.startswith("+++")]
    conditions = [line for line in added if re.search(r"LINUX_VERSION_CODE|linux/version\.h", line)]
    assert conditions == []
    others = "lsmpmon_static_calls" if version == "6.1" else "lsmpmon_lists"
    assert f"#include <linux/{others}.h>" not in added


@pytest.mark.parametrize("version, kept", [("6.1", "old"), ("6.12", "new")])
def test_conditionals_are_resolved(version, kept, tmp_path):
    file = tmp_path / "a.h"
    file.write_text("#include <linux/version.h>\n#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)\nold\n"
                    "#else\nnew\n#endif\n#ifdef CONFIG_A\nboth\n#endif\n")
    resolve.resolve(file, version, {})
    assert file.read_text() == f"{kept}\n#ifdef CONFIG_A\nboth\n#endif\n"


def test_series_of_another_name_is_refused(version):
    done = subprocess.run([REPO / "scripts/lab", "series"], env=environment(KVER=version, SERIES="tunable"),
                          capture_output=True, text=True)
    assert done.returncode == 2
    assert re.search("SERIES='tunable' .*: 1 2 3 4 5 monitor all$", done.stderr, re.M)


def check_wiring(patches):
    """Check that all sources are there when the option becomes known."""
    code = r"^\+\+\+ b/(?!Documentation/|tools/|MAINTAINERS)"
    last = max(n for n, mail in enumerate(patches) if re.search(code, mail.read_text(), re.M))
    wiring = [n for n, mail in enumerate(patches)
              if re.search(r"^\+\+\+ b/security/Kconfig$", mail.read_text(), re.M)]
    assert wiring == [last]


def test_the_code_is_built_by_its_last_patch(monitor):
    """All other tests are about the kernel of that step."""
    check_wiring(monitor)


def test_the_code_of_the_first_series_is_built_by_its_last_patch(parts):
    check_wiring(parts["1"])


def test_no_path_of_this_machine(series):
    for mail in series:
        assert str(REPO) not in mail.read_text()


def test_the_same_sources_give_the_same_mails(version, series):
    before = [mail.read_bytes() for mail in series]
    assert [mail.read_bytes() for mail in mails(version)] == before[1:]


@pytest.mark.parametrize("path", ["security/lsmpmon/new.c", "include/linux/new.h"])
def test_file_in_no_patch_is_an_error(version, path):
    files = dict(source.files(), **{path: REPO / "lsmpmon/setup.c"})
    with pytest.raises(Refused, match=path):
        plan.steps(plan.read(), version, files=files)


def test_file_in_two_patches_is_an_error(version):
    table = plan.read()
    table["patch"][-1]["files"].append("security/lsmpmon/setup.c")
    with pytest.raises(Refused, match="in 2 patches"):
        plan.steps(table, version)


def test_seam_in_no_patch_is_an_error(version, tmp_path):
    seam = tmp_path / "0099-mm-do-something-new.patch"
    seam.write_text(source.patches(version)[0].read_text())
    with pytest.raises(Refused, match="mm-do-something-new"):
        plan.steps(plan.read(), version, seams=[*source.patches(version), seam])


def test_stale_entry_is_an_error(version):
    table = plan.read()
    table["patch"][0]["files"].append("security/lsmpmon/gone.c")
    with pytest.raises(Refused, match=r"gone.c"):
        plan.steps(table, version)


def refused(version, tables, text):
    with pytest.raises(Refused, match=text):
        numbered.steps(version, tables)


def test_growth_of_a_file_that_is_in_no_earlier_patch_is_an_error(newer):
    tables = numbered.read()
    tables["2"]["patch"][0].setdefault("grows", {})["security/lsmpmon/tasks.c"] = []
    refused(newer, tables, r"security/lsmpmon/tasks\.c grows in 'lsmpmon: time callbacks of hook calls', and is in no patch before that")


def test_a_file_or_a_seam_that_is_not_in_one_numbered_series_is_an_error(newer):
    tables = numbered.read()
    tables["3"]["patch"][0]["files"].append("security/lsmpmon/setup.c")
    refused(newer, tables, r"file security/lsmpmon/setup\.c is in 2 patches of 1\.toml, 2\.toml, 3\.toml, 4\.toml, 5\.toml")
    tables = numbered.read()
    tables["3"]["patch"][0]["files"].clear()
    refused(newer, tables, r"file security/lsmpmon/operation\.[ch] is in no patch of 1\.toml, ")
    tables = numbered.read()
    next(row for row in tables["3"]["patch"] if "seams" in row)["seams"].clear()
    refused(newer, tables, "seam io_uring-name-the-operation-at-work is in no patch of 1.toml, ")


def test_each_series_has_a_folder_of_its_own():
    assert [*choice.SERIES] == ["1", "2", "3", "4", "5", "monitor", "all"]
    assert len(set(choice.SERIES.values())) == len(choice.SERIES)


def test_tree_is_pristine_after_a_step_that_failed(version, tmp_path):
    """The next user of the tree comes before Python has ended what the exception holds."""
    tree = copy_files(version, tmp_path / "tree")
    before = content(tree)
    with pytest.raises(ZeroDivisionError) as kept, steps.walk(tree, pristine(version), version, "monitor") as taken:
        for number, _, changed in taken:
            assert content(tree) != before and changed
            1 / (number - 2)
    assert kept.traceback and content(tree) == before


@pytest.mark.full
@pytest.mark.parametrize("name", [*numbered.TABLES, "monitor"])
def test_each_patch_compiles(version, name):
    """Whole kernels are compiled and booted by scripts/lab series-steps --boot, which takes an hour."""
    def check():
        with ours(version, "unapply") as tree, steps.walk(tree, pristine(version), version, name) as taken:
            objects = Objects(tree, config.arch)
            known = matrix.base(objects, config, version)
            built = {number: matrix.step(objects, config, version, changed, known).split() for number, _, changed in taken}
        assert len(built) == len(patches)
        ours_in = [{*names} & {*matrix.OURS.values()} for names in built.values()]
        assert bool(ours_in[0]) == (name in [*numbered.TABLES][1:]) and ours_in[-1] == {matrix.OURS["CONFIG_SECURITY_LSMPMON"]}
        assert "security/security.o" in built[1]

    if name in numbered.TABLES and version not in NEWER:
        pytest.skip("the numbered series are for kernels whose hooks are static calls")
    if name in [*numbered.TABLES][1:] and version != DEFAULT:
        pytest.skip(f"the steps of the later series are compiled in Linux {DEFAULT}, and the tree after them with SERIES=monitor")
    patches = mails(version, name)
    config = matrix.configs(version)["all"]
    key = passed.digest("steps", pristine(version).name, compiler_version(config.arch),
                        *config.lines, *undated(patches),
                        files=passed.inputs(version))
    passed.once(key, check)
