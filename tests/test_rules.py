# SPDX-License-Identifier: GPL-2.0-only
"""The rules make the patches in patches/ on tested kernels.

On trees that were changed on purpose they either measure every call, or name the one that they refuse.
"""

import re
import subprocess

import pytest
from kernels import REPO, pristine

from lsmlab.kernel import change
from lsmlab.kernel.seam import carry
from lsmlab.kernel.seam.text import laid_out
from lsmlab.kernel.tree import source
from lsmlab.kernel.tree.staging import Staging, touched
from lsmlab.measure.pipeline import kernel

SECURITY, REFUSED = "security/security.c", 2


def apply(tree, named=""):
    return subprocess.run([REPO / "scripts/tree", f"--named={named}", "apply", tree], capture_output=True, text=True)


def contents(tree):
    return {p: p.read_bytes() for p in tree.rglob("*") if p.is_file()}


def calls(text):
    """Return how many calls apply says to have measured: of hooks and by name; and how many are of no hook."""
    found = [re.search(rf"\b(\d+)[^,\n]* {what}", text) for what in ("hook calls measured", "by name", "no hooks?")]
    return tuple(int(each[1]) if each else 0 for each in found)


def measured(tree):
    """Apply, check that all calls are measured, and unapply byte for byte. Return security.c with the seam."""
    before = contents(tree)
    done = apply(tree)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\bLinux \S+.*: \d+ rules, \d+ places, .*\b\d+ hook calls measured$", done.stdout, re.M)
    patched = (tree / SECURITY).read_text()
    again = subprocess.run([REPO / "scripts/lab", "hooks-diff", tree, tree], capture_output=True, text=True)
    assert again.returncode == 0 and "with lsmpmon in it" in again.stdout, again.stdout
    change.unapply(tree)
    assert contents(tree) == before
    return patched


def refused(tree, *words, named=""):
    before = contents(tree)
    done = apply(tree, named)
    assert done.returncode == REFUSED, done.stdout
    assert done.stderr.startswith("lsmpmon: refused"), done.stderr
    # The laboratory shows what comes after these words where a kernel cannot be built.
    assert re.search(kernel.REASONS[0], done.stderr, re.M), done.stderr
    for word in words:
        assert re.search(word, done.stderr), done.stderr
    assert contents(tree) == before


def edit(path, old, new):
    text = path.read_text()
    assert re.search(old, text), old
    path.write_text(re.sub(old, new, text, count=1))


def append(tree, text):
    with open(tree / SECURITY, "a") as file:
        file.write(text)


def test_rules_and_patches_agree(version):
    tree = pristine(version)
    seam = carry.made(version, lambda path: (tree / path).read_bytes() if (tree / path).is_file() else None)
    patches = source.patches(version)
    with Staging() as staging:
        staging.fetch("patched", tree, {path for patch in patches for path in touched(patch)})
        for patch in patches:
            staging.patch("patched", patch)
        assert set(seam.texts) == staging.paths("patched")
        patched = source.reader(staging.state("patched"))
        for path, text in seam.texts.items():
            assert text.content() == patched(path), f"{path}: KVER={version} scripts/lab patches"


def test_apply_and_rules_agree(version, tree):
    """Apply reads copies of the files that rules name, and does not need any others."""
    assert apply(tree).returncode == 0
    for path, text in carry.made(version, source.reader(pristine(version))).texts.items():
        assert not (tree / path).exists() or (tree / path).read_bytes() == text.content(), path


def test_added_include(tree):
    for path in (SECURITY, "io_uring/io_uring.c"):
        edit(tree / path, r"(#include <linux/(lsm_hooks|security)\.h>)", r"#include <linux/new.h>\n\1\n#include <linux/old.h>")
    measured(tree)


def test_moved_function(tree):
    text = (tree / SECURITY).read_text()
    function = re.search(r"^int security_vm_enough_memory_mm\(.*?^}\n", text, re.M | re.S)[0]
    (tree / SECURITY).write_text(text.replace(function, "") + function)
    assert "lsmpmon_callback(" in measured(tree).rpartition("security_vm_enough_memory_mm(")[2]


def test_renamed_variable(tree, lists):
    text = (tree / SECURITY).read_text()
    (tree / SECURITY).write_text(re.sub(r"\bhp\b" if lists else r"\bscall\b", "each", text))
    assert "lsmpmon_callback(each, " in measured(tree)


VENDORS = [("security_bprm_check", "if (vendor_bprm_check(bprm)) /* vendor_comment() */\n\t\treturn -EPERM;", "vendor_bprm_check()"),
           ("security_inode_permission", "vendor_ops->permission(inode, mask);", "vendor_ops->permission()")]


