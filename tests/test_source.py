# SPDX-License-Identifier: GPL-2.0-only
"""The source that lab/shell/get-source takes, from a mirror that is a folder here."""

import os
import subprocess

import pytest
from kernels import REPO

# The versions of the machine's own suites, and newer ones.
OWN = ("6.12.113-1~deb12u1", "6.12.117-1~deb12u1")
NEWER = ("7.2.9-1~bpo13+1", "7.2.13-1", "7.3.4-1~bpo13+1", "7.3~rc7-1~exp1")
APT_CACHE = """
case "$*" in *sources.list*) versions='{newer}' ;; *) versions='{own}' ;; esac
case "$*" in
*search*) printf 'linux-source-%s - source\\n' 7.2 7.3 ;;
*madison*) for version in $versions; do
	case linux-source-$version in "${{@: -1}}"[.~]*) echo "${{@: -1}} | $version | a-mirror" ;; esac
done ;;
esac
"""
APT_GET = """
case "$*" in
*indextargets*) echo a-mirror ;;
*download*)
	what=${{@: -1}}
	version=${{what#*=}} package=${{what%=*}}
	[ "$what" != linux-source-7.2 ] || version=7.2.13-1
	[ "$what" != linux-source-7.3 ] || version=7.3.4-1~bpo13+1
	mkdir -p deb/DEBIAN deb/usr/src source
	echo "$version" >source/Makefile
	tar -cJf "deb/usr/src/$package.tar.xz" -C . source
	printf '%s\\n' "Package: $package" "Version: $version" Architecture:\\ all Maintainer:\\ us Description:\\ it >deb/DEBIAN/control
	dpkg-deb -b deb "${{package}}_$version.deb" ;;
esac
"""


@pytest.fixture
def get_source(tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in (("apt-cache", APT_CACHE), ("apt-get", APT_GET)):
        (programs / name).write_text("#!/bin/bash" + text.format(own=" ".join(OWN), newer=" ".join(NEWER)))
        (programs / name).chmod(0o755)

    def run(version):
        env = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "KVER": version, "KDIR": "",
               "XDG_CACHE_HOME": str(tmp_path)}
        return subprocess.run([REPO / "lab/shell/get-source"], env=env, capture_output=True, text=True)
    return run


@pytest.mark.parametrize("kver, version", [
    ("7.2", "7.2.13-1"), ("7.2.9", "7.2.9-1~bpo13+1"), ("7.2.13", "7.2.13-1"), ("7.3-rc7", "7.3~rc7-1~exp1"),
    ("6.12.113", "6.12.113-1~deb12u1"), ("newest", "7.3.4-1~bpo13+1")])
def test_version_is_the_requested_one(get_source, tmp_path, kver, version):
    done = get_source(kver)
    assert done.returncode == 0, done.stderr
    tree = done.stdout.strip()
    assert tree.startswith(f"{tmp_path}/lsmpmon/sources/") and tree.endswith(f"-{version}")
    with open(f"{tree}/Makefile") as makefile:
        assert makefile.read().strip() == version
    assert get_source(kver).stdout == done.stdout


def test_point_release_is_not_taken_for_the_supported_version(get_source):
    assert get_source("7.2.9").stdout.endswith("-7.2.9-1~bpo13+1\n")
    assert get_source("7.2").stdout.endswith("-7.2.13-1\n")


@pytest.mark.parametrize("kver, present", [
    ("7.2.5", "7.2.9 7.2.13"), ("7.3-rc6", "7.3-rc7 7.3.4"), ("6.12.1", "6.12.113 6.12.117")])
def test_version_that_is_gone_is_named_with_those_that_are_there(get_source, kver, present):
    done = get_source(kver)
    assert done.returncode == 3
    assert f"KVER='{kver}' " in done.stderr and present in done.stderr


def test_mirror_without_kernels_is_named_and_not_remembered(get_source, tmp_path):
    (tmp_path / "bin/apt-cache").write_text("#!/bin/bash\n")
    done = get_source("newest")
    assert done.returncode == 3
    assert "trixie-backports sid" in done.stderr
    assert not (tmp_path / "lsmpmon/newest").exists()


@pytest.mark.parametrize("kver", ["7.2.x", "7.2.9.1", "6.13", "7.3~rc7", "new", "7.2.9 7.2.13", "../7.2"])
def test_what_is_no_version_is_refused(get_source, kver):
    done = get_source(kver)
    assert done.returncode == 2
    assert f"KVER='{kver}' is not accepted" in done.stderr
