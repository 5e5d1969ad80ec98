/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: calls by name
 *
 * Functions of security.c may call modules by name, beside the callbacks of a hook:
 * IMA and EVM before Linux 6.9, and modules of vendors in some trees.  These calls and
 * the callbacks are measured as one call of the hook, whose span is a scope, and
 * the functions called by name have places in the order of the hook.
 */

#ifndef _LINUX_LSMPMON_SCOPE_H
#define _LINUX_LSMPMON_SCOPE_H

#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/kconfig.h>

/* Defined by Linux since 5.18. */
#ifndef __diag_ignore_all
#define __diag_ignore_all(...)
#endif

enum {
	/* Within LSMPMON_SCOPE(), this is 1. */
	lsmpmon_in_scope = 0,
#define LSMPMON_NAMED(HOOK, WHEN, MODULE, CONFIG)			\
	LSMPMON_WHEN_##HOOK##_##MODULE = WHEN,				\
	LSMPMON_BUILT_##HOOK##_##MODULE = IS_ENABLED(CONFIG),
	LSMPMON_NAMED_CALLBACKS(LSMPMON_NAMED)
#undef LSMPMON_NAMED
};

/* Call the callbacks of a hook in order. */
#define LSMPMON_WALK_VOID(HOOK, FRAME, ...)				\
do {									\
	LSMPMON_REGISTERED *__p;					\
									\
	LSMPMON_EACH(__p, HOOK) {					\
		lsmpmon_callback_at(FRAME, LSMPMON_PLACE(__p, HOOK));	\
		LSMPMON_OF(__p, HOOK)(__VA_ARGS__);			\
	}								\
} while (0)

#define LSMPMON_WALK_INT(RC, HOOK, FRAME, ...)				\
do {									\
	LSMPMON_REGISTERED *__p;					\
									\
	LSMPMON_EACH(__p, HOOK) {					\
		lsmpmon_callback_at(FRAME, LSMPMON_PLACE(__p, HOOK));	\
		RC = LSMPMON_OF(__p, HOOK)(__VA_ARGS__);		\
		if (RC != LSMPMON_NO_OPINION(HOOK))			\
			break;						\
	}								\
} while (0)

#ifdef CONFIG_SECURITY_LSMPMON

/*
 * In a function that calls modules by name: one call of the hook lasts from here to
 * the end of the enclosing block.  call_void_hook(), call_int_hook(), LSMPMON_LOOP()
 * and lsmpmon_named() use the variable lsmpmon_frame of that block.
 */
#define LSMPMON_SCOPE(HOOK)						\
	__diag_push();							\
	__diag_ignore_all("-Wdeclaration-after-statement",		\
			  "scopes begin where the hook does");		\
	enum { lsmpmon_in_scope = 1 };					\
	struct lsmpmon_frame __lsmpmon_storage __uninitialized;		\
	struct lsmpmon_frame *const lsmpmon_frame			\
		LSMPMON_LOOP_FRAME(lsmpmon_measured,			\
				   &__lsmpmon_storage, HOOK);		\
	__diag_pop()

/* Outside of LSMPMON_SCOPE(). */
static struct lsmpmon_frame *const lsmpmon_frame __maybe_unused;

/*
 * Opens a scope around an open-coded loop over the callbacks of a hook; the for loop
 * here has one iteration.  Within LSMPMON_SCOPE(), the loop is a part of the call that
 * is in progress already.
 */
#define LSMPMON_LOOP(HOOK)						\
	for (struct lsmpmon_frame __lsmpmon_storage __uninitialized,	\
	     *const __lsmpmon_open = lsmpmon_frame,			\
	     *const __lsmpmon_own					\
		LSMPMON_LOOP_FRAME(lsmpmon_in_scope ? 0 : lsmpmon_measured, \
				   &__lsmpmon_storage, HOOK),		\
	     *const lsmpmon_frame =					\
		lsmpmon_in_scope ? __lsmpmon_open : __lsmpmon_own,	\
	     *__lsmpmon_done = NULL;					\
	     !__lsmpmon_done; __lsmpmon_done = (void *)1)

