// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/syscalls
 *
 * Of all pairs of a system call and a hook few ever occur, so each CPU has
 * them in a hash table of fixed size.  Pairs that find no room are lost, and
 * counted so.
 */

#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "control.h"
#include "fs.h"
#include "syscall.h"

/* How far from its place a pair may lie. */
#define PROBES	64

static struct lsmpmon_pair *find_pair(struct lsmpmon_pair *table, u64 key)
{
	size_t place = lsmpmon_pair_place(key);
	struct lsmpmon_pair *pair;
	int i;

	for (i = 0; i < PROBES; i++, place++) {
		pair = &table[place % LSMPMON_PAIRS];
		if (likely(pair->key == key))
			return pair;
		if (pair->key)
			continue;
		pair->min = U64_MAX;
		pair->key = key;
		return pair;
	}
	return NULL;
}

/**
 * lsmpmon_pair_count - count one call of a hook in a system call
 * @c: this CPU, of which the caller is the writer
 * @key: lsmpmon_pair()
 * @ticks: how long it took
 * @switched: a context switch was inside
 *
 * Context: any; called from the hot path.
 */
void lsmpmon_pair_count(struct lsmpmon_cpu *c, u64 key, u64 ticks,
			bool switched)
{
	struct lsmpmon_pair *pair = find_pair(c->pair, key);

	if (unlikely(!pair))
		WRITE_ONCE(c->lost, c->lost + 1);
	else if (unlikely(switched))
		pair->cs_count++;
	else
		lsmpmon_pair_add(pair, ticks);
}

static u64 cpu_fallbacks(const struct lsmpmon_cpu *c)
{
	u64 fallbacks = 0;
	size_t i;

	for (i = 0; c->pair && i < LSMPMON_PAIRS; i++)
		if (READ_ONCE(c->pair[i].key) & LSMPMON_PAIR_REGISTERS)
			fallbacks += READ_ONCE(c->pair[i].count) +
				     READ_ONCE(c->pair[i].cs_count);
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

	for_each_possible_cpu(cpu)
		fallbacks += cpu_fallbacks(per_cpu_ptr(&lsmpmon_cpu, cpu));
	return fallbacks;
}

/* Who told the system call is not shown. */
static size_t collect_cpu(const struct lsmpmon_cpu *c,
			  struct lsmpmon_pair *found)
{
	size_t i, n = 0;

	for (i = 0; c->pair && i < LSMPMON_PAIRS; i++) {
		const u64 key = READ_ONCE(c->pair[i].key);

		if (!key || lsmpmon_pair_hook(key) == LSMPMON_HOOK_SELF)
			continue;
		lsmpmon_copy(c, &c->pair[i], &found[n], sizeof(*found));
		found[n++].key &= ~(u64)LSMPMON_PAIR_REGISTERS;
	}
	return n;
}

/* By operation, then by hook. */
static int compare(const void *a, const void *b)
{
	const u64 left = ((const struct lsmpmon_pair *)a)->key;
	const u64 right = ((const struct lsmpmon_pair *)b)->key;
	const int operations = (int)lsmpmon_pair_operation(left) -
			       (int)lsmpmon_pair_operation(right);

	return operations ?: (left > right) - (left < right);
}

static void add(struct lsmpmon_pair *total, const struct lsmpmon_pair *pair)
{
	total->count += pair->count;
	total->sum += pair->sum;
	total->min = min(total->min, pair->min);
	total->max = max(total->max, pair->max);
	total->cs_count += pair->cs_count;
}

/* Several CPUs' pairs, sorted: one of each, in place. */
static size_t merge(struct lsmpmon_pair *pair, size_t n)
{
	size_t i, last = 0;

	for (i = 1; i < n; i++) {
		if (pair[i].key == pair[last].key)
			add(&pair[last], &pair[i]);
		else
			pair[++last] = pair[i];
	}
	return n ? last + 1 : 0;
}

static void show_pair(struct seq_file *m, const struct lsmpmon_pair *pair)
{
	char name[LSMPMON_OPERATION_NAME];

	lsmpmon_operation_name(lsmpmon_pair_operation(pair->key), name,
			       sizeof(name));
	seq_printf(m, "%-24s %-28s %8llu %10llu %8llu %10llu %8llu %14llu\n",
		   name, lsmpmon_hook_name(lsmpmon_pair_hook(pair->key)),
		   pair->count ? pair->min : 0, pair->max,
		   pair->count ? div64_u64(pair->sum, pair->count) : 0,
		   pair->count, pair->cs_count, pair->sum);
}

static int syscalls_show(struct seq_file *m, void *v)
{
	struct lsmpmon_pair *pair;
	size_t i, n = 0;
	int cpu;

	seq_printf(m, "%-24s %-28s %8s %10s %8s %10s %8s %14s\n", "syscall",
		   "hook", "min", "max", "ave", "count", "cs_count", "sum");
	pair = kvcalloc(num_possible_cpus() * LSMPMON_PAIRS, sizeof(*pair),
			GFP_KERNEL);
	if (!pair)
		return -ENOMEM;
	lsmpmon_control_lock();
	for_each_possible_cpu(cpu)
		n += collect_cpu(per_cpu_ptr(&lsmpmon_cpu, cpu), pair + n);
	lsmpmon_control_unlock();
	sort(pair, n, sizeof(*pair), compare, NULL);
	n = merge(pair, n);
	for (i = 0; i < n; i++)
		show_pair(m, &pair[i]);
	kvfree(pair);
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
