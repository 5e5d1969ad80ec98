/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model of LIDS: the access list
 */

#ifndef _SECURITY_LIDS_TABLE_H
#define _SECURITY_LIDS_TABLE_H

#include <linux/bitmap.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "rule.h"

struct seq_file;

/* LIDS had a limit, too.  The rules take 40 KiB. */
#define LIDS_MAX_RULES	1024

/* What lids_find() returns if there is no rule. */
#define LIDS_NO_RULE	(-1)

/* One bit for each value of a hash of objects, so 8 KiB. */
#define LIDS_GUESSES	65536

/**
 * struct lids_table - an access list, which is replaced and never changed
 * @rcu: for freeing it
 * @guesses: bitmap of the hashes of all objects
 * @count: number of rules
 * @rules: ordered by object; those of one object with the default last
 */
struct lids_table {
	struct rcu_head rcu;
	DECLARE_BITMAP(guesses, LIDS_GUESSES);
	unsigned int count;
	struct lids_rule rules[];
};

/**
 * struct lids_subject - subject of a task, in the blob of its credentials
 * @program: last executed program that is the subject of a rule; no file if none was
 * @level: number of other programs executed since, at most LIDS_ALL_LEVELS
 */
struct lids_subject {
	struct lids_id program;
	unsigned int level;
};

extern struct lids_table __rcu *lids_table;

struct lids_table *lids_table_with(const struct lids_table *table,
				   const struct lids_rule *rule);
int lids_find(const struct lids_table *table, const struct lids_id *object,
	      const struct lids_subject *subject);
bool lids_has_subject(const struct lids_table *table,
		      const struct lids_id *program);

int lids_add_rule(const struct lids_rule *rule);
void lids_clear_rules(void);
void lids_show_rules(struct seq_file *m);

#endif /* _SECURITY_LIDS_TABLE_H */
