/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: fault injection for KUnit tests
 *
 * Some errors occur only if a registration or an allocation fails, or if hooks are
 * called at a certain moment.  At these points, a test can have a function of its own
 * called.  There are no such points on the path of hook calls, and none in kernels
 * without the tests.
 */

#ifndef _SECURITY_LSMPMON_INJECT_H
#define _SECURITY_LSMPMON_INJECT_H

#include <linux/compiler.h>
#include <linux/types.h>

enum lsmpmon_moment {
	LSMPMON_REGISTERING,	/* a probe of a tracepoint; returns the error */
	LSMPMON_ALLOCATING,	/* a table of a CPU; returns the error */
	LSMPMON_COPYING,	/* a table, for whose lines there is memory */
	LSMPMON_MOMENTS,
};

#ifdef CONFIG_SECURITY_LSMPMON_KUNIT_TEST

extern int (*lsmpmon_injected[LSMPMON_MOMENTS])(void);

/* Call the function of a test; 0 without one. */
static __always_inline int lsmpmon_inject(enum lsmpmon_moment moment)
{
	int (*injected)(void);

	injected = READ_ONCE(lsmpmon_injected[moment]);
	return unlikely(injected) ? injected() : 0;
}

#else

static __always_inline int lsmpmon_inject(enum lsmpmon_moment moment)
{
	return 0;
}

#endif

#endif /* _SECURITY_LSMPMON_INJECT_H */
