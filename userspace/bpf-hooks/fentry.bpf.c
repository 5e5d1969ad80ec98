// SPDX-License-Identifier: GPL-2.0-only
/*
 * As multi.bpf.c, but attached where the function begins and ends, without a probe. Each function
 * has programs of its own. Calls spoil each other's times as there.
 */

#include "costs.bpf.h"

/* The number of the function, which bpf-hooks sets before it loads the programs. */
const volatile __u32 function;

static __always_inline struct cost *cost_of_function(void)
{
	__u32 key = function;

	return bpf_map_lookup_elem(&costs, &key);
}

SEC("fentry")
int enter(void *ctx)
{
	struct cost *cost = cost_of_function();

	if (cost)
		cost->begin = bpf_ktime_get_ns();
	return 0;
}

SEC("fexit")
int leave(void *ctx)
{
	struct cost *cost = cost_of_function();

	if (cost)
		add(cost, bpf_ktime_get_ns() - cost->begin);
	return 0;
}

const char LICENSE[] SEC("license") = "GPL";
