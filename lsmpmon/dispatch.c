// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the measured dispatch of each hook
 *
 * Each hook has one function, lsmpmon_call_HOOK(), which calls its callbacks
 * between two clock reads.  dispatch_calls.h is generated from lsm_hook_defs.h
 * when the kernel is built.
 *
 * The verdict stays in this function.  The rest of the monitor gets a copy, so
 * that no bug in it can change a verdict.
 */

#include <linux/kprobes.h>
#include <linux/lsm_hooks.h>
#include <linux/lsmpmon_hooks.h>

#include "detail.h"
#include "span.h"
#include "timed.h"

#define LSM_RET_DEFAULT(NAME)	(NAME##_default)
#define LSMPMON_DEFAULT_void(DEFAULT, NAME)
#define LSMPMON_DEFAULT_int(DEFAULT, NAME) \
	static const int __maybe_unused LSM_RET_DEFAULT(NAME) = (DEFAULT);
#define LSM_HOOK(RET, DEFAULT, NAME, ...) LSMPMON_DEFAULT_##RET(DEFAULT, NAME)
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK

/* The static calls that security.c defines. */
#ifdef MAX_LSM_COUNT
#define LSMPMON_DECLARE(NUM, NAME, RET, ...)				\
	DECLARE_STATIC_CALL(lsm_static_call_##NAME##_##NUM,		\
			    *((RET(*)(__VA_ARGS__))NULL));
#define LSM_HOOK(RET, DEFAULT, NAME, ...) \
	UNROLL(MAX_LSM_COUNT, LSMPMON_DECLARE, NAME, RET, __VA_ARGS__)
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK
#endif

/*
 * What follows is for the body of lsmpmon_dispatch_HOOK(), which has `frame`, `rc` if the
 * hook is not void, and `out`; `first_0` is in front of the first callback.
 */

/*
 * Begin a hook call, and go to `first_0` if there is nothing to do before the first callback.
 * Nearly all timed calls begin with this one lsmpmon_begin(), so that a span reads the
 * same time with and without sampling.
 */
#define LSMPMON_BEGIN(HOOK, ...)					\
do {									\
	if (static_branch_unlikely(&lsmpmon_detailed)) {		\
		if (lsmpmon_skip_timing_early(&frame))			\
			break;						\
		if (!lsmpmon_only_samples()) {				\
			LSMPMON_BEGIN_DETAILED(HOOK, ##__VA_ARGS__);	\
			break;						\
		}							\
	}								\
	lsmpmon_begin(&frame, LSMPMON_HOOK_##HOOK);			\
	if (!LSMPMON_HAS_CALLBACKS(HOOK))				\
		goto out;						\
	goto first_0;							\
} while (0)

#define LSMPMON_END(HOOK, RC)						\
	lsmpmon_end_dispatch(&frame, LSMPMON_OFFSET(LSMPMON_HOOK_##HOOK), RC)

/*
 * Most hooks of most kernels have no callbacks.  Calls of such a hook are measured by a
 * function that all of them share, before any register is saved for callbacks, unless
 * their arguments are needed.
 */
#define LSMPMON_IS_EMPTY(HOOK)						\
	(!LSMPMON_HAS_CALLBACKS(HOOK) &&				\
	 !static_branch_unlikely(&lsmpmon_all_detailed))

#define LSMPMON_CALL_void(HOOK, PARAMETERS, ...)			\
static noinline __kprobes __no_stack_protector void			\
lsmpmon_dispatch_##HOOK PARAMETERS					\
{									\
	LSMPMON_FRAME(frame);						\
									\
	LSMPMON_BEGIN(HOOK, ##__VA_ARGS__);				\
	LSMPMON_DISPATCH_VOID(HOOK, ##__VA_ARGS__)			\
out:									\
	LSMPMON_END(HOOK, 0);						\
}									\
									\
void lsmpmon_call_##HOOK PARAMETERS					\
{									\
	if (LSMPMON_IS_EMPTY(HOOK))					\
		lsmpmon_call_empty(LSMPMON_OFFSET(LSMPMON_HOOK_##HOOK)); \
	else								\
		lsmpmon_dispatch_##HOOK(__VA_ARGS__);			\
}

#define LSMPMON_CALL_int(HOOK, PARAMETERS, ...)				\
static noinline __kprobes __no_stack_protector int			\
lsmpmon_dispatch_##HOOK PARAMETERS					\
{									\
	int rc = LSM_RET_DEFAULT(HOOK);					\
	LSMPMON_FRAME(frame);						\
									\
	LSMPMON_BEGIN(HOOK, ##__VA_ARGS__);				\
	LSMPMON_DISPATCH_INT(HOOK, ##__VA_ARGS__)			\
out:									\
	LSMPMON_END(HOOK, rc == LSM_RET_DEFAULT(HOOK) ? 0 : rc);	\
	return rc;							\
}									\
									\
int lsmpmon_call_##HOOK PARAMETERS					\
{									\
	if (!LSMPMON_IS_EMPTY(HOOK))					\
		return lsmpmon_dispatch_##HOOK(__VA_ARGS__);		\
	lsmpmon_call_empty(LSMPMON_OFFSET(LSMPMON_HOOK_##HOOK));	\
	return LSM_RET_DEFAULT(HOOK);					\
}

#define LSMPMON_CALL(RET, HOOK, PARAMETERS, ...)			\
	LSMPMON_CALL_##RET(HOOK, PARAMETERS, ##__VA_ARGS__)		\
	NOKPROBE_SYMBOL(lsmpmon_call_##HOOK)

#include "dispatch_calls.h"