def vendors_lines(tree):
    """Add calls of a vendor's to the tree, and return where each is, as in messages."""
    places = []
    for function, code, name in VENDORS:
        text = (tree / SECURITY).read_text()
        # Behind the declarations, so that the compiler would take it, too.
        at = re.search(rf"^\w+ {function}\([^)]*\)\n{{\n(?:\t\w+ \w+;\n\n)?", text, re.M).end()
        (tree / SECURITY).write_text(f"{text[:at]}\t{code}\n{text[at:]}")
        places.append(f"{SECURITY}:{text.count(chr(10), 0, at) + 1}: {function}(): {name}")
    return places


def test_calls_of_a_vendor_are_listed(tree):
    """The calls are counted apart, with the lines of the user's own file, also if lsmpmon is in it."""
    before, *others = calls(apply(tree).stdout)
    assert others == [0, 0]
    change.unapply(tree)
    lines = vendors_lines(tree)
    for word in ("applied", "already applied"):
        done = apply(tree)
        assert done.returncode == 0 and f"lsmpmon: {word} to " in done.stdout
        assert calls(done.stdout) == (before, 0, 2)
        assert re.findall(r"^lsmpmon: (security/.*): no hook\b.*$", done.stdout, re.M) == lines


NAMED = "vendor_bprm_check vendor_ops->permission=acme"


def test_calls_of_a_vendor_are_measured_under_their_names(tree):
    vendors_lines(tree)
    before = contents(tree)
    done = apply(tree, named=NAMED)
    assert calls(done.stdout)[1:] == (2, 0), done.stdout + done.stderr
    patched = (tree / SECURITY).read_text()
    assert "if (lsmpmon_named(bprm_check_security, vendor, vendor_bprm_check(bprm))) /*" in patched
    assert "lsmpmon_named_void(inode_permission, acme, vendor_ops->permission(inode, mask));" in patched
    header = (tree / "include/linux/lsmpmon_named.h").read_text()
    assert "X(bprm_check_security, 4, vendor, CONFIG_SECURITY)" in header and '",vendor,acme"' in header
    again = subprocess.run([REPO / "scripts/lab", "hooks-diff", tree, tree], capture_output=True, text=True)
    assert again.returncode == 0 and "no hook" not in again.stdout
    assert calls(apply(tree, named="vendor_bprm_check").stdout)[1:] == (1, 1)
    assert calls(apply(tree).stdout)[1:] == (0, 2)
    change.unapply(tree)
    assert contents(tree) == before


@pytest.mark.parametrize("named, word", [
    ("vendor_gone", "NAMED has vendor_gone, which no function security_"), ("a-b", "NAMED has 'a-b'; accepted: "),
    ("vendor_bprm_check=7", "NAMED has 'vendor_bprm_check=7'")])
def test_names_that_are_refused(tree, named, word):
    vendors_lines(tree)
    refused(tree, word, named=named)


def test_two_calls_of_a_vendor_in_one_hook(tree):
    edit(tree / SECURITY, r"(int security_bprm_check\([^)]*\)\n{\n(?:\tint ret;\n\n)?)",
         r"\1\tif (vendor_one(bprm))\n\t\treturn -EPERM;\n\tvendor_two(bprm);\n")
    refused(tree, "NAMED: bprm_check_security calls vendor twice; =MODULE", named="vendor_one vendor_two")
    assert calls(apply(tree, named="vendor_one vendor_two=second").stdout)[1:] == (2, 0)


LOOP = """
int security_new(struct file *file)
{{
	{type} *p;
	int rc = 0;

	{loop}
		rc = {callback}(file);{after}
	return rc;
}}
"""


def loop(lists, between="", after="", hook="file_open"):
    head = f"hlist_for_each_entry(p, &security_hook_heads.{hook}, list)" if lists else f"lsm_for_each_hook(p, {hook})"
    return LOOP.format(type="struct security_hook_list" if lists else "struct lsm_static_call", loop=head + between,
                       callback=f"p->hook.{hook}" if lists else f"p->hl->hook.{hook}", after=after)


def test_loop_in_a_function_that_is_static(tree, lists):
    """The twin of the function takes the parameters as they are, and its type without the words before that."""
    append(tree, loop(lists).replace("int security_new(struct file *file)", "static __cold const char *\nnew(struct file *file, int (*fn)(int *, char), u8 name[2])"))
    assert ("LSMPMON_TWIN(const char *, new, (file, fn, name), struct file *file, int (*fn)(int *, char),\n"
            "\t     u8 name[2])\n{") in measured(tree)


@pytest.mark.parametrize("parameters", ["void", "struct file *file, ..."])
def test_loop_in_a_function_whose_parameters_have_no_names(tree, lists, parameters):
    append(tree, loop(lists).replace("security_new(struct file *file)", f"security_new({parameters})"))
    refused(tree, r"rule 'give functions with loops.*security\.c:\d+: the head of security_new\(\) has no parameters")


