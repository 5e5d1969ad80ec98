// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: what disturbs spans
 *
 * Probes on existing tracepoints mark the innermost span of a task that is switched
 * out or in, or interrupted, and measure for how long; see delay.c.  They are
 * registered only while there is a watcher.
 * Which interrupts have tracepoints depends on the architecture: device interrupts
 * and softirqs everywhere, on x86 also local vectors (timer, IPIs, ...) and NMIs, on
 * arm and arm64 also IPIs.
 */

#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>
#if defined(CONFIG_ARM) || defined(CONFIG_ARM64)
#include <trace/events/ipi.h>
#endif
#ifdef CONFIG_X86
#include <trace/events/nmi.h>
#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/trace/irq_vectors.h>
#endif
#endif

#include "clock.h"
#include "delay.h"
#include "disturbance.h"
#include "mark.h"
#include "probe.h"

/* @next may have been switched out before the probe was registered. */
static void lsmpmon_on_switch(void *data, bool preempt,
			      struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	lsmpmon_task_leaves(prev, !preempt && prev_state != TASK_RUNNING);
	lsmpmon_task_returns(next);
	lsmpmon_mark_switched(prev);
	lsmpmon_mark_switched(next);
}

/* Before Linux 5.18, the state of @prev is that of now: somebody may have woken it. */
static void __maybe_unused lsmpmon_on_old_switch(void *data, bool preempt,
						 struct task_struct *prev,
						 struct task_struct *next)
{
	lsmpmon_on_switch(data, preempt, prev, next, READ_ONCE(prev->__state));
}

static void lsmpmon_on_irq(void *data, int irq, struct irqaction *action)
{
	lsmpmon_irq_begins();
	lsmpmon_mark_interrupted();
}

static void lsmpmon_on_irq_exit(void *data, int irq, struct irqaction *action,
				int ret)
{
	lsmpmon_irq_ends();
}

static void lsmpmon_on_softirq(void *data, unsigned int vector)
{
	lsmpmon_irq_begins();
	lsmpmon_mark_interrupted();
}

static void lsmpmon_on_softirq_exit(void *data, unsigned int vector)
{
	lsmpmon_irq_ends();
}

static void __maybe_unused lsmpmon_on_vector(void *data, int vector)
{
	lsmpmon_irq_begins();
	lsmpmon_mark_interrupted();
}

static void __maybe_unused lsmpmon_on_vector_exit(void *data, int vector)
{
	lsmpmon_irq_ends();
}

static void __maybe_unused lsmpmon_on_ipi(void *data, const char *reason)
{
	lsmpmon_irq_begins();
	lsmpmon_mark_interrupted();
}

static void __maybe_unused lsmpmon_on_ipi_exit(void *data, const char *reason)
{
	lsmpmon_irq_ends();
}

/* The one event of NMIs is at the end of a handler. */
static void __maybe_unused lsmpmon_on_nmi(void *data, void *handler,
					  s64 delta_ns, int handled)
{
	lsmpmon_irq_lasted(lsmpmon_ns_to_ticks(max_t(s64, delta_ns, 0)));
	lsmpmon_mark_interrupted();
}

/*
 * X(tracepoint, probe).  Ends come before beginnings: a beginning whose end is not
 * seen would last until the next period of watching.
 */
#define LSMPMON_ALWAYS(X)						\
	X(sched_switch, LSMPMON_EITHER(sched_switch, lsmpmon_on_old_switch, \
				       lsmpmon_on_switch))		\
	X(irq_handler_exit,		lsmpmon_on_irq_exit)		\
	X(softirq_exit,			lsmpmon_on_softirq_exit)	\
	X(irq_handler_entry,		lsmpmon_on_irq)			\
	X(softirq_entry,		lsmpmon_on_softirq)

#ifdef CONFIG_X86
#define LSMPMON_NMI(X)							\
	X(nmi_handler,			lsmpmon_on_nmi)
#else
#define LSMPMON_NMI(X)
#endif

