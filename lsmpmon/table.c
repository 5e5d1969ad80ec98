// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: a table with lines for each hook
 */

#include "control.h"
#include "table.h"

/* Position 0 is the header, position n + 1 is hook n. */
static void *lsmpmon_hook_at(loff_t pos)
{
	if (pos == 0)
		return SEQ_START_TOKEN;
	return pos <= LSMPMON_HOOKS ? (void *)lsmpmon_hook_name(pos - 1) : NULL;
}

/**
 * lsmpmon_hooks_start - seq_file start over the header and all hooks
 * @m: the file
 * @pos: position
 *
 * Resets are locked out until lsmpmon_hooks_stop(), so that no line mixes counters
 * from before and after a reset.
 *
 * Context: process context, may sleep.
 * Return: SEQ_START_TOKEN for the header, the name of a hook, NULL at the end.
 */
void *lsmpmon_hooks_start(struct seq_file *m, loff_t *pos)
{
	lsmpmon_control_lock();
	return lsmpmon_hook_at(*pos);
}

/**
 * lsmpmon_hooks_next - seq_file next over the header and all hooks
 * @m: the file
 * @v: current element
 * @pos: position, incremented
 *
 * Context: process context.
 * Return: the next element, as lsmpmon_hooks_start().
 */
void *lsmpmon_hooks_next(struct seq_file *m, void *v, loff_t *pos)
{
	return lsmpmon_hook_at(++*pos);
}

/**
 * lsmpmon_hooks_stop - seq_file stop; allows resets again
 * @m: the file
 * @v: current element
 *
 * Context: process context.
 */
void lsmpmon_hooks_stop(struct seq_file *m, void *v)
{
	lsmpmon_control_unlock();
}
