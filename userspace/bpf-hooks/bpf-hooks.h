/* SPDX-License-Identifier: GPL-2.0-only */
/* What the programs count, and bpf-hooks reads. */
#ifndef BPF_HOOKS_H
#define BPF_HOOKS_H

/* Of one function on one CPU, in ns. All 0: not called yet. */
struct cost {
	unsigned long long count, min, max, sum;
	/* When the call began that has not ended yet. */
	unsigned long long begin;
};

#endif
