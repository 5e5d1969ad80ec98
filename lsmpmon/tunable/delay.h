/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: how long which hook waits
 */

#ifndef _SECURITY_TUNABLE_DELAY_H
#define _SECURITY_TUNABLE_DELAY_H

#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/time64.h>

#include "hook.h"

struct inode;

#define TUNABLE_MAX_NS	NSEC_PER_SEC

/* A call of no hook, by which waiting is measured. */
#define TUNABLE_HOOK_SELF	TUNABLE_HOOKS
#define TUNABLE_CELLS		(TUNABLE_HOOKS + 1)

/**
 * struct tunable_stats - what has become of the calls of a hook
 * @calls: how many there were
 * @waits: how many of them have waited
 * @waited_ns: how long, altogether
 */
struct tunable_stats {
	unsigned long calls;
	unsigned long waits;
	u64 waited_ns;
};

extern unsigned long tunable_delays[TUNABLE_CELLS];
DECLARE_PER_CPU(unsigned long[TUNABLE_CELLS], tunable_calls);

int tunable_parse_ns(const char *text, unsigned long *ns);
u64 tunable_wait(u64 begin, unsigned long ns, bool may_sleep);
void tunable_meet(enum tunable_hook hook, const struct inode *inode, bool may_sleep);
void tunable_calibrate(void);
void tunable_read_stats(enum tunable_hook hook, struct tunable_stats *stats);

/**
 * tunable_delay - what each callback of a hook that can wait does first
 * @hook: which
 * @inode: whose label decides whether there is a wait; NULL has none
 * @may_sleep: other tasks may run instead
 */
static __always_inline void tunable_delay(enum tunable_hook hook,
					  const struct inode *inode,
					  bool may_sleep)
{
	this_cpu_inc(tunable_calls[hook]);
	if (unlikely(READ_ONCE(tunable_delays[hook])))
		tunable_meet(hook, inode, may_sleep);
}

#endif /* _SECURITY_TUNABLE_DELAY_H */
