# SPDX-License-Identifier: GPL-2.0-only
"""Every place in the source that calls a hook is measured, in each kernel.

And scripts/lab hooks-diff, which reports that, misses no change that a later kernel may
bring: the tests give it changed trees.
"""

import re
import subprocess

import pytest
from kernels import REPO, pristine

from lsmlab.kernel import change
from lsmlab.kernel.hooks import defs

HEADERS = ("include/linux/lsm_hook_defs.h", "include/linux/lsm_hooks.h")
SECURITY = "security/security.c"


def diff(old, new):
    return subprocess.run([REPO / "scripts/lab", "hooks-diff", old, new], capture_output=True, text=True)


def edit(path, old, new):
    text = path.read_text()
    assert old in text, old
    path.write_text(text.replace(old, new, 1))


def append(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        file.write(text)


def missed(core, tree):
    """Return the calls that are reported as missed in a tree, of which there must be some."""
    done = diff(core, tree)
    calls = re.findall(r"^missed  (.*)$", done.stdout, re.M)
    assert done.returncode == (1 if calls else 0), done.stderr
    return "\n".join(calls)


def test_every_call_is_measured(version):
    done = diff(pristine(version), pristine(version))
    print(done.stdout)
    assert done.returncode == 0 and "unused" not in done.stdout, done.stdout + done.stderr
    assert "no hook" not in done.stdout, f"KVER={version} scripts/lab patches"
    places = re.search(r"called in (\d+) places, (\d+) measured", done.stdout)
    assert places[1] == places[2] and int(places[1]) >= 240


def test_hooks_are_those_of_the_preprocessor(version):
    """The witness is a compiler, with every condition taken as it is in the source."""
    text = (pristine(version) / HEADERS[0]).read_text()
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    done = subprocess.run(["gcc", "-E", "-P", "-D", "LSM_HOOK(RET, DEFAULT, NAME, ...)=@NAME@", "-"],
                          input=text, capture_output=True, text=True, check=True)
    assert list(defs.read((pristine(version) / HEADERS[0]).read_text())) == \
        re.findall(r"@(\w+)@", done.stdout)


LOOP = """
int security_new(struct file *file)
{
	struct lsm_static_call *scall;
	int rc = 0;

	lsm_for_each_hook(scall, file_open) {
		rc = scall->hl->hook.file_open(file);
		if (rc)
			break;
	}
	return rc;
}
"""
LIST_LOOP = """
int security_new(struct file *file)
{
	struct security_hook_list *hp;
	int rc = 0;

	hlist_for_each_entry(hp, &security_hook_heads.file_open, list) {
		rc = hp->hook.file_open(file);
		if (rc)
			break;
	}
	return rc;
}
"""


@pytest.mark.parametrize("path", ["security/new.c", "kernel/new.c"])
def test_new_open_coded_loop(core, tree, lists, path):
    """Rules look for loops in security.c only."""
    append(tree / path, LIST_LOOP if lists else LOOP)
    assert re.search(rf"{path}:\d+: security_new\(\): file_open: open-coded loop",
                     missed(core, tree))


DIRECT = """
int security_new(struct file *file)
{
	return %s(file);
}
"""
WAYS = ("static_call(LSM_STATIC_CALL(brand_new, 0))", "static_call(lsm_static_call_brand_new_0)",
        "static_calls_table.brand_new[0].hl->hook.brand_new",
        "hlist_entry(security_hook_heads.brand_new.first)->hook.brand_new")


@pytest.mark.parametrize("way", WAYS)
def test_new_hook_that_is_called_directly(core, tree, way):
    append(tree / HEADERS[0], "LSM_HOOK(int, 0, brand_new, struct file *file)\n")
    append(tree / SECURITY, DIRECT % way)
    assert re.search(r"security_new\(\): brand_new: ", missed(core, tree))
    assert "new     int brand_new(struct file *file) = 0" in diff(core, tree).stdout


def test_new_module_that_is_called_by_name(core, tree):
    """IMA and EVM were called so in Linux 6.1."""
    append(tree / SECURITY, DIRECT % "ima_brand_new")
    assert "security_new(): ima_brand_new: called by name" in missed(core, tree)


def test_new_hook_in_a_macro_that_is_new(core, tree, lists):
    way = "P->hook.HOOK" if lists else "static_call(LSM_STATIC_CALL(HOOK, 0))"
    append(tree / SECURITY, f"#define call_first_hook(HOOK, ...) \\\n\t{way}(__VA_ARGS__)\n")
    assert "call_first_hook(): HOOK: called directly" in missed(core, tree)


def test_new_hook_that_nobody_seems_to_call(core, tree):
    append(tree / HEADERS[0], "LSM_HOOK(void, LSM_RET_VOID, brand_new,\n\t struct file *file)\n")
    assert missed(core, tree) == "" and "\nunused  brand_new: " in diff(core, tree).stdout
    append(tree / SECURITY, DIRECT % "some_way_to_call(brand_new)")
    assert re.fullmatch("brand_new: .+", missed(core, tree)), "one line"


def test_new_hook_that_is_called_as_usual(core, tree, lists):
    append(tree / HEADERS[0], "LSM_HOOK(int, 0, brand_new, struct file *file)\n")
    call = "call_int_hook(brand_new, 0, file)" if lists else "call_int_hook(brand_new, file)"
    append(tree / SECURITY, f"int security_brand_new(struct file *file)\n{{\n\treturn {call};\n}}\n")
    assert missed(core, tree) == ""


def test_gone_and_changed_hooks(core, tree):
    edit(tree / HEADERS[0], "LSM_HOOK(int, 0, syslog, int type)", "")
    edit(tree / HEADERS[0], "LSM_HOOK(int, 0, quota_on, struct dentry *dentry)",
         "LSM_HOOK(int, -EPERM, quota_on, struct dentry *dentry)")
    output = diff(core, tree).stdout
    assert "gone    int syslog(int type) = 0" in output
    assert "changed int quota_on(struct dentry *dentry) = 0\n" in output
    assert "     to int quota_on(struct dentry *dentry) = -EPERM\n" in output


def test_comments_call_nothing(core, tree):
    append(tree / SECURITY, "/*\n * lsm_for_each_hook(scall, file_open) security_hook_heads.x\n */\n")
    assert missed(core, tree) == ""


def test_macro_that_lost_its_measured_path(core, tree):
    change.apply(tree)
    text = (tree / SECURITY).read_text()
    (tree / SECURITY).write_text(re.sub(r"LSMPMON_INT_HOOK\(", "NOT_OURS(", text))
    assert re.search(r"^call_int_hook\(\) .*: [12]\d\d calls", missed(core, tree))


def test_loop_that_the_seam_left_out(core, tree):
    """A macro that makes the loops is left out as a whole."""
    change.apply(tree)
    text = (tree / SECURITY).read_text()
    assert "LSMPMON_LOOP(" in text
    (tree / SECURITY).write_text(re.sub(r"LSMPMON_LOOP\(\w+\)", "", text, count=1))
    assert "open-coded loop" in missed(core, tree)


def test_name_without_its_scope(core, tree, lists):
    if not lists:
        pytest.skip("modules are called by name before Linux 6.12")
    change.apply(tree)
    edit(tree / SECURITY, "LSMPMON_SCOPE(bprm_check_security);", "")
    assert "security_bprm_check(): ima_bprm_check: called by name" in missed(core, tree)


def test_function_that_lost_its_twin(core, tree):
    change.apply(tree)
    text = (tree / SECURITY).read_text()
    (tree / SECURITY).write_text(re.sub(r"^LSMPMON_TWIN\(int, security_vm_enough.*\n", "", text, flags=re.M))
    assert re.search(r"security_vm_enough_memory_mm\(\): vm_enough_memory: .* without LSMPMON_TWIN", missed(core, tree))


def test_default_of_its_own_without_a_twin(core, tree, lists):
    if not lists:
        pytest.skip("since Linux 6.9, each hook has one default")
    change.apply(tree)
    text = (tree / SECURITY).read_text()
    (tree / SECURITY).write_text(re.sub(r"^LSMPMON_TWIN\(int, security_sb_set_mnt_opts(?:.*,\n)*.*\n", "", text, flags=re.M))
    assert re.search(r"security_sb_set_mnt_opts\(\): sb_set_mnt_opts: call_int_hook without LSMPMON_TWIN$", missed(core, tree))


def test_call_that_is_no_hook(core, tree):
    """Such a call is neither missed nor measured."""
    append(tree / SECURITY, DIRECT % "vendor_new")
    assert missed(core, tree) == ""
    line = (tree / SECURITY).read_text().count("\n")
    calls = re.findall(r"^no hook (security/security\.c):\d+: (.*)$", diff(core, tree).stdout, re.M)
    assert line > 100 and calls == [(SECURITY, "security_new(): vendor_new()")]


def test_callback_that_the_seam_left_out(core, tree):
    change.apply(tree)
    text = (tree / SECURITY).read_text()
    assert "lsmpmon_callback(" in text
    (tree / SECURITY).write_text(re.sub(r"lsmpmon_callback\((\w+), (\w+), ", r"\1->hl->hook.\2(",
                                        text, count=1))
    assert "called directly" in missed(core, tree)


def test_kernel_that_is_not_tested(core, tree):
    """The tree is read as after make apply, like any other."""
    text = (tree / "Makefile").read_text()
    (tree / "Makefile").write_text(re.sub(r"^PATCHLEVEL = \d+$", r"PATCHLEVEL = 8", text, flags=re.M))
    assert missed(core, tree) == "" and " with lsmpmon: " in diff(core, tree).stdout


def test_kernel_that_rules_do_not_fit(core, tree):
    """The tree is read as it is: the missed calls are the work to be done."""
    text = (tree / SECURITY).read_text()
    (tree / SECURITY).write_text(text.replace("#define call_int_hook(", "#define call_some_hook("))
    reported = missed(core, tree)
    assert "call_void_hook() measures nothing" in reported and "open-coded loop" in reported
    assert re.search(r"\(rule '.*': .*call_int_hook\(\)", diff(core, tree).stdout)
