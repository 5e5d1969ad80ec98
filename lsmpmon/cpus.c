// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/cpus
 */

#include "control.h"
#include "files.h"
#include "store.h"
#include "timed.h"
#include "untimed.h"

/* Sum the cells of a CPU, and return the number of its untimed calls. */
static u64 lsmpmon_sum_up(int cpu, struct lsmpmon_cell *total)
{
	unsigned int hook, verdict;
	struct lsmpmon_cell cell;
	u64 untimed = 0;

	*total = (struct lsmpmon_cell){ .min = U64_MAX };
	for (hook = 0; hook < LSMPMON_HOOKS; hook++) {
		for (verdict = 0; verdict < LSMPMON_VERDICTS; verdict++) {
			lsmpmon_cell_read_cpu(cpu, hook, verdict, &cell);
			lsmpmon_cell_add(total, &cell);
			untimed += lsmpmon_untimed_read_cpu(cpu, hook, verdict);
		}
	}
	return untimed;
}

static void lsmpmon_show_cpu(struct seq_file *m, int cpu)
{
	struct lsmpmon_cell total;
	const u64 untimed = lsmpmon_sum_up(cpu, &total);

	if (!cpu_online(cpu) && lsmpmon_cell_empty(&total) && !untimed)
		return;
	seq_printf(m, "%d %llu %llu %llu %llu %llu %llu", cpu,
		   lsmpmon_cell_min(&total), lsmpmon_cell_max(&total),
		   lsmpmon_cell_ave(&total), total.count + untimed,
		   total.cs_count, total.sum);
	lsmpmon_times_show(m, &total.times);
	lsmpmon_show_timed(m, total.count);
}

static int lsmpmon_cpus_show(struct seq_file *m, void *v)
{
	int cpu;

	seq_puts(m, "cpu min max ave count cs_count sum");
	lsmpmon_times_head(m);
	lsmpmon_show_timed_header(m);
	lsmpmon_control_lock();
	for_each_possible_cpu(cpu)
		lsmpmon_show_cpu(m, cpu);
	lsmpmon_control_unlock();
	return 0;
}

static int lsmpmon_cpus_open(struct inode *inode, struct file *file)
{
	return single_open(file, lsmpmon_cpus_show, NULL);
}

const struct file_operations lsmpmon_cpus_fops = {
	.open		= lsmpmon_cpus_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};