def test_one_twin_for_two_loops(tree, lists):
    whole = loop(lists)
    body = whole[whole.index("\n\n\t") + 2:whole.rindex("\treturn")]
    append(tree, whole.replace(body, body * 2))
    assert measured(tree).count("LSMPMON_TWIN(int, security_new,") == 1


@pytest.mark.parametrize("between", ["", " /* and\n\t * so on */", " { /* why */"])
def test_new_loop(tree, lists, between):
    append(tree, loop(lists, between, "\n\t}" * ("{" in between)))
    assert "rc = lsmpmon_callback(p, file_open, file);" in measured(tree)


def test_new_hook(tree, lists):
    with open(tree / "include/linux/lsm_hook_defs.h", "a") as file:
        file.write("LSM_HOOK(int, 0, brand_new, struct file *file)\n")
    refused_or_unused = apply(tree)
    assert "nothing calls brand_new" in refused_or_unused.stdout
    change.unapply(tree)
    append(tree, f"int security_brand_new(void)\n{{\n\treturn call_int_hook(brand_new, {'0, ' * lists}NULL);\n}}\n")
    measured(tree)


def test_removed_loop(tree, lists):
    text = (tree / SECURITY).read_text()
    function = re.search(r"^int security_task_prctl\(.*?^}\n", text, re.M | re.S)[0]
    (tree / SECURITY).write_text(text.replace(
        function, "int security_task_prctl(int option)\n{\n"
                  f"\treturn call_int_hook(task_prctl, {'-ENOSYS, ' * lists}option);\n}}\n"))
    measured(tree)


def test_windows_line_ends(tree):
    for path in (SECURITY, "io_uring/io_uring.c", "security/Makefile"):
        (tree / path).write_bytes((tree / path).read_bytes().replace(b"\n", b"\r\n"))
    before = contents(tree)
    assert apply(tree).returncode == 0
    assert b"\tLSMPMON_LOOP(" in (tree / SECURITY).read_bytes()
    assert (tree / SECURITY).read_bytes().count(b"\n") == (tree / SECURITY).read_bytes().count(b"\r\n")
    change.unapply(tree)
    assert contents(tree) == before


def test_mixed_line_ends(tree):
    (tree / SECURITY).write_bytes((tree / SECURITY).read_bytes().replace(b"\n", b"\r\n", 1))
    refused(tree, "security.c: lines end in two ways")


def test_second_dispatching_macro(tree, lists):
    text = (tree / SECURITY).read_text()
    macro = re.search(r"^#define call_int_hook\((?:.*\\\n)*.*\n", text, re.M)[0]
    (tree / SECURITY).write_text(text.replace(macro, macro + macro.replace("call_int_hook", "call_other_hook")))
    refused(tree, r"security\.c:\d+: call_other_hook\(\): ")


@pytest.mark.parametrize("old, new, words", [
    (r"#define call_int_hook\(", "#define call_some_hook(", ["measure hooks with a verdict", r"nothing found in call_int_hook\(\) of"]),
    (r"int __init security_init\(", "int __init security_start(", ["rule 'initialise the monitor': nothing found"]),
    (r"int __init early_security_init\(", "int __init first_security_init(", ["reserve room in the blob of each task': nothing found"]),
    (r"#include <linux/lsm_hooks.h>\n", "#include <linux/lsm_hooks.h>\n" * 2, ["declare the monitor where tasks get their blobs", "found 2 times"]),
])
def test_place_that_is_not_there(tree, old, new, words):
    path = SECURITY if re.search(old, (tree / SECURITY).read_text()) else "security/lsm_init.c"
    edit(tree / path, old, new)
    refused(tree, "rule '", *words)


def test_verdict_that_ends_otherwise(tree):
    """lsmpmon must repeat what the kernel does."""
    edit(tree / SECURITY, r"(if \()(RC|R)( != )", r"\1\2 > 0 && \2\3")
    refused(tree, "rule '.*verdict")


def test_call_that_is_no_statement(tree):
    edit(tree / "io_uring/io_uring.c", r"\tret = def->issue\(", "\tif (def)\n\t\tret = def->issue(")
    refused(tree, "rule 'name the operation at work': io_uring/io_uring.c:\\d+: is not a statement of its own")


