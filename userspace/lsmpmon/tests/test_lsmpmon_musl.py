# SPDX-License-Identifier: GPL-2.0-only
"""The programs compile with musl's headers, and need nothing that is not in musl, json-c or argp-standalone."""

import re
import shutil
import subprocess

import pytest
from recorded import HERE, SOURCES

# Debian has neither json-c nor argp for musl. Their headers, and the kernel's, are this machine's, after musl's own; these words
# of glibc's headers are in its argp.h.
WORDS = ["-O0", "-D__BEGIN_DECLS=", "-D__END_DECLS=", "-D__THROW=", "'-D__GNUC_PREREQ(a,b)=1'", "'-D__glibc_clang_prereq(a,b)=0'"]


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Return what a build says, with libraries that are empty: the linker warns of each name that it does not find."""
    if not shutil.which("musl-gcc"):
        pytest.skip("musl-gcc is not there: scripts/deps --tests gets it where there is apt-get")
    where = tmp_path_factory.mktemp("musl")
    for name in ("json-c", "argp"):
        subprocess.run(["ar", "rcs", where / f"lib{name}.a"], check=True)
    target = subprocess.run(["cc", "-print-multiarch"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    headers = ["-idirafter /usr/include", f"-idirafter /usr/include/{target}"]
    return subprocess.run(["make", "-j2", "-C", SOURCES, f"O={where}", "CC=musl-gcc", "PKG_CONFIG=false",
                           f"CFLAGS={' '.join(WORDS + headers)}", f"LDFLAGS=-L{where} -Wl,--warn-unresolved-symbols"],
                          capture_output=True, text=True), where


def test_the_programs_compile_and_link_with_musl(build):
    done, where = build
    assert done.returncode == 0, done.stderr
    assert all((where / "bin" / name).exists() for name in ("lsmpmon", "lmbench-hook"))
    objects = {path.stem for path in (where / "obj/userspace/lsmpmon").glob("*.o")}
    assert objects == {path.stem for path in HERE.parent.glob("*.c")} and "-largp" in done.stdout


def test_they_need_only_two_other_libraries(build):
    missing = set(re.findall(r"undefined reference to `(\w+)'", build[0].stderr))
    assert {"json_object_put", "argp_parse"} <= missing
    assert not [name for name in missing if not name.startswith(("json_", "printbuf_", "argp_"))]
