// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model of LIDS: rules, and the lines that they are written in
 *
 * Names are used only here, when a rule is set.
 */

#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/string.h>

#include "rule.h"

static const char *const target_names[LIDS_TARGETS] = {
	[LIDS_DENY]	= "DENY",
	[LIDS_READONLY]	= "READONLY",
	[LIDS_APPEND]	= "APPEND",
	[LIDS_WRITE]	= "WRITE",
};

/**
 * lids_target_name - name of a target
 * @target: the target
 *
 * Return: the name, as lids_parse() accepts it.
 */
const char *lids_target_name(enum lids_target target)
{
	return target_names[target];
}

static bool is_name(const char *text)
{
	return text && *text == '/' && !strpbrk(text, "\n\t");
}

/* "-1", or only digits: kstrtouint() also accepts a sign and a newline. */
static int parse_level(const char *text, unsigned int *level)
{
	if (!strcmp(text, "-1")) {
		*level = LIDS_ALL_LEVELS;
		return 0;
	}
	if (!isdigit(*text) || strchr(text, '\n'))
		return -EINVAL;
	if (kstrtouint(text, 10, level) || *level > LIDS_MAX_LEVEL)
		return -EINVAL;
	return 0;
}

/**
 * lids_parse - parse a line
 * @text: "TARGET OBJECT [SUBJECT [LEVEL]]", with single blanks; modified, and
 *	referred to by @line
 * @line: set to what it says
 *
 * Return: 0; -EINVAL for anything else.
 */
int lids_parse(char *text, struct lids_line *line)
{
	const char *name = strsep(&text, " ");
	int target = match_string(target_names, LIDS_TARGETS, name);

	if (target < 0)
		return -EINVAL;
	line->target = target;
	line->object = strsep(&text, " ");
	line->subject = strsep(&text, " ");
	line->level = 0;
	if (!is_name(line->object) || (line->subject && !is_name(line->subject)))
		return -EINVAL;
	return text ? parse_level(text, &line->level) : 0;
}

static int find(const char *name, bool is_program, struct lids_id *id)
{
	struct path path;
	int err;

	err = kern_path(name, LOOKUP_FOLLOW, &path);
	if (err)
		return err;
	*id = lids_id_of(d_backing_inode(path.dentry));
	if (!lids_is_file(id) || (is_program && !d_is_reg(path.dentry)))
		err = -EINVAL;
	path_put(&path);
	return err;
}

/**
 * lids_resolve - find the files of a line, as the current task does
 * @line: the line
 * @rule: set to what it says
 *
 * Context: process context, may sleep.
 * Return: 0; -EINVAL if the subject is not a regular file; the error of the
 *	search for either name.
 */
int lids_resolve(const struct lids_line *line, struct lids_rule *rule)
{
	int err;

	memset(rule, 0, sizeof(*rule));
	rule->target = line->target;
	rule->level = line->level;
	err = find(line->object, false, &rule->object);
	if (err || !line->subject)
		return err;
	return find(line->subject, true, &rule->subject);
}
