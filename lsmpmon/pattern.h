/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: patterns of names
 */

#ifndef _SECURITY_LSMPMON_PATTERN_H
#define _SECURITY_LSMPMON_PATTERN_H

#include <linux/glob.h>
#include <linux/string.h>
#include <linux/types.h>

/**
 * struct lsmpmon_pattern - pattern of names
 * @text: the pattern, as for glob_match()
 * @literal: whether the pattern has no wildcards
 */
struct lsmpmon_pattern {
	const char *text;
	bool literal;
};

void lsmpmon_set_pattern(struct lsmpmon_pattern *pattern, const char *text);

/* Whether a name matches a pattern. */
static inline bool lsmpmon_pattern_matches(const struct lsmpmon_pattern *p,
					   const char *name)
{
	return p->literal ? !strcmp(p->text, name) : glob_match(p->text, name);
}

#endif /* _SECURITY_LSMPMON_PATTERN_H */
