/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: memory of the counters
 */

#ifndef _SECURITY_LSMPMON_MEMORY_H
#define _SECURITY_LSMPMON_MEMORY_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/types.h>

#include "place.h"

/* Tables of a CPU, each a member of struct lsmpmon_cpu. */
enum lsmpmon_table {
	LSMPMON_TABLE_CELL,
	LSMPMON_TABLE_DENIAL,
	LSMPMON_TABLE_UNTIMED,
	LSMPMON_TABLE_CALLBACK,
	LSMPMON_TABLE_HISTOGRAM,
	LSMPMON_TABLE_SHARE,
	LSMPMON_TABLE_SLOWEST,
	LSMPMON_TABLE_WAIT,
	LSMPMON_TABLE_NAME,
	LSMPMON_TABLE_PAIR,	/* the first table of pairs */
	LSMPMON_TABLES = LSMPMON_TABLE_PAIR + LSMPMON_PAIR_TABLES,
};

/* Sets of tables are words. */
static_assert(LSMPMON_TABLES <= BITS_PER_LONG);

/* Tables in use while measuring is on. */
#define LSMPMON_BASE	(BIT(LSMPMON_TABLE_CELL) | BIT(LSMPMON_TABLE_DENIAL))

int lsmpmon_memory_init(void);
int lsmpmon_memory_alloc(unsigned long which);
void lsmpmon_memory_free(unsigned long which);
void lsmpmon_memory_pin(bool pin);
void lsmpmon_memory_trim(void);
int lsmpmon_cpu_starts(unsigned int cpu);
int lsmpmon_cpu_is_dead(unsigned int cpu);
size_t lsmpmon_memory_per_cpu(void);
size_t lsmpmon_memory(void);

#endif /* _SECURITY_LSMPMON_MEMORY_H */
