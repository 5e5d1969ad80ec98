/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: whose and which calls to measure
 */

#ifndef _SECURITY_LSMPMON_FILTER_H
#define _SECURITY_LSMPMON_FILTER_H

#include <linux/fs.h>
#include <linux/glob.h>
#include <linux/limits.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "hook.h"

/**
 * struct lsmpmon_pattern - what a name has to look like
 * @text: as glob_match() has it
 * @literal: no character of it stands for others
 */
struct lsmpmon_pattern {
	const char *text;
	bool literal;
};

/**
 * struct lsmpmon_subject - the tasks whose calls are measured
 * @name: pattern of their command names
 * @comm: that name as tasks have it, if it is literal
 * @text: as it was written
 */
struct lsmpmon_subject {
	struct lsmpmon_pattern name;
	char comm[TASK_COMM_LEN];
	char text[4 * TASK_COMM_LEN];
};

/**
 * struct lsmpmon_object - the objects on which calls are measured
 * @name: pattern of the last component of their names
 * @depth: components of @path; 0: only the name counts
 * @is_mount_point: it is where @dev's file system is mounted
 * @dev: the file system on which the path begins
 * @text: as it was written
 * @root: the directory of that file system which is mounted; empty for its own
 * @mount_point: where that is; empty for the root
 * @path: the whole path, links to its directories resolved, in components as
 *	lsmpmon_split_path() makes them
 */
struct lsmpmon_object {
	struct lsmpmon_pattern name;
	unsigned int depth;
	bool is_mount_point;
	dev_t dev;
	char text[PATH_MAX];
	char root[PATH_MAX];
	char mount_point[PATH_MAX];
	char path[2 * PATH_MAX];
};

/* Room for the kinds of objects that any hook is called for. */
#define LSMPMON_OBJECT_KINDS_SIZE	128

/* Read under RCU; NULL while there is none. */
extern struct lsmpmon_object __rcu *lsmpmon_object;

struct lsmpmon_subject *lsmpmon_parse_subject(const char *name);
struct lsmpmon_object *lsmpmon_parse_object(const char *name);
void lsmpmon_look_for(const struct lsmpmon_object *object);
void lsmpmon_set_pattern(struct lsmpmon_pattern *pattern, const char *text);
unsigned int lsmpmon_split_path(char *path);
bool lsmpmon_path_matches(const struct lsmpmon_object *object, char *path);
bool lsmpmon_has_name(const struct lsmpmon_object *object,
		      enum lsmpmon_object_kind kind, const void *argument,
		      int length);
void lsmpmon_filter_keep(void);
bool lsmpmon_filter_changed(void);
void lsmpmon_filter_restore(void);
void lsmpmon_object_kinds(enum lsmpmon_hook hook, char *kinds, size_t size);

/* Whether a name looks as it has to. */
static inline bool lsmpmon_pattern_matches(const struct lsmpmon_pattern *p,
					   const char *name)
{
	return p->literal ? !strcmp(p->text, name) : glob_match(p->text, name);
}

/* What only the kernel has mounted gives its files no names. */
static inline bool lsmpmon_has_names(const struct inode *inode)
{
	return !(inode->i_sb->s_flags & (SB_NOUSER | SB_KERNMOUNT));
}

#endif /* _SECURITY_LSMPMON_FILTER_H */
