/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: a table of pairs, as of one moment
 */

#ifndef _SECURITY_LSMPMON_SNAPSHOT_H
#define _SECURITY_LSMPMON_SNAPSHOT_H

#include <linux/seq_file.h>

#include "payer.h"

/**
 * struct lsmpmon_line - line of a table: a pair that is not empty
 * @row: row of the pair
 * @column: column of the pair
 * @pair: sum of the counters of the pair over all CPUs
 * @key: the payer; only in tables of payers, for columns that are not fixed
 * @missed: greatest number of calls of the payer in `other`; as for @key
 */
struct lsmpmon_line {
	unsigned int row;
	unsigned int column;
	struct lsmpmon_pair pair;
	struct lsmpmon_payer key;
	u64 missed;
};

/**
 * struct lsmpmon_snapshot - copy of a table of pairs for one reader
 * @by: the table
 * @columns: number of columns of the table, which may be freed before lines are shown
 * @count: number of lines
 * @room: number of lines for which there is memory
 * @line: lines, by column and row
 * @named: line for which @name was made last, or NULL
 * @name: name of the column of @named; only in tables of payers
 * @path: buffer for making @name
 */
struct lsmpmon_snapshot {
	enum lsmpmon_by by;
	unsigned int columns;
	unsigned int count;
	unsigned int room;
	struct lsmpmon_line *line;
	const struct lsmpmon_line *named;
	char name[LSMPMON_PAYER_NAME];
	char path[LSMPMON_PAYER_NAME];
};

int lsmpmon_open_snapshot(struct file *file, enum lsmpmon_by by,
			  const struct seq_operations *ops);
int lsmpmon_release_snapshot(struct inode *inode, struct file *file);
void *lsmpmon_snapshot_start(struct seq_file *m, loff_t *pos);
void *lsmpmon_snapshot_next(struct seq_file *m, void *v, loff_t *pos);
void lsmpmon_snapshot_stop(struct seq_file *m, void *v);

/* Define a table of pairs, whose lines are shown by lsmpmon_NAME_show(). */
#define LSMPMON_DEFINE_PAIR_TABLE(BY, name)				\
static const struct seq_operations name##_seq_ops = {			\
	.start	= lsmpmon_snapshot_start,				\
	.next	= lsmpmon_snapshot_next,				\
	.stop	= lsmpmon_snapshot_stop,				\
	.show	= lsmpmon_##name##_show,				\
};									\
									\
static int lsmpmon_##name##_open(struct inode *inode, struct file *file) \
{									\
	return lsmpmon_open_snapshot(file, BY, &name##_seq_ops);	\
}									\
									\
const struct file_operations lsmpmon_##name##_fops = {			\
	.open		= lsmpmon_##name##_open,			\
	.read		= seq_read,					\
	.llseek		= seq_lseek,					\
	.release	= lsmpmon_release_snapshot,			\
}

#endif /* _SECURITY_LSMPMON_SNAPSHOT_H */
