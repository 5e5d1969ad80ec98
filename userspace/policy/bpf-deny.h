/* SPDX-License-Identifier: GPL-2.0-only */
/* What bpf-deny tells its programs: parameters before it loads them, and then the other directories. */
#ifndef BPF_DENY_H
#define BPF_DENY_H

/* A directory: the number of its inode, and its device as the kernel writes it. */
struct place {
	unsigned long long inode;
	unsigned int device;
	unsigned int zero;	/* keys are compared as bytes */
};

/*
 * No inode has number 0, so 0 allows everything, and the verifier removes the comparison;
 * likewise the look-up, where there are no other directories.
 */
struct denied {
	struct place place;
	unsigned int others;
};

#endif
