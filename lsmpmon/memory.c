// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: memory of the counters
 *
 * Only online CPUs have tables, and only tables that are in use.  The tables of a
 * CPU are allocated before it executes anything, so that every hook call finds them,
 * even in an NMI or in the idle task.  A CPU for which there is no memory does not
 * come online.  A CPU that goes offline keeps its tables, whose counts are valid,
 * until the next reset.
 */

#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/topology.h>

#include "denial.h"
#include "inject.h"
#include "match.h"
#include "memory.h"
#include "payer.h"
#include "share.h"
#include "slow.h"
#include "store.h"
#include "untimed.h"
#include "wait.h"

#define MEMBER(NAME)	offsetof(struct lsmpmon_cpu, NAME)

static void lsmpmon_init_cells(void *table, size_t size)
{
	lsmpmon_wipe_cells(table, size / sizeof(struct lsmpmon_cell));
}

static void lsmpmon_init_pairs(void *table, size_t size)
{
	lsmpmon_wipe_pairs(table, size / sizeof(struct lsmpmon_pair));
}

/* Each table's pointer in struct lsmpmon_cpu, size, and initialiser if not zeroes. */
static const struct {
	size_t member;
	size_t size;
	void (*init)(void *table, size_t size);
} tables[LSMPMON_TABLES] = {
	[LSMPMON_TABLE_CELL] = {
		MEMBER(cell), LSMPMON_CELL_SIZE, lsmpmon_init_cells,
	},
	[LSMPMON_TABLE_DENIAL] = { MEMBER(denial), LSMPMON_DENIAL_SIZE },
	[LSMPMON_TABLE_UNTIMED] = { MEMBER(untimed), LSMPMON_UNTIMED_SIZE },
	[LSMPMON_TABLE_CALLBACK] = {
		MEMBER(callback), LSMPMON_CALLBACK_SIZE, lsmpmon_init_cells,
	},
	[LSMPMON_TABLE_HISTOGRAM] = { MEMBER(histogram), LSMPMON_HISTOGRAM_SIZE },
	[LSMPMON_TABLE_SHARE] = { MEMBER(share), LSMPMON_SHARE_SIZE },
	[LSMPMON_TABLE_SLOWEST] = { MEMBER(slowest), LSMPMON_SLOWEST_SIZE },
	[LSMPMON_TABLE_WAIT] = { MEMBER(wait), LSMPMON_WAIT_SIZE },
	[LSMPMON_TABLE_NAME] = { MEMBER(name), LSMPMON_NAME_SIZE },
	[LSMPMON_TABLE_PAIR ... LSMPMON_TABLES - 1] = {
		MEMBER(pair), LSMPMON_PAIR_SIZE, lsmpmon_init_pairs,
	},
};

/* Serialises changes of the variables below, except by CPU hotplug. */
static DEFINE_MUTEX(memory_lock);

/*
 * Tables that each running CPU has, running CPUs, and bytes of all tables.  They are
 * changed under cpus_read_lock(), or by CPU hotplug, which excludes it.
 */
static unsigned long in_use;
static struct cpumask running;
static size_t allocated;

/* Tables in use that must not be freed. */
static unsigned long pinned;

static void **lsmpmon_table_of(int cpu, enum lsmpmon_table table)
{
	struct lsmpmon_cpu *c = per_cpu_ptr(&lsmpmon_cpu, cpu);

	if (table >= LSMPMON_TABLE_PAIR)
		return (void **)&c->pair[table - LSMPMON_TABLE_PAIR];
	return (void *)c + tables[table].member;
}

static int lsmpmon_alloc_table(int cpu, enum lsmpmon_table table)
{
	void **at = lsmpmon_table_of(cpu, table);
	const size_t size = tables[table].size;
	void *memory;
	int err;

	if (*at)
		return 0;
	err = lsmpmon_inject(LSMPMON_ALLOCATING);
	if (err)
		return err;
	memory = kvzalloc_node(size, GFP_KERNEL, cpu_to_node(cpu));
	if (!memory)
		return -ENOMEM;
	if (tables[table].init)
		tables[table].init(memory, size);
	/* Initialise the table before readers and writers can find it. */
	smp_store_release(at, memory);
	WRITE_ONCE(allocated, allocated + size);
	return 0;
}

