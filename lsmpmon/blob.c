// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: room for the state of each task
 *
 * The state is in the security blob that the LSM framework gives each task, so neither
 * the size nor the layout of struct task_struct depends on the monitor, and neither do
 * the versions of symbols that modules are built against.
 */

#include <linux/build_bug.h>
#include <linux/init.h>
#include <linux/lsm_hooks.h>
#include <linux/lsmpmon.h>
#include <linux/sched.h>

/* With the 32 bytes of another module, a blob still fits into an object of 256. */
static_assert(sizeof(struct lsmpmon_task) <= 224);

/* State of the first task, before security_init() gives it a blob. */
static struct lsmpmon_task lsmpmon_first __initdata;

/**
 * lsmpmon_blob_init - reserve room in the security blob of each task
 * @sizes: sizes of the blobs, before any module has added to them
 *
 * The room comes first, so that its place is known at compile time.
 *
 * Context: early_security_init(), before any module is initialised.
 */
void __init lsmpmon_blob_init(struct lsm_blob_sizes *sizes)
{
	sizes->lbs_task = sizeof(struct lsmpmon_task);
	current->security = &lsmpmon_first;
}
