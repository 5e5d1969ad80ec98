/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the seam in security/security.c
 *
 * Each macro below is an alternative to the unmeasured path of a hook call: a
 * copy of the dispatch between two clock reads, reached over one static branch.
 * The unmeasured path gains that branch and nothing else: no second test at its
 * end and no register, because what has to be remembered is kept in the task
 * (struct lsmpmon_task).
 *
 * A second copy, the detailed path, looks at each callback too.  Which of them
 * a call takes is decided once, where it begins, so that features may be
 * switched at any time.
 */

#ifndef _LINUX_LSMPMON_HOOKS_H
#define _LINUX_LSMPMON_HOOKS_H

#include <linux/lsm_hooks.h>
#include <linux/lsmpmon.h>
#include <linux/lsmpmon_object.h>

/* Numbers of the hooks, in the order of lsm_hook_defs.h. */
enum lsmpmon_hook {
#define LSM_HOOK(RET, DEFAULT, NAME, ...) LSMPMON_HOOK_##NAME,
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK
	LSMPMON_HOOKS,
};

#define LSMPMON_UNWRAP(...)	__VA_ARGS__

/* No instruction, but the compiler merges no two calls with different ones. */
#define LSMPMON_APART(N)	({ asm volatile("" : : "i" (N)); })

/* How a hook reaches its callbacks. */
#ifdef MAX_LSM_COUNT
#include <linux/lsmpmon_static_calls.h>
#else
#include <linux/lsmpmon_lists.h>
#endif

#ifdef CONFIG_SECURITY_LSMPMON

enum lsmpmon_verdict {
	LSMPMON_ALLOW,		/* void hooks have this one alone */
	LSMPMON_DENY,
	LSMPMON_VERDICTS,
};

/**
 * struct lsmpmon_cell - what is known of the calls of one kind
 * @count: calls without a context switch inside; they alone make what follows
 * @sum: their ticks
 * @min: the shortest of them; U64_MAX before the first
 * @quiet_max: the longest of those that no interrupt struck
 * @irq_count: those of @count that an interrupt struck
 * @irq_sum: ticks of these, interrupts included
 * @irq_max: the longest of these
 * @cs_count: calls with a context switch inside
 *
 * The four that every call touches come first, and all fill one cache line.
 */
struct lsmpmon_cell {
	u64 count;
	u64 sum;
	u64 min;
	u64 quiet_max;
	u64 irq_count;
	u64 irq_sum;
	u64 irq_max;
	u64 cs_count;
} __aligned(64);

/*
 * A hook is passed as the offset of its cells, which the compiler knows and
 * the hot path need not multiply.
 */
#define LSMPMON_OFFSET(hook) \
	((hook) * LSMPMON_VERDICTS * sizeof(struct lsmpmon_cell))

/* The same for a callback: the place of a module in the order of a hook. */
#define LSMPMON_CALLBACK(hook, place) \
	LSMPMON_OFFSET((hook) * MAX_LSM_COUNT + (place))

/* True while calls are to be looked into, selected or traced. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_detailed);

/* True while a filter is set. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_filtered);

/* True while somebody has one of the trace events enabled. */
DECLARE_STATIC_KEY_FALSE(lsmpmon_traced);

/* What a filter says before it has seen the object of a call. */
enum lsmpmon_selection {
	LSMPMON_PASSED_OVER,
	LSMPMON_SELECTED,
	LSMPMON_DEPENDS,	/* on the object */
};

enum lsmpmon_selection lsmpmon_select(void);

void lsmpmon_enter(void);
int lsmpmon_exit(unsigned long offset, int rc);
int lsmpmon_exit_default(unsigned long offset, int rc, int no_opinion);
void lsmpmon_loop_enter(void);
void lsmpmon_loop_note(int rc);
void lsmpmon_loop_exit(unsigned long offset);

void lsmpmon_enter_detailed(enum lsmpmon_hook hook, bool selected);
int lsmpmon_exit_detailed(unsigned long offset, int rc);
int lsmpmon_exit_detailed_default(unsigned long offset, int rc, int no_opinion);
void lsmpmon_callback_enter(unsigned int offset);
int lsmpmon_callback_exit(int rc);
int lsmpmon_callback_exit_default(int rc, int no_opinion);
void lsmpmon_loop_exit_detailed(enum lsmpmon_hook hook);

static __always_inline void
lsmpmon_loop_enter_detailed(enum lsmpmon_hook hook, bool selected)
{
	lsmpmon_enter_detailed(hook, selected);
	lsmpmon_loop_note(0);
}

/* Inline, so that the hook stays a constant and needs no stack. */
static __always_inline void lsmpmon_loop_end(const enum lsmpmon_hook *hook)
{
	lsmpmon_loop_exit(LSMPMON_OFFSET(*hook));
}

static __always_inline void
lsmpmon_loop_end_detailed(const enum lsmpmon_hook *hook)
{
	lsmpmon_loop_exit_detailed(*hook);
}

