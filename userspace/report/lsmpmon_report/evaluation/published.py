# SPDX-License-Identifier: GPL-2.0-only
"""Figures of two papers, to stand beside ours.

L10: Yamamoto & Yamauchi, "Evaluation of Performance of Secure OS using Performance Evaluation Mechanism of LSM-based
LSMPMON", 2010; Pentium 4, 3.0 GHz; Linux 2.6.30.4 and 2.6.19.7; LMbench, mean of 5.
Z21: Zhang, Liu & Jaeger, "Analyzing the Overhead of File Protection by Linux Security Modules", ASIA CCS 2021;
i7-6500U, 2.5 GHz; Linux 5.3.0; ext4.
H08: Howells' measurements of credentials, 2008; Core 2 Duo.
"""

from __future__ import annotations

# L10, us a call: none, SELinux, TOMOYO, LIDS; its Tables 3 (2.6.30) and 5 (2.6.19).
L10_MODULES = ("none", "SELinux", "TOMOYO", "LIDS")
L10_FILES = {
    "2.6.30": {
        "stat": (1.79, 2.67, 1.83, 2.20), "open/close": (2.74, 3.94, 4.78, 3.28),
        "read/write": (0.37, 0.47, 0.37, 0.37),
        "0 KB create": (15.16, 58.18, 53.58, 16.84), "0 KB delete": (8.20, 9.26, 33.10, 9.91),
        "10 KB create": (47.84, 89.38, 83.32, 48.42), "10 KB delete": (20.06, 20.18, 42.68, 21.16),
    },
    "2.6.19": {
        "stat": (2.64, 4.34, 2.63, 2.79), "open/close": (3.98, 6.45, 9.33, 3.96),
        "read/write": (0.58, 1.49, 0.58, 0.58),
        "0 KB create": (11.76, 42.80, 16.36, 14.00), "0 KB delete": (6.25, 11.22, 9.61, 6.67),
        "10 KB create": (34.34, 69.26, 37.78, 35.48), "10 KB delete": (16.14, 19.28, 19.02, 16.90),
    },
}
# The increase as it is printed there, in percent: SELinux, TOMOYO, LIDS.
L10_INCREASE: dict[str, dict[str, tuple[float, ...]]] = {
    "2.6.30": {
        "stat": (48, 2, 22), "open/close": (44, 75, 20), "read/write": (29, 0, 0), "0 KB create": (283, 253, 11),
        "0 KB delete": (12, 303, 21), "10 KB create": (87, 74, 1), "10 KB delete": (0.6, 112, 5),
    },
    "2.6.19": {
        "stat": (64, 0, 6), "open/close": (62, 134, 0), "read/write": (157, -1, -1), "0 KB create": (264, 39, 19),
        "0 KB delete": (80, 54, 7), "10 KB create": (102, 10, 3), "10 KB delete": (19, 18, 5),
    },
}
# L10 Table 4, us: none, SELinux, TOMOYO, LIDS; None: not implemented. file_open was dentry_open.
L10_HOOKS = {
    "path_mknod": (0.045, None, 13.609, None),
    "path_unlink": (0.035, None, 23.164, None),
    "path_truncate": (0.060, None, 13.426, None),
    "inode_init_security": (0.036, 20.658, None, None),
    "inode_create": (0.035, 19.037, None, None),
    "inode_unlink": (0.036, 0.216, None, 0.127),
    "inode_permission": (0.035, 0.159, None, 0.192),
    "file_open": (0.041, 0.222, 17.381, None),
}
# L10 Tables 6 and 7, us: by kernel, (hook, sum, count, ave) and the average sum.
L10_CALLS = {
    ("close", "selinux"): {
        "2.6.30": ([
            ("file_free", 183043.630, 1370941, 0.133), ("inode_free", 2105.578, 10458, 0.201),
            ("inode_delete", 97.809, 973, 0.100), ("sock_rcv_skb", 989.218, 8253, 0.120),
            ("sk_free", 1617.659, 5821, 0.278), ("cred_free", 10.074, 92, 0.109),
        ], 0.942),
        "2.6.19": ([
            ("file_free", 166246.612, 1591046, 0.104), ("inode_free", 2380.437, 14669, 0.162),
            ("inode_delete", 62.058, 1074, 0.058), ("sock_rcv_skb", 11027.765, 14583, 0.756),
            ("task_free", 3.907, 31, 0.126),
        ], 1.206),
    },
    ("creat", "tomoyo"): {
        "2.6.30": ([
            ("inode_permission", 127585.395, 3588000, 0.035), ("file_alloc", 31367.404, 897000, 0.035),
            ("inode_create", 31240.724, 897000, 0.035), ("inode_alloc", 31425.973, 897000, 0.035),
            ("inode_init_security", 33046.422, 897000, 0.035), ("d_instantiate", 32385.181, 898000, 0.036),
            ("path_mknod", 12207508.304, 897000, 13.609), ("dentry_open", 22372903.197, 897000, 24.942),
            ("cred_free", 0.138, 2, 0.069),
        ], 38.830),
        "2.6.19": ([
            ("inode_permission", 366962.831, 8124000, 0.045), ("file_alloc", 77799.981, 2031000, 0.038),
            ("inode_create", 5971299.965, 2031000, 2.940), ("inode_alloc", 72487.431, 2031000, 0.036),
            ("inode_init_security", 74019.938, 2031000, 0.036), ("d_instantiate", 72418.537, 2031000, 0.035),
            ("task_free", 2.593, 8, 0.324), ("task_kill", 0.402, 2, 0.201),
        ], 3.655),
    },
}
# L10 Fig. 3, the form of `result`, in cycles.
L10_RESULT = """hook           min    max  ave    count  cs_count
inode_create    97  67103  105  2725605         0
inode_link
inode_unlink    97  72728  114  2725600         0"""
# L10: places in 2.6.30 that call a hook.
L10_POINTS = 186
# L10: hooks that the modules used, 2.6.30 and 2.6.19.
L10_USED = {"SELinux": (154, 149), "TOMOYO": (14, 17), "LIDS": (46, 38)}

