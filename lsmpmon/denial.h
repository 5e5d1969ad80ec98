/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: denials by errno
 */

#ifndef _SECURITY_LSMPMON_DENIAL_H
#define _SECURITY_LSMPMON_DENIAL_H

#include <linux/build_bug.h>
#include <linux/log2.h>

#include "store.h"

/* Maximum number of pairs of a hook and an errno. */
#define LSMPMON_DENIALS		1024
#define LSMPMON_DENIAL_BITS	ilog2(LSMPMON_DENIALS)

/**
 * struct lsmpmon_denial - counters of one errno of one hook
 * @count: calls without a context switch inside
 * @cs_count: calls with a context switch inside
 */
struct lsmpmon_denial {
	u64 count;
	u64 cs_count;
};

#define LSMPMON_DENIAL_SIZE \
	(LSMPMON_DENIALS * sizeof(struct lsmpmon_denial))

static_assert(sizeof(struct lsmpmon_denial) <= LSMPMON_COPY_SIZE);

void lsmpmon_denial_count(struct lsmpmon_cpu *c, enum lsmpmon_hook hook,
			  int rc, bool switched);
void lsmpmon_denial_read(enum lsmpmon_hook hook, int rc,
			 struct lsmpmon_denial *total);
void lsmpmon_denial_errors(enum lsmpmon_hook hook, unsigned long *seen);

#endif /* _SECURITY_LSMPMON_DENIAL_H */
