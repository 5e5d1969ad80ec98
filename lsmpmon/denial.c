// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/denials
 *
 * Why calls were denied.  Only few of the possible errors of a hook ever
 * occur.  All CPUs share a small hash table of the pairs of hook and error
 * seen so far; entries are never removed.  Each CPU has a counter for every
 * slot of the table.
 */

#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/errname.h>
#include <linux/hash.h>
#include <linux/minmax.h>

#include "denial.h"
#include "fs.h"

/* Zero in a free slot. */
static u32 keys[LSMPMON_DENIALS];

/* Never zero.  A value that is not an errno is shown as the last one. */
static u32 denial_key(enum lsmpmon_hook hook, int rc)
{
	return (hook + 1) << 16 | min_t(unsigned int, -(unsigned int)rc, MAX_ERRNO);
}

/* Whether a slot has this key; a free slot takes it. */
static bool has_key(unsigned int place, u32 key)
{
	u32 there = READ_ONCE(keys[place]);

	if (!there)
		there = cmpxchg(&keys[place], 0, key) ?: key;
	return there == key;
}

/* The slot of a key; LSMPMON_DENIALS if the table is full. */
static unsigned int place_of(u32 key)
{
	unsigned int place = hash_32(key, LSMPMON_DENIAL_BITS);
	int i;

	for (i = 0; i < LSMPMON_DENIALS; i++, place++)
		if (has_key(place % LSMPMON_DENIALS, key))
			return place % LSMPMON_DENIALS;
	return LSMPMON_DENIALS;
}

/**
 * lsmpmon_denial_count - count one call that was denied
 * @c: this CPU, whose only writer is the caller
 * @hook: which hook
 * @rc: what it returned; negative
 * @switched: a context switch was inside
 *
 * Context: any; called from the hot path.
 */
void lsmpmon_denial_count(struct lsmpmon_cpu *c, enum lsmpmon_hook hook,
			  int rc, bool switched)
{
	const unsigned int place = place_of(denial_key(hook, rc));

	if (unlikely(place == LSMPMON_DENIALS))
		WRITE_ONCE(c->lost, c->lost + 1);
	else if (switched)
		c->denial[place].cs_count++;
	else
		c->denial[place].count++;
}

static void denial_read(unsigned int place, struct lsmpmon_denial *total)
{
	int cpu;

	*total = (struct lsmpmon_denial){ };
	for_each_possible_cpu(cpu) {
		const struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
		struct lsmpmon_denial copy;

		lsmpmon_copy(c, &c->denial[place], &copy, sizeof(copy));
		total->count += copy.count;
		total->cs_count += copy.cs_count;
	}
}

static void show_denial(struct seq_file *m, enum lsmpmon_hook hook, int rc)
{
	const char *name = errname(-rc);
	struct lsmpmon_denial denial;
	char number[16];

	denial_read(place_of(denial_key(hook, rc)), &denial);
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
	unsigned int place, error;
	u32 key;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-28s %-16s %10s %8s\n", "hook", "errno",
			   "count", "cs_count");
		return 0;
	}
	for (place = 0; place < LSMPMON_DENIALS; place++) {
		key = READ_ONCE(keys[place]);
		if (key >> 16 == hook + 1)
			__set_bit(key & 0xffff, seen);
	}
	for_each_set_bit(error, seen, MAX_ERRNO + 1)
		show_denial(m, hook, -error);
	return 0;
}

LSMPMON_DEFINE_HOOK_TABLE(denials);
