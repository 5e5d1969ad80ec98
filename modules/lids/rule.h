/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model of LIDS: rules, and the lines that they are written in
 */

#ifndef _SECURITY_LIDS_RULE_H
#define _SECURITY_LIDS_RULE_H

#include <linux/fs.h>
#include <linux/types.h>

/**
 * enum lids_target - what a rule allows; each target includes those before it
 * @LIDS_DENY: nothing
 * @LIDS_READONLY: reading, executing, searching
 * @LIDS_APPEND: opening for appending as well
 * @LIDS_WRITE: everything
 * @LIDS_TARGETS: number of targets
 */
enum lids_target {
	LIDS_DENY,
	LIDS_READONLY,
	LIDS_APPEND,
	LIDS_WRITE,
	LIDS_TARGETS
};

/**
 * struct lids_id - identifier of a file
 * @ino: inode number
 * @dev: device of the file system
 *
 * The inode number 0, which is not in use, stands for no file.
 */
struct lids_id {
	u64 ino;
	dev_t dev;
};

/* Greatest level of a rule, see struct lids_rule. */
#define LIDS_MAX_LEVEL	255

/* All descendants. */
#define LIDS_ALL_LEVELS	(LIDS_MAX_LEVEL + 1)

/**
 * struct lids_rule - an entry of the access list
 * @object: a file, or a directory with everything below it
 * @subject: the program to which the rule applies; no file for the default of all
 * @level: number of programs that a descendant of the subject may have executed and
 *	still inherit the rule; LIDS_ALL_LEVELS for any number
 * @target: what the rule allows
 */
struct lids_rule {
	struct lids_id object;
	struct lids_id subject;
	unsigned int level;
	enum lids_target target;
};

/**
 * struct lids_line - a rule with names instead of files
 * @object: name of the object
 * @subject: name of the program, or NULL
 * @level: as in struct lids_rule
 * @target: as in struct lids_rule
 */
struct lids_line {
	const char *object;
	const char *subject;
	unsigned int level;
	enum lids_target target;
};

int lids_parse(char *text, struct lids_line *line);
int lids_resolve(const struct lids_line *line, struct lids_rule *rule);
const char *lids_target_name(enum lids_target target);

static inline struct lids_id lids_id_of(const struct inode *inode)
{
	return (struct lids_id) { inode->i_ino, inode->i_sb->s_dev };
}

static inline bool lids_is_file(const struct lids_id *id)
{
	return id->ino;
}

static inline int lids_compare(const struct lids_id *a, const struct lids_id *b)
{
	if (a->dev != b->dev)
		return a->dev < b->dev ? -1 : 1;
	if (a->ino != b->ino)
		return a->ino < b->ino ? -1 : 1;
	return 0;
}

#endif /* _SECURITY_LIDS_RULE_H */
