/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the seam in security/security.c
 *
 * While hook calls are watched, a static branch takes each of them to
 * lsmpmon_call_HOOK(), the one measured copy of the hook's dispatch, in dispatch.c.
 *
 * Loops over callbacks in security.c are measured in place.  The span of such a call is
 * a scope, which may be left by break, goto or return.  Its frame is on the stack, so
 * the function is compiled twice: unchanged, and as a measured twin that is called over
 * the static branch.
 */

#ifndef _LINUX_LSMPMON_HOOKS_H
#define _LINUX_LSMPMON_HOOKS_H

#include <linux/lsm_hooks.h>
#include <linux/lsmpmon.h>
#include <linux/lsmpmon_callback.h>
#include <linux/lsmpmon_object.h>

/* Defined by Linux since 6.11, and by some older stable kernels. */
#ifndef __uninitialized
#if __has_attribute(__uninitialized__)
#define __uninitialized	__attribute__((__uninitialized__))
#else
#define __uninitialized
#endif
#endif

/* Not defined by Linux 5.15. */
#ifndef __no_stack_protector
#if __has_attribute(__no_stack_protector__)
#define __no_stack_protector	__attribute__((__no_stack_protector__))
#else
#define __no_stack_protector
#endif
#endif

/* Hooks, in the order of lsm_hook_defs.h. */
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
#ifdef LSMPMON_SCOPES
#include <linux/lsmpmon_scope.h>
#endif

#ifdef CONFIG_SECURITY_LSMPMON

/* Flags of a hook call, set when it begins. */
#define LSMPMON_TRACED		BIT(0)	/* ends with a trace event */
#define LSMPMON_UNSELECTED	BIT(1)	/* not recorded, but may be traced */
#define LSMPMON_INSPECTED	BIT(2)	/* callbacks are measured, too */
#define LSMPMON_UNDECIDED	BIT(3)	/* the object is not known yet */
#define LSMPMON_EVENTFUL	BIT(4)	/* a callback denied, was disturbed or ended early */
#define LSMPMON_NOTED		BIT(5)	/* its object is noted */

/* Why the span of a hook call is not linked. */
enum lsmpmon_unlinked {
	LSMPMON_LINKED,
	LSMPMON_UNTIMED,	/* timing was skipped: the call is only counted */
	LSMPMON_IGNORED,	/* the filter has rejected the call */
};

/**
 * struct lsmpmon_span - a hook call in progress, from clock read to clock read
 * @outer: the span around this one, of the same task or of the interrupted context
 * @begin: clock when the call began
 * @hook: number of the hook; not set in a call that is not recorded.  It and @unusual are
 *	set by one store where both are constants
 * @unusual: all of the bytes below; zero for a usual call
 * @interrupted: mark: an interrupt or NMI was inside
 * @switched: mark: a context switch was inside
 * @flags: LSMPMON_UNSELECTED and so on
 * @unlinked: whether the span is not linked, as enum lsmpmon_unlinked; a byte of its
 *	own, which is read only at the end of the call
 * @delay: what the marks stand for; valid only if there is a mark
 *
 * A span is in a frame on the stack of the function that dispatches the call.  An
 * interrupt unlinks its spans before it returns, so no locking is needed.  Only the
 * innermost span of a task is marked.  At its end, a span is unlinked first and read
 * afterwards, and passes its marks on to @outer.  Each mark is a byte of its own that
 * others only set, so that no read-modify-write can lose a mark; only
 * lsmpmon_take_marks() clears marks.
 */
struct lsmpmon_span {
	struct lsmpmon_span	*outer;
	u64			begin;
	u32			hook;
	union {
		u32		unusual;
		struct {
			u8	interrupted;
			u8	switched;
			u8	flags;
			u8	unlinked;
		};
	};
	struct lsmpmon_delay	delay;
};

/**
 * struct lsmpmon_frame - a hook call on the stack of the function that dispatches it
 * @span: span of the call
 * @callback: callbacks that have begun.  They are recorded together with the call:
 *	if it had a context switch inside, they count as if they had, too
 * @callbacks: number of callbacks that have begun
 * @ended: whether the last callback has ended, and none is in progress
 * @interrupted: mark taken from @span at the end of a callback
 * @switched: mark taken from @span at the end of a callback
 * @parts: number of parts of the delay that are kept; with the members from @ended
 *	on, set by one store
 * @part: parts of the delay by callback
 * @delay: delay taken from @span at the end of callbacks; valid if one of the marks
 *	taken is set
 * @noted: object of the call; valid with LSMPMON_NOTED only
 * @verdict: for calls measured in place, return value of the last callback
 *
 * Members about callbacks are used with LSMPMON_INSPECTED only.  @span is first: it
 * is nearest to the stack pointer, which makes the code shorter.
 */
struct lsmpmon_frame {
	struct lsmpmon_span	span;
	struct lsmpmon_callback	callback[LSMPMON_PLACES];
	u32			callbacks;
	bool			ended;
	bool			interrupted;
	bool			switched;
	u8			parts;
	struct lsmpmon_part	part[LSMPMON_PARTS];
	struct lsmpmon_delay	delay;
	struct lsmpmon_noted	noted;
	int			verdict;
};

/* Exempt from CONFIG_INIT_STACK_ALL_*: no member is read before it is set. */
#define LSMPMON_FRAME(NAME) \
	struct lsmpmon_frame NAME __uninitialized

static __always_inline bool lsmpmon_is_watched(void)
{
	return static_branch_unlikely(&lsmpmon_watched);
}

void lsmpmon_loop_begin(struct lsmpmon_frame *frame, enum lsmpmon_hook hook);
void lsmpmon_loop_decide(struct lsmpmon_frame *frame, bool selected,
			 struct lsmpmon_noted noted);
