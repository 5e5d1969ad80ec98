# SPDX-License-Identifier: GPL-2.0-only
"""The memory that modules take: what the kernel says of objects, and the table; in the full tier, of a guest."""

import json
import subprocess

import pytest
from kernels import DEFAULT, REPO, environment

from lsmlab.analyse import memory as analyse
from lsmlab.commands import memory as command
from lsmlab.guest.settings import BadSetting
from lsmlab.measure.pipeline.errors import Failed
from lsmlab.measure.plans import memory as plan

OLDER = "initializing lsm=lockdown,capability\ncred blob size       = {cred}\nperf event blob size = 4\nmsg_msg blob size    = {message}\n"
NEWER = "blob(cred) size 32\nblob(perf_event) size 4\nblob(msg_msg)_size 4\nblob(xattr) count 9\n"


@pytest.mark.parametrize("text", [OLDER.format(cred=32, message=4), NEWER])
def test_what_kernels_say_of_objects(text):
    assert analyse.sizes(text) == {"cred": 32, "perf_event": 4, "msg_msg": 4}


@pytest.fixture
def results(tmp_path):
    """Return a folder with a base and two modules, of which one has a policy of 2 MiB."""
    for state, files in {"capability": {"blobs": OLDER.format(cred=8, message=0)},
                         "selinux": {"blobs": OLDER.format(cred=32, message=4), "used": "1000\n", "policy": "3048\n"},
                         "yama": {"blobs": OLDER.format(cred=8, message=0)}}.items():
        (tmp_path / state).mkdir()
        for name, content in files.items():
            (tmp_path / state / name).write_text(content)
    return tmp_path


STATES = ("capability", "selinux", "yama")


def test_what_modules_add(results):
    found = analyse.figures(results, STATES)
    assert found == {"selinux": {"objects": {"cred": 24, "msg_msg": 4}, "policy": 2048}, "yama": {"objects": {}}}
    first, _, head, selinux, yama = command.table(found, "6.12").splitlines()
    assert "Linux 6.12" in first and head.split() == list(command.HEADS)
    assert selinux.split() == ["SELinux", "24", *"-------", "4", "2.0"]
    assert yama.split() == ["Yama", *"----------"]


@pytest.mark.parametrize("name, content, said", [
    ("blobs", "nothing\n", "no size of an object"), ("used", "many\n", "'many' should be a number"), ("used", None, "No such file")])
def test_output_that_is_not_whole(results, name, content, said):
    path = results / "selinux" / name
    if content is None:
        path.unlink()
    else:
        path.write_text(content)
    with pytest.raises(Failed, match=said):
        analyse.figures(results, STATES)


def test_module_that_there_is_not(monkeypatch):
    monkeypatch.setenv("MODULES", "selinux dac")
    with pytest.raises(BadSetting, match=r"MODULES='dac' is not accepted; some of: selinux"):
        plan.states()


@pytest.mark.full
@pytest.mark.parametrize("kver", [DEFAULT])
def test_each_task_of_tomoyo_has_sixteen_bytes_more(kver, tmp_path):
    """The module has struct tomoyo_task, two pointers, in each task, and nothing in other objects."""
    done = subprocess.run([REPO / "scripts/lab", "memory"], env=environment(KVER=kver, RESULTS=tmp_path, MODULES="tomoyo yama"),
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    modules = json.loads((tmp_path / "memory.json").read_text())["modules"]
    assert {name: of["objects"] for name, of in modules.items()} == {"tomoyo": {"task": 16}, "yama": {}}
    assert modules["tomoyo"]["policy"] > 0