/* Call the callbacks of a hook within LSMPMON_SCOPE(). */
#define LSMPMON_PART_VOID(HOOK, ...)					\
do {									\
	LSMPMON_LOOP_DECIDE(HOOK, __VA_ARGS__);				\
	LSMPMON_WALK_VOID(HOOK, lsmpmon_frame, __VA_ARGS__);		\
	lsmpmon_note(lsmpmon_frame, 0, 0);				\
} while (0)

#define LSMPMON_PART_INT(RC, HOOK, ...)					\
do {									\
	const int __no_opinion = RC;					\
									\
	LSMPMON_LOOP_DECIDE(HOOK, __VA_ARGS__);				\
	LSMPMON_WALK_INT(RC, HOOK, lsmpmon_frame, __VA_ARGS__);		\
	lsmpmon_note(lsmpmon_frame, RC, __no_opinion);			\
} while (0)

/* In call_void_hook(): true if the call was dispatched here. */
#define LSMPMON_VOID_HOOK(HOOK, ...)					\
({									\
	bool __measured;						\
									\
	if (lsmpmon_in_scope) {						\
		__measured = lsmpmon_frame;				\
		if (__measured)						\
			LSMPMON_PART_VOID(HOOK, __VA_ARGS__);		\
	} else {							\
		__measured = LSMPMON_IS_MEASURED();			\
		if (__measured)						\
			lsmpmon_call_##HOOK(__VA_ARGS__);		\
	}								\
	__measured;							\
})

/*
 * In call_int_hook(): true if the call was dispatched here.  @RC is the caller's
 * default.  If it may differ from that of lsm_hook_defs.h, the call is measured in
 * place, in a twin.
 */
#define LSMPMON_INT_HOOK(RC, HOOK, ...)					\
({									\
	bool __measured;						\
									\
	if (lsmpmon_in_scope) {						\
		__measured = lsmpmon_frame;				\
		if (__measured)						\
			LSMPMON_PART_INT(RC, HOOK, __VA_ARGS__);	\
	} else if (!LSMPMON_HAS_OWN_DEFAULT(RC, HOOK)) {		\
		__measured = LSMPMON_IS_MEASURED();			\
		if (__measured)						\
			RC = lsmpmon_call_##HOOK(__VA_ARGS__);		\
	} else {							\
		LSMPMON_SCOPE(HOOK);					\
									\
		__measured = lsmpmon_frame;				\
		if (__measured)						\
			LSMPMON_PART_INT(RC, HOOK, __VA_ARGS__);	\
	}								\
	__measured;							\
})

/*
 * The verdict in what a function called by name has returned.  Of an int, that is its
 * value; a pointer, or another type, whose value may look like an error once it is cut to
 * an int, has none unless it is an error.
 */
#define LSMPMON_VERDICT_OF(RET)						\
	lsmpmon_verdict_of((unsigned long)(RET), __same_type(RET, int))

static __always_inline int lsmpmon_verdict_of(unsigned long ret, bool is_int)
{
	return is_int || IS_ERR_VALUE(ret) ? (int)ret : 0;
}

/* Within LSMPMON_SCOPE(): call a module by name; @CALL may return a pointer. */
#define lsmpmon_named(HOOK, MODULE, CALL)				\
({									\
	const bool __built = LSMPMON_BUILT_##HOOK##_##MODULE;		\
	typeof(CALL) __ret;						\
									\
	if (lsmpmon_frame && __built)					\
		lsmpmon_callback_at(lsmpmon_frame,			\
				    LSMPMON_NAMED_PLACE(		\
				    LSMPMON_WHEN_##HOOK##_##MODULE));	\
	__ret = CALL;							\
	if (lsmpmon_frame && __built)					\
		lsmpmon_note(lsmpmon_frame, LSMPMON_VERDICT_OF(__ret), 0); \
	__ret;								\
})

#else /* !CONFIG_SECURITY_LSMPMON */

#define LSMPMON_SCOPE(HOOK)
#define lsmpmon_named(HOOK, MODULE, CALL)	(CALL)

#endif /* CONFIG_SECURITY_LSMPMON */

#define lsmpmon_named_void(HOOK, MODULE, CALL)				\
	((void)lsmpmon_named(HOOK, MODULE, (CALL, 0)))

#endif /* _LINUX_LSMPMON_SCOPE_H */
