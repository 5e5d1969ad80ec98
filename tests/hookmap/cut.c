// SPDX-License-Identifier: GPL-2.0-only
/* Where the caller is not answerable, nothing is followed; works run at the return, or later. */
#include "fake.h"

HOOK(file_free)
HOOK(cred_free)
HOOK(syslog)
HOOK(capable)

struct callback_head {
	void (*func)(struct callback_head *);
};

static inline void init_task_work(struct callback_head *work, void (*func)(struct callback_head *))
{
	work->func = func;
}

void call_rcu(struct callback_head *head, void (*func)(struct callback_head *));

static void at_return(struct callback_head *w) { security_file_free(w); }
static void after_rcu(struct callback_head *w) { security_cred_free(w); }

void _printk(void *o)
{
	security_syslog(o);
}

long sys_close(struct callback_head *work)
{
	int error = security_capable(work);

	if (error)
		return error;
	_printk(work);
	init_task_work(work, at_return);
	call_rcu(work, after_rcu);
	return 0;
}

void task_work_run(struct callback_head *work)
{
	work->func(work);
}
