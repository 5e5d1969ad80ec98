/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#define O_CREAT		00000100	/* not fcntl */
#define O_TRUNC		00001000	/* not fcntl */
#define O_PATH		010000000
