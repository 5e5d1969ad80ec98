// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/histogram
 */

#include <linux/sched.h>

#include "files.h"
#include "store.h"
#include "table.h"

static u64 lsmpmon_bucket_count(enum lsmpmon_hook hook, unsigned int bucket)
{
	u64 count = 0;
	int cpu;

	lsmpmon_store_hold();
	for_each_possible_cpu(cpu) {
		const struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);

		if (READ_ONCE(c->histogram))
			count += READ_ONCE(c->histogram[hook][bucket]);
	}
	lsmpmon_store_release();
	cond_resched();
	return count;
}

static int lsmpmon_histogram_show(struct seq_file *m, void *v)
{
	enum lsmpmon_hook hook = lsmpmon_hooks_current(m);
	unsigned int bucket;
	u64 count;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "%-28s %20s %10s\n", "hook", "le", "count");
		return 0;
	}
	for (bucket = 0; bucket < LSMPMON_BUCKETS; bucket++) {
		count = lsmpmon_bucket_count(hook, bucket);
		if (count)
			seq_printf(m, "%-28s %20llu %10llu\n",
				   lsmpmon_hook_name(hook),
				   lsmpmon_bucket_le(bucket), count);
	}
	return 0;
}

LSMPMON_DEFINE_HOOK_TABLE(histogram);
