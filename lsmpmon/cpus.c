// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/cpus
 */

#include "fs.h"
#include "store.h"

static void lsmpmon_sum_up(int cpu, struct lsmpmon_cell *total)
{
	unsigned int hook, verdict;
	struct lsmpmon_cell cell;

	*total = (struct lsmpmon_cell){ .min = U64_MAX };
	for (hook = 0; hook < LSMPMON_HOOKS; hook++) {
		for (verdict = 0; verdict < LSMPMON_VERDICTS; verdict++) {
			lsmpmon_cell_read_cpu(cpu, hook, verdict, &cell);
			lsmpmon_cell_add(total, &cell);
		}
	}
}

static int lsmpmon_cpus_show(struct seq_file *m, void *v)
{
	struct lsmpmon_cell total;
	int cpu;

	seq_puts(m, "cpu min max ave count cs_count sum\n");
	for_each_possible_cpu(cpu) {
		lsmpmon_sum_up(cpu, &total);
		if (cpu_online(cpu) || !lsmpmon_cell_empty(&total))
			seq_printf(m, "%d %llu %llu %llu %llu %llu %llu\n", cpu,
				   lsmpmon_cell_min(&total),
				   lsmpmon_cell_max(&total),
				   lsmpmon_cell_ave(&total), total.count,
				   total.cs_count, total.sum);
	}
	return 0;
}

static int lsmpmon_cpus_open(struct inode *inode, struct file *file)
{
	return lsmpmon_open_single(file, lsmpmon_cpus_show);
}

const struct file_operations lsmpmon_cpus_fops = {
	.open		= lsmpmon_cpus_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};
