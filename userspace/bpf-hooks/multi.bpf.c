// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls and time by function, as lean as BPF can be: no key but the function, no history. So a call
 * that is inside another of the same function, or switched out for one, spoils the time of both.
 */

#include "costs.bpf.h"

/* The cookie is the number of the function. */
static __always_inline struct cost *cost_of(void *ctx)
{
	__u32 function = bpf_get_attach_cookie(ctx);

	return bpf_map_lookup_elem(&costs, &function);
}

SEC("kprobe.multi")
int enter(void *ctx)
{
	struct cost *cost = cost_of(ctx);

	if (cost)
		cost->begin = bpf_ktime_get_ns();
	return 0;
}

SEC("kretprobe.multi")
int leave(void *ctx)
{
	struct cost *cost = cost_of(ctx);

	if (cost)
		add(cost, bpf_ktime_get_ns() - cost->begin);
	return 0;
}

const char LICENSE[] SEC("license") = "GPL";
