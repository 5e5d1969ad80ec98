/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: hooks with static calls
 *
 * Since Linux 6.12, each hook has MAX_LSM_COUNT static calls, one for each possible
 * module.
 */

#ifndef _LINUX_LSMPMON_STATIC_CALLS_H
#define _LINUX_LSMPMON_STATIC_CALLS_H

#include <linux/lsm_hooks.h>
#include <linux/lsmpmon_named.h>

/*
 * Modules use the static calls of a hook from the first on and are never removed, so
 * the first one without a module is the end.
 */
#define LSMPMON_IS_CALLED(NUM, HOOK)	(static_calls_table.HOOK[NUM].hl)

#define LSMPMON_HAS_CALLBACKS(HOOK)	LSMPMON_IS_CALLED(0, HOOK)

/*
 * One static call in lsmpmon_dispatch_HOOK(); `first_0` is after the checks of the first
 * one, which a usual call does not need.
 */
#define LSMPMON_SLOT_VOID(NUM, HOOK, ...)				\
	if (!LSMPMON_IS_CALLED(NUM, HOOK))				\
		goto out;						\
	lsmpmon_next_callback(&frame, NUM);				\
first_##NUM: __maybe_unused;						\
	static_call(lsm_static_call_##HOOK##_##NUM)(__VA_ARGS__);

#define LSMPMON_SLOT_INT(NUM, HOOK, ...)				\
	if (!LSMPMON_IS_CALLED(NUM, HOOK))				\
		goto out;						\
	lsmpmon_next_callback(&frame, NUM);				\
first_##NUM: __maybe_unused;						\
	rc = static_call(lsm_static_call_##HOOK##_##NUM)(__VA_ARGS__);	\
	if (rc != LSM_RET_DEFAULT(HOOK))				\
		goto out;

/* All static calls of a hook in lsmpmon_dispatch_HOOK(). */
#define LSMPMON_DISPATCH_VOID(HOOK, ...)				\
	UNROLL(MAX_LSM_COUNT, LSMPMON_SLOT_VOID, HOOK, ##__VA_ARGS__)
#define LSMPMON_DISPATCH_INT(HOOK, ...)					\
	UNROLL(MAX_LSM_COUNT, LSMPMON_SLOT_INT, HOOK, ##__VA_ARGS__)

/* The callback at the position of a loop, and its place. */
#define LSMPMON_OF(P, HOOK)	((P)->hl->hook.HOOK)
#define LSMPMON_PLACE(P, HOOK)	((P) - static_calls_table.HOOK)

#define LSMPMON_REGISTERED	struct lsm_static_call

#define LSMPMON_EACH(P, HOOK)						\
	for (P = static_calls_table.HOOK;				\
	     P < static_calls_table.HOOK + MAX_LSM_COUNT && (P)->hl; (P)++)

/* Any other value ends the callbacks of a hook. */
#define LSMPMON_NO_OPINION(HOOK)	LSM_RET_DEFAULT(HOOK)

/* Callers of hooks do not have defaults of their own. */
#define LSMPMON_HAS_OWN_DEFAULT(RC, HOOK)	false

/* Only vendors' functions are called by name. */
#if LSMPMON_VENDOR_WHENS
#define LSMPMON_SCOPES
#endif
#define LSMPMON_NAMED_CALLBACKS(X)	LSMPMON_VENDOR_CALLBACKS(X)

/* Places in the order of a hook: static calls, then functions called by name. */
#define LSMPMON_PLACES			(MAX_LSM_COUNT + LSMPMON_VENDOR_WHENS)
#define LSMPMON_NAMED_PLACE(WHEN)					\
	(MAX_LSM_COUNT + (WHEN) - LSMPMON_VENDOR_FIRST)

#endif /* _LINUX_LSMPMON_STATIC_CALLS_H */