static int lsmpmon_alloc_tables(int cpu, unsigned long which)
{
	unsigned int table;
	int err = 0;

	for_each_set_bit(table, &which, LSMPMON_TABLES)
		err = err ?: lsmpmon_alloc_table(cpu, table);
	return err;
}

static void lsmpmon_free_table(int cpu, enum lsmpmon_table table)
{
	void **at = lsmpmon_table_of(cpu, table);

	if (!*at)
		return;
	kvfree(*at);
	WRITE_ONCE(*at, NULL);
	WRITE_ONCE(allocated, allocated - tables[table].size);
}

static void lsmpmon_free_tables(int cpu, unsigned long which)
{
	unsigned int table;

	for_each_set_bit(table, &which, LSMPMON_TABLES)
		lsmpmon_free_table(cpu, table);
}

/* Free what all CPUs share for tables of pairs. */
static void lsmpmon_free_places(unsigned long which)
{
	struct lsmpmon_places **places;
	int by;

	for (by = 0; by < LSMPMON_PAIR_TABLES; by++) {
		if (!(which & BIT(LSMPMON_TABLE_PAIR + by)))
			continue;
		places = &lsmpmon_places[by];
		kvfree(*places);
		WRITE_ONCE(*places, NULL);
		if (by < LSMPMON_PAYER_KINDS)
			lsmpmon_payers_discard(by);
	}
}

/**
 * lsmpmon_cpu_starts - allocate the tables of a CPU
 * @cpu: number of the CPU
 *
 * Context: process context, on another CPU, before @cpu executes anything.
 * Return: 0, or -ENOMEM, with which the CPU does not start.  Tables that were
 *	allocated already are freed by the next reset.
 */
int lsmpmon_cpu_starts(unsigned int cpu)
{
	if (lsmpmon_alloc_tables(cpu, in_use)) {
		pr_warn("lsmpmon: CPU %u stays off: no memory for its counters\n",
			cpu);
		return -ENOMEM;
	}
	cpumask_set_cpu(cpu, &running);
	return 0;
}

/**
 * lsmpmon_cpu_is_dead - note that a CPU has gone offline; it keeps its tables
 * @cpu: number of the CPU
 *
 * Context: process context, on another CPU.
 * Return: 0.
 */
int lsmpmon_cpu_is_dead(unsigned int cpu)
{
	cpumask_clear_cpu(cpu, &running);
	return 0;
}

/**
 * lsmpmon_memory_init - register for CPU hotplug
 *
 * Context: early boot, while only one CPU runs.
 * Return: 0, or the error of CPU hotplug; then nothing can be measured.
 */
int __init lsmpmon_memory_init(void)
{
	int err;

	cpus_read_lock();
	/* Before Linux 6.10, the callback would not be called for the boot CPU. */
	err = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_BP_PREPARE_DYN,
						   "security/lsmpmon:prepare",
						   lsmpmon_cpu_starts,
						   lsmpmon_cpu_is_dead);
	if (err >= 0)
		cpumask_copy(&running, cpu_online_mask);
	cpus_read_unlock();
	return min(err, 0);
}

/* Fail early, so that the OOM killer is not invoked. */
static int lsmpmon_check_available(unsigned long which)
{
	unsigned long pages = 0, available = max(si_mem_available(), 0L);
	unsigned int table;

	if (cpumask_empty(&running))
		return -ENODEV;
	for_each_set_bit(table, &which, LSMPMON_TABLES)
		pages += DIV_ROUND_UP(tables[table].size, PAGE_SIZE);
	return pages * cpumask_weight(&running) > available ? -ENOMEM : 0;
}

static int lsmpmon_alloc_running(unsigned long which)
{
	int cpu, err = lsmpmon_check_available(which);

	for_each_cpu(cpu, &running) {
		err = err ?: lsmpmon_alloc_tables(cpu, which);
		cond_resched();
	}
	return err;
}