void lsmpmon_loop_end(struct lsmpmon_frame *frame);

/* The measured dispatch of each hook. */
#define LSM_HOOK(RET, DEFAULT, NAME, ...) RET lsmpmon_call_##NAME(__VA_ARGS__);
#include <linux/lsm_hook_defs.h>
#undef LSM_HOOK

static __always_inline bool
lsmpmon_measures_callbacks(const struct lsmpmon_frame *frame)
{
	return unlikely(frame->span.flags & LSMPMON_INSPECTED);
}

/* Before a callback; the previous one has returned the hook's default. */
static __always_inline void lsmpmon_callback_at(struct lsmpmon_frame *frame,
						unsigned int place)
{
	if (lsmpmon_measures_callbacks(frame))
		lsmpmon_begin_callback(frame, place);
}

/*
 * Before a callback, if callbacks are called in the order of their places; @place is
 * a constant, and @frame the innermost frame.  The functions called here find it in
 * the task: passing it would keep a register live across all callbacks.
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
 * Whether this code is in a measured twin: a constant, which is negative in functions
 * without a twin.
 */
enum { lsmpmon_measured = -1 };

/* Whether to measure a hook call: a constant in a function with a twin. */
#define LSMPMON_IS_MEASURED()						\
	(lsmpmon_measured < 0 ? lsmpmon_is_watched() : lsmpmon_measured)

/*
 * Stands between the head of a function and its body.  The head becomes a declaration,
 * and the body is used by both the function and its measured twin.  The branch comes
 * first, where the arguments are in place for the twin, so that the function needs no
 * extra register or frame.
 */
#define LSMPMON_TWIN(RET, NAME, ARGUMENTS, ...)				\
;									\
static __always_inline RET						\
lsmpmon_body_##NAME(const int lsmpmon_measured, __VA_ARGS__);		\
									\
static noinline __noclone notrace __no_stack_protector RET		\
lsmpmon_twin_##NAME(__VA_ARGS__)					\
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

/* Frame of a call that is measured in place; NULL outside of twins. */
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

#ifndef LSMPMON_SCOPES

/* In call_void_hook(): true if the call was dispatched here. */
#define LSMPMON_VOID_HOOK(HOOK, ...)					\
({									\
	const bool __measured = LSMPMON_IS_MEASURED();			\
									\
	if (__measured)							\
		lsmpmon_call_##HOOK(__VA_ARGS__);			\
	__measured;							\
})

/* In call_int_hook(): true if the call was dispatched here. */
#define LSMPMON_INT_HOOK(RC, HOOK, ...)					\
({									\
	const bool __measured = LSMPMON_IS_MEASURED();			\
									\
	if (__measured)							\
		RC = lsmpmon_call_##HOOK(__VA_ARGS__);			\
	__measured;							\
})

/*
 * Opens a scope around an open-coded loop over the callbacks of a hook; the for loop
 * here has one iteration.
 */
#define LSMPMON_LOOP(HOOK)						\
	for (struct lsmpmon_frame __lsmpmon_storage __uninitialized,	\
	     *const lsmpmon_frame					\
		LSMPMON_LOOP_FRAME(lsmpmon_measured,			\
				   &__lsmpmon_storage, HOOK),		\
	     *__lsmpmon_done = NULL;					\
	     !__lsmpmon_done; __lsmpmon_done = (void *)1)

#endif /* !LSMPMON_SCOPES */

/*
 * In the scope of a call measured in place: apply the filter and note the object before
 * the first callback.
 */
#define LSMPMON_LOOP_DECIDE(HOOK, ...)					\
do {									\
	if (unlikely(lsmpmon_frame->span.flags & LSMPMON_UNDECIDED))	\
		lsmpmon_loop_decide(lsmpmon_frame,			\
			lsmpmon_frame->span.flags & LSMPMON_UNSELECTED && \
			LSMPMON_ON_OBJECT(HOOK, ##__VA_ARGS__),		\
			LSMPMON_OBJECT_OF(HOOK, ##__VA_ARGS__));	\
} while (0)

/* In a loop measured in place: before the callback at the position of the loop. */
#define LSMPMON_BEFORE_CALLBACK(P, HOOK, ...)				\
do {									\
	if (!lsmpmon_frame)						\
		break;							\
	LSMPMON_LOOP_DECIDE(HOOK, ##__VA_ARGS__);			\
	lsmpmon_callback_at(lsmpmon_frame, LSMPMON_PLACE(P, HOOK));	\
} while (0)

/* In a loop measured in place: call the callback at the position of the loop. */
#define lsmpmon_callback(P, HOOK, ...)					\
({									\
	int __ret;							\
									\
	LSMPMON_BEFORE_CALLBACK(P, HOOK, ##__VA_ARGS__);		\
	__ret = LSMPMON_OF(P, HOOK)(__VA_ARGS__);			\
	if (lsmpmon_frame)						\
		lsmpmon_note(lsmpmon_frame, __ret,			\
			     LSM_RET_DEFAULT(HOOK));			\
	__ret;								\
})

/* lsmpmon_callback() for void hooks. */
#define lsmpmon_callback_void(P, HOOK, ...)				\
do {									\
	LSMPMON_BEFORE_CALLBACK(P, HOOK, ##__VA_ARGS__);		\
	LSMPMON_OF(P, HOOK)(__VA_ARGS__);				\
	if (lsmpmon_frame)						\
		lsmpmon_note(lsmpmon_frame, 0, 0);			\
} while (0)

/* After a callback measured in place; @no_opinion is the value that decides nothing. */
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
