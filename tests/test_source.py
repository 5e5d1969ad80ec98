# SPDX-License-Identifier: GPL-2.0-only
"""The source that lab/shell/get-source takes, from a mirror that is a folder here."""

import os
import shutil
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

    def run(version, *words):
        env = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "KVER": version, "KDIR": "",
               "XDG_CACHE_HOME": str(tmp_path)}
        return subprocess.run([REPO / "lab/shell/get-source", *words], env=env, capture_output=True, text=True)
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


# Ubuntu has kernels of other versions, and its suites are not Debian's.
UBUNTU = """
case "$*" in
*madison\\ gcc*) echo 'gcc | 4:13.2.0-7ubuntu1 | a-mirror' ;;
*search*) printf 'linux-source-%s - source\\n' 6.8.0 6.11.0 ;;
esac
"""


def on_ubuntu(tmp_path):
    (tmp_path / "bin/apt-cache").write_text("#!/bin/bash" + UBUNTU)
    (tmp_path / "bin/apt-get").write_text('#!/bin/bash\ntouch "$XDG_CACHE_HOME/called-$1"\n')
    (tmp_path / "bin/dpkg-query").write_text("#!/bin/bash\nexit 1\n")
    (tmp_path / "bin/dpkg-query").chmod(0o755)


@pytest.mark.parametrize("kver", ["6.12", "7.2", "7.2.9", "6.1 6.12"])
def test_where_there_is_no_such_source_that_is_said_at_once(get_source, tmp_path, kver):
    """The message has the source that this machine has, and nothing is installed."""
    on_ubuntu(tmp_path)
    done = get_source(kver, "--check")
    assert done.returncode == 3
    assert f"no linux-source-{kver.split()[0]} in this machine's package lists: KDIR=DIR" in done.stderr
    assert "apt-get install linux-source-6.11.0 && tar -xf /usr/src/linux-source-6.11.0.tar.* && make ... KDIR=$PWD/linux-source-6.11.0\n" in done.stderr
    assert {path.name for path in tmp_path.glob("called-*")} <= {"called-indextargets"}


@pytest.mark.parametrize("kver", ["6.12", "7.2", "newest", "all", ""])
def test_where_there_may_be_one_nothing_is_said(get_source, kver):
    """Lists that were never read tell nothing."""
    done = get_source(kver, "--check")
    assert (done.returncode, done.stderr) == (0, "")


def test_without_apt_the_way_out_is_named_first(tmp_path):
    """Fedora and SUSE have no apt-get: a tree is asked for before packages are named."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("awk", "bash", "basename", "dirname", "env", "find", "grep", "make", "sed", "sort", "tail", "uname"):
        (programs / name).symlink_to(shutil.which(name))
    env = {"PATH": str(programs), "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    done = subprocess.run(["make", "kernel"], cwd=REPO, env=env, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("lsmpmon: no apt-get here to fetch Linux 6.12 with: KDIR=DIR takes a source tree"), done.stderr
    assert not (tmp_path / "cache").exists()
