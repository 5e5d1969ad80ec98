// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/syscalls
 */

#include <linux/sizes.h>

#include "control.h"
#include "feature.h"
#include "fs.h"
#include "syscall.h"

/**
 * lsmpmon_pair_count - count one call of a hook in what the task does
 * @c: this CPU, of which the caller is the writer
 * @offset: which hook, as LSMPMON_OFFSET()
 * @ticks: how long it took
 * @switched: a context switch was inside
 *
 * Context: any; called from the hot path.
 */
void lsmpmon_pair_count(struct lsmpmon_cpu *c, unsigned long offset, u64 ticks,
			bool switched)
{
	struct lsmpmon_pair *pair = c->pair;
	bool fallback;

	pair += lsmpmon_place_take(lsmpmon_places, offset / LSMPMON_OFFSET(1),
				   lsmpmon_operation(&fallback));
	c->others += !fallback;
	if (unlikely(switched))
		pair->cs_count++;
	else
		lsmpmon_pair_add(pair, ticks);
}

/* All calls, less those that were told otherwise, which cannot be more then. */
static u64 cpu_fallbacks(const struct lsmpmon_cpu *c)
{
	const struct lsmpmon_cell *cell = c->cell[0];
	u64 fallbacks = -READ_ONCE(c->others);
	size_t i;

	smp_rmb();	/* @others before the cells: they cannot be fewer */
	for (i = 0; i < LSMPMON_CELLS * LSMPMON_VERDICTS; i++)
		fallbacks += READ_ONCE(cell[i].count) +
			     READ_ONCE(cell[i].cs_count);
	return fallbacks;
}

/**
 * lsmpmon_fallbacks - calls whose system call the audit context did not know
 *
 * Context: process context.
 * Return: how many since the last reset.
 */
u64 lsmpmon_fallbacks(void)
{
	u64 fallbacks = 0;
	int cpu;

	lsmpmon_control_lock();
	for_each_possible_cpu(cpu)
		fallbacks += cpu_fallbacks(per_cpu_ptr(&lsmpmon_cpu, cpu));
	lsmpmon_control_unlock();
	return static_key_enabled(&lsmpmon_syscall_on) ? fallbacks : 0;
}

static bool is_empty(const struct lsmpmon_pair *pair)
{
	return !READ_ONCE(pair->count) && !READ_ONCE(pair->cs_count);
}

static void add(struct lsmpmon_pair *total, const struct lsmpmon_pair *pair)
{
	total->count += pair->count;
	total->sum += pair->sum;
	total->min = min(total->min, pair->min);
	total->max = max(total->max, pair->max);
	total->cs_count += pair->cs_count;
}

/* What all CPUs know of a pair. */
static void pair_read(unsigned int hook, unsigned int operation,
		      struct lsmpmon_pair *total)
{
	unsigned int place;
	int cpu;

	*total = (struct lsmpmon_pair){ .min = U64_MAX };
	place = lsmpmon_place_find(lsmpmon_places, hook, operation);
	if (place == LSMPMON_ALL_PLACES)
		return;
	for_each_possible_cpu(cpu) {
		const struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
		struct lsmpmon_pair copy;

		if (is_empty(&c->pair[place]))
			continue;
		lsmpmon_copy(c, &c->pair[place], &copy, sizeof(copy));
		add(total, &copy);
	}
}

static void show_pair(struct seq_file *m, const char *operation,
		      const char *hook, const struct lsmpmon_pair *pair)
{
	seq_printf(m, "%-24s %-28s %8llu %10llu %8llu %10llu %8llu %14llu\n",
		   operation, hook, pair->count ? pair->min : 0, pair->max,
		   pair->count ? div64_u64(pair->sum, pair->count) : 0,
		   pair->count, pair->cs_count, pair->sum);
}

static void show_operation(struct seq_file *m, unsigned int operation)
{
	char name[LSMPMON_OPERATION_NAME];
	struct lsmpmon_pair pair;
	unsigned int hook;

	lsmpmon_operation_name(operation, name, sizeof(name));
	for (hook = 0; hook < LSMPMON_HOOKS; hook++) {
		pair_read(hook, operation, &pair);
		if (!is_empty(&pair))
			show_pair(m, name, lsmpmon_hook_name(hook), &pair);
	}
}

static int syscalls_show(struct seq_file *m, void *v)
{
	unsigned int operation;

	seq_printf(m, "%-24s %-28s %8s %10s %8s %10s %8s %14s\n", "syscall",
		   "hook", "min", "max", "ave", "count", "cs_count", "sum");
	/* No reset meanwhile, nor memory that only some of the CPUs have yet. */
	lsmpmon_control_lock();
	for (operation = 0; lsmpmon_places && operation < LSMPMON_OPERATIONS;
	     operation++) {
		show_operation(m, operation);
		cond_resched();
	}
	lsmpmon_control_unlock();
	return 0;
}

static int syscalls_open(struct inode *inode, struct file *file)
{
	/* Room for most tables: show starts again when it finds too little. */
	return lsmpmon_may_open() ?:
		single_open_size(file, syscalls_show, NULL, SZ_256K);
}

const struct file_operations lsmpmon_syscalls_fops = {
	.open		= syscalls_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};
