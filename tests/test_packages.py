# SPDX-License-Identifier: GPL-2.0-only
"""Tests of make deb and make deb-kernel: findings of Debian's own checker, and the packages installed."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from kernels import DEFAULT, REPO, copy_files, environment, pristine

pytestmark = pytest.mark.full
NAMES = {"lsmpmon", "lsmpmon-source"}
VERSION = re.search(r'^#define LSMPMON_VERSION\s+"(.*)"$', (REPO / "lsmpmon/version.h").read_text(), re.M)[1]


def run(*words, **options):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, **options)


@pytest.fixture(scope="module")
def packages():
    """Build the packages, and return them by name."""
    done = run(REPO / "packaging/deb", env=environment())
    assert done.returncode == 0, done.stderr
    by_name = {Path(line).name.split("_")[0]: Path(line) for line in done.stdout.split()}
    return {name: by_name[name] for name in NAMES}


@pytest.fixture(scope="module")
def root(packages, tmp_path_factory):
    """Unpack both packages into a folder."""
    folder = tmp_path_factory.mktemp("root")
    for package in packages.values():
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
    return folder


def test_lintian_has_no_errors(packages):
    done = run("lintian", "--allow-root", "--suppress-tags", "initial-upload-closes-no-bugs", *packages.values())
    assert done.returncode == 0, done.stdout
    assert "E:" not in done.stdout and "W:" not in done.stdout, done.stdout


def test_the_tools_are_there_and_run(root):
    assert run(root / "usr/bin/lsmpmon", "--version").stdout == f"lsmpmon {VERSION}\n"
    assert run(root / "usr/bin/lmbench-hook", "list", "stat").returncode == 0
    files = {str(path.relative_to(root / "usr/share")) for path in (root / "usr/share").rglob("*")}
    assert {"man/man1/lsmpmon.1.gz", "man/man1/lmbench-hook.1.gz", "lsmpmon/schema/record.json",
            "bash-completion/completions/lsmpmon", "zsh/vendor-completions/_lsmpmon"} <= files


def test_a_report_is_made_by_what_is_installed(root):
    """The verbs in Python have their package beside them."""
    text = (root / "usr/bin/lmbench-hook-spread").read_text()
    assert "PYTHONPATH=/usr/share/lsmpmon/report " in text
    done = run("python3", "-m", "lsmpmon_report", "spread", "--help",
               env=environment(PYTHONPATH=root / "usr/share/lsmpmon/report"))
    assert done.returncode == 0 and "lmbench-hook run --json" in done.stdout


def test_the_source_goes_into_a_kernel_tree_and_out_again(root, tmp_path):
    """Only the package is used, nothing of the repository, and the tree is the same as the repository makes."""
    ours, theirs = (copy_files(DEFAULT, tmp_path / name) for name in ("ours", "theirs"))
    before = contents(ours)
    script = root / "usr/src/lsmpmon/scripts/tree"
    for tree, tool in ((theirs, script), (ours, REPO / "scripts/tree")):
        done = run(tool, "apply", tree, env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}, cwd="/")
        assert done.returncode == 0, done.stderr
    assert contents(theirs) == contents(ours) != before
    read = run(script.with_name("hooks-diff"), theirs, theirs, cwd="/")
    assert read.returncode == 0, read.stderr
    assert run(script, "unapply", theirs).returncode == 0
    assert contents(theirs) == before


def contents(tree):
    return {path.relative_to(tree): path.read_bytes() for path in tree.rglob("*") if path.is_file()}


def deb_kernel(*words, **variables):
    return run(REPO / "packaging/deb-kernel", *words, env=environment(**variables))


@pytest.mark.parametrize("variables, message", [
    ({"CONFIG": "/nonexistent"}, "CONFIG='/nonexistent' "),
    ({"CONFIG": "/etc/passwd", "LOCALMODCONFIG": "yes"}, "LOCALMODCONFIG='yes' .* 1$"),
])
def test_refused_first(variables, message):
    done = deb_kernel(**variables)
    assert done.returncode == 2 and re.search(message, done.stderr) and done.stdout == ""


def test_modules_that_are_loaded_now(tmp_path):
    """A module that is not loaded is left out; if the running kernel has none, nothing is built."""
    config = tmp_path / "config"
    config.write_text("CONFIG_SECURITY=y\nCONFIG_SECURITYFS=y\nCONFIG_MODULES=y\nCONFIG_BLOCK=y\nCONFIG_MINIX_FS=m\n")
    done = deb_kernel("--configure", CONFIG=config, LOCALMODCONFIG="1")
    if not Path("/proc/modules").exists():
        assert done.returncode == 2 and "LOCALMODCONFIG='1'" in done.stderr and "'/proc/modules'" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    made = (REPO / f"build/deb-kernel/{done.stdout.strip().removesuffix('-lsmpmon')}/objects/.config").read_text()
    assert "CONFIG_SECURITY_LSMPMON=y\n" in made and "CONFIG_MINIX_FS" not in made.replace("# CONFIG_MINIX_FS is", "")


def test_the_configuration_of_a_kernel_package(tmp_path):
    """Options that were on stay on; lsmpmon is on; no private keys are needed; the release has a name of its own."""
    pristine(DEFAULT)
    config = tmp_path / "config"
    config.write_text('CONFIG_SECURITY=y\nCONFIG_SECURITYFS=y\nCONFIG_SECURITY_YAMA=y\nCONFIG_LOCALVERSION="-theirs"\n'
                      'CONFIG_MODULES=y\nCONFIG_SYSTEM_TRUSTED_KEYRING=y\n'
                      'CONFIG_SYSTEM_TRUSTED_KEYS="debian/certs.pem"\n')
    done = deb_kernel("--configure", CONFIG=config)
    assert done.returncode == 0, done.stderr
    release = done.stdout.strip()
    assert re.fullmatch(rf"{re.escape(DEFAULT)}\.\d+-lsmpmon", release)
    made = (REPO / f"build/deb-kernel/{release.removesuffix('-lsmpmon')}/objects/.config").read_text()
    assert "CONFIG_SECURITY_LSMPMON=y\n" in made and "CONFIG_SECURITY_YAMA=y\n" in made
    assert "debian/certs.pem" not in made


def test_a_configuration_without_security_modules(tmp_path):
    config = tmp_path / "config"
    config.write_text("CONFIG_SECURITY=n\n")
    done = deb_kernel("--configure", CONFIG=config)
    assert done.returncode == 2 and "lsmpmon needs CONFIG_SECURITY=y" in done.stderr
