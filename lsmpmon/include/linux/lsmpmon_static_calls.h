/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: hooks with static calls
 *
 * Since Linux 6.12 each hook has a static call for each module that there may
 * be, MAX_LSM_COUNT of them.  The names here are those of lsmpmon_lists.h, too.
 */

#ifndef _LINUX_LSMPMON_STATIC_CALLS_H
#define _LINUX_LSMPMON_STATIC_CALLS_H

/* Call the callbacks of a hook, as ever. */
#define LSMPMON_DISPATCH_VOID(HOOK, ...)				\
	LSM_LOOP_UNROLL(__CALL_STATIC_VOID, HOOK, __VA_ARGS__)

#define LSMPMON_DISPATCH_INT(RC, HOOK, DONE, ...)			\
	LSM_LOOP_UNROLL(__CALL_STATIC_INT, RC, HOOK, DONE, __VA_ARGS__)

/* One slot of the same for what the filter passes over. */
#define LSMPMON_PASS_SLOT_VOID(NUM, HOOK, ...)				\
do {									\
	if (static_branch_unlikely(&SECURITY_HOOK_ACTIVE_KEY(HOOK, NUM))) { \
		static_call(LSM_STATIC_CALL(HOOK, NUM))(__VA_ARGS__);	\
		LSMPMON_APART(NUM);					\
	}								\
} while (0);

#define LSMPMON_PASS_SLOT_INT(NUM, R, HOOK, LABEL, ...)			\
do {									\
	if (static_branch_unlikely(&SECURITY_HOOK_ACTIVE_KEY(HOOK, NUM))) { \
		R = static_call(LSM_STATIC_CALL(HOOK, NUM))(__VA_ARGS__); \
		LSMPMON_APART(NUM);					\
		if (R != LSM_RET_DEFAULT(HOOK))				\
			goto LABEL;					\
	}								\
} while (0);

#define LSMPMON_PASS_VOID(HOOK, ...)					\
	LSM_LOOP_UNROLL(LSMPMON_PASS_SLOT_VOID, HOOK, __VA_ARGS__)

#define LSMPMON_PASS_INT(RC, HOOK, DONE, ...)				\
	LSM_LOOP_UNROLL(LSMPMON_PASS_SLOT_INT, RC, HOOK, DONE, __VA_ARGS__)

/* One slot of the detailed dispatch, as __CALL_STATIC_VOID and _INT. */
#define LSMPMON_CALL_VOID(NUM, HOOK, ...)				\
do {									\
	if (static_branch_unlikely(&SECURITY_HOOK_ACTIVE_KEY(HOOK, NUM))) { \
		LSMPMON_CALLBACK_ENTER(HOOK, NUM);			\
		static_call(LSM_STATIC_CALL(HOOK, NUM))(__VA_ARGS__);	\
		lsmpmon_callback_exit(0);				\
	}								\
} while (0);

#define LSMPMON_CALL_INT(NUM, R, HOOK, LABEL, ...)			\
do {									\
	if (static_branch_unlikely(&SECURITY_HOOK_ACTIVE_KEY(HOOK, NUM))) { \
		LSMPMON_CALLBACK_ENTER(HOOK, NUM);			\
		R = static_call(LSM_STATIC_CALL(HOOK, NUM))(__VA_ARGS__); \
		R = LSMPMON_CALLBACK_EXIT(R, LSM_RET_DEFAULT(HOOK));	\
		if (R != LSM_RET_DEFAULT(HOOK))				\
			goto LABEL;					\
	}								\
} while (0);

/* Call them and measure each. */
#define LSMPMON_DETAIL_VOID(HOOK, ...)					\
	LSM_LOOP_UNROLL(LSMPMON_CALL_VOID, HOOK, __VA_ARGS__)

#define LSMPMON_DETAIL_INT(RC, NO_OPINION, HOOK, DONE, ...)		\
	LSM_LOOP_UNROLL(LSMPMON_CALL_INT, RC, HOOK, DONE, __VA_ARGS__)

/* Modules fill the static calls of a hook from the first on. */
#define LSMPMON_HAS_MODULES(HOOK)					\
	static_branch_unlikely(&SECURITY_HOOK_ACTIVE_KEY(HOOK, 0))

/* A loop over them, the one that it has come to, and that one's place. */
#define LSMPMON_EACH(P, HOOK)	lsm_for_each_hook(P, HOOK)
#define LSMPMON_OF(P, HOOK)	((P)->hl->hook.HOOK)
#define LSMPMON_PLACE(P, HOOK)	((P) - static_calls_table.HOOK)

#endif /* _LINUX_LSMPMON_STATIC_CALLS_H */
