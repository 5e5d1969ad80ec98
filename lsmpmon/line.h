/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: a line of a table of pairs
 */

#ifndef _SECURITY_LSMPMON_LINE_H
#define _SECURITY_LSMPMON_LINE_H

#include <linux/seq_file.h>

#include "store.h"

bool lsmpmon_pair_is_empty(const struct lsmpmon_pair *pair);
void lsmpmon_pair_add_up(enum lsmpmon_by by, unsigned int row,
			 unsigned int column, struct lsmpmon_pair *total);
void lsmpmon_pair_move(enum lsmpmon_by by, unsigned int row,
		       unsigned int column, struct lsmpmon_pair *total);
void lsmpmon_pair_read(enum lsmpmon_by by, unsigned int row,
		       unsigned int column, struct lsmpmon_pair *total);
void lsmpmon_pair_head(struct seq_file *m);
void lsmpmon_pair_show(struct seq_file *m, const struct lsmpmon_pair *pair);

#endif /* _SECURITY_LSMPMON_LINE_H */