/* X for the end and the beginning of a local vector of x86. */
#define LSMPMON_VECTOR(X, NAME)						\
	X(NAME##_exit,			lsmpmon_on_vector_exit)		\
	X(NAME##_entry,			lsmpmon_on_vector)

#ifdef CONFIG_X86_LOCAL_APIC
#define LSMPMON_VECTORS(X)						\
	LSMPMON_VECTOR(X, local_timer)					\
	LSMPMON_VECTOR(X, spurious_apic)				\
	LSMPMON_VECTOR(X, error_apic)					\
	LSMPMON_VECTOR(X, x86_platform_ipi)
#else
#define LSMPMON_VECTORS(X)
#endif

#if defined(CONFIG_X86_LOCAL_APIC) && defined(CONFIG_IRQ_WORK)
#define LSMPMON_IRQ_WORK(X)						\
	LSMPMON_VECTOR(X, irq_work)
#else
#define LSMPMON_IRQ_WORK(X)
#endif

#if defined(CONFIG_X86_LOCAL_APIC) && defined(CONFIG_SMP)
#define LSMPMON_IPIS(X)							\
	LSMPMON_VECTOR(X, reschedule)					\
	LSMPMON_VECTOR(X, call_function)				\
	LSMPMON_VECTOR(X, call_function_single)
#elif defined(CONFIG_SMP) && (defined(CONFIG_ARM) || defined(CONFIG_ARM64))
#define LSMPMON_IPIS(X)							\
	X(ipi_exit,			lsmpmon_on_ipi_exit)		\
	X(ipi_entry,			lsmpmon_on_ipi)
#else
#define LSMPMON_IPIS(X)
#endif

#ifdef CONFIG_X86_MCE_THRESHOLD
#define LSMPMON_THRESHOLD(X)						\
	LSMPMON_VECTOR(X, threshold_apic)
#else
#define LSMPMON_THRESHOLD(X)
#endif

#ifdef CONFIG_X86_MCE_AMD
#define LSMPMON_DEFERRED(X)						\
	LSMPMON_VECTOR(X, deferred_error_apic)
#else
#define LSMPMON_DEFERRED(X)
#endif

#ifdef CONFIG_X86_THERMAL_VECTOR
#define LSMPMON_THERMAL(X)						\
	LSMPMON_VECTOR(X, thermal_apic)
#else
#define LSMPMON_THERMAL(X)
#endif

#define LSMPMON_TRACEPOINTS(X)						\
	LSMPMON_ALWAYS(X) LSMPMON_NMI(X) LSMPMON_VECTORS(X)		\
	LSMPMON_IRQ_WORK(X) LSMPMON_IPIS(X) LSMPMON_THRESHOLD(X)	\
	LSMPMON_DEFERRED(X) LSMPMON_THERMAL(X)

LSMPMON_DEFINE_PROBES(LSMPMON_TRACEPOINTS);

/* Protects the number of watchers. */
static DEFINE_MUTEX(lsmpmon_probes_lock);
static unsigned int lsmpmon_probes_users;

bool lsmpmon_marking __read_mostly;

/* Runs on each CPU. */
static void lsmpmon_mark_running(void *unused)
{
	lsmpmon_delay_unknown(current);
	lsmpmon_mark_switched(current);
}

/*
 * Calls in progress may have been disturbed before the probes were registered, so
 * count them as switched, with an unknown delay: those of running tasks are marked
 * here, the others when their task is switched in.
 */
static void lsmpmon_start_marking(void)
{
	on_each_cpu(lsmpmon_mark_running, NULL, true);
	WRITE_ONCE(lsmpmon_marking, true);
}

static int lsmpmon_watch_disturbances(void)
{
	int err;

	lsmpmon_delays_begin();
	err = lsmpmon_probes_register(lsmpmon_probes, ARRAY_SIZE(lsmpmon_probes));
	if (!err)
		lsmpmon_start_marking();
	return err;
}

static void lsmpmon_stop_marking(void)
{
	WRITE_ONCE(lsmpmon_marking, false);
	lsmpmon_probes_unregister(lsmpmon_probes, ARRAY_SIZE(lsmpmon_probes));
}

/**
 * lsmpmon_disturbance_watch - add a watcher, for whom disturbed spans are marked
 *
 * Call this before hook calls are watched, so that no disturbance is missed.
 *
 * Context: process context, may sleep; not under the lock of tracepoints.
 * Return: 0, or the error of registering with a tracepoint.
 */
int lsmpmon_disturbance_watch(void)
{
	int err = 0;

	mutex_lock(&lsmpmon_probes_lock);
	if (!lsmpmon_probes_users)
		err = lsmpmon_watch_disturbances();
	if (!err)
		lsmpmon_probes_users++;
	mutex_unlock(&lsmpmon_probes_lock);
	return err;
}

/**
 * lsmpmon_disturbance_unwatch - remove a watcher
 *
 * Context: as lsmpmon_disturbance_watch().
 */
void lsmpmon_disturbance_unwatch(void)
{
	mutex_lock(&lsmpmon_probes_lock);
	if (!WARN_ON_ONCE(!lsmpmon_probes_users) && !--lsmpmon_probes_users)
		lsmpmon_stop_marking();
	mutex_unlock(&lsmpmon_probes_lock);
}
