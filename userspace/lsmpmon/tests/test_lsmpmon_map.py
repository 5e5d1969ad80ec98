# SPDX-License-Identifier: GPL-2.0-only
"""The static map in a terminal: a call's hooks in order, and clear words where there is no map."""

import json

import pytest

CALL = {
    "may": ["file_open", "inode_permission", "task_free", "vm_enough_memory"], "must": ["file_open"],
    "kind": {"file_open": "sync", "inode_permission": "sync", "task_free": "any", "vm_enough_memory": "fault"},
    "paths": {"file_open": ["__x64_sys_openat", "do_dentry_open@fs/open.c", "security_file_open"],
              "inode_permission": ["__x64_sys_openat", "link_path_walk@fs/namei.c", "security_inode_permission"]},
    "order": ["inode_permission", "file_open"], "calls": {"file_open": 12345}, "price": {"file_open": 310},
    "times": {"inode_permission": "each path component", "file_open": "once"}, "when": {"file_open": ["not O_PATH"]},
}
MAP = {"format": "lsmpmon-map", "version": 1, "kernel": "6.12.117", "unit": "instructions",
       "modules": {"file_open": ["selinux", "apparmor"]},
       "common": {"any": {"task_free": ["do_exit", "security_task_free"]}}, "syscalls": {"openat": CALL}}


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
        ["file_open", "must", "sync", "once", 12345, 310, "selinux,apparmor", "not O_PATH",
         "__x64_sys_openat > do_dentry_open > security_file_open"]]
    assert shown["source"] == {"kernel": "6.12.117", "call": "openat", "unit": "instructions"}
    assert shown["notes"] == ["2 more hooks come from modules' callbacks, page faults and signals: --all shows them.",
                              PRICE]


def test_all_has_what_any_call_may_meet(view, path):
    shown = view("map", "-m", path, "--all", "openat")
    assert [row[0] for row in rows(shown)] == ["inode_permission", "file_open", "task_free", "vm_enough_memory"]
    assert [row[-1] for row in rows(shown)[2:]] == ["do_exit > security_task_free", None] and shown["notes"] == [PRICE]


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
])
def test_what_is_wrong_is_said(lsmpmon, path, words, message):
    done = lsmpmon("map", "-m", path, *words)
    assert (done.returncode, done.stdout) == (2, "") and message in done.stderr


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "{}", '{"format": "lsmpmon-map"}', '{"format": "lsmpmon-record"}'])
def test_file_that_is_not_a_map(lsmpmon, path, text):
    path.write_text(text)
    done = lsmpmon("map", "-m", path, "openat")
    assert (done.returncode, done.stdout) == (2, "") and str(path) in done.stderr


@pytest.mark.parametrize("call", [1, [], {}, {"may": 1, "order": {}}, {"may": [None, 1, {}], "kind": [], "paths": 3},
                                  {"named": {"x": 1}}, {"may": ["x"], "order": ["x"], "paths": {"x": [None, 2]},
                                                        "calls": {"x": "many"}, "price": [1]}])
def test_map_of_strange_types_is_no_crash(lsmpmon, path, call):
    path.write_text(json.dumps({**MAP, "syscalls": {"openat": call}}))
    assert lsmpmon("map", "-m", path, "--all", "openat").returncode == 0


def test_no_map(lsmpmon, tmp_path):
    done = lsmpmon("map", "openat", cwd=tmp_path, env={})
    assert (done.returncode, done.stdout) == (2, "")
    assert "no map at build/map/*/map.json: make one with make map KVER=6.12" in done.stderr
