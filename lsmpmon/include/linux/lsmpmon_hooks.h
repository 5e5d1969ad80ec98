/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the seam in security/security.c
 *
 * While somebody watches, a hook call goes to lsmpmon_call_HOOK(), over one
 * static branch.  That is the one measured copy of the hook's dispatch; it is
 * made for all hooks in dispatch.c.
 *
 * What security.c dispatches itself is measured where it stands: loops over
 * callbacks, and hooks beside whose callbacks something is called by name.
 * Such a span lasts as long as a scope, so it may be left by break, goto and
 * return alike.  It has its frame on the stack, so a function with such a span
 * comes twice: as it ever was, and as a measured twin, to which it goes over the
 * static branch.
 */

#ifndef _LINUX_LSMPMON_HOOKS_H
#define _LINUX_LSMPMON_HOOKS_H

#include <linux/lsm_hooks.h>
#include <linux/lsmpmon.h>
#include <linux/lsmpmon_object.h>

/* Linux has this since 6.11, and later stable kernels before it. */
#ifndef __uninitialized
#if __has_attribute(__uninitialized__)
#define __uninitialized	__attribute__((__uninitialized__))
#else
#define __uninitialized
#endif
#endif

/* Numbers of the hooks, in the order of lsm_hook_defs.h. */
enum lsmpmon_hook {
#define LSM_HOOK(RET, DEFAULT, NAME, ...) LSMPMON_HOOK_##NAME,
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK
	LSMPMON_HOOKS,
};

/* How a hook reaches its callbacks. */
#ifdef MAX_LSM_COUNT
#include <linux/lsmpmon_static_calls.h>
#else
#include <linux/lsmpmon_lists.h>
#endif
#include <linux/lsmpmon_scope.h>

#ifdef CONFIG_SECURITY_LSMPMON

/* What is done with a hook call, decided once, where it begins. */
#define LSMPMON_IGNORED		BIT(0)	/* nothing: the filter passes it over */
#define LSMPMON_UNSELECTED	BIT(1)	/* the same, but it is traced */
#define LSMPMON_TRACED		BIT(2)	/* it ends with a trace event */
#define LSMPMON_INSPECTED	BIT(3)	/* its callbacks are measured, too */
#define LSMPMON_UNDECIDED	BIT(4)	/* unselected until its object is seen */
#define LSMPMON_EVENTFUL	BIT(5)	/* a callback denied, was disturbed or ended early */

/**
 * struct lsmpmon_span - a hook call that is under way
 * @outer: the next span around it, of the same task or of what an interrupt
 *	struck
 * @begin: clock when it began
 * @unusual: zero for a call that is only counted, and that nothing disturbed
 * @interrupted: an interrupt or NMI was inside; set by whoever strikes
 * @switched: a context switch was inside; set by the scheduler's tracepoint
 * @flags: LSMPMON_IGNORED and so on
 * @untimed: it is only counted, and not linked; a byte of its own, that is read
 *	only where the call ends
 *
 * A span is a frame on the stack of whoever dispatches.  Interrupts open and
 * close theirs inside, so that they leave what they found, hence no locking.
 * What disturbs a task marks its innermost span alone; one that is closed is
 * unlinked first and read afterwards, and passes its marks on to @outer.
 * Marks are bytes of their own that others only ever set, so that nobody who is
 * interrupted in between overwrites another's; lsmpmon_take_marks() clears them.
 */
struct lsmpmon_span {
	struct lsmpmon_span	*outer;
	u64			begin;
	union {
		u32		unusual;
		struct {
			u8	interrupted;
			u8	switched;
			u8	flags;
			bool	untimed;
		};
	};
};

/**
 * struct lsmpmon_callback - a callback of a hook call that is not over
 * @ticks: how long it took; while it is under way, the clock when it began
 * @place: where it stands in the order of the hook's
 * @denied: it did
 * @disturbance: what was inside, as enum lsmpmon_disturbance
 */
struct lsmpmon_callback {
	u64	ticks;
	u16	place;
	bool	denied;
	u8	disturbance;
};

/**
 * struct lsmpmon_frame - a hook call on the stack of the function that dispatches it
 * @span: the call
 * @callback: those that began.  They are recorded when the call ends, in
 *	one record with it: if it is switched out, their times count no more
 *	than its own
 * @callbacks: how many began
 * @ended: the last of them was over before the call or the next callback
 * @interrupted: marks that @span had and that were taken as a callback's
 * @switched: the same
 * @zero: makes room to begin all of these with one store
 * @verdict: in a loop: of the callback called last
 * @hook: in a loop: which
 *
 * All of callbacks is used with LSMPMON_INSPECTED only.  What each call uses
 * comes first: it is nearest to the stack pointer, and code for it is short.
 */
