// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: eviction of payers
 *
 * The columns of removed cgroups are freed when the table is shown and when few
 * columns are left.  If that is not enough, the payers with the fewest calls lose
 * their columns.  Calls of a freed column are added to `other`, and its next payer
 * starts at zero.
 *
 * Payers are compared as in the Space-Saving algorithm (Metwally, Agrawal and El
 * Abbadi 2005): the weight of a payer is the number of calls in its column plus an
 * upper bound of its calls in earlier columns, the greatest weight of any evicted
 * payer.  A user who makes up names with few calls each therefore evicts these names
 * first, and payers with many calls keep their columns.
 *
 * Unlike in Space-Saving, columns are freed before all are taken.  So most payers
 * have a column from their first call on, and a column has calls of its payer only.
 * lsmpmon_payer_missed() limits the number of calls that may be missing.
 */

#include <linux/bitmap.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/cputime.h>
#include <linux/workqueue.h>

#include "cgroup.h"
#include "compat.h"
#include "control.h"
#include "evict.h"
#include "kick.h"
#include "line.h"

/* Number of columns that are free after an eviction. */
#define FREE_COLUMNS(KIND)	(2 * lsmpmon_few_columns(KIND))

/* Number of places that are free after an eviction; limit of lsmpmon_places_are_few(). */
#define FREE_PLACES	(LSMPMON_ALL_PLACES / 4)
#define FEW_PLACES	(LSMPMON_ALL_PLACES / 8 + 4 * BITS_PER_LONG)

/* Pause after an eviction: a minimum, and a multiple of the time that it took. */
#define REST_MS		20
#define REST		9

/* Weights of the columns; columns in use and to be freed; under lsmpmon_control_lock(). */
static u64 weights[LSMPMON_MOST_PAYERS];
static DECLARE_BITMAP(taken, LSMPMON_MOST_PAYERS);
static DECLARE_BITMAP(leaving, LSMPMON_MOST_PAYERS);

static u64 lsmpmon_calls_of(enum lsmpmon_by kind, unsigned int column)
{
	struct lsmpmon_pair pair;
	unsigned int hook;
	u64 calls = 0;

	for (hook = 0; hook < LSMPMON_CELLS; hook++) {
		lsmpmon_pair_add_up(kind, hook, column, &pair);
		calls += pair.count + pair.cs_count;
	}
	return calls;
}

/**
 * lsmpmon_payer_others - number of calls that were recorded in `other`
 * @kind: kind of payers
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 * Return: calls for which no column or place was free; not those of evicted payers.
 */
u64 lsmpmon_payer_others(enum lsmpmon_by kind)
{
	return lsmpmon_calls_of(kind, lsmpmon_other_payer(kind));
}

static u64 lsmpmon_payer_base(enum lsmpmon_by kind, unsigned int column)
{
	const struct lsmpmon_payers *p = lsmpmon_payers[kind];
	const struct lsmpmon_tenure *t = &p->tenure[column];

	return t->settled ? t->base : p->base;
}

/**
 * lsmpmon_payer_missed - limit of the calls of a payer that are not in its column
 * @kind: kind of payers
 * @column: column of the payer
 * @others: result of lsmpmon_payer_others()
 *
 * Context: process context, under lsmpmon_control_lock().
 * Return: greatest possible number of calls of the payer in `other`.
 */
u64 lsmpmon_payer_missed(enum lsmpmon_by kind, unsigned int column, u64 others)
{
	const struct lsmpmon_tenure *t = &lsmpmon_payers[kind]->tenure[column];

	if (!READ_ONCE(t->missed)) {
		if (READ_ONCE(t->exact))
			others = 0;
		else if (t->settled)
			others = t->others;
	}
	return lsmpmon_payer_base(kind, column) + others;
}

static void lsmpmon_settle(struct lsmpmon_payers *p, unsigned int column, u64 others)
{
	struct lsmpmon_tenure *t = &p->tenure[column];

	if (t->settled)
		return;
	t->base = p->base;
	t->others = others;
	t->settled = true;
}

/* Find all columns in use, and fix their limits before payers are evicted. */
static void lsmpmon_list_columns(enum lsmpmon_by kind)
{
	const u64 others = lsmpmon_payer_others(kind);
	struct lsmpmon_payers *p = lsmpmon_payers[kind];
	unsigned int slot;
	u32 column;

	bitmap_zero(taken, LSMPMON_MOST_PAYERS);
	for (slot = 0; slot < ARRAY_SIZE(p->first); slot++) {
		/* Pairs with cmpxchg() in lsmpmon_put_column(). */
		column = smp_load_acquire(&p->first[slot]);
		for (; column; column = READ_ONCE(p->next[column - 1])) {
			__set_bit(column - 1, taken);
			lsmpmon_settle(p, column - 1, others);
		}
	}
}

static void lsmpmon_list_removed(struct lsmpmon_payers *p)
{
	unsigned int column;

	for_each_set_bit(column, taken, LSMPMON_MOST_PAYERS)
		if (!lsmpmon_cgroup_exists(p->key[column].cgroup)) {
			__clear_bit(column, taken);
			__set_bit(column, leaving);
		}
}

/* Number of places of a payer. */
static unsigned int lsmpmon_places_of(enum lsmpmon_by kind, unsigned int column)
{
	unsigned int hook, count = 0;

	for (hook = 0; hook < LSMPMON_CELLS; hook++)
		count += lsmpmon_place_find(lsmpmon_places[kind], hook, column) !=
			 LSMPMON_NO_PLACE;
	return count;
}

