/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: shared by its KUnit tests
 *
 * The tests count spans of LSMPMON_HOOK_SELF, which the kernel does not call.
 */

#ifndef _SECURITY_LSMPMON_TESTS_SELF_H
#define _SECURITY_LSMPMON_TESTS_SELF_H

#include <kunit/test.h>

#include "../control.h"
#include "../detail.h"
#include "../span.h"

#define SELF	LSMPMON_OFFSET(LSMPMON_HOOK_SELF)

/* Switch measuring on for a test case, and restore it afterwards. */
static inline int self_test_init(struct kunit *test)
{
	test->priv = (void *)(unsigned long)lsmpmon_is_measuring();
	return lsmpmon_measure(true);
}

static inline void self_test_exit(struct kunit *test)
{
	lsmpmon_measure(test->priv);
}

static inline struct lsmpmon_cell self_cell(enum lsmpmon_verdict verdict)
{
	struct lsmpmon_cell cell;

	lsmpmon_cell_read(LSMPMON_HOOK_SELF, verdict, &cell);
	return cell;
}

static inline void empty_span(void)
{
	LSMPMON_FRAME(frame);

	lsmpmon_begin(&frame, LSMPMON_HOOK_SELF);
	lsmpmon_end(SELF, 0);
}

/*
 * After a filter was used once, calls may be rejected: their spans are not linked, and
 * end_rejected() ends them.
 */
static inline void use_filter_once(void)
{
	lsmpmon_keys_use(LSMPMON_USER_FILTER);
	lsmpmon_keys_unuse(LSMPMON_USER_FILTER);
}

static inline void end_rejected(const struct lsmpmon_frame *frame, int rc)
{
	lsmpmon_end_dispatch(frame, SELF, rc);
}

/* By the clock: udelay() counts turns of a loop, which User-Mode Linux makes faster. */
static inline void spin_us(unsigned int us)
{
	const u64 begin = lsmpmon_clock();

	while (lsmpmon_ticks_to_ns(lsmpmon_clock() - begin) < us * NSEC_PER_USEC)
		cpu_relax();
}

/* As lsmpmon_call_HOOK() begins a call. */
static __always_inline void begin_noted(struct lsmpmon_frame *frame,
					enum lsmpmon_hook hook, bool selected,
					struct lsmpmon_noted noted)
{
	frame->noted = noted;
	lsmpmon_begin_noted(frame, hook, selected);
}

#endif /* _SECURITY_LSMPMON_TESTS_SELF_H */
