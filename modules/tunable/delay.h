/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: delays of hooks
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

/* Pseudo-hook for measuring the wait itself. */
#define TUNABLE_HOOK_SELF	TUNABLE_HOOKS
#define TUNABLE_CELLS		(TUNABLE_HOOKS + 1)

/**
 * struct tunable_stats - statistics of a hook
 * @calls: number of calls
 * @waits: number of calls that waited
 * @waited_ns: total time of waits
 */
struct tunable_stats {
	unsigned long calls;
	unsigned long waits;
	u64 waited_ns;
};

extern unsigned long tunable_delays[TUNABLE_CELLS];

/* Whether a hook has a delay or a burden, and whether it has a burden. */
extern bool tunable_is_set[TUNABLE_CELLS];
extern bool tunable_is_burdened[TUNABLE_CELLS];

DECLARE_PER_CPU(unsigned long[TUNABLE_CELLS], tunable_calls);

int tunable_parse_number(const char *text, unsigned long most,
			 unsigned long *number);
int tunable_parse_ns(const char *text, unsigned long *ns);
void tunable_note_settings(enum tunable_hook hook);
u64 tunable_wait(u64 begin, unsigned long ns, bool may_sleep);
void tunable_meet(enum tunable_hook hook, const struct inode *inode, bool may_sleep);
bool tunable_has_to_sleep(enum tunable_hook hook, const struct inode *inode);
void tunable_calibrate(void);
void tunable_read_stats(enum tunable_hook hook, struct tunable_stats *stats);

/**
 * tunable_delay - wait, as the first thing in each callback that can
 * @hook: the hook
 * @inode: the object, whose label must be in the scope; NULL if there is none
 * @may_sleep: other tasks may run instead
 */
static __always_inline void tunable_delay(enum tunable_hook hook,
					  const struct inode *inode,
					  bool may_sleep)
{
	this_cpu_inc(tunable_calls[hook]);
	if (unlikely(READ_ONCE(tunable_is_set[hook])))
		tunable_meet(hook, inode, may_sleep);
}

#endif /* _SECURITY_TUNABLE_DELAY_H */
