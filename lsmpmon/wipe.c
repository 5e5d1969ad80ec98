// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: zeroing all counters
 *
 * Most of the tables is never used and is not touched: a hook with empty cells has
 * nothing in its histogram and callbacks, and places are assigned from the first on.
 * A second set of tables to switch to would make the pause shorter, but double the
 * memory.
 *
 * Counters are in the caches of the CPU that writes them.  On NUMA machines, a single
 * task would fetch them from remote nodes, so each node wipes its own CPUs.
 */

#include <linux/cpumask.h>
#include <linux/limits.h>
#include <linux/nodemask.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "denial.h"
#include "memory.h"
#include "payer.h"
#include "share.h"
#include "slow.h"
#include "store.h"
#include "untimed.h"
#include "wait.h"
#include "wipe.h"

/* CPUs whose counters are still to be wiped; under lsmpmon_control_lock(). */
static struct cpumask left;

/* By table of pairs, limit of the places in use. */
static unsigned int used[LSMPMON_PAIR_TABLES];

/* Wipe all counters that are updated only with the cells of a hook. */
static void lsmpmon_wipe_hook(struct lsmpmon_cpu *c, unsigned int hook)
{
	lsmpmon_wipe_cells(c->cell[hook], LSMPMON_VERDICTS);
	if (c->histogram)
		c->histogram[hook] = (struct lsmpmon_buckets){ };
	if (c->callback && hook < LSMPMON_HOOKS)
		lsmpmon_wipe_cells(c->callback[hook * LSMPMON_PLACES],
				   LSMPMON_PLACES * LSMPMON_VERDICTS);
	if (c->slowest)
		lsmpmon_slow_wipe(&c->slowest[hook]);
}

static void lsmpmon_wipe_hooks(struct lsmpmon_cpu *c)
{
	unsigned int hook;

	for (hook = 0; c->cell && hook < LSMPMON_CELLS; hook++)
		if (!lsmpmon_cell_empty(&c->cell[hook][LSMPMON_ALLOW]) ||
		    !lsmpmon_cell_empty(&c->cell[hook][LSMPMON_DENY]))
			lsmpmon_wipe_hook(c, hook);
	if (c->untimed)
		memset(c->untimed, 0, LSMPMON_UNTIMED_SIZE);
	if (c->denial)
		memset(c->denial, 0, LSMPMON_DENIAL_SIZE);
	/* Waits are counted before their hook call ends, so its cells may be empty. */
	if (c->wait)
		memset(c->wait, 0, LSMPMON_WAIT_SIZE);
}

static void lsmpmon_wipe_shares(struct lsmpmon_cpu *c)
{
	unsigned int operation;

	for (operation = 0; c->share && operation < LSMPMON_OPERATIONS; operation++)
		if (c->share[operation].count || c->share[operation].cs_count)
			c->share[operation] = (struct lsmpmon_share){ };
}

static void lsmpmon_wipe_cpu(struct lsmpmon_cpu *c)
{
	int by;

	lsmpmon_wipe_hooks(c);
	lsmpmon_wipe_shares(c);
	for (by = 0; by < LSMPMON_PAIR_TABLES; by++)
		if (c->pair[by])
			lsmpmon_wipe_pairs(c->pair[by], used[by]);
	WRITE_ONCE(c->lost, 0);
	WRITE_ONCE(c->backwards, 0);
}

static void lsmpmon_wipe_some(const struct cpumask *cpus)
{
	int cpu;

	for_each_cpu(cpu, cpus) {
		if (!cpumask_test_and_clear_cpu(cpu, &left))
			continue;
		lsmpmon_wipe_cpu(per_cpu_ptr(&lsmpmon_cpu, cpu));
		cond_resched();
	}
}

/* Wipe the CPUs of this node, then help with the others. */
static void lsmpmon_wipe_left(struct work_struct *work)
{
	lsmpmon_wipe_some(cpumask_of_node(numa_node_id()));
	lsmpmon_wipe_some(cpu_possible_mask);
}

/* Wipe all CPUs.  Work that has not started by the end is cancelled. */
static void lsmpmon_wipe_cpus(void)
{
	struct work_struct *help = kcalloc(nr_node_ids, sizeof(*help), GFP_KERNEL);
	int node;

	cpumask_copy(&left, cpu_possible_mask);
	for_each_online_node(node) {
		if (!help || node == numa_node_id())
			continue;
		INIT_WORK(&help[node], lsmpmon_wipe_left);
		queue_work_node(node, system_dfl_wq, &help[node]);
	}
	lsmpmon_wipe_left(NULL);
	for (node = 0; help && node < nr_node_ids; node++)
		if (help[node].func)
			cancel_work_sync(&help[node]);
	kfree(help);
}

/**
 * lsmpmon_wipe - zero the counters of all CPUs, and free tables of offline CPUs
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().  Nobody may
 *	be recording, as rule 3 of store.h says.
 */
void lsmpmon_wipe(void)
{
	int by;

	lsmpmon_memory_trim();
	for (by = 0; by < LSMPMON_PAIR_TABLES; by++)
		used[by] = lsmpmon_places[by] ?
			   lsmpmon_places_used(lsmpmon_places[by]) : 0;
	lsmpmon_wipe_cpus();
	lsmpmon_payers_reset();
	for (by = 0; by < LSMPMON_PAIR_TABLES; by++)
		if (lsmpmon_places[by])
			lsmpmon_places_wipe(lsmpmon_places[by]);
}
