/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the beginnings of calls in detail
 */

#ifndef _SECURITY_LSMPMON_DETAIL_H
#define _SECURITY_LSMPMON_DETAIL_H

#include <linux/lsmpmon_hooks.h>

#include "keys.h"

/* Why the arguments of a call have to be examined before it begins. */
enum lsmpmon_need {
	LSMPMON_NEEDS_NOTHING,	/* the call has begun */
	LSMPMON_NEEDS_NOTE,	/* to note the object */
	LSMPMON_NEEDS_MATCH,	/* to compare them with the object of the filter */
};

enum lsmpmon_need lsmpmon_begin_detailed(struct lsmpmon_frame *frame,
					 enum lsmpmon_hook hook);
void lsmpmon_begin_decided(struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
			   bool selected);
void lsmpmon_begin_noted(struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
			 bool selected);
void lsmpmon_begin_undecided(struct lsmpmon_frame *frame, enum lsmpmon_hook hook,
			     enum lsmpmon_need need);

/* For the body of lsmpmon_dispatch_HOOK(), see dispatch.c: begin a hook call in detail. */
#define LSMPMON_BEGIN_DETAILED(HOOK, ...)				\
do {									\
	const enum lsmpmon_need __need =				\
		lsmpmon_begin_detailed(&frame, LSMPMON_HOOK_##HOOK);	\
									\
	if (__need != LSMPMON_NEEDS_NOTHING)				\
		LSMPMON_BEGIN_EXAMINED(HOOK,				\
			__need == LSMPMON_NEEDS_NOTE ||			\
			LSMPMON_ON_OBJECT(HOOK, ##__VA_ARGS__),		\
			##__VA_ARGS__);					\
} while (0)

#define LSMPMON_BEGIN_EXAMINED(HOOK, SELECTED, ...)			\
do {									\
	const bool __selected = SELECTED;				\
									\
	if (static_branch_unlikely(&lsmpmon_noting)) {			\
		frame.noted = LSMPMON_OBJECT_OF(HOOK, ##__VA_ARGS__);	\
		lsmpmon_begin_noted(&frame, LSMPMON_HOOK_##HOOK, __selected); \
	} else {							\
		lsmpmon_begin_decided(&frame, LSMPMON_HOOK_##HOOK,	\
				      __selected);			\
	}								\
} while (0)

#endif /* _SECURITY_LSMPMON_DETAIL_H */
