// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: who loses a column
 *
 * A cgroup that was removed loses its column: whenever the table is shown, and
 * when columns are few.  When they are still few, those lose theirs who have
 * paid least.  Their calls go to `other`, where they were all the time for those
 * who add up; and for who gets the column, counting begins at zero.
 *
 * Who has paid least is found as the algorithm Space-Saving does it (Metwally,
 * Agrawal and El Abbadi 2005): the weight of a payer is its calls in its column
 * and what it may have had in earlier ones, which is at most the greatest weight
 * that any payer lost its column with.  So a user who makes up names, each for few
 * calls, takes columns from himself at first, and needs many for each call more
 * that others have.  And who pays more than others gets a column and keeps it.
 *
 * Columns come back before all are taken.  So other than in Space-Saving, most
 * payers have theirs from their first call on, and all that a column has are calls
 * of its payer.  What it may lack is known, see lsmpmon_payer_missed().
 */

#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/time64.h>

#include "cgroup.h"
#include "control.h"
#include "evict.h"
#include "line.h"

/* How many columns are free afterwards. */
#define FREE_COLUMNS	(2 * LSMPMON_FEW_COLUMNS)

/* How many places are, and when they are few: as lsmpmon_places_are_few(). */
#define FREE_PLACES	(LSMPMON_ALL_PLACES / 4)
#define FEW_PLACES	(LSMPMON_ALL_PLACES / 8 + 4 * BITS_PER_LONG)

/* How long the work rests: at least, and for each time that it takes. */
#define REST_MS		20
#define REST		9

/* Under lsmpmon_control_lock(): what each column weighs, and who has to go. */
static u64 weights[LSMPMON_PAYERS];
static DECLARE_BITMAP(taken, LSMPMON_PAYERS);
static DECLARE_BITMAP(leaving, LSMPMON_PAYERS);

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
 * lsmpmon_payer_others - how many calls were counted in `other` at once
 * @kind: of payers
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 * Return: those that found no column or no place.
 */
u64 lsmpmon_payer_others(enum lsmpmon_by kind)
{
	return lsmpmon_calls_of(kind, LSMPMON_OTHER_PAYER);
}

static u64 lsmpmon_payer_base(enum lsmpmon_by kind, unsigned int column)
{
	const struct lsmpmon_payers *p = &lsmpmon_payers[kind];
	const struct lsmpmon_tenure *t = &p->tenure[column];

	return t->settled ? t->base : p->base;
}

/**
 * lsmpmon_payer_missed - what a payer may have paid that its column does not have
 * @kind: of payers
 * @column: of the payer
 * @others: what lsmpmon_payer_others() says
 *
 * Context: process context, under lsmpmon_control_lock().
 * Return: at most so many calls of it are in `other`.
 */
