// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/info
 */

#include <linux/cpumask.h>

#include "calibrate.h"
#include "clock.h"
#include "compat.h"
#include "control.h"
#include "feature.h"
#include "files.h"
#include "memory.h"
#include "store.h"
#include "timed.h"
#include "version.h"

static int lsmpmon_info_show(struct seq_file *m, void *v)
{
	const struct lsmpmon_calibration *calibration = lsmpmon_calibrate();

	seq_printf(m, "version: %s\n", LSMPMON_VERSION);
	seq_printf(m, "abi: %d\n", LSMPMON_ABI);
	seq_printf(m, "clock: %s\n", LSMPMON_CLOCK_NAME);
	seq_printf(m, "clock_khz: %u\n", lsmpmon_clock_khz());
	seq_printf(m, "clock_step: %u\n", calibration->clock_step);
	seq_printf(m, "overhead: %u\n", calibration->overhead);
	seq_printf(m, "overhead_min: %u\n", calibration->overhead_min);
	seq_printf(m, "hooks: %d\n", LSMPMON_HOOKS);
	seq_puts(m, "modules: ");
	lsmpmon_show_modules(m);
	seq_putc(m, '\n');
	seq_puts(m, "syscall_source: ptregs\n");
	seq_printf(m, "lost: %llu\n", lsmpmon_lost());
	seq_printf(m, "backwards: %llu\n", lsmpmon_backwards());
	seq_printf(m, "enabled_ns: %llu\n", lsmpmon_enabled_ns());
	seq_printf(m, "reset_ns: %llu\n", lsmpmon_reset_ns());
	seq_puts(m, "features: ");
	lsmpmon_features_list(m);
	seq_putc(m, '\n');
	seq_printf(m, "cpus: %u\n", num_possible_cpus());
	seq_printf(m, "timed: %u\n", READ_ONCE(lsmpmon_sample_period));
	seq_printf(m, "memory_per_cpu: %zu\n", lsmpmon_memory_per_cpu());
	seq_printf(m, "memory: %zu\n", lsmpmon_memory());
	return 0;
}

static int lsmpmon_info_open(struct inode *inode, struct file *file)
{
	return single_open(file, lsmpmon_info_show, NULL);
}

const struct file_operations lsmpmon_info_fops = {
	.open		= lsmpmon_info_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};
