// SPDX-License-Identifier: GPL-2.0-only
/* Works that are set up by hand, timers and threads are not the caller's. */
#include "fake.h"

HOOK(kernel_load_data)
HOOK(task_free)
HOOK(settime)

struct work_struct {
	void (*func)(struct work_struct *);
};

void timer_setup(void *timer, void (*function)(void *), unsigned int flags);
void *kthread_create_on_node(int (*function)(void *), void *data);

static void work(struct work_struct *w) { security_kernel_load_data(w); }
static void timer(void *o) { security_task_free(o); }
static int thread(void *o) { return security_settime(o); }

long sys_later(struct work_struct *w)
{
	w->func = work;
	timer_setup(w, timer, 0);
	kthread_create_on_node(thread, w);
	return 0;
}

/* What runs works runs anybody's. */
long sys_worker(struct work_struct *w)
{
	w->func(w);
	return 0;
}
