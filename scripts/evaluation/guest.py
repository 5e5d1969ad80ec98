# SPDX-License-Identifier: GPL-2.0-only
"""The guest of a cell: its kernel, its files, and its boot."""

import functools
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from guest.settings import REPO

# Of scripts/get-source: the mirror does not have this version.
NOT_TO_BE_HAD = 3
# What goes into the guest; in an initramfs at the same places beneath /repo.
BUNDLE = ("scripts/eval-guest", "scripts/lsm-setup", "userspace/policy", "build/bin/lmbench-hook", "build/policy",
          "build/tools")


class Failed(Exception):
    """A cell that could not be measured, and why."""


class LeftOut(Exception):
    """A cell that cannot be on this machine or kernel, and why."""


def _environment(**variables):
    ours = ("KVER", "RUNNER", "ACCEL", "FLAVOUR", "LSM", "KARGS", "CPUS", "SHARE", "INITRD", "CMD")
    kept = {name: value for name, value in os.environ.items() if name not in ours and not name.startswith("MAKE")}
    return kept | variables


@functools.cache
def _kernel(items):
    env = _environment(**dict(items))
    source = subprocess.run([REPO / "scripts/get-source"], env=env, capture_output=True, text=True)
    if source.returncode == NOT_TO_BE_HAD:
        raise LeftOut(source.stderr.strip())
    built = subprocess.run([REPO / "scripts/build-kernel"], env=env, stdout=subprocess.PIPE, text=True)
    if built.returncode:
        raise Failed(f"no kernel {dict(items)}")
    return Path(built.stdout.strip())


def kernel(cell):
    """The directory of the built kernel."""
    return _kernel(tuple(cell.kernel().items()))


def config(cell):
    return (kernel(cell) / "config").read_text()


def require_modules(cell):
    """User-Mode Linux 6.1 has no Landlock, say."""
    options = config(cell)
    for module in filter(None, cell.lsm.split(",")):
        names = (f"CONFIG_SECURITY_{module.upper()}=y", f"CONFIG_SECURITY_{module.upper()}_LSM=y",
                 f"CONFIG_{module.upper()}_LSM=y")
        if not any(f"{name}\n" in options for name in names):
            raise LeftOut(f"Linux {cell.kver} on {cell.runner} has no {module}")


def _files():
    for name in BUNDLE:
        path = REPO / name
        yield from sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]


@functools.cache
def tools_hash():
    """Of all that runs in a guest."""
    digest = hashlib.sha256()
    for path in _files():
        if path.exists() and "tests" not in path.parts:
            digest.update(f"{path.relative_to(REPO)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def make_initrd(out):
    """With the same files for every cell."""
    repo = out.parent / "repo"
    shutil.rmtree(repo, ignore_errors=True)
    for path in _files():
        target = repo / path.relative_to(REPO)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and "tests" not in path.parts:
            shutil.copy(path, target)
    script = out.with_name("script")
    script.write_text("sh /repo/scripts/eval-guest\n")
    subprocess.run([REPO / "scripts/make-initrd", out, script, f"{repo}:/repo"], check=True)


def _arguments(cell, samples, patterns):
    policies = [f"{module}:{mode}" for module, mode in cell.policies.items()]
    words = [f"cell_measures={','.join(cell.measures)}", f"cell_samples={samples}",
             f"cell_patterns={','.join(patterns)}"]
    if policies:
        words.append(f"cell_policies={','.join(policies)}")
    if cell.rules:
        words.append(f"cell_rules={cell.rules}")
    for module, mode in cell.policies.items():
        asked = [REPO / "scripts/lsm-setup", "arguments", module, mode]
        words += subprocess.run(asked, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return " ".join(words)


def boot(cell, initrd, samples, patterns):
    """All that the guest prints."""
    env = _environment(**cell.kernel(), LSM=cell.lsm, KARGS=_arguments(cell, samples, patterns), TIMEOUT="1800")
    if cell.runner == "qemu":
        env |= {"ACCEL": cell.accel, "INITRD": str(initrd)}
    else:
        env["CMD"] = "scripts/eval-guest"
    done = subprocess.run([REPO / "scripts/exec"], env=env, capture_output=True, text=True, errors="replace",
                          stdin=subprocess.DEVNULL)
    if done.returncode:
        raise Failed(f"status {done.returncode} in the guest\n{done.stderr[-2000:]}")
    return done.stdout