struct lsmpmon_frame {
	struct lsmpmon_span	span;
	struct lsmpmon_callback	callback[LSMPMON_PLACES];
	u32			callbacks;
	bool			ended;
	bool			interrupted;
	bool			switched;
	u8			zero;
	int			verdict;
	u16			hook;
};

/* Where stacks are zeroed: not for this, of which only what is set is read. */
#define LSMPMON_FRAME(NAME) \
	struct lsmpmon_frame NAME __uninitialized

static __always_inline bool lsmpmon_is_watched(void)
{
	return static_branch_unlikely(&lsmpmon_watched);
}

/* What a filter says before it has seen the object of a call. */
enum lsmpmon_selection {
	LSMPMON_REJECTED,
	LSMPMON_SELECTED,
	LSMPMON_NEEDS_OBJECT,	/* on the object */
};

enum lsmpmon_selection lsmpmon_select(void);

bool lsmpmon_begin_detailed(struct lsmpmon_frame *frame, enum lsmpmon_hook hook);
void lsmpmon_begin_decided(struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
			   bool selected);
void lsmpmon_begin_undecided(struct lsmpmon_frame *frame, enum lsmpmon_hook hook);
void lsmpmon_begin_callback(struct lsmpmon_frame *frame, unsigned int place);
void lsmpmon_begin_first_callback(void);
void lsmpmon_begin_next_callback(void);
void lsmpmon_end_callback(struct lsmpmon_frame *frame, int rc);
void lsmpmon_loop_begin(struct lsmpmon_frame *frame, enum lsmpmon_hook hook);
void lsmpmon_loop_decide(struct lsmpmon_frame *frame, bool selected);
void lsmpmon_loop_end(struct lsmpmon_frame *frame);

/* The measured dispatch of each hook. */
#define LSM_HOOK(RET, DEFAULT, NAME, ...) RET lsmpmon_call_##NAME(__VA_ARGS__);
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK

