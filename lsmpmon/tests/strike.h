/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: interrupts for its KUnit tests
 */

#ifndef _SECURITY_LSMPMON_TESTS_STRIKE_H
#define _SECURITY_LSMPMON_TESTS_STRIKE_H

#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/preempt.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *timer),
	      clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

/* A timer whose interrupt does something, as network receive calls hooks. */
struct striker {
	struct hrtimer timer;
	void (*act)(struct striker *s);
	bool struck;
};

static inline enum hrtimer_restart strike(struct hrtimer *timer)
{
	struct striker *s = container_of(timer, struct striker, timer);

	s->act(s);
	WRITE_ONCE(s->struck, true);
	return HRTIMER_NORESTART;
}

/*
 * Wait for the interrupt of the timer; false if there was none.  The caller stays on
 * this CPU.
 */
static inline bool be_struck(struct striker *s, enum hrtimer_mode mode)
{
	const unsigned long deadline = jiffies + 10 * HZ;

	hrtimer_setup(&s->timer, strike, CLOCK_MONOTONIC, mode);
	hrtimer_start(&s->timer, ms_to_ktime(1), mode);
	while (!READ_ONCE(s->struck) && time_before(jiffies, deadline))
		cpu_relax();
	hrtimer_cancel(&s->timer);
	return s->struck;
}

#endif /* _SECURITY_LSMPMON_TESTS_STRIKE_H */