static void lsmpmon_free_possible(unsigned long which)
{
	int cpu;

	down_write(&lsmpmon_tables);
	for_each_possible_cpu(cpu) {
		lsmpmon_free_tables(cpu, which);
		cond_resched();
	}
	lsmpmon_free_places(which);
	up_write(&lsmpmon_tables);
}

/**
 * lsmpmon_memory_alloc - allocate tables on all running CPUs
 * @which: BIT() of each table; tables in use are left as they are
 *
 * CPUs that start later get them, too.
 *
 * Context: process context or early boot, may sleep.  Callers serialise allocating
 *	and freeing of the same table.
 * Return: 0, -ENOMEM, or -ENODEV if lsmpmon_memory_init() failed.  Nothing changes
 *	on errors.
 */
int lsmpmon_memory_alloc(unsigned long which)
{
	int err;

	mutex_lock(&memory_lock);
	cpus_read_lock();
	which &= ~in_use;
	err = lsmpmon_alloc_running(which);
	if (err)
		lsmpmon_free_possible(which);
	else
		WRITE_ONCE(in_use, in_use | which);
	cpus_read_unlock();
	mutex_unlock(&memory_lock);
	return err;
}

/**
 * lsmpmon_memory_free - free tables of all CPUs
 * @which: BIT() of each table; pinned tables are not freed
 *
 * Waits for readers of the tables.
 *
 * Context: process context, may sleep.  There must be no writers: the key of the
 *	table is off, and a grace period has passed.
 */
void lsmpmon_memory_free(unsigned long which)
{
	mutex_lock(&memory_lock);
	cpus_read_lock();
	which &= in_use & ~pinned;
	WRITE_ONCE(in_use, in_use & ~which);
	if (which)
		lsmpmon_free_possible(which);
	cpus_read_unlock();
	mutex_unlock(&memory_lock);
}

/**
 * lsmpmon_memory_pin - pin or unpin the tables in use
 * @pin: true to keep the tables that are in use now, false to keep none
 *
 * A session pins the tables that its end may need, since allocating could fail.
 *
 * Context: process context, may sleep.
 */
void lsmpmon_memory_pin(bool pin)
{
	mutex_lock(&memory_lock);
	pinned = pin ? in_use : 0;
	mutex_unlock(&memory_lock);
}

/**
 * lsmpmon_memory_trim - free the tables of CPUs that are offline
 *
 * Context: process context, may sleep.  The counters in the tables are lost.
 */
void lsmpmon_memory_trim(void)
{
	int cpu;

	mutex_lock(&memory_lock);
	cpus_read_lock();
	down_write(&lsmpmon_tables);
	for_each_possible_cpu(cpu) {
		if (!cpumask_test_cpu(cpu, &running))
			lsmpmon_free_tables(cpu, GENMASK(LSMPMON_TABLES - 1, 0));
		cond_resched();
	}
	up_write(&lsmpmon_tables);
	cpus_read_unlock();
	mutex_unlock(&memory_lock);
}

/**
 * lsmpmon_memory_per_cpu - size of the tables of one running CPU
 *
 * Context: any.
 * Return: bytes.
 */
size_t lsmpmon_memory_per_cpu(void)
{
	const unsigned long which = READ_ONCE(in_use);
	unsigned int table;
	size_t size = 0;

	for_each_set_bit(table, &which, LSMPMON_TABLES)
		size += tables[table].size;
	return size;
}

/**
 * lsmpmon_memory - size of all memory allocated for counters
 *
 * Context: process context, may sleep.
 * Return: bytes, including memory that all CPUs share.
 */
size_t lsmpmon_memory(void)
{
	size_t size = READ_ONCE(allocated);
	int by;

	lsmpmon_store_hold();
	for (by = 0; by < LSMPMON_PAIR_TABLES; by++)
		if (READ_ONCE(lsmpmon_places[by]))
			size += lsmpmon_places_size(lsmpmon_places[by]);
	for (by = 0; by < LSMPMON_PAYER_KINDS; by++)
		size += lsmpmon_payers_size(by);
	lsmpmon_store_release();
	return size;
}
