/* SPDX-License-Identifier: GPL-2.0-only */
/* Parameters that bpf-deny sets before loading its programs. */
#ifndef BPF_DENY_H
#define BPF_DENY_H

/* No inode has number 0, so 0 allows everything, and the verifier removes the comparison. */
struct denied {
	unsigned long long inode;
	unsigned int device;
};

#endif