/* Whether a call is on the object of the filter. */
#define LSMPMON_ON_OBJECT(HOOK, ...)					\
	(!LSMPMON_IS_LIFETIME(#HOOK) && LSMPMON_ANY_OBJECT(__VA_ARGS__))

static __always_inline bool
lsmpmon_measures_callbacks(const struct lsmpmon_frame *frame)
{
	return unlikely(frame->span.flags & LSMPMON_INSPECTED);
}

/* Before a callback: the one before it, which had no opinion, is over. */
static __always_inline void lsmpmon_callback_at(struct lsmpmon_frame *frame,
						unsigned int place)
{
	if (lsmpmon_measures_callbacks(frame))
		lsmpmon_begin_callback(frame, place);
}

/*
 * The same, where each is called in its turn; @place is a constant.  The frame
 * is the innermost of the task.  What is called finds it there: its address in a
 * register would have to be saved over all callbacks.
 */
static __always_inline void lsmpmon_next_callback(struct lsmpmon_frame *frame,
						  unsigned int place)
{
	if (!lsmpmon_measures_callbacks(frame))
		return;
	if (place)
		lsmpmon_begin_next_callback();
	else
		lsmpmon_begin_first_callback();
}

/*
 * Whether code is that of a measured twin; negative in functions that have none.
 * A constant everywhere.
 */
enum { lsmpmon_measured = -1 };

/* Whether to measure a hook call.  Between a function and its twin, that is settled. */
#define LSMPMON_IS_MEASURED()						\
	(lsmpmon_measured < 0 ? lsmpmon_is_watched() : lsmpmon_measured)

/*
 * Between the head of a function and its body: makes the one a declaration, and
 * the other a body for both the function and its measured twin.  The branch comes
 * first, where the arguments are still where the twin expects them, so that it
 * costs the function no register and no frame.
 */
#define LSMPMON_TWIN(RET, NAME, ARGUMENTS, ...)				\
;									\
static __always_inline RET						\
lsmpmon_body_##NAME(const int lsmpmon_measured, __VA_ARGS__);		\
									\
static noinline __noclone notrace RET lsmpmon_twin_##NAME(__VA_ARGS__) \
{									\
	return lsmpmon_body_##NAME(true, LSMPMON_BARE ARGUMENTS);	\
}									\
									\
RET NAME(__VA_ARGS__)							\
{									\
	if (lsmpmon_is_watched())					\
		return lsmpmon_twin_##NAME ARGUMENTS;			\
	return lsmpmon_body_##NAME(false, LSMPMON_BARE ARGUMENTS);	\
}									\
									\
static __always_inline RET						\
lsmpmon_body_##NAME(const int lsmpmon_measured, __VA_ARGS__)

#define LSMPMON_BARE(...)	__VA_ARGS__

/* The frame of a call that is measured where it stands; NULL outside of twins. */
#define LSMPMON_LOOP_FRAME(MEASURED, STORAGE, HOOK)			\
	__attribute__((__cleanup__(lsmpmon_loop_left))) =		\
		lsmpmon_loop_entered(MEASURED, STORAGE,			\
				     LSMPMON_HOOK_##HOOK)

static __always_inline struct lsmpmon_frame *
lsmpmon_loop_entered(int measured, struct lsmpmon_frame *frame,
		     enum lsmpmon_hook hook)
{
	BUILD_BUG_ON_MSG(measured < 0, "LSMPMON_TWIN() is missing");
	if (!measured)
		return NULL;
	lsmpmon_loop_begin(frame, hook);
	return frame;
}

static __always_inline void
lsmpmon_loop_left(struct lsmpmon_frame *const *frame)
{
	if (*frame)
		lsmpmon_loop_end(*frame);
}

/*
 * Before an open-coded loop over a hook's callbacks: a scope that has the loop
 * in it. Its own loop has one round and ends with the one in it.  In a function
 * that calls modules by name, the loop is a part of the call that is open.
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

/* In such a scope: the arguments of its callbacks, before the first of them. */
#define LSMPMON_LOOP_DECIDE(HOOK, ...)					\
do {									\
	if (unlikely(lsmpmon_frame->span.flags & LSMPMON_UNDECIDED))	\
		lsmpmon_loop_decide(lsmpmon_frame,			\
			LSMPMON_ON_OBJECT(HOOK, ##__VA_ARGS__));	\
} while (0)

/* In such a loop: call the callback that the loop has come to. */
#define lsmpmon_callback(P, HOOK, ...)					\
({									\
	int __ret;							\
									\
	if (lsmpmon_frame) {						\
		LSMPMON_LOOP_DECIDE(HOOK, ##__VA_ARGS__);		\
		lsmpmon_callback_at(lsmpmon_frame,			\
				    LSMPMON_PLACE(P, HOOK));		\
	}								\
	__ret = LSMPMON_OF(P, HOOK)(__VA_ARGS__);			\
	if (lsmpmon_frame)						\
		lsmpmon_note(lsmpmon_frame, __ret,			\
			     LSM_RET_DEFAULT(HOOK));			\
	__ret;								\
})

/* The same for one without a verdict. */
#define lsmpmon_callback_void(P, HOOK, ...)				\
do {									\
	if (lsmpmon_frame) {						\
		LSMPMON_LOOP_DECIDE(HOOK, ##__VA_ARGS__);		\
		lsmpmon_callback_at(lsmpmon_frame,			\
				    LSMPMON_PLACE(P, HOOK));		\
	}								\
	LSMPMON_OF(P, HOOK)(__VA_ARGS__);				\
	if (lsmpmon_frame)						\
		lsmpmon_note(lsmpmon_frame, 0, 0);			\
} while (0)

/* What a callback of a loop has returned, and what says nothing. */
static __always_inline void lsmpmon_note(struct lsmpmon_frame *frame, int rc,
					 int no_opinion)
{
	frame->verdict = rc == no_opinion ? 0 : rc;
	if (lsmpmon_measures_callbacks(frame))
		lsmpmon_end_callback(frame, frame->verdict);
}

#else /* !CONFIG_SECURITY_LSMPMON */

#define LSMPMON_VOID_HOOK(...)		false
#define LSMPMON_INT_HOOK(...)		false

#define LSMPMON_TWIN(...)
#define LSMPMON_LOOP(HOOK)

#define lsmpmon_callback(P, HOOK, ...)	LSMPMON_OF(P, HOOK)(__VA_ARGS__)
#define lsmpmon_callback_void(P, HOOK, ...) \
	LSMPMON_OF(P, HOOK)(__VA_ARGS__)

#endif /* CONFIG_SECURITY_LSMPMON */

#endif /* _LINUX_LSMPMON_HOOKS_H */
