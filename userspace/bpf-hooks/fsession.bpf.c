// SPDX-License-Identifier: GPL-2.0-only
/*
 * One program at the beginning and the end of a function, from Linux 7.0 on. Each call keeps its
 * beginning on its own stack, so no call spoils the time of another.
 */

#include <stdbool.h>
#include "costs.bpf.h"

extern bool bpf_session_is_return(void *ctx) __ksym;
extern __u64 *bpf_session_cookie(void *ctx) __ksym;

/* The number of the function, which bpf-hooks sets before it loads the program. */
const volatile __u32 function;

SEC("fsession")
int enter_and_leave(void *ctx)
{
	__u64 *begin = bpf_session_cookie(ctx);
	__u32 key = function;
	struct cost *cost;

	if (!bpf_session_is_return(ctx)) {
		*begin = bpf_ktime_get_ns();
		return 0;
	}
	cost = bpf_map_lookup_elem(&costs, &key);
	if (cost)
		add(cost, bpf_ktime_get_ns() - *begin);
	return 0;
}

const char LICENSE[] SEC("license") = "GPL";