static unsigned int lsmpmon_lightest(void)
{
	unsigned int column, lightest = LSMPMON_MOST_PAYERS;

	for_each_set_bit(column, taken, LSMPMON_MOST_PAYERS)
		if (lightest == LSMPMON_MOST_PAYERS ||
		    weights[column] < weights[lightest])
			lightest = column;
	return lightest;
}

static void lsmpmon_weigh(enum lsmpmon_by kind)
{
	unsigned int column;

	for_each_set_bit(column, taken, LSMPMON_MOST_PAYERS) {
		weights[column] = lsmpmon_payer_base(kind, column) +
				  lsmpmon_calls_of(kind, column);
		cond_resched();
	}
}

/* Select the lightest payers, until enough columns and places will be free. */
static void lsmpmon_list_lightest(enum lsmpmon_by kind)
{
	unsigned int columns = lsmpmon_payers_left(lsmpmon_payers[kind]);
	unsigned int places = lsmpmon_places_left(lsmpmon_places[kind]);
	unsigned int column;

	for_each_set_bit(column, leaving, LSMPMON_MOST_PAYERS) {
		columns++;
		places += lsmpmon_places_of(kind, column);
	}
	if (columns >= lsmpmon_few_columns(kind) && places >= FEW_PLACES)
		return;
	lsmpmon_weigh(kind);
	while ((columns < FREE_COLUMNS(kind) || places < FREE_PLACES) &&
	       (column = lsmpmon_lightest()) < LSMPMON_MOST_PAYERS) {
		columns++;
		places += lsmpmon_places_of(kind, column);
		__clear_bit(column, taken);
		__set_bit(column, leaving);
	}
}

/* Move the calls of a column to `other`.  They may have grown since lsmpmon_weigh(). */
static void lsmpmon_move_calls(enum lsmpmon_by kind, unsigned int column)
{
	struct lsmpmon_payers *p = lsmpmon_payers[kind];
	const u64 weight = lsmpmon_payer_base(kind, column) +
			   lsmpmon_calls_of(kind, column);
	unsigned int hook;

	/* A removed cgroup cannot get another column. */
	if (kind != LSMPMON_BY_CGROUP ||
	    lsmpmon_cgroup_exists(p->key[column].cgroup))
		p->base = max(p->base, weight);
	for (hook = 0; hook < LSMPMON_CELLS; hook++)
		lsmpmon_pair_move(kind, hook, column, &p->evicted[hook]);
}

static void lsmpmon_evict_leaving(enum lsmpmon_by kind)
{
	struct lsmpmon_payers *p = lsmpmon_payers[kind];
	unsigned int column;

	for_each_set_bit(column, leaving, LSMPMON_MOST_PAYERS)
		lsmpmon_payer_unlink(p, column);
	/* Wait for calls that have found one of the columns. */
	synchronize_rcu();
	for_each_set_bit(column, leaving, LSMPMON_MOST_PAYERS) {
		lsmpmon_move_calls(kind, column);
		cond_resched();
	}
	/* Only now is @base the greatest weight of all that were evicted. */
	for_each_set_bit(column, leaving, LSMPMON_MOST_PAYERS)
		lsmpmon_payer_free(p, column);
}

/**
 * lsmpmon_evict - free columns of payers
 * @kind: kind of payers
 * @make_room: also evict the lightest payers if few columns or places are free,
 *	not only removed cgroups
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 */
void lsmpmon_evict(enum lsmpmon_by kind, bool make_room)
{
	if (!lsmpmon_places[kind])
		return;
	lsmpmon_places_rescan(lsmpmon_places[kind]);
	bitmap_zero(leaving, LSMPMON_MOST_PAYERS);
	lsmpmon_list_columns(kind);
	if (kind == LSMPMON_BY_CGROUP)
		lsmpmon_list_removed(lsmpmon_payers[kind]);
	if (make_room)
		lsmpmon_list_lightest(kind);
	if (!bitmap_empty(leaving, LSMPMON_MOST_PAYERS))
		lsmpmon_evict_leaving(kind);
}

/* Columns may have been taken during the pause, and features switched off. */
static void lsmpmon_evict_again(void)
{
	int kind;

	lsmpmon_store_hold();
	for (kind = 0; kind < LSMPMON_PAYER_KINDS; kind++)
		if (lsmpmon_is_measuring() && lsmpmon_payers[kind] &&
		    lsmpmon_payers_left(lsmpmon_payers[kind]) <
		    lsmpmon_few_columns(kind))
			lsmpmon_payers_kick();
	lsmpmon_store_release();
}

static void lsmpmon_end_rest(struct work_struct *work)
{
	lsmpmon_payers_rearm();
	lsmpmon_evict_again();
}

static DECLARE_DELAYED_WORK(rest, lsmpmon_end_rest);

/*
 * Free columns when few are left, and rest.  With the rest, this takes a tenth of a
 * processor at most, whatever users do, so it reads the exact time that it took: the
 * scheduler adds to sum_exec_runtime only at times, such as ticks.  Tables do not change
 * while measuring is off.
 */
static void lsmpmon_evict_work(struct work_struct *work)
{
	const u64 begin = task_sched_runtime(current);
	u64 took;
	int kind;

	lsmpmon_control_lock();
	if (lsmpmon_is_measuring())
		for (kind = 0; kind < LSMPMON_PAYER_KINDS; kind++)
			lsmpmon_evict(kind, true);
	lsmpmon_control_unlock();
	took = task_sched_runtime(current) - begin;
	queue_delayed_work(system_dfl_wq, &rest,
			   msecs_to_jiffies(REST_MS) + nsecs_to_jiffies(REST * took));
}

/**
 * lsmpmon_evict_init - set up the work that frees columns
 *
 * Context: before any feature is on.
 */
void __init lsmpmon_evict_init(void)
{
	lsmpmon_payers_init(lsmpmon_evict_work);
}
