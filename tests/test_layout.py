# SPDX-License-Identifier: GPL-2.0-only
"""Tests of LAYOUT: the same objects at other places of an image, as a number decides, and the tables of the kernel as they
were.
"""

import re
import subprocess
from pathlib import Path

import pytest
from guests import GUESTS, kernel_directory
from kernels import CLEAN, REPO, environment

# What the linker's script of User-Mode Linux has, in short: code, data, and a table whose order means something.
SCRIPT = """SECTIONS
{
  . = 0x60000000;
  .text : { _stext = .; *(.text.hot .text.hot.*) *(.text .text.[0-9a-zA-Z_]*) *(.noinstr.text) }
  .rodata : { *(.rodata) *(.rodata.*) }
  .initcall.init : { *(.initcall1.init) *(.initcall2.init) }
  .data : { *(.data .data.[0-9a-zA-Z_]*) }
  .bss : { *(.bss .bss.*) *(COMMON) }
  /DISCARD/ : { *(.comment) *(.note*) *(.eh_frame) }
}
"""
OBJECTS = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make an archive of objects with a function, a table entry and data each, as that of the kernel: it has only their names."""
    folder = tmp_path_factory.mktemp("objects")
    (folder / "vmlinux.lds").write_text(SCRIPT)
    names = []
    for number in range(OBJECTS):
        text = (f"int data{number} = 1; int zero{number}; const int constant{number} = 2;\n"
                f"int function{number}(int a) {{ return a * data{number} + zero{number} + constant{number}; }}\n"
                f"void *call{number} __attribute__((section(\".initcall1.init\"))) = function{number};\n")
        (folder / f"{number}.c").write_text(text)
        names.append(f"{number}.o")
        subprocess.run(["gcc", "-O2", "-fno-pic", "-c", f"{number}.c", "-o", names[-1]], cwd=folder, check=True)
    subprocess.run(["ar", "rcsT", "vmlinux.a", *names], cwd=folder, check=True)
    return folder


def linked(folder, seed):
    """Return the image of a layout, and the names of its symbols by address."""
    script = subprocess.run([REPO / "scripts/lab", "layout", "vmlinux.lds", str(seed), "vmlinux.a"], cwd=folder, text=True,
                            capture_output=True, check=True).stdout
    (folder / "layout.lds").write_text(script)
    subprocess.run(["ld", "-T", "layout.lds", "-o", "image", "--whole-archive", "vmlinux.a"], cwd=folder, check=True)
    shown = subprocess.run(["nm", "-n", "image"], cwd=folder, text=True, capture_output=True, check=True).stdout
    return (folder / "image").read_bytes(), [(name, int(address, 16)) for address, _, name in map(str.split, shown.splitlines())]


def order(symbols, kind):
    return [name for name, _ in symbols if re.fullmatch(rf"{kind}\d+", name)]


def test_a_seed_gives_the_same_image(folder):
    assert linked(folder, 3)[0] == linked(folder, 3)[0] != linked(folder, 4)[0]


def test_code_and_data_are_in_another_order_with_each_seed(folder):
    for kind in ("function", "data", "zero", "constant"):
        orders = {tuple(order(linked(folder, seed)[1], kind)) for seed in range(1, 6)}
        assert len(orders) == 5 and {len(each) for each in orders} == {OBJECTS}, kind


def test_functions_are_at_all_places_of_a_cache_line(folder):
    places = {address % 64 for seed in range(1, 6) for name, address in linked(folder, seed)[1] if name.startswith("function")}
    assert places == {0, 16, 32, 48}


def test_tables_keep_their_order(folder):
    wanted = [f"call{number}" for number in range(OBJECTS)]
    assert [order(linked(folder, seed)[1], "call") for seed in (1, 2)] == [wanted, wanted]


def test_a_script_without_code_is_refused(folder):
    (folder / "none.lds").write_text("SECTIONS { .text : { *(.init.text) } }\n")
    words = [REPO / "scripts/lab", "layout", "none.lds", "1", "vmlinux.a"]
    done = subprocess.run(words, cwd=folder, text=True, capture_output=True)
    assert done.returncode == 1 and done.stdout == "" and re.fullmatch(r"lsmpmon: none\.lds: no '\*\(\.text .*\n", done.stderr)


@pytest.mark.parametrize("variables, words", [
    ({"LAYOUT": "0"}, ["LAYOUT='0'", "1 to 999999"]),
    ({"LAYOUT": "x"}, ["LAYOUT='x'", "1 to 999999"]),
    ({"LAYOUT": "1", "RUNNER": "qemu"}, ["LAYOUT='1'", "RUNNER=uml"]),
])
def test_another_layout_is_refused(variables, words):
    done = subprocess.run([REPO / "lab/shell/build-kernel"], env=dict(CLEAN, **variables), text=True, capture_output=True)
    assert done.returncode == 2 and done.stdout == ""
    assert all(word in done.stderr for word in words), done.stderr


def placed(directory):
    """Return the names of a kernel's symbols by address, without those of its own tables of symbols."""
    rows = [line.split() for line in (directory / "System.map").read_text().splitlines()]
    return [name for _, _, name in rows if not name.startswith("kallsyms_")]


@pytest.mark.full
@pytest.mark.parametrize("kver, runner", [guest for guest in GUESTS if guest[1] == "uml"])
def test_a_kernel_in_two_layouts_and_as_it_is(kver, runner):
    """All have the same symbols, each in another order, but the initcalls; and the kernel boots."""
    found = [placed(kernel_directory(kver, runner))]
    for layout in "12":
        env = environment(KVER=kver, RUNNER=runner, LAYOUT=layout)
        done = subprocess.run([REPO / "lab/shell/build-kernel"], env=env, stdout=subprocess.PIPE, text=True, check=True)
        found.append(placed(Path(done.stdout.strip())))
    initcalls = [[name for name in each if name.startswith("__initcall__")] for each in found]
    assert len({frozenset(each) for each in found}) == 1 and len({tuple(each) for each in found}) == 3
    assert initcalls[0] and initcalls == [initcalls[0]] * 3
    env = environment(KVER=kver, RUNNER=runner, LAYOUT="2", CMD="uname -r")
    booted = subprocess.run([REPO / "scripts/exec"], env=env, stdout=subprocess.PIPE, text=True, check=True)
    assert booted.stdout.startswith(kver)
