// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/histogram
 */

#include <linux/sched.h>

#include "files.h"
#include "store.h"
#include "table.h"

/**
 * struct lsmpmon_bucket_line - counts of a bucket
 * @count: calls without a context switch inside
 * @own: calls by their own time
 * @wall: calls by their time from begin to end
 */
struct lsmpmon_bucket_line {
	u64 count;
	u64 own;
	u64 wall;
};

static void lsmpmon_bucket_read(enum lsmpmon_hook hook, unsigned int bucket,
				struct lsmpmon_bucket_line *line)
{
	int cpu;

	*line = (struct lsmpmon_bucket_line){ };
	lsmpmon_store_hold();
	for_each_possible_cpu(cpu) {
		const struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);
		const struct lsmpmon_buckets *buckets = READ_ONCE(c->histogram);

		if (!buckets)
			continue;
		buckets += hook;
		line->count += READ_ONCE(buckets->count[bucket]);
		line->own += READ_ONCE(buckets->own[bucket]);
		line->wall += READ_ONCE(buckets->wall[bucket]);
	}
	lsmpmon_store_release();
	line->own += line->count;
	line->wall += line->count;
	cond_resched();
}

static int lsmpmon_histogram_show(struct seq_file *m, void *v)
{
	enum lsmpmon_hook hook = lsmpmon_hooks_current(m);
	struct lsmpmon_bucket_line line;
	unsigned int bucket;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-28s %20s %10s %10s %10s\n", "hook", "le", "count",
			   "own", "wall");
		return 0;
	}
	for (bucket = 0; bucket < LSMPMON_BUCKETS; bucket++) {
		lsmpmon_bucket_read(hook, bucket, &line);
		if (line.count || line.own || line.wall)
			seq_printf(m, "%-28s %20llu %10llu %10llu %10llu\n",
				   lsmpmon_hook_name(hook),
				   lsmpmon_bucket_le(bucket), line.count,
				   line.own, line.wall);
	}
	return 0;
}

LSMPMON_DEFINE_HOOK_TABLE(histogram);
