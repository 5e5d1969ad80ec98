# SPDX-License-Identifier: GPL-2.0-only
"""The security.c of a vendor, whose functions security_*() call others by name, compiles with these calls measured."""

import re
import shutil
import subprocess

import pytest
from kernels import REPO, pristine

from lsmlab.kernel.objects import matrix
from lsmlab.kernel.objects.build import Objects, warnings
from lsmlab.places import CACHE

SECURITY = "security/security.c"
# Functions in security.c of the vendor: some have a verdict, and one, which is called through a pointer, has none.
THEIRS = """
static noinline int vendor_mprotect(struct vm_area_struct *vma)
{
	return vma->vm_flags & VM_IO ? -EPERM : 0;
}

static noinline void vendor_permission(struct inode *inode, int mask)
{
	barrier();
}

static noinline int acme_memory(struct mm_struct *mm)
{
	return mm ? 0 : -ENOMEM;
}

static const struct vendor_ops {
	void (*permission)(struct inode *inode, int mask);
} vendor_table = { .permission = vendor_permission }, *vendor_ops = &vendor_table;

"""
# The last function has a loop of its own over the callbacks.
CALLS = {"security_file_mprotect": "\tif (vendor_mprotect(vma))\n\t\treturn -EPERM;\n",
         "security_inode_permission": "\tvendor_ops->permission(inode, mask);\n",
         "security_vm_enough_memory_mm": "\tif (acme_memory(mm))\n\t\treturn -ENOMEM;\n"}
NAMED = "vendor_mprotect vendor_ops->permission=other acme_memory"
# Behind the head of a function, up to its first statement.
DECLARATIONS = r"\([^)]*\)\n{\n(?:(?:\t[\w ]+[ *]\w+(?: = [^;]+)?;\n)+\n)?"


@pytest.fixture
def vendors(version):
    """Yield a tree of the vendor's, which shares all other files with the pristine one."""
    source = pristine(version)
    tree = CACHE / "trees" / f"{source.name}-vendor"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["cp", "-al", source, tree], check=True)
    text = (tree / SECURITY).read_text()
    for function, code in CALLS.items():
        at = re.search(rf"^int {function}{DECLARATIONS}", text, re.M).end()
        text = text[:at] + code + text[at:]
    at = re.search(r"^#include <[^>]*>\n(?!#include)", text, re.M).end()
    (tree / SECURITY).unlink()
    (tree / SECURITY).write_text(text[:at] + THEIRS + text[at:])
    yield tree
    shutil.rmtree(tree)


@pytest.mark.full
def test_calls_by_name_compile(version, vendors):
    done = subprocess.run([REPO / "scripts/tree", f"--named={NAMED}", "apply", vendors], capture_output=True, text=True)
    assert done.returncode == 0 and re.search(r"\b3 calls by name\n", done.stdout), done.stdout + done.stderr
    objects, config = Objects(vendors, "x86_64"), matrix.configs(version)["all"]
    objects.configure(config.lines, config.wanted)
    output = objects.compile([SECURITY.replace(".c", ".o"), "security/lsmpmon/"], "W=1")
    assert [path for path, _ in warnings(output, vendors) if path == SECURITY or "lsmpmon" in path] == [], output
    defined, _ = objects.symbols([SECURITY.replace(".c", ".o")])
    assert {f"lsmpmon_twin_{function}" for function in CALLS} <= defined
