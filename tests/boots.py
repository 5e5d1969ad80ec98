# SPDX-License-Identifier: GPL-2.0-only
"""The output of boots of guests, kept by a hash of all inputs: an unchanged boot is not repeated.

Tests judge a kept output again each time: a changed assertion is checked, and the test's own file is not an input.
A boot is kept once all tests of the files that asked for it have passed: verdicts.py has that.
"""

import contextlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections import Counter
from pathlib import Path

from lsmlab.places import CACHE

FOLDER = CACHE / "boots"
# Bytes; the least recently used go first.
LIMIT = 2 << 30
# make check FRESH=1 boots everything.
FRESH = os.environ.get("FRESH") == "1"
REUSED, BOOTED = "reused", "booted"
# The requests of this process since the last report: REUSED or BOOTED, the key, and the name of a boot that may be kept.
requests = []
# A second request in one process compares two boots: it gets another one.
_turns = Counter()


def once(key, boot, share=None, expected=0):
    """Return what boot() returns, a CompletedProcess: the kept one if `key` is the same, with its files put into `share`.

    Only a boot that ends with the `expected` status is kept, and none without a key.
    """
    if key is None:
        requests.append((BOOTED, "", ""))
        return boot()
    _turns[key] += 1
    key = f"{key}-{_turns[key]}"
    done = None if FRESH else _find(key, share)
    if done:
        requests.append((REUSED, key, ""))
        return done
    done = boot()
    requests.append((BOOTED, key, _save(key, done, share) if done.returncode == expected else ""))
    return done


def _save(key, done, share):
    """Write a boot that may be kept, and return its name."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    output = json.dumps([done.returncode, done.stdout, done.stderr]).encode()
    about = tarfile.TarInfo("said")
    about.size = len(output)
    name = f"{key}.{os.getpid()}"
    with tarfile.open(FOLDER / name, "w:gz", compresslevel=1) as tar:
        tar.addfile(about, io.BytesIO(output))
        if share:
            tar.add(share, "share")
    return name


def _find(key, share):
    """Return the kept boot of a key, and put its files in place; None if nothing is kept, or if it cannot be read."""
    path = FOLDER / key
    try:
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(path) as tar:
                tar.extraction_filter = lambda member, _: member
                tar.extractall(folder)
            status, out, errors = json.loads(Path(folder, "said").read_text())
            if share:
                _replace(Path(share), Path(folder, "share"))
        os.utime(path)
    except (OSError, EOFError, ValueError, tarfile.TarError):
        return None
    return subprocess.CompletedProcess([], status, out, errors)


def _replace(folder, by):
    """Replace the content of a folder by that of another folder."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    shutil.copytree(by, folder, symlinks=True, dirs_exist_ok=True)


def keep(name):
    """Keep the boot that was saved under this name: later runs reuse it."""
    with contextlib.suppress(FileNotFoundError):
        (FOLDER / name).replace(FOLDER / name.partition(".")[0])


def drop(name):
    (FOLDER / name).unlink(missing_ok=True)


def prune():
    """Remove the oldest boots beyond the limit, which other processes may remove at the same time."""
    kept = []
    for path in FOLDER.glob("*"):
        with contextlib.suppress(FileNotFoundError):
            kept.append((path.stat().st_mtime_ns, path.stat().st_size, path))
    size = 0
    for _, more, path in sorted(kept, reverse=True):
        size += more
        if size > LIMIT:
            path.unlink(missing_ok=True)
