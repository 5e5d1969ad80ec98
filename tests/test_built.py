# SPDX-License-Identifier: GPL-2.0-only
"""Kernels that lack modules, and what modules cost that are built in and off: the source, the figures and the tables."""

import json
import os

import pytest
from kernels import VERSIONS, pristine

from lsmlab.analyse import built as analyse
from lsmlab.commands import built as command
from lsmlab.guest.settings import BadSetting
from lsmlab.kernel import without
from lsmlab.measure.pipeline import processes
from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.plans import built as plan
from lsmlab.measure.plans import request

YAMA = 'config SECURITY_YAMA\n\tbool "Yama support"\n\nconfig SECURITY_YAMA_MORE\n\tbool "More"\n'
BPF = "config BPF_SYSCALL\n\tbool\n\nconfig BPF_LSM\n\tbool\n"
FILES = {"security/yama/Kconfig": YAMA, "kernel/bpf/Kconfig": BPF, "security/yama/yama_lsm.c": "int x;\n"}


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "source"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def texts(tree):
    return {name: (tree / name).read_text() for name in FILES}


def test_an_option_can_be_off_whatever_asks_for_it():
    assert without.forbid(YAMA, ["SECURITY_YAMA"]) == YAMA.replace("YAMA\n", "YAMA\n\tdepends on n\n", 1)
    assert without.forbid(YAMA, []) == without.forbid(YAMA, ["BPF_LSM"]) == YAMA


def test_a_tree_lacks_the_modules_that_are_named_and_its_source_does_not(source, tmp_path):
    tree = tmp_path / "cache/tree"
    without.put(tree, source, ["yama"])
    assert texts(tree) == {**FILES, "security/yama/Kconfig": without.forbid(YAMA, ["SECURITY_YAMA"])}
    without.put(tree, source, ["bpf"])
    assert texts(tree) == {**FILES, "kernel/bpf/Kconfig": without.forbid(BPF, ["BPF_LSM"])} and texts(source) == FILES


def test_only_files_that_differ_are_written(source, tmp_path):
    tree, kept, changed = tmp_path / "tree", "kernel/bpf/Kconfig", "security/yama/Kconfig"
    without.put(tree, source, [])
    for name in FILES:
        os.utime(tree / name, (1, 1))
    without.put(tree, source, ["yama"])
    assert (tree / kept).stat().st_mtime == 1 < (tree / changed).stat().st_mtime


def test_modules_that_a_kernel_has(source):
    assert without.modules(source) == ["yama", "bpf"]


@pytest.mark.parametrize("version", VERSIONS)
def test_each_module_of_a_kernel_can_be_left_out(version):
    tree = pristine(version)
    there = without.modules(tree)
    assert set(without.OPTIONS).difference(there) <= {"ipe"}
    text = "".join((tree / name).read_text() for name in without._kconfigs(tree))
    assert without.forbid(text, map(without.OPTIONS.get, there)).count(without.NEVER) == len(there)


SECTIONS = """vmlinux  :
section              size      addr
.text             2097152      4096
.rodata              1000   2101248
__bug_table            20   2102248
.orc_unwind            80   2102268
.data                 500   2102348
.bss                  100   2102848
.init.text            300   2102948
.comment               39         0
Total             2099191
"""
SYMBOLS = ("1000 T _stext\n1800 T start\n200000 T __entry_text_start\n1900 t last\n200100 t entry\n"
           "300000 B __bss_start\n300010 b buffer\n400000 B __start_bss_decrypted\n")
OBJECTS = "./lsmpmon/a.o  :\nsection size addr\n.text 1 0\n\n./security.o  :\nsection size addr\n.comment 1 0\n.text   {}   0\n__jump_table 3 0\nTotal 9\n"
MEMINFO = "MemTotal:  {} kB\nMemFree: 1 kB\nSUnreclaim:  {} kB\nPercpu:  128 kB\n"


def test_bytes_of_an_image():
    assert analyse.sizes(SECTIONS) == {"constants": 1000, "tables": 100, "data": 500, "init": 300}
    assert analyse.filled(SYMBOLS, *analyse.PADDED[".text"]) == 0x900 and analyse.dispatch(OBJECTS.format(77)) == 80


