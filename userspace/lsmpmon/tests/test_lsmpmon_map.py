# SPDX-License-Identifier: GPL-2.0-only
"""The static map in a terminal: a call's hooks in order, and clear words where there is no map."""

import json

import pytest

FUNCTIONS = ["__x64_sys_openat", "do_dentry_open@fs/open.c", "security_file_open", "link_path_walk@fs/namei.c",
             "security_inode_permission", "do_exit", "security_task_free"]
STEPS = [[0, 0], [1, 1], [1, 2], [3, 3], [1, 4], [0, 5], [1, 6]]
OPENED, WALKED, ENDED = 2, 4, 6
CALL = {
    "must": ["file_open"],
    "unless": {"file_open": "O_PATH"},
    "kind": {"file_open": "sync", "inode_permission": "sync", "sk_free": "sync", "task_free": "any", "vm_enough_memory": "fault"},
    "paths": {"file_open": OPENED, "inode_permission": WALKED}, "order": ["inode_permission", "file_open"],
    "calls": {"file_open": 12345}, "price": {"file_open": 310}, "times": {"inode_permission": "each path component"},
    "when": {"file_open": ["not O_PATH"]}, "object": "",
    "on": [{"objects": ["ext4", "tmpfs"], "must": ["inode_permission"], "unless": {"inode_permission": "S_PRIVATE"},
            "kinds": {"sync": ["file_open", "inode_permission"], "last": ["task_free"]},
            "paths": {"file_open": OPENED, "inode_permission": WALKED}, "order": ["inode_permission", "file_open"], "times": {"inode_permission": "each path component"}, "when": {}}],
}
MAP = {"format": "lsmpmon-map", "version": 3, "kernel": "6.12.117", "unit": "instructions",
       "modules": {"file_open": ["selinux", "apparmor"]}, "functions": FUNCTIONS, "steps": STEPS,
       "common": {"any": {"task_free": ENDED}}, "syscalls": {"openat": CALL}}


PRICE = "price: mean instructions of one call of the hook"


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "build/map/6.12/map.json"
    made.parent.mkdir(parents=True)
    made.write_text(json.dumps(MAP))
    return made


def rows(shown):
    return [list(row.values()) for row in shown["rows"]]


def test_hooks_in_the_order_of_the_call(view, path):
    shown = view("map", "-m", path, "openat")
    assert rows(shown) == [
        ["inode_permission", "may", "sync", "each path component", 0, None, None, None,
         "__x64_sys_openat > link_path_walk > security_inode_permission"],
        ["file_open", "must unless O_PATH", "sync", "once", 12345, 310, "selinux,apparmor", "not O_PATH",
         "__x64_sys_openat > do_dentry_open > security_file_open"],
        ["sk_free", "may", "sync", "once", 0, None, None, None, None]]
    assert shown["source"] == {"kernel": "6.12.117", "call": "openat", "object": "any", "unit": "instructions"}
    assert shown["notes"] == ["not shown: 1 in page faults, 1 in signals, or in work of others; --all has them", PRICE]


def test_all_has_what_any_call_may_meet(view, path):
    shown = view("map", "-m", path, "--all", "openat")
    assert [row[0] for row in rows(shown)] == ["inode_permission", "file_open", "sk_free", "task_free", "vm_enough_memory"]
    assert [row[-1] for row in rows(shown)[3:]] == ["do_exit > security_task_free", None] and shown["notes"] == [PRICE]


def test_on_an_object_there_are_only_its_own(view, path):
    shown = view("map", "-m", path, "--object", "tmpfs", "openat")
    assert shown["source"]["object"] == "tmpfs"
    assert [row[:2] for row in rows(shown)] == [["inode_permission", "must unless S_PRIVATE"], ["file_open", "may"]]
    assert shown["notes"] == ["not shown: 1 where a last reference goes; --all has them, --object=any those on other objects",
                              PRICE]
    assert [row[:3] for row in rows(view("map", "-m", path, "--object", "tmpfs", "--all", "openat"))[2:]] == [
        ["task_free", "may", "last"]]


