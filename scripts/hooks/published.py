# SPDX-License-Identifier: GPL-2.0-only
"""What the 2021 paper counted in Linux 5.3: its Tables 2 and 5.

Zhang, Liu, Jaeger: Analyzing the Overhead of File Protection by Linux Security
Modules, ASIA CCS 2021.
"""

KERNEL = "5.3"
FRAMEWORK = 224
# Hooks, lines, lines a hook.
MODULES = {
    "capability": (18, 767, 43),
    "selinux": (204, 21266, 104),
    "apparmor": (68, 11918, 175),
    "smack": (108, 5369, 50),
    "tomoyo": (28, 8245, 295),
    "integrity": (12, 6107, 509),
}
COLUMNS = ("capability", "selinux", "apparmor", "smack", "tomoyo", "yama", "evm", "ima")
CATEGORIES = {
    "inode": (3, 31, 1, 22, 1, 0, 5, 2),
    "dentry": (0, 2, 0, 1, 0, 0, 0, 0),
    "file": (0, 10, 7, 8, 3, 0, 0, 3),
    "superblock": (0, 13, 3, 6, 3, 0, 0, 0),
    "mmap": (2, 2, 1, 2, 0, 0, 0, 1),
    "path": (0, 0, 10, 0, 11, 0, 0, 0),
    "bprm": (1, 3, 3, 1, 2, 0, 0, 1),
    "task": (5, 15, 5, 12, 2, 2, 0, 0),
    "proc": (0, 2, 0, 2, 0, 0, 0, 0),
    "ptrace": (2, 2, 0, 2, 0, 2, 0, 0),
    "cap": (3, 3, 2, 0, 0, 0, 0, 0),
    "seclabel": (0, 3, 0, 3, 0, 0, 0, 0),
    "cred": (0, 3, 4, 5, 1, 0, 0, 0),
    "audit": (0, 4, 4, 3, 0, 0, 0, 0),
}
FILE_ACCESSING = (4, 59, 24, 38, 20, 0, 5, 6)
TOTAL = (18, 204, 68, 108, 28, 4, 5, 7)
SUMS = {"file accessing": FILE_ACCESSING, "total": TOTAL}


def by_category(row, module):
    """A number of Table 5, or None."""
    numbers = {**CATEGORIES, **SUMS}.get(row)
    return numbers[COLUMNS.index(module)] if numbers and module in COLUMNS else None
