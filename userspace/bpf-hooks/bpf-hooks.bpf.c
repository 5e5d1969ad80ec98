// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls and time by function, as lean as BPF can be: no key but the function, no history. So a call
 * that is inside another of the same function, or switched out for one, spoils the time of both.
 */

#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include "bpf-hooks.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);	/* bpf-hooks sets it */
	__type(key, __u32);
	__type(value, struct cost);
} costs SEC(".maps");

/* The cookie is the number of the function. */
static __always_inline struct cost *cost_of(struct pt_regs *ctx)
{
	__u32 function = bpf_get_attach_cookie(ctx);

	return bpf_map_lookup_elem(&costs, &function);
}

SEC("kprobe.multi")
int enter(struct pt_regs *ctx)
{
	struct cost *cost = cost_of(ctx);

	if (cost)
		cost->begin = bpf_ktime_get_ns();
	return 0;
}

SEC("kretprobe.multi")
int leave(struct pt_regs *ctx)
{
	struct cost *cost = cost_of(ctx);
	__u64 took;

	if (!cost)
		return 0;
	took = bpf_ktime_get_ns() - cost->begin;
	cost->count++;
	cost->sum += took;
	/* Without a call, min is 0, and one less is the largest number. */
	if (took - 1 < cost->min - 1)
		cost->min = took;
	if (took > cost->max)
		cost->max = took;
	return 0;
}

const char LICENSE[] SEC("license") = "GPL";
