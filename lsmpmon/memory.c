// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: memory of the counters
 *
 * Only CPUs that run have tables, and only those tables that are in use.  A CPU
 * gets its tables from the one that starts it, before it executes anything: so
 * no hook call finds none, be it in an interrupt, in an NMI or in the idle task.
 * A CPU for which there is no memory does not start.  One that goes off keeps its
 * tables, since they have counts, until the next reset.
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

#include "inject.h"
#include "memory.h"
#include "store.h"

#define MEMBER(NAME)	offsetof(struct lsmpmon_cpu, NAME)

static void lsmpmon_init_cells(void *table, size_t size)
{
	lsmpmon_wipe_cells(table, size / sizeof(struct lsmpmon_cell));
}

static void lsmpmon_init_pairs(void *table, size_t size)
{
	lsmpmon_wipe_pairs(table, size / sizeof(struct lsmpmon_pair));
}

/* Where a CPU has a table, its size, and what more than zeroes it starts with. */
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
	[LSMPMON_TABLE_NAME] = { MEMBER(name), LSMPMON_NAME_SIZE },
	[LSMPMON_TABLE_PAIR ... LSMPMON_TABLES - 1] = {
		MEMBER(pair), LSMPMON_PAIR_SIZE, lsmpmon_init_pairs,
	},
};

/* Serialises who changes what follows, besides a CPU that starts or dies. */
static DEFINE_MUTEX(memory_lock);

/*
 * The tables that each CPU that runs has; those CPUs; bytes of all tables.  They
 * change under cpus_read_lock(), or while it is held for writing.
 */
static unsigned long in_use;
static struct cpumask running;
static size_t allocated;

/* Of the tables given, those that are not to be taken. */
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
	/* All of it first, for readers and writers that find it. */
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

/* What all CPUs share for a table of pairs. */
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
	}
}

/**
 * lsmpmon_cpu_starts - give a CPU its tables
 * @cpu: which
 *
 * Context: process context, on another CPU, before @cpu executes anything.
 * Return: 0, or -ENOMEM: then it must not start.  What was given until then
 *	stays until the next reset.
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
 * lsmpmon_cpu_is_dead - a CPU executes nothing any more
 * @cpu: which; it keeps its tables
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
 * lsmpmon_memory_init - from here on, know which CPUs run
 *
 * Context: early boot, on the only CPU that runs.
 * Return: 0, or an error of CPU hotplug, with which nothing can be measured.
 */
int __init lsmpmon_memory_init(void)
{
	int err;

	cpus_read_lock();
	/* Its own calls would miss the CPU that runs, before Linux 6.10. */
	err = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_BP_PREPARE_DYN,
						   "security/lsmpmon:prepare",
						   lsmpmon_cpu_starts,
						   lsmpmon_cpu_is_dead);
	if (err >= 0)
		cpumask_copy(&running, cpu_online_mask);
	cpus_read_unlock();
	return min(err, 0);
}

/* Nobody's processes are to be killed for it. */
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
 * lsmpmon_memory_alloc - have each CPU have some tables
 * @which: the tables, as bits; those that are there stay as they are
 *
 * CPUs that start later will have them, too.
 *
 * Context: process context or early boot, may sleep; those who give a table and
 *	those who take it hold the same lock.
 * Return: 0, -ENOMEM, or -ENODEV if lsmpmon_memory_init() failed; then nothing
 *	has changed.
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
 * lsmpmon_memory_free - free some tables of all CPUs
 * @which: the tables, as bits
 *
 * Waits for those who read them.
 *
 * Context: process context, may sleep.  Nobody may write to them any more: the
 *	switch that leads there is off, and a grace period has passed.
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
 * lsmpmon_memory_pin - have tables that are there stay, or not any more
 * @pin: whether they stay
 *
 * What is switched on again at the end of a session needs them, and giving them
 * might fail.
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
 * lsmpmon_memory_trim - free the tables of CPUs that do not run
 *
 * Context: process context, may sleep.  Nobody needs what they have counted.
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
 * lsmpmon_memory_per_cpu - memory that the tables of one CPU that runs take
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
 * lsmpmon_memory - memory that is allocated for counters
 *
 * Context: process context, may sleep.
 * Return: bytes, of all CPUs and of what they share.
 */
size_t lsmpmon_memory(void)
{
	size_t size = READ_ONCE(allocated);
	int by;

	lsmpmon_store_hold();
	for (by = 0; by < LSMPMON_PAIR_TABLES; by++)
		if (READ_ONCE(lsmpmon_places[by]))
			size += lsmpmon_places_size(lsmpmon_places[by]);
	lsmpmon_store_release();
	return size;
}
