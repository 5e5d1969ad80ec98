/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: fault injection for KUnit tests
 *
 * Some things go wrong only at one instruction, or if memory is short.  At
 * these points a test can have its own function called.  The usual path of a
 * hook call could not afford that, so tests use copies of it.  Kernels without
 * the tests have neither.
 */

#ifndef _SECURITY_LSMPMON_INJECT_H
#define _SECURITY_LSMPMON_INJECT_H

#include <linux/compiler.h>
#include <linux/types.h>

enum lsmpmon_moment {
	LSMPMON_REGISTERING,	/* with a tracepoint: gives the error */
	LSMPMON_ALLOCATING,	/* a table of a CPU: gives the error */
	LSMPMON_MOMENTS,
};

#ifdef CONFIG_SECURITY_LSMPMON_KUNIT_TEST

extern int (*lsmpmon_injected[LSMPMON_MOMENTS])(void);

/* What the test's function gives; 0 if there is none. */
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
