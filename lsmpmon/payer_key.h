/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: who pays for the calls of the current task
 */

#ifndef _SECURITY_LSMPMON_PAYER_KEY_H
#define _SECURITY_LSMPMON_PAYER_KEY_H

#include <linux/build_bug.h>
#include <linux/cgroup.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>

#include "compat.h"
#include "operation.h"
#include "subject.h"

/* Words of the key of a payer. */
#define LSMPMON_PAYER_WORDS	4

/**
 * struct lsmpmon_payer - key of a payer
 * @comm: command name; zeroes for a cgroup
 * @cgroup: number of a cgroup; zero except for a cgroup
 * @pid: number of a process; as all that follows, zero except for a task
 * @tid: number of a thread
 * @operation: operation that the thread is in
 * @word: all of the above, to compare and to hash
 */
struct lsmpmon_payer {
	union {
		struct {
			union {
				char comm[TASK_COMM_LEN];
				u64 cgroup;
			};
			u32 pid;
			u32 tid;
			u64 operation;
		};
		u64 word[LSMPMON_PAYER_WORDS];
	};
};

#if LSMPMON_HAS_CGROUPS

/* The caller has preemption off, which is an RCU read-side critical section. */
static inline struct cgroup *lsmpmon_own_cgroup(void)
{
	return task_css_set_check(current, true)->dfl_cgrp;
}

static inline struct lsmpmon_payer lsmpmon_cgroup_key(void)
{
	struct lsmpmon_payer key = { };

	key.cgroup = cgroup_id(lsmpmon_own_cgroup());
	return key;
}

/* In a removed cgroup, only exiting tasks are left. */
static inline bool lsmpmon_cgroup_may_pay(void)
{
	return READ_ONCE(lsmpmon_own_cgroup()->self.flags) & CSS_ONLINE;
}

#else

static inline struct lsmpmon_payer lsmpmon_cgroup_key(void)
{
	return (struct lsmpmon_payer){ };
}

static inline bool lsmpmon_cgroup_may_pay(void)
{
	return true;
}

#endif /* LSMPMON_HAS_CGROUPS */

/* Command names are padded with zeroes, so they can be compared as words. */
static __always_inline struct lsmpmon_payer lsmpmon_comm_key(void)
{
	struct lsmpmon_payer key = { };

	BUILD_BUG_ON(sizeof(key) != sizeof(key.word));
	/* Race with renaming, like every reader of comm. */
	data_race(memcpy(key.comm, lsmpmon_comm(), sizeof(key.comm)));
	lsmpmon_pad_name(key.comm);
	return key;
}

/*
 * A task in its operation.  The numbers of an exited task may be those of another one
 * later, which then has another name or goes on where the first one ended.
 */
static __always_inline struct lsmpmon_payer lsmpmon_task_key(void)
{
	struct lsmpmon_payer key = lsmpmon_comm_key();

	key.pid = task_tgid_nr(current);
	key.tid = task_pid_nr(current);
	key.operation = lsmpmon_operation();
	return key;
}

#endif /* _SECURITY_LSMPMON_PAYER_KEY_H */