# What Linux had before 5.19 instead of a table of operations, and before 6.1 instead of one line for each list.
SWITCH = """#include <linux/io_uring.h>

static int io_issue_sqe(struct io_kiocb *req, unsigned int issue_flags)
{
	const struct cred *creds = NULL;
	int ret;

	switch (req->opcode) {
	case IORING_OP_NOP:
		ret = io_nop(req, issue_flags);
		break;
	default:
		ret = -EINVAL;
	}

	if (creds)
		revert_creds(creds);
	return ret;
}
"""
ARRAY = """	struct hlist_head *list = (struct hlist_head *)&security_hook_heads;
	int i;

	for (i = 0; i < sizeof(security_hook_heads) / sizeof(*list); i++)
		INIT_HLIST_HEAD(&list[i]);
"""
BEST_EFFORT = "best effort: nothing before Linux 6.1 is tested"


@pytest.fixture(params=["io_uring/io_uring.c", "fs/io_uring.c"])
def old(tree, lists, request):
    """Make a tree of Linux 5.15 of another one, and return it with the path of its file of io_uring."""
    edit(tree / "Makefile", r"VERSION = \d+\nPATCHLEVEL = \d+", "VERSION = 5\nPATCHLEVEL = 15")
    makefile = tree / "security/Makefile"
    makefile.write_text(re.sub(r"(\+= security\.o) .*", r"\1", makefile.read_text()))
    (tree / "io_uring/io_uring.c").unlink()
    (tree / request.param).parent.mkdir(exist_ok=True)
    (tree / request.param).write_text(SWITCH)
    if lists:
        edit(tree / SECURITY, r'#define LSM_HOOK\((?:.*\\\n)*.*\n#include "linux/lsm_hook_defs.h"\n#undef LSM_HOOK\n(?=\n\tfor )', ARRAY)
    return tree, request.param


def test_old_kernel(old):
    tree, path = old
    measured(tree)
    printed = apply(tree).stdout
    assert re.search(r"^lsmpmon: Linux 5\.15\.\d+ \(not among the tested versions\): ", printed) and f"\nlsmpmon: {BEST_EFFORT}" in printed
    assert re.search(r"lsmpmon_uring_begin\(req->opcode\);\n\tswitch .*}\n\n\tlsmpmon_uring_end\(\);\n\tif \(creds\)",
                     (tree / path).read_text(), re.S)
    assert "ifdef CONFIG_SECURITY_LSMPMON\nCFLAGS_security.o" in (tree / "security/Makefile").read_text()


def test_a_tested_kernel_is_no_best_effort(tree):
    assert "best effort" not in apply(tree).stdout


def test_old_kernel_whose_operations_end_elsewhere(old):
    tree, path = old
    edit(tree / path, "\t\trevert_creds", "\t\tforget(creds);\n\tif (ret)\n\t\trevert_creds")
    refused(tree, "rule 'the end of the operation at work': nothing found")


def test_old_kernel_that_calls_a_hook_where_lists_are_made(old, lists):
    tree, _ = old
    if not lists:
        pytest.skip("lists are made before Linux 6.12")
    edit(tree / SECURITY, r"\t\tINIT_HLIST_HEAD\(&list\[i\]\);\n", r"\g<0>\tcall_some(security_hook_heads.file_open);\n")
    refused(tree, r"early_security_init\(\): file_open: ")


def test_loop_that_calls_in_another_function(tree, lists):
    append(tree, loop(lists).replace("rc = p->hook.file_open(file)", "rc = other(p)").replace(
        "rc = p->hl->hook.file_open(file)", "rc = other(p)"))
    refused(tree, r"rule 'measure callbacks in .*security\.c:\d+: has no ")


def test_loop_elsewhere(tree, lists):
    (tree / "kernel").mkdir(exist_ok=True)
    (tree / "kernel/new.c").write_text(loop(lists))
    refused(tree, r"kernel/new\.c:\d+: security_new\(\): file_open: ")


def test_module_called_by_name_without_a_hook(tree, lists):
    append(tree, "\nint security_new(struct file *file)\n{\n\treturn ima_new(file);\n}\n")
    refused(tree, r"security\.c:\d+: security_new\(\)" if lists else "ima_new: called by name")


def test_module_called_by_name_in_a_hook_that_is_not_known(tree, lists):
    if not lists:
        pytest.skip("modules are called by name before Linux 6.9")
    append(tree, "\nint security_new(struct file *file)\n{\n\tint rc = call_int_hook(file_open, 0, file);\n\n"
                 "\tif (rc)\n\t\treturn rc;\n\treturn ima_new(file);\n}\n")
    refused(tree, r"security\.c:\d+: file_open calls ima by name, which lsmpmon_lists.h does not know")


def test_long_calls_are_broken_between_arguments():
    words = [f"argument{n}" for n in range(10)]
    lines = laid_out(8, "call(", words).expandtabs(8).split("\n")
    assert max(map(len, lines)) <= 92 and lines[1].startswith(" " * 13 + "argument")
    assert "".join(" ".join(line.split()) + " " for line in lines).strip() == f"call({', '.join(words)})"