# Z21 Table 1, rows of 5.3.0, in percent: LSM with capability over plain DAC, and SELinux's hooks, enforcement off.
Z21_FRAMEWORK = {"open": 7.5, "stat": 1.3, "creat": 5.1, "copy": 3.6, "read": 5.5, "write": 0.6}
Z21_SELINUX = {"open": 87, "stat": 30, "creat": 15.9, "copy": 10.5, "read": 13.2, "write": 3.8}

# Z21 Table 1, the same rows as latencies and throughputs: LSM with capability, and SELinux's hooks.
Z21_LATENCIES = {
    "open": ("1.5 µs", "2.2 µs"), "stat": ("0.8 µs", "1.1 µs"), "creat": ("13 µs", "18.5 µs"),
    "copy": ("2.45 GB/s", "0.7 µs"), "read": ("10.34 GB/s", "0.36 µs"), "write": ("4.96 GB/s", "0.37 µs"),
}
# Z21, text: single modules with enforcement off.
Z21_SINGLE = {"all": "within 15 %", "read": "5.8 to 8 %"} | dict.fromkeys(
    ("mkdir", "rmdir"), "8 to 14 %, of capability, SELinux and AppArmor")
# Z21, text: the median of Smack before capability, and what the two cost each by itself.
Z21_SMACK = ("15.3 %", "Smack 1.5 %, capability 3.6 %")
# Z21 Table 3: the calls in a round of each benchmark, as far as they are named.
Z21_ROUNDS = {
    "open": "open, close", "openat": "openat, close", "rename": "rename", "creat": "rename, creat, close",
    "mkdir": "mkdir", "rmdir": "rmdir", "unlink": "open, unlink, close", "symlink": "symlink, unlink", "chmod": "chmod",
    "stat": "stat", "fstatat": "fstatat", "read": "open, read, close", "write": "open, write, close",
    "copy": "open, open, read, write, close, close",
}
# Z21, text: SELinux with audit, IMA and EVM, over a kernel without LSM.
Z21_INTEGRITY = {"chmod": "135 %"} | dict.fromkeys(("mkdir", "rmdir", "fstatat", "read", "copy", "unlink"), "over 50 %")
# Z21 Table 6.
Z21_R2 = 0.999

