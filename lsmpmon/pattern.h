/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what a name has to look like
 */

#ifndef _SECURITY_LSMPMON_PATTERN_H
#define _SECURITY_LSMPMON_PATTERN_H

#include <linux/glob.h>
#include <linux/string.h>
#include <linux/types.h>

/**
 * struct lsmpmon_pattern - what a name has to look like
 * @text: as glob_match() has it
 * @literal: no character of it stands for others
 */
struct lsmpmon_pattern {
	const char *text;
	bool literal;
};

void lsmpmon_set_pattern(struct lsmpmon_pattern *pattern, const char *text);

/* Whether a name looks as it has to. */
static inline bool lsmpmon_pattern_matches(const struct lsmpmon_pattern *p,
					   const char *name)
{
	return p->literal ? !strcmp(p->text, name) : glob_match(p->text, name);
}

#endif /* _SECURITY_LSMPMON_PATTERN_H */
