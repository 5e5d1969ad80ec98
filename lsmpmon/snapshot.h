/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: a table of pairs, as of one moment
 */

#ifndef _SECURITY_LSMPMON_SNAPSHOT_H
#define _SECURITY_LSMPMON_SNAPSHOT_H

#include <linux/seq_file.h>

#include "payer.h"

/**
 * struct lsmpmon_line - a pair that is not empty
 * @row: of the pair
 * @column: of the pair
 * @pair: what is known of it
 * @key: of tables of payers: who has the column, if it is not fixed
 * @missed: of these: at most so many more calls of the pair are in `other`
 */
struct lsmpmon_line {
	unsigned int row;
	unsigned int column;
	struct lsmpmon_pair pair;
	struct lsmpmon_payer key;
	u64 missed;
};

/**
 * struct lsmpmon_snapshot - what a reader of a table of pairs is shown
 * @by: the table
 * @count: how many lines
 * @room: for how many
 * @line: by column and row
 * @named: the line for which @name was made last, or NULL
 * @name: the name of its column, of tables of payers
 * @path: room to make it
 */
struct lsmpmon_snapshot {
	enum lsmpmon_by by;
	size_t count;
	size_t room;
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

/* A table of pairs: lsmpmon_NAME_show() shows its lines. */
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
