// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/calls
 *
 * Whole system calls are timed between the kernel's tracepoints at entry and exit,
 * by the same clock as the hook calls inside them.  This gives the share that hooks
 * have in each system call.
 */

#include <linux/lsmpmon_task.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <trace/events/syscalls.h>

#include "calls.h"
#include "clock.h"
#include "control.h"
#include "files.h"
#include "inject.h"
#include "keys.h"
#include "operation.h"
#include "select.h"
#include "share.h"
#include "time.h"
#include "times.h"
#include "write.h"

#if LSMPMON_HAS_CALLS

static unsigned long lsmpmon_context_switches(void)
{
	return current->nvcsw + current->nivcsw;
}

static void lsmpmon_begin_call(void *data, struct pt_regs *regs, long id)
{
	struct lsmpmon_call *call = &lsmpmon_of(current)->call;

	/* Not on yet on this CPU: hook calls inside would not be counted. */
	if (!static_branch_likely(&lsmpmon_calls_on))
		return;
	/* While there is no begin, nothing adds to the delay. */
	WRITE_ONCE(call->begin, 0);
	barrier();
	call->operation = lsmpmon_system_call(id, syscall_get_arch(current));
	call->hook_count = 0;
	call->hook_sum = 0;
	call->hook_away = 0;
	call->delay = (struct lsmpmon_delay){ };
	call->switches = lsmpmon_context_switches();
	barrier();
	WRITE_ONCE(call->begin, lsmpmon_clock());
}

/* Times of a system call that was disturbed; NULL if it was not. */
static const struct lsmpmon_time *
lsmpmon_call_time(const struct lsmpmon_call *call, u64 begin, u64 now,
		  struct lsmpmon_time *time)
{
	const bool switched = call->switches != lsmpmon_context_switches();
	struct lsmpmon_delay delay = call->delay;

	if (unlikely(lsmpmon_went_back(now - begin)))
		return &lsmpmon_no_time;
	if (!switched && !delay.irq && !delay.unknown)
		return NULL;
	/* An interrupt came between reading the clock and the end: it is in the delay. */
	if (unlikely(lsmpmon_went_back(now - delay.until)))
		delay.unknown = true;
	delay.since = begin;
	delay.until = now;
	*time = (struct lsmpmon_time){
		.wall = now - begin,
		.disturbance = switched ? LSMPMON_SWITCHED : LSMPMON_INTERRUPTED,
	};
	lsmpmon_time_own(time, begin, &delay);
	return time;
}

/* Which tenth of @own, as 0 to 9, the ticks of hooks are in; without division. */
static unsigned int lsmpmon_tenth(u64 hooks, u64 own)
{
	unsigned int tenth = 0;
	u64 bound = own;

	while (tenth < LSMPMON_TENTHS - 1 && hooks * LSMPMON_TENTHS >= bound) {
		bound += own;
		tenth++;
	}
	return tenth;
}

static void lsmpmon_count_switched(struct lsmpmon_share *share,
				   const struct lsmpmon_call *call)
{
	share->cs_count++;
	share->cs_hook_count += call->hook_count;
	share->cs_hook_sum += call->hook_sum;
}

static void lsmpmon_count_unswitched(struct lsmpmon_share *share,
				     const struct lsmpmon_call *call, u64 ticks)
{
	share->count++;
	share->sum += ticks;
	share->hook_count += call->hook_count;
	share->hook_sum += call->hook_sum;
}

static void lsmpmon_count_call(const struct lsmpmon_call *call, u64 ticks,
			       const struct lsmpmon_time *time)
{
	struct lsmpmon_share *share =
		&raw_cpu_read(lsmpmon_cpu.share)[call->operation];
	const u64 own = call->hook_sum - call->hook_away;

	if (lsmpmon_is_switched(time))
		lsmpmon_count_switched(share, call);
	else
		lsmpmon_count_unswitched(share, call, ticks);
	share->hook_own += own;
	if (time)
		lsmpmon_times_count(&share->times, time);
	if (time && time->backwards)
		lsmpmon_add(raw_cpu_ptr(&lsmpmon_cpu.backwards), 1);
	if (!time || !time->unknown)
		share->tenth[lsmpmon_tenth(own, time ? time->own : ticks)]++;
}

/* The filter selects a system call by its object if it selects a hook call inside. */
static bool lsmpmon_is_selected(const struct lsmpmon_call *call)
{
	if (!static_branch_unlikely(&lsmpmon_examined))
		return true;
	switch (lsmpmon_select()) {
	case LSMPMON_SELECTED:
		return true;
	case LSMPMON_NEEDS_OBJECT:
		return call->hook_count;
	default:
		return false;
	}
}

