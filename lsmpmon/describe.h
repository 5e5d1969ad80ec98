/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what is known of a hook call
 */

#ifndef _SECURITY_LSMPMON_DESCRIBE_H
#define _SECURITY_LSMPMON_DESCRIBE_H

#include <linux/lsmpmon_hooks.h>

#include "escape.h"
#include "slow.h"

/* Buffer size for lsmpmon_object_word(), with the mark of a name that is cut. */
#define LSMPMON_OBJECT_WORD	(LSMPMON_ESCAPED(LSMPMON_OBJECT_SIZE) + 4)

bool lsmpmon_object_name(char *name, const struct lsmpmon_noted *noted);
void lsmpmon_object_word(const char *name, bool is_cut, char *word);
void lsmpmon_describe(struct lsmpmon_slow *call, const struct lsmpmon_frame *frame,
		      int rc, u64 ticks, const struct lsmpmon_time *time);

#endif /* _SECURITY_LSMPMON_DESCRIBE_H */
