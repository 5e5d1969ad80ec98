// SPDX-License-Identifier: GPL-2.0-only
/* For the tests, attached by bpf-deny: two programs on hooks, of which one goes round a loop ten times as often as the other. */

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define ROUNDS_OPEN 1000
#define ROUNDS_EXEC 10000

/* Two instructions of BPF a round, which no compiler changes. */
static __always_inline void spin(__u64 rounds)
{
	asm volatile("again_%=:\n"
		     "%[rounds] += -1\n"
		     "if %[rounds] != 0 goto again_%=\n" : [rounds] "+r"(rounds));
}

SEC("lsm/file_open")
int loop_open(void *ctx)
{
	spin(ROUNDS_OPEN);
	return 0;
}

SEC("lsm/bprm_check_security")
int loop_exec(void *ctx)
{
	spin(ROUNDS_EXEC);
	return 0;
}

const char LICENSE[] SEC("license") = "GPL";
