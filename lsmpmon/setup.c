// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: order of initialisation
 */

#include <linux/init.h>
#include <linux/lsmpmon.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>

#include "clock.h"
#include "control.h"
#include "death.h"
#include "evict.h"
#include "fs.h"
#include "functions.h"
#include "memory.h"

static bool measure_boot __initdata;
core_param(lsmmon, measure_boot, bool, 0);

/**
 * lsmpmon_init - initialise the monitor before any security module
 *
 * With lsmmon=1 on the command line, measuring starts here.
 *
 * Context: security_init(), before any module is initialised.
 */
void __init lsmpmon_init(void)
{
	int err = lsmpmon_memory_init();

	lsmpmon_death_init();
	lsmpmon_functions_init();
	if (err)
		pr_err("lsmpmon: nothing can be measured: error %d\n", err);
	else if (measure_boot && lsmpmon_measure(true))
		pr_err("lsmpmon: no memory to measure the boot\n");
}

static int __init lsmpmon_late_init(void)
{
	lsmpmon_clock_init();
	lsmpmon_evict_init();
	return lsmpmon_fs_init();
}
late_initcall(lsmpmon_late_init);