u64 lsmpmon_payer_missed(enum lsmpmon_by kind, unsigned int column, u64 others)
{
	const struct lsmpmon_tenure *t = &lsmpmon_payers[kind].tenure[column];

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

/*
 * Find all columns that are taken.  What their payers lack will not grow any
 * more if others lose their columns from now on.
 */
static void lsmpmon_list_columns(enum lsmpmon_by kind)
{
	const u64 others = lsmpmon_payer_others(kind);
	struct lsmpmon_payers *p = &lsmpmon_payers[kind];
	unsigned int slot;
	u32 column;

	bitmap_zero(taken, LSMPMON_PAYERS);
	for (slot = 0; slot < ARRAY_SIZE(p->first); slot++) {
		/* The column before its key. */
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

	for_each_set_bit(column, taken, LSMPMON_PAYERS)
		if (!lsmpmon_cgroup_exists(p->key[column].word[0])) {
			__clear_bit(column, taken);
			__set_bit(column, leaving);
		}
}

/* How many places a payer has. */
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
	unsigned int column, lightest = LSMPMON_PAYERS;

	for_each_set_bit(column, taken, LSMPMON_PAYERS)
		if (lightest == LSMPMON_PAYERS ||
		    weights[column] < weights[lightest])
			lightest = column;
	return lightest;
}

static void lsmpmon_weigh(enum lsmpmon_by kind)
{
	unsigned int column;

	for_each_set_bit(column, taken, LSMPMON_PAYERS) {
		weights[column] = lsmpmon_payer_base(kind, column) +
				  lsmpmon_calls_of(kind, column);
		cond_resched();
	}
}

/* Until there are enough columns and places, with what the dead leave. */
static void lsmpmon_list_lightest(enum lsmpmon_by kind)
{
	unsigned int columns = lsmpmon_payers_left(&lsmpmon_payers[kind]);
	unsigned int places = lsmpmon_places_left(lsmpmon_places[kind]);
	unsigned int column;

	for_each_set_bit(column, leaving, LSMPMON_PAYERS) {
		columns++;
		places += lsmpmon_places_of(kind, column);
	}
	if (columns >= LSMPMON_FEW_COLUMNS && places >= FEW_PLACES)
		return;
	lsmpmon_weigh(kind);
	while ((columns < FREE_COLUMNS || places < FREE_PLACES) &&
	       (column = lsmpmon_lightest()) < LSMPMON_PAYERS) {
		columns++;
		places += lsmpmon_places_of(kind, column);
		__clear_bit(column, taken);
		__set_bit(column, leaving);
	}
}

/* Its weight is what it has now: others may have called since it was weighed. */
static void lsmpmon_move_calls(enum lsmpmon_by kind, unsigned int column)
{
	struct lsmpmon_payers *p = &lsmpmon_payers[kind];
	const u64 weight = lsmpmon_payer_base(kind, column) +
			   lsmpmon_calls_of(kind, column);
	unsigned int hook;

	/* The number of a cgroup does not come back. */
	if (kind != LSMPMON_BY_CGROUP ||
	    lsmpmon_cgroup_exists(p->key[column].word[0]))
		p->base = max(p->base, weight);
	for (hook = 0; hook < LSMPMON_CELLS; hook++)
		lsmpmon_pair_move(kind, hook, column, &p->evicted[hook]);
}

static void lsmpmon_evict_leaving(enum lsmpmon_by kind)
{
	struct lsmpmon_payers *p = &lsmpmon_payers[kind];
	unsigned int column;

	for_each_set_bit(column, leaving, LSMPMON_PAYERS)
		lsmpmon_payer_unlink(p, column);
	/* Who has found one of them is done with it after that. */
	synchronize_rcu();
	for_each_set_bit(column, leaving, LSMPMON_PAYERS) {
		lsmpmon_move_calls(kind, column);
		cond_resched();
	}
	/* All of them at once: @base is that of the heaviest. */
	for_each_set_bit(column, leaving, LSMPMON_PAYERS)
		lsmpmon_payer_free(p, column);
}

/**
 * lsmpmon_evict - give back the columns of those who should not have one
 * @kind: of payers
 * @make_room: not only those of removed cgroups: also the lightest, if few are free
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 */
void lsmpmon_evict(enum lsmpmon_by kind, bool make_room)
{
	if (!lsmpmon_places[kind])
		return;
	lsmpmon_places_rescan(lsmpmon_places[kind]);
	bitmap_zero(leaving, LSMPMON_PAYERS);
	lsmpmon_list_columns(kind);
	if (kind == LSMPMON_BY_CGROUP)
		lsmpmon_list_removed(&lsmpmon_payers[kind]);
	if (make_room)
		lsmpmon_list_lightest(kind);
	if (!bitmap_empty(leaving, LSMPMON_PAYERS))
		lsmpmon_evict_leaving(kind);
}

/* Those who came during the rest may have taken all columns. */
static void lsmpmon_evict_again(void)
{
	int kind;

	for (kind = 0; kind < LSMPMON_PAYER_KINDS; kind++)
		if (lsmpmon_is_measuring() &&
		    lsmpmon_payers_left(&lsmpmon_payers[kind]) < LSMPMON_FEW_COLUMNS)
			lsmpmon_payers_kick();
}

/*
 * Give columns back when few are left.  Who crowds cannot make this take more than
 * a tenth of a processor's time.  While nothing is measured, nothing changes.
 */
static void lsmpmon_evict_work(struct work_struct *work)
{
	const u64 begin = current->se.sum_exec_runtime;
	u64 took;
	int kind;

	lsmpmon_control_lock();
	if (lsmpmon_is_measuring())
		for (kind = 0; kind < LSMPMON_PAYER_KINDS; kind++)
			lsmpmon_evict(kind, true);
	lsmpmon_control_unlock();
	took = current->se.sum_exec_runtime - begin;
	msleep(REST_MS + REST * div_u64(took, NSEC_PER_MSEC));
	lsmpmon_payers_rearm();
	lsmpmon_evict_again();
}

/**
 * lsmpmon_evict_init - be asked by who finds that few columns are left
 *
 * Context: before any feature is on.
 */
void __init lsmpmon_evict_init(void)
{
	lsmpmon_payers_init(lsmpmon_evict_work);
}
