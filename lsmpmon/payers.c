// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/comms and lsmmon/cgroups
 */

#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "control.h"
#include "fs.h"
#include "line.h"
#include "payer.h"

static void lsmpmon_show_payer(struct seq_file *m, enum lsmpmon_by kind,
			       unsigned int column, const char *name)
{
	struct lsmpmon_pair pair;
	unsigned int hook;

	for (hook = 0; hook < LSMPMON_HOOKS; hook++) {
		lsmpmon_pair_read(kind, hook, column, &pair);
		if (lsmpmon_pair_is_empty(&pair))
			continue;
		seq_printf(m, "%-24s %-28s", name, lsmpmon_hook_name(hook));
		lsmpmon_pair_show(m, &pair);
	}
}

static int lsmpmon_show_payers(struct seq_file *m, enum lsmpmon_by kind,
			       const char *heading)
{
	const size_t size = 4 * PATH_MAX;
	char *path = kvmalloc(PATH_MAX + size, GFP_KERNEL);
	char *name = path + PATH_MAX;
	unsigned int column;

	if (!path)
		return -ENOMEM;
	seq_printf(m, "%-24s %-28s", heading, "hook");
	lsmpmon_pair_head(m);
	/* No reset meanwhile, nor memory that only some of the CPUs have yet. */
	lsmpmon_control_lock();
	for (column = 0; column < LSMPMON_PAYER_COLUMNS; column++) {
		if (!lsmpmon_payer_is_known(kind, column))
			continue;
		lsmpmon_payer_name(kind, column, path, name, size);
		lsmpmon_show_payer(m, kind, column, name);
		cond_resched();
	}
	lsmpmon_control_unlock();
	kvfree(path);
	return 0;
}

#define DEFINE_TABLE(KIND, name, heading)				\
static int lsmpmon_##name##_show(struct seq_file *m, void *v)		\
{									\
	return lsmpmon_show_payers(m, KIND, heading);			\
}									\
									\
static int lsmpmon_##name##_open(struct inode *inode, struct file *file) \
{									\
	/* Room for most tables, as of system calls. */			\
	return single_open_size(file, lsmpmon_##name##_show, NULL,	\
				SZ_256K);				\
}									\
									\
const struct file_operations lsmpmon_##name##_fops = {			\
	.open		= lsmpmon_##name##_open,			\
	.read		= seq_read,					\
	.llseek		= seq_lseek,					\
	.release	= single_release,				\
}

DEFINE_TABLE(LSMPMON_BY_COMM, comms, "comm");
#if LSMPMON_HAS_CGROUPS
DEFINE_TABLE(LSMPMON_BY_CGROUP, cgroups, "cgroup");
#endif