def test_the_bytes_of_padded_sections_are_those_up_to_the_last_symbol(found):
    assert found["every"]["image"] == {"constants": 1000, "tables": 100, "data": 516, "init": 300, "code": 0x900, "security": 80}


def test_images_that_are_not_whole():
    with pytest.raises(Failed, match="no _stext and __entry_text_start"):
        analyse.filled("1000 T start\n", *analyse.PADDED[".text"])
    with pytest.raises(Failed, match="no size of security"):
        analyse.dispatch("")


def boot(folder, calls, total, slab, kinstructions):
    folder.mkdir(parents=True)
    rows = [{"name": name, "min": calls + number} for number, name in enumerate(plan.CALLS)]
    for name, text in {"run.json": json.dumps({"benchmarks": rows}), "memory": MEMINFO.format(total, slab),
                       "boot": f"{kinstructions}\n"}.items():
        (folder / name).write_text(text)


@pytest.fixture
def found(tmp_path):
    """Return the figures of a kernel with Yama, where it is off, one without, and Yama enabled."""
    for name, values, dispatch in (("every", (110, 1000, 50, 2000), 77), ("without-yama", (100, 1004, 50, 1900), 70)):
        boot(tmp_path / name, *values)
        boot(tmp_path / f"{name}-1", *values)
        folder = tmp_path / "kernels" / name
        folder.mkdir(parents=True)
        for file, text in {"sections": SECTIONS, "symbols": SYMBOLS, "security.o": OBJECTS.format(dispatch)}.items():
            (folder / file).write_text(text)
    for name, kinstructions in {"yama": 0, "yama-1": 2300, "yama-2": 9999, "yama-3": 2200}.items():
        boot(tmp_path / name, 125, 1000, 58, kinstructions)
    return analyse.figures(tmp_path, "every", {"yama": "without-yama"}, ["yama"])


def test_what_a_module_adds(found, tmp_path):
    off, on = found["off"]["yama"], found["enabled"]["yama"]
    assert set(off["calls"].values()) == {10} and set(on["calls"].values()) == {15}
    assert [path.name for path in analyse._phases(tmp_path / "yama")] == ["yama-1", "yama-2", "yama-3"]
    assert off["memory"]["total"] == -4 and on["memory"]["slab"] == 8
    assert (off["boot"], on["boot"]) == ({"kinstructions": 100}, {"kinstructions": 300})
    assert off["image"] == {"code": 0, "constants": 0, "tables": 0, "data": 0, "init": 0, "security": 7}


def test_the_tables(found):
    lines = command.tables(found, "6.12").splitlines()
    assert "Linux 6.12" in lines[0] and lines[2].split()[:2] == ["stat", "open"]
    assert [line.split() for line in lines if line.startswith("Yama")] == [
        ["Yama", *["+10"] * 12], ["Yama", *["+15"] * 12], ["Yama", *["+0"] * 5, "+7", "-4", "+100", "+300", "+8"]]
    assert lines[-1].split()[-2:] == ["1,000", "2,000"]


def test_a_boot_that_does_not_say_when_it_ended(found, tmp_path):
    (tmp_path / "yama-1/boot").write_text("\n")
    with pytest.raises(Failed, match="did not say"):
        analyse.figures(tmp_path, "every", {}, ["yama"])


@pytest.mark.parametrize("name, value, said", [("MODULES", "selinux ima", "MODULES='ima' is not accepted; some of: selinux"),
                                               ("KDIR", "/tmp", "KDIR='/tmp' is not accepted here"),
                                               ("CONFIG", "debian", "CONFIG='debian' is not accepted here")])
def test_variables_that_are_refused(monkeypatch, name, value, said):
    monkeypatch.setattr(processes, "end_with_jobs", lambda: None)
    monkeypatch.delenv("RUNNER", raising=False)
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSetting, match=said):
        plan.check()
        request.some_of("MODULES", list(without.OPTIONS))