# Z21 Table 2: hooks, lines, lines a hook.
Z21_STATIC = {
    "capability": (18, 767, 43), "selinux": (204, 21266, 104), "apparmor": (68, 11918, 175),
    "smack": (108, 5369, 50), "tomoyo": (28, 8245, 295), "integrity": (12, 6107, 509),
}
Z21_HOOKS = 224
# Z21 Table 5: hooks by category.
Z21_COLUMNS = ("capability", "selinux", "apparmor", "smack", "tomoyo", "yama", "evm", "ima")
Z21_CATEGORIES = {
    "inode": (3, 31, 1, 22, 1, 0, 5, 2), "dentry": (0, 2, 0, 1, 0, 0, 0, 0), "file": (0, 10, 7, 8, 3, 0, 0, 3),
    "superblock": (0, 13, 3, 6, 3, 0, 0, 0), "mmap": (2, 2, 1, 2, 0, 0, 0, 1), "path": (0, 0, 10, 0, 11, 0, 0, 0),
    "bprm": (1, 3, 3, 1, 2, 0, 0, 1), "task": (5, 15, 5, 12, 2, 2, 0, 0), "proc": (0, 2, 0, 2, 0, 0, 0, 0),
    "ptrace": (2, 2, 0, 2, 0, 2, 0, 0), "cap": (3, 3, 2, 0, 0, 0, 0, 0), "seclabel": (0, 3, 0, 3, 0, 0, 0, 0),
    "cred": (0, 3, 4, 5, 1, 0, 0, 0), "audit": (0, 4, 4, 3, 0, 0, 0, 0),
    "file accessing": (4, 59, 24, 38, 20, 0, 5, 6), "total": (18, 204, 68, 108, 28, 4, 5, 7),
}
# Z21 Table 7: authorisation hooks a system call: the least that is needed, and by hook SELinux, AppArmor, Smack and
# TOMOYO.
# d is the depth of the path. They are the most of a static call graph, as printed: 3*2*dir depth for open.
Z21_CALLS = {
    "open": ("d", {"inode_permission": "3×2d 0 3×2d 0", "file_open": "3×2d 3×2d 3×2d 3×2d"}),
    "openat": ("1", {"inode_permission": "3×2 0 3×2 0", "file_open": "3×2 3×2 3×2 3×2"}),
    "close": ("0", {}),
    "creat": ("d", {"inode_permission": "d 0 d 0"}),
    "rename": ("4", {"inode_rename": "2 0 2 0", "path_rename": "0 1 0 1", "inode_permission": "5 0 5 0"}),
    "sendfile": ("2", {"file_permission": "2 2 0 0"}),
    "read": ("1", {"file_permission": "1 1 0 0"}),
    "write": ("1", {"file_permission": "1 1 0 0"}),
    "mkdir": ("d", {"path_mkdir": "0 d 0 d", "inode_mkdir": "d 0 d 0", "inode_permission": "d 0 d 0"}),
    "rmdir": ("d", {"path_rmdir": "0 d 0 d", "inode_rmdir": "d 0 d 0", "inode_permission": "d 0 d 0"}),
    "symlink": ("d", {"path_symlink": "0 d 0 d", "inode_symlink": "d 0 d 0", "inode_permission": "d 0 d 0"}),
    "unlink": ("d", {"path_unlink": "0 d 0 d", "inode_unlink": "d 0 d 0", "inode_permission": "d 0 d 0"}),
    "chmod": ("1", {"path_chmod": "0 d 0 d", "inode_permission": "d 0 d 0", "inode_setattr": "1 0 1 0"}),
    "fchmod": ("1", {"path_chmod": "0 1 0 1", "inode_permission": "1 0 1 0", "inode_setattr": "1 0 1 0"}),
    "stat": ("d", {"inode_getattr": "1 1 1 1", "inode_permission": "d 0 0 d"}),
}
Z21_CALLS_MODULES = ("selinux", "apparmor", "smack", "tomoyo")

# H08: seconds of a recursive stat-and-open walk, before and after credentials.
H08_WALK = {"SELinux": (1.1048, 1.1973), "LSM off": (1.1264, 1.1224)}
# After credentials, with a patch that makes them faster, under SELinux.
H08_PATCHED = 1.1911
