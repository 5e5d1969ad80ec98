// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: what a name has to look like
 */

#include "pattern.h"

/**
 * lsmpmon_set_pattern - initialise a pattern
 * @pattern: the pattern
 * @text: its text, which must outlive it
 */
void lsmpmon_set_pattern(struct lsmpmon_pattern *pattern, const char *text)
{
	pattern->text = text;
	pattern->literal = !strpbrk(text, "*?[\\");
}
