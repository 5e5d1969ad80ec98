// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: starting the work that frees columns
 */

#include <linux/compiler.h>
#include <linux/init.h>
#include <linux/irq_work.h>

#include "compat.h"
#include "kick.h"

/* Work is queued from an irq_work, since it cannot be queued in an NMI. */
static struct work_struct evict;
static bool kicked;

/*
 * With many CPUs, the work takes long: not on the CPU that needed a column, which may be
 * one that is kept free of such work.
 */
static void lsmpmon_queue_work(struct irq_work *work)
{
	queue_work(system_dfl_wq, &evict);
}

static DEFINE_IRQ_WORK(kick, lsmpmon_queue_work);

/**
 * lsmpmon_payers_init - set the work that frees columns
 * @work: the work function, in a layer above this one
 *
 * Context: late in the boot, before any feature is on.
 */
void __init lsmpmon_payers_init(work_func_t work)
{
	INIT_WORK(&evict, work);
}

/**
 * lsmpmon_payers_kick - start the work that frees columns
 *
 * Does nothing until lsmpmon_payers_rearm() if the work was started already.
 *
 * Context: any, NMI included.
 */
void lsmpmon_payers_kick(void)
{
	if (READ_ONCE(kicked))
		return;
	WRITE_ONCE(kicked, true);
	irq_work_queue(&kick);
}

/**
 * lsmpmon_payers_rearm - allow lsmpmon_payers_kick() to start the work again
 *
 * Context: process context, at the end of the work.
 */
void lsmpmon_payers_rearm(void)
{
	WRITE_ONCE(kicked, false);
}
