# SPDX-License-Identifier: GPL-2.0-only
"""lmbench-hook beside lat_syscall of the real LMbench, in one guest. Debian has LMbench in non-free."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

from lsmlab.measure.pipeline import printed
from lsmlab.measure.pipeline.errors import LeftOut
from lsmlab.measure.pipeline.printed import Boot
from lsmlab.measure.plans import request
from lsmlab.places import REPO

# The path of the file is as deep and as long as lmbench-hook's. ENOUGH: microseconds that LMbench measures at a time.
COMMAND = """mkdir /tmp/lmbench-hook.0000000 && cd /tmp/lmbench-hook.0000000 && echo x >file || exit
export ENOUGH=20000
echo '==> lat_syscall.txt'
for call in stat open read write; do
	{program} -N 11 $call /tmp/lmbench-hook.0000000/file 2>&1 || exit
done
echo '==> run.json'
exec lmbench-hook run stat open read write -n 51 --loop 1000 --json
"""
# What apt-get prints of the mirror and suite that this machine uses, as a line of sources.list with another component.
SOURCE = ("apt-get", "indextargets", "--format", "deb [target=Packages] $(REPO_URI) $(CODENAME) non-free", "Created-By: Packages",
          "Origin: Debian", "Label: Debian", "Component: main")


def _apt(folder: Path, *words: str) -> None:
    """Run apt-get with lists of packages of its own."""
    own = {"Dir::Etc::sourcelist": folder / "sources.list", "Dir::Etc::sourceparts": "/dev/null",
           "Dir::State::Lists": folder / "lists", "Dir::Cache": folder / "cache",
           "APT::Sandbox::User": "", "APT::Update::Error-Mode": "any"}
    options = [word for name, value in own.items() for word in ("-o", f"{name}={value}")]
    done = subprocess.run(["apt-get", "-q", *options, *words], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise LeftOut(f"no LMbench to compare with: {done.stderr.strip().splitlines()[-1:]}")


def _source() -> str:
    """Return a line for sources.list."""
    if not shutil.which("apt-get"):
        raise LeftOut("no LMbench to compare with: no apt-get here")
    lines = subprocess.run(SOURCE, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    if not lines:
        raise LeftOut("no LMbench to compare with: this machine has no lists of Debian's packages")
    return lines[0]


def _download(folder: Path, program: Path) -> None:
    """Extract the program lat_syscall from Debian's package."""
    source = _source()
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "sources.list").write_text(f"{source}\n")
    _apt(folder, "update")
    _apt(folder, "download", "lmbench")
    for package in folder.glob("lmbench_*.deb"):
        subprocess.run(["dpkg", "-x", package, folder], check=True)
    paths = [path for path in folder.glob("usr/**/lat_syscall") if path.is_file()]
    if not paths:
        raise LeftOut("no LMbench to compare with: the package has no lat_syscall")
    shutil.copy2(paths[0], program)
    shutil.rmtree(folder)


def boot(results: Path) -> Boot:
    """Return the boot that times the calls of both. Raise LeftOut if there is no LMbench."""
    program = REPO / "build/lmbench-program/lat_syscall"
    if not program.exists():
        _download(program.parent / "apt", program)
    files = printed.digest([program, REPO / "build/bin/lmbench-hook"])
    guest = {"LSM": "", "KARGS": request.kargs(), "CMD": COMMAND.format(program=shlex.quote(str(program)))}
    needs = ("lat_syscall.txt", "run.json")
    return Boot("lmbench", str(results), request.kernel("uml", "patched"), guest, files, needs=needs)
