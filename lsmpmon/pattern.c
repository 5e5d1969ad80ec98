// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: patterns of names
 */

#include "pattern.h"

/**
 * lsmpmon_set_pattern - initialise a pattern
 * @pattern: the pattern
 * @text: text of the pattern, which must outlive it
 *
 * Context: any.
 */
void lsmpmon_set_pattern(struct lsmpmon_pattern *pattern, const char *text)
{
	pattern->text = text;
	pattern->literal = !strpbrk(text, "*?[\\");
}