static void lsmpmon_end_call(void *data, struct pt_regs *regs, long ret)
{
	u64 now = lsmpmon_clock();
	struct lsmpmon_call *call = &lsmpmon_of(current)->call;
	const u64 begin = call->begin;
	const struct lsmpmon_time *time;
	struct lsmpmon_time storage;

	if (!call->begin)
		return;
	WRITE_ONCE(call->begin, 0);
	barrier();	/* the delay is complete */
	/* During a session, the probes may stay while the feature is off. */
	if (!static_branch_likely(&lsmpmon_calls_on) || !lsmpmon_is_selected(call))
		return;
	if (!lsmpmon_write_lock())
		return;
	time = lsmpmon_call_time(call, begin, now, &storage);
	lsmpmon_count_call(call, now - begin, time);
	lsmpmon_write_unlock();
}

/**
 * lsmpmon_calls_switch - start or stop measuring whole system calls
 * @on: new state
 *
 * Context: process context, may sleep.
 * Return: 0 or the error of registering with a tracepoint.
 */
int lsmpmon_calls_switch(bool on)
{
	int err;

	if (!on) {
		unregister_trace_sys_exit(lsmpmon_end_call, NULL);
		unregister_trace_sys_enter(lsmpmon_begin_call, NULL);
		tracepoint_synchronize_unregister();
		return 0;
	}
	err = lsmpmon_inject(LSMPMON_REGISTERING) ?:
		register_trace_sys_exit(lsmpmon_end_call, NULL);
	if (err)
		return err;
	err = register_trace_sys_enter(lsmpmon_begin_call, NULL);
	if (err)
		unregister_trace_sys_exit(lsmpmon_end_call, NULL);
	return err;
}

static void lsmpmon_share_add(struct lsmpmon_share *total,
			      const struct lsmpmon_share *share)
{
	int i;

	total->count += share->count;
	total->sum += share->sum;
	total->hook_count += share->hook_count;
	total->hook_sum += share->hook_sum;
	total->cs_count += share->cs_count;
	lsmpmon_times_add(&total->times, &share->times);
	total->cs_hook_count += share->cs_hook_count;
	total->cs_hook_sum += share->cs_hook_sum;
	total->hook_own += share->hook_own;
	for (i = 0; i < LSMPMON_TENTHS; i++)
		total->tenth[i] += share->tenth[i];
}

static void lsmpmon_share_read(unsigned int operation, struct lsmpmon_share *total)
{
	int cpu;

	*total = (struct lsmpmon_share){ };
	lsmpmon_store_hold();
	for_each_possible_cpu(cpu) {
		struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
		struct lsmpmon_share copy;

		if (!READ_ONCE(c->share))
			continue;
		lsmpmon_copy(c, &c->share[operation], &copy, sizeof(copy));
		lsmpmon_share_add(total, &copy);
		cond_resched();
	}
	lsmpmon_store_release();
}

static void lsmpmon_show_shares_head(struct seq_file *m)
{
	int i;

	seq_printf(m, "%-24s %10s %14s %10s %14s %8s", "syscall", "count",
		   "sum", "hook_count", "hook_sum", "cs_count");
	lsmpmon_times_head(m);
	seq_printf(m, " %13s %14s %14s", "cs_hook_count", "cs_hook_sum",
		   "hook_own");
	for (i = 1; i <= LSMPMON_TENTHS; i++)
		seq_printf(m, "   share%03d", i * 100 / LSMPMON_TENTHS);
	seq_putc(m, '\n');
}

static void lsmpmon_show_share(struct seq_file *m, unsigned int operation)
{
	char name[LSMPMON_OPERATION_NAME];
	struct lsmpmon_share share;
	int i;

	lsmpmon_share_read(operation, &share);
	if (!share.count && !share.cs_count)
		return;
	lsmpmon_operation_name(operation, name, sizeof(name));
	seq_printf(m, "%-24s %10llu %14llu %10llu %14llu %8llu", name,
		   share.count, share.sum, share.hook_count, share.hook_sum,
		   share.cs_count);
	lsmpmon_times_show(m, &share.times);
	seq_printf(m, " %13llu %14llu %14llu", share.cs_hook_count,
		   share.cs_hook_sum, share.hook_own);
	for (i = 0; i < LSMPMON_TENTHS; i++)
		seq_printf(m, " %10llu", share.tenth[i]);
	seq_putc(m, '\n');
}

static int lsmpmon_calls_show(struct seq_file *m, void *v)
{
	unsigned int operation;

	lsmpmon_show_shares_head(m);
	/* Prevent resets until all lines are in the buffer of the file. */
	lsmpmon_control_lock();
	for (operation = 0; operation < LSMPMON_OPERATIONS; operation++)
		lsmpmon_show_share(m, operation);
	lsmpmon_control_unlock();
	return 0;
}

static int lsmpmon_calls_open(struct inode *inode, struct file *file)
{
	return single_open(file, lsmpmon_calls_show, NULL);
}

const struct file_operations lsmpmon_calls_fops = {
	.open		= lsmpmon_calls_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

#endif /* LSMPMON_HAS_CALLS */