def test_call_that_is_like_another_has_its_own_counts(view, path):
    alike = {"alike": "openat", "function": "f", "calls": {"file_open": 7}, "price": {}}
    path.write_text(json.dumps({**MAP, "syscalls": {"openat": CALL, "compat:openat": alike}}))
    for words in ([], ["--object=tmpfs"]):
        shown = rows(view("map", "-m", path, *words, "compat:openat"))
        assert [row[0] for row in shown[:2]] == ["inode_permission", "file_open"]
        assert shown[1][4:6] == [7, None] and shown[1][-1].startswith("__x64_sys_openat")


def test_map_says_which_object_is_shown_first(view, path):
    path.write_text(json.dumps({**MAP, "syscalls": {"openat": {**CALL, "object": "ext4"}}}))
    assert len(rows(view("map", "-m", path, "openat"))) == 2
    assert len(rows(view("map", "-m", path, "--object=any", "openat"))) == 3


@pytest.mark.parametrize("steps", [[[2, 0], [1, 1], [9, 2]], [[-3, 0], [1, 1], [-1, 2]], [[0, 99]], [[7, 1]], [None, 3, {}], "x", [["a", "b"]]])
def test_steps_that_lead_nowhere_end(lsmpmon, path, steps):
    path.write_text(json.dumps({**MAP, "steps": steps}))
    assert lsmpmon("map", "-m", path, "openat").returncode == 0


def test_what_is_called_by_name_is_a_note(view, path):
    named = {"ima_bprm_check": {"sure": "must", "path": ["f"]}, "ima_file_check": {"sure": "may", "path": ["f"]}}
    path.write_text(json.dumps({**MAP, "syscalls": {"openat": {**CALL, "named": named}}}))
    assert "called by name, without a hook: ima_bprm_check (must), ima_file_check (may)" in \
        view("map", "-m", path, "openat")["notes"]


def test_only_map_there_is_is_taken(lsmpmon, path, tmp_path):
    done = lsmpmon("map", "openat", cwd=tmp_path, env={})
    assert done.returncode == 0 and done.stdout.startswith("openat, Linux 6.12.117\n")


@pytest.mark.parametrize("words, message", [
    (["opennot"], "'opennot' is not a system call of Linux 6.12.117"), ([], "give a system call"),
    (["openat", "open"], "'open': one call at a time"),
    (["--object=floppy", "openat"], "the map does not have openat on 'floppy'"),
])
def test_what_is_wrong_is_said(lsmpmon, path, words, message):
    done = lsmpmon("map", "-m", path, *words)
    assert (done.returncode, done.stdout) == (2, "") and message in done.stderr


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "{}", '{"format": "lsmpmon-map"}', '{"format": "lsmpmon-record"}'])
def test_file_that_is_not_a_map(lsmpmon, path, text):
    path.write_text(text)
    done = lsmpmon("map", "-m", path, "openat")
    assert (done.returncode, done.stdout) == (2, "") and str(path) in done.stderr


@pytest.mark.parametrize("call", [1, [], {}, {"kind": 1, "order": {}}, {"kind": {"x": None, "y": 1, "z": {}}, "paths": 3},
                                  {"named": {"x": 1}}, {"alike": "openat"}, {"alike": 3}, {"kind": {"x": "sync"}, "order": ["x"], "paths": {"x": [None, 2]},
                                                        "calls": {"x": "many"}, "price": [1]}])
def test_map_of_strange_types_is_no_crash(lsmpmon, path, call):
    path.write_text(json.dumps({**MAP, "syscalls": {"openat": call}}))
    assert lsmpmon("map", "-m", path, "--all", "openat").returncode == 0


def test_no_map(lsmpmon, tmp_path):
    done = lsmpmon("map", "openat", cwd=tmp_path, env={})
    assert (done.returncode, done.stdout) == (2, "")
    assert "no map at build/map/*/map.json: make one with make map KVER=6.12" in done.stderr
