/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: calls by name
 *
 * A function of security.c may call functions by name, beside the callbacks of a
 * hook: before Linux 6.9 those of IMA and EVM, in some trees those of a vendor.
 * All of them and the callbacks are then one call of the hook, which lasts as
 * long as a scope, and what is called by name has places in the order of the
 * hook.
 */

#ifndef _LINUX_LSMPMON_SCOPE_H
#define _LINUX_LSMPMON_SCOPE_H

#include <linux/kconfig.h>

enum {
	/* Within LSMPMON_SCOPE(), this is 1. */
	lsmpmon_in_scope = 0,
#define LSMPMON_NAMED(HOOK, WHEN, MODULE, CONFIG)			\
	LSMPMON_WHEN_##HOOK##_##MODULE = WHEN,				\
	LSMPMON_BUILT_##HOOK##_##MODULE = IS_ENABLED(CONFIG),
	LSMPMON_NAMED_CALLBACKS(LSMPMON_NAMED)
#undef LSMPMON_NAMED
};

/* The callbacks of a hook, one after the other. */
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
 * In a function that calls modules by name: all that the hook does from here to
 * the end of the scope is one call of it.  call_void_hook(), call_int_hook(),
 * LSMPMON_LOOP() and lsmpmon_named() find the frame by its name.
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

/* Everywhere else. */
static struct lsmpmon_frame *const lsmpmon_frame __maybe_unused;

/* The callbacks, in such a scope. */
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

/* In call_void_hook() and call_int_hook(): true if the call was dispatched. */
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
 * @RC is what the caller says if no callback has an opinion.  A few do not say
 * what lsm_hook_defs.h says: these are dispatched there, in a twin.
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

/* In such a scope: call a module by name; what a vendor has may return a pointer. */
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
		lsmpmon_note(lsmpmon_frame, (unsigned long)__ret, 0);	\
	__ret;								\
})

#else /* !CONFIG_SECURITY_LSMPMON */

#define LSMPMON_SCOPE(HOOK)
#define lsmpmon_named(HOOK, MODULE, CALL)	(CALL)

#endif /* CONFIG_SECURITY_LSMPMON */

#define lsmpmon_named_void(HOOK, MODULE, CALL)				\
	((void)lsmpmon_named(HOOK, MODULE, (CALL, 0)))

#endif /* _LINUX_LSMPMON_SCOPE_H */
