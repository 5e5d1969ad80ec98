/* SPDX-License-Identifier: GPL-2.0-only */
/* What all programs count. */
#ifndef COSTS_BPF_H
#define COSTS_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf-hooks.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);	/* bpf-hooks has one for all functions in its place */
	__type(key, __u32);
	__type(value, struct cost);
} costs SEC(".maps");

static __always_inline void add(struct cost *cost, __u64 took)
{
	cost->count++;
	cost->sum += took;
	/* Without a call, min is 0, and one less is the largest number. */
	if (took - 1 < cost->min - 1)
		cost->min = took;
	if (took > cost->max)
		cost->max = took;
}

#endif
