/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: hooks with static calls
 *
 * Since Linux 6.12 each hook has a static call for each module that there may
 * be, MAX_LSM_COUNT of them.
 */

#ifndef _LINUX_LSMPMON_STATIC_CALLS_H
#define _LINUX_LSMPMON_STATIC_CALLS_H

#include <linux/lsm_hooks.h>
#include <linux/lsmpmon_named.h>

/*
 * Modules fill the static calls of a hook from the first on and stay there, so
 * the first one without a module ends them.
 */
#define LSMPMON_IS_CALLED(NUM, HOOK)	(static_calls_table.HOOK[NUM].hl)

#define LSMPMON_HAS_CALLBACKS(HOOK)	LSMPMON_IS_CALLED(0, HOOK)

/* One static call in lsmpmon_call_HOOK(). */
#define LSMPMON_SLOT_VOID(NUM, HOOK, DONE, FRAME, ...)			\
	if (!LSMPMON_IS_CALLED(NUM, HOOK))				\
		goto DONE;						\
	lsmpmon_next_callback(FRAME, NUM);				\
	static_call(lsm_static_call_##HOOK##_##NUM)(__VA_ARGS__);

#define LSMPMON_SLOT_INT(NUM, RC, HOOK, DONE, FRAME, ...)		\
	if (!LSMPMON_IS_CALLED(NUM, HOOK))				\
		goto DONE;						\
	lsmpmon_next_callback(FRAME, NUM);				\
	RC = static_call(lsm_static_call_##HOOK##_##NUM)(__VA_ARGS__);	\
	if (RC != LSM_RET_DEFAULT(HOOK))				\
		goto DONE;

/* All of them. */
#define LSMPMON_DISPATCH_VOID(HOOK, DONE, FRAME, ...)			\
	UNROLL(MAX_LSM_COUNT, LSMPMON_SLOT_VOID, HOOK, DONE, FRAME, __VA_ARGS__)
#define LSMPMON_DISPATCH_INT(RC, HOOK, DONE, FRAME, ...)		\
	UNROLL(MAX_LSM_COUNT, LSMPMON_SLOT_INT, RC, HOOK, DONE, FRAME,	\
	       __VA_ARGS__)

/* The callback that a loop has come to, and its place. */
#define LSMPMON_OF(P, HOOK)	((P)->hl->hook.HOOK)
#define LSMPMON_PLACE(P, HOOK)	((P) - static_calls_table.HOOK)

#define LSMPMON_REGISTERED	struct lsm_static_call

#define LSMPMON_EACH(P, HOOK)						\
	for (P = static_calls_table.HOOK;				\
	     P < static_calls_table.HOOK + MAX_LSM_COUNT && (P)->hl; (P)++)

/* The verdict that ends the callbacks of a hook is any other. */
#define LSMPMON_NO_OPINION(HOOK)	LSM_RET_DEFAULT(HOOK)

/* No caller of a hook says by itself what that is. */
#define LSMPMON_HAS_OWN_DEFAULT(RC, HOOK)	false

/* Linux calls nothing by name. */
#define LSMPMON_NAMED_CALLBACKS(X)	LSMPMON_VENDOR_CALLBACKS(X)

/* Places in the order of a hook: its static calls, then what is called by name. */
#define LSMPMON_PLACES			(MAX_LSM_COUNT + LSMPMON_VENDOR_WHENS)
#define LSMPMON_NAMED_PLACE(WHEN)					\
	(MAX_LSM_COUNT + (WHEN) - LSMPMON_VENDOR_FIRST)

#endif /* _LINUX_LSMPMON_STATIC_CALLS_H */
