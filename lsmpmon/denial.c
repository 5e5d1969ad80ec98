// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/denials
 *
 * Why calls were denied.  Of all errors a hook may give few ever occur, so each
 * CPU has them in a small hash table.
 */

#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/errname.h>
#include <linux/hash.h>
#include <linux/minmax.h>

#include "denial.h"
#include "fs.h"

/* Never zero.  What is no errno at all is shown as the last one. */
static u32 denial_key(enum lsmpmon_hook hook, int rc)
{
	return (hook + 1) << 16 | min_t(unsigned int, -(unsigned int)rc, MAX_ERRNO);
}

/**
 * lsmpmon_denial_count - count one call that was denied
 * @c: this CPU, of which the caller is the writer
 * @hook: which hook
 * @rc: what it returned; negative
 * @switched: a context switch was inside
 *
 * Context: any; called from the hot path.
 */
void lsmpmon_denial_count(struct lsmpmon_cpu *c, enum lsmpmon_hook hook,
			  int rc, bool switched)
{
	const u32 key = denial_key(hook, rc);
	unsigned int place = hash_32(key, LSMPMON_DENIAL_BITS);
	struct lsmpmon_denial *denial;
	int i;

	for (i = 0; i < LSMPMON_DENIALS; i++, place++) {
		denial = &c->denial[place % LSMPMON_DENIALS];
		if (denial->key != key && denial->key)
			continue;
		denial->key = key;
		if (switched)
			denial->cs_count++;
		else
			denial->count++;
		return;
	}
	WRITE_ONCE(c->lost, c->lost + 1);
}

/* The same errno of a hook may be at another place on each CPU. */
static void denial_read(u32 key, struct lsmpmon_denial *total)
{
	int cpu, i;

	*total = (struct lsmpmon_denial){ .key = key };
	for_each_possible_cpu(cpu) {
		const struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
		struct lsmpmon_denial copy;

		for (i = 0; i < LSMPMON_DENIALS; i++) {
			lsmpmon_copy(c, &c->denial[i], &copy, sizeof(copy));
			if (copy.key != key)
				continue;
			total->count += copy.count;
			total->cs_count += copy.cs_count;
		}
	}
}

static void show_denial(struct seq_file *m, enum lsmpmon_hook hook, int rc)
{
	const char *name = errname(-rc);
	struct lsmpmon_denial denial;
	char number[16];

	denial_read(denial_key(hook, rc), &denial);
	if (!denial.count && !denial.cs_count)
		return;
	snprintf(number, sizeof(number), "%d", -rc);
	seq_printf(m, "%-28s %-16s %10llu %8llu\n", lsmpmon_hook_name(hook),
		   name ?: number, denial.count, denial.cs_count);
}

static int denials_show(struct seq_file *m, void *v)
{
	DECLARE_BITMAP(seen, MAX_ERRNO + 1) = { 0 };
	const enum lsmpmon_hook hook = lsmpmon_hooks_current(m);
	unsigned int i, key, error;
	int cpu;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-28s %-16s %10s %8s\n", "hook", "errno",
			   "count", "cs_count");
		return 0;
	}
	for_each_possible_cpu(cpu) {
		for (i = 0; i < LSMPMON_DENIALS; i++) {
			key = READ_ONCE(per_cpu_ptr(&lsmpmon_cpu, cpu)->denial[i].key);
			if (key >> 16 == hook + 1)
				__set_bit(key & 0xffff, seen);
		}
	}
	for_each_set_bit(error, seen, MAX_ERRNO + 1)
		show_denial(m, hook, -error);
	return 0;
}

LSMPMON_DEFINE_HOOK_TABLE(denials);
