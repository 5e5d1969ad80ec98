// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/histogram
 */

#include <linux/build_bug.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "files.h"
#include "store.h"
#include "table.h"

/* Counts of a bucket, in the order of struct lsmpmon_buckets. */
enum { COUNT, OWN, WALL, COUNTS };

#define APART	sizeof_field(struct lsmpmon_buckets, count)

static_assert(offsetof(struct lsmpmon_buckets, own) == OWN * APART);
static_assert(offsetof(struct lsmpmon_buckets, wall) == WALL * APART);

/* Add the counts of one CPU. */
static void lsmpmon_bucket_add(struct lsmpmon_cpu *c,
			       const struct lsmpmon_buckets *buckets,
			       unsigned int bucket, u64 line[COUNTS])
{
	u64 copy[COUNTS];
	int i;

	/* A call is counted in one and taken out of another. */
	lsmpmon_copy_apart(c, &buckets->count[bucket], APART, copy, COUNTS);
	for (i = 0; i < COUNTS; i++)
		line[i] += copy[i];
}

static void lsmpmon_bucket_read(enum lsmpmon_hook hook, unsigned int bucket,
				u64 line[COUNTS])
{
	int cpu;

	memset(line, 0, COUNTS * sizeof(*line));
	lsmpmon_store_hold();
	for_each_possible_cpu(cpu) {
		struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
		const struct lsmpmon_buckets *buckets = READ_ONCE(c->histogram);

		if (buckets)
			lsmpmon_bucket_add(c, buckets + hook, bucket, line);
	}
	lsmpmon_store_release();
	line[OWN] += line[COUNT];
	line[WALL] += line[COUNT];
	cond_resched();
}

static int lsmpmon_histogram_show(struct seq_file *m, void *v)
{
	enum lsmpmon_hook hook = lsmpmon_hooks_current(m);
	u64 line[COUNTS];
	unsigned int bucket;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-28s %20s %10s %10s %10s\n", "hook", "le", "count",
			   "own", "wall");
		return 0;
	}
	for (bucket = 0; bucket < LSMPMON_BUCKETS; bucket++) {
		lsmpmon_bucket_read(hook, bucket, line);
		if (line[COUNT] || line[OWN] || line[WALL])
			seq_printf(m, "%-28s %20llu %10llu %10llu %10llu\n",
				   lsmpmon_hook_name(hook),
				   lsmpmon_bucket_le(bucket), line[COUNT],
				   line[OWN], line[WALL]);
	}
	return 0;
}

LSMPMON_DEFINE_HOOK_TABLE(histogram);