/* What a return value says: zero if it is that of no opinion. */
#define LSMPMON_RC(HOOK, RC)						\
({									\
	int __rc = (RC);						\
									\
	__rc == LSM_RET_DEFAULT(HOOK) ? 0 : __rc;			\
})

/*
 * The end of a call with a verdict gives it back, so that the compiler need
 * not save it somewhere meanwhile.
 */
#define LSMPMON_END(FUNC, HOOK, RC, NO_OPINION)				\
	((NO_OPINION) ?							\
	 FUNC##_default(LSMPMON_OFFSET(LSMPMON_HOOK_##HOOK), RC,	\
			NO_OPINION) :					\
	 FUNC(LSMPMON_OFFSET(LSMPMON_HOOK_##HOOK), RC))

#define LSMPMON_CALLBACK_ENTER(HOOK, PLACE)				\
	lsmpmon_callback_enter(LSMPMON_CALLBACK(LSMPMON_HOOK_##HOOK, PLACE))

#define LSMPMON_CALLBACK_EXIT(RC, NO_OPINION)				\
	((NO_OPINION) ? lsmpmon_callback_exit_default(RC, NO_OPINION) :	\
	 lsmpmon_callback_exit(RC))

/*
 * Whether the filter lets a call be measured; decided once, before the call,
 * so that no call is measured in part.
 */
#define LSMPMON_IS_SELECTED(HOOK, ...)					\
({									\
	enum lsmpmon_selection __selection = LSMPMON_SELECTED;		\
									\
	if (static_branch_unlikely(&lsmpmon_filtered))			\
		__selection = lsmpmon_select();				\
	__selection == LSMPMON_SELECTED ||				\
		(__selection == LSMPMON_DEPENDS &&			\
		 !LSMPMON_IS_LIFETIME(#HOOK) &&				\
		 LSMPMON_ANY_OBJECT(__VA_ARGS__));			\
})

/* Which copy of a dispatch is running: a constant in each. */
enum { lsmpmon_in_span = 0, lsmpmon_in_detail = 0 };

/*
 * Whether the detailed path has anything to do for a hook: where no module
 * implements it, there is no callback to look at.
 */
#define LSMPMON_IS_DETAILED(HOOK)					\
	(static_branch_unlikely(&lsmpmon_detailed) &&			\
	 (LSMPMON_HAS_MODULES(HOOK) ||					\
	  static_branch_unlikely(&lsmpmon_filtered) ||			\
	  static_branch_unlikely(&lsmpmon_traced)))

/*
 * Dispatch a hook and give true, or give false if nobody watches.  @FIRST and
 * @THEN are what belongs to the hook beside its callbacks: see lsmpmon_lists.h.
 *
 * What the filter passes over does not go back to the unmeasured dispatch: a
 * second way into that would have it move arguments that it has in place.
 */
#define LSMPMON_VOID_CALL(HOOK, FIRST, THEN, ...)			\
({									\
	bool __watched = static_branch_unlikely(&lsmpmon_watched);	\
									\
	if (!__watched) {						\
	} else if (LSMPMON_IS_DETAILED(HOOK)) {				\
		enum { lsmpmon_in_detail = 1 };				\
		bool __selected = LSMPMON_IS_SELECTED(HOOK, __VA_ARGS__); \
									\
		if (__selected ||					\
		    static_branch_unlikely(&lsmpmon_traced)) {		\
			lsmpmon_enter_detailed(LSMPMON_HOOK_##HOOK,	\
					       __selected);		\
			FIRST						\
			LSMPMON_DETAIL_VOID(HOOK, __VA_ARGS__);		\
			THEN						\
			lsmpmon_exit_detailed(LSMPMON_OFFSET(		\
					LSMPMON_HOOK_##HOOK), 0);	\
		} else {						\
			enum { lsmpmon_in_detail = 0 };			\
									\
			FIRST						\
			LSMPMON_PASS_VOID(HOOK, __VA_ARGS__);		\
			THEN						\
		}							\
	} else {							\
		lsmpmon_enter();					\
		FIRST							\
		LSMPMON_DISPATCH_VOID(HOOK, __VA_ARGS__);		\
		THEN							\
		lsmpmon_exit(LSMPMON_OFFSET(LSMPMON_HOOK_##HOOK), 0);	\
	}								\
	__watched;							\
})

/* The same, with the verdict in @RC; what it is before denies nothing. */
#define LSMPMON_INT_CALL(RC, HOOK, THEN, ...)				\
({									\
	__label__ DONE, DETAILED_DONE, PASSED_OVER_DONE;		\
	bool __watched = static_branch_unlikely(&lsmpmon_watched);	\
	const int __no_opinion = RC;					\
									\
	if (!__watched) {						\
	} else if (LSMPMON_IS_DETAILED(HOOK)) {				\
		enum { lsmpmon_in_detail = 1 };				\
		bool __selected = LSMPMON_IS_SELECTED(HOOK, __VA_ARGS__); \
									\
		if (__selected ||					\
		    static_branch_unlikely(&lsmpmon_traced)) {		\
			lsmpmon_enter_detailed(LSMPMON_HOOK_##HOOK,	\
					       __selected);		\
			LSMPMON_DETAIL_INT(RC, __no_opinion, HOOK,	\
					   DETAILED_DONE, __VA_ARGS__);	\
DETAILED_DONE: __maybe_unused;						\
			THEN						\
			RC = LSMPMON_END(lsmpmon_exit_detailed, HOOK,	\
					 RC, __no_opinion);		\
		} else {						\
			enum { lsmpmon_in_detail = 0 };			\
									\
			LSMPMON_PASS_INT(RC, HOOK, PASSED_OVER_DONE,	\
					 __VA_ARGS__);			\
PASSED_OVER_DONE: __maybe_unused;					\
			THEN						\
		}							\
	} else {							\
		lsmpmon_enter();					\
		LSMPMON_DISPATCH_INT(RC, HOOK, DONE, __VA_ARGS__);	\
DONE: __maybe_unused;							\
		THEN							\
		RC = LSMPMON_END(lsmpmon_exit, HOOK, RC, __no_opinion); \
	}								\
	__watched;							\
})

/* In call_void_hook() and call_int_hook(). */
#define LSMPMON_VOID_HOOK(HOOK, ...)					\
	LSMPMON_VOID_CALL(HOOK, {}, {}, __VA_ARGS__)
#define LSMPMON_INT_HOOK(RC, HOOK, ...)					\
	LSMPMON_INT_CALL(RC, HOOK, {}, __VA_ARGS__)

#define LSMPMON_LOOP(DETAIL, ENTER, END, SCALL, HOOK, ...)		\
	do {								\
		enum { lsmpmon_in_span = 1, lsmpmon_in_detail = DETAIL }; \
		const enum lsmpmon_hook __hook				\
			__attribute__((__cleanup__(END))) =		\
			LSMPMON_HOOK_##HOOK;				\
									\
		ENTER;							\
		LSMPMON_EACH(SCALL, HOOK)				\
			__VA_ARGS__					\
	} while (0)

/*
 * An open-coded loop over a hook's callbacks, with what they are called with
 * in parentheses and the loop's body as the last argument.  It may be left by
 * break, goto and return alike.
 */
#define lsmpmon_for_each_hook(SCALL, HOOK, ARGS, ...)			\
do {									\
	if (!static_branch_unlikely(&lsmpmon_watched)) {		\
		LSMPMON_EACH(SCALL, HOOK)				\
			__VA_ARGS__					\
	} else if (static_branch_unlikely(&lsmpmon_detailed)) {		\
		bool __selected = LSMPMON_IS_SELECTED(HOOK,		\
						      LSMPMON_UNWRAP ARGS); \
									\
		LSMPMON_LOOP(1,						\
			     lsmpmon_loop_enter_detailed(__hook, __selected), \
			     lsmpmon_loop_end_detailed,			\
			     SCALL, HOOK, __VA_ARGS__);			\
	} else {							\
		LSMPMON_LOOP(0, lsmpmon_loop_enter(),			\
			     lsmpmon_loop_end,				\
			     SCALL, HOOK, __VA_ARGS__);			\
	}								\
} while (0)

/* In such a loop: call the callback that the loop has come to. */
#define lsmpmon_callback(SCALL, HOOK, ...)				\
({									\
	int __ret;							\
									\
	if (lsmpmon_in_detail)						\
		LSMPMON_CALLBACK_ENTER(HOOK, LSMPMON_PLACE(SCALL, HOOK)); \
	__ret = LSMPMON_OF(SCALL, HOOK)(__VA_ARGS__);			\
	if (lsmpmon_in_detail)						\
		LSMPMON_CALLBACK_EXIT(__ret, LSM_RET_DEFAULT(HOOK));	\
	if (lsmpmon_in_span)						\
		lsmpmon_loop_note(LSMPMON_RC(HOOK, __ret));		\
	__ret;								\
})

#else /* !CONFIG_SECURITY_LSMPMON */

#define LSMPMON_VOID_CALL(...)		false
#define LSMPMON_INT_CALL(...)		false
#define LSMPMON_VOID_HOOK(...)		false
#define LSMPMON_INT_HOOK(...)		false

#define lsmpmon_for_each_hook(SCALL, HOOK, ARGS, ...)			\
	do {								\
		LSMPMON_EACH(SCALL, HOOK)				\
			__VA_ARGS__					\
	} while (0)

#define lsmpmon_callback(SCALL, HOOK, ...)				\
	LSMPMON_OF(SCALL, HOOK)(__VA_ARGS__)

#endif /* CONFIG_SECURITY_LSMPMON */

#endif /* _LINUX_LSMPMON_HOOKS_H */
