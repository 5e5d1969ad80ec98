/* SPDX-License-Identifier: GPL-2.0-only */
/* What bpf-deny tells its programs before they are loaded. */
#ifndef BPF_DENY_H
#define BPF_DENY_H

/* No inode has number 0: all is allowed then, and the verifier takes the comparison out. */
struct denied {
	unsigned long long inode;
	unsigned int device;
};

#endif
