// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: a table of pairs, as of one moment
 *
 * Reading a table may take many read() calls.  All counters are copied at the first
 * one, while resets, switches and evictions are locked out, and shown line by line.
 * So no lock is held between the calls, and the lines add up whatever happens
 * meanwhile.  Reading from the beginning again makes a new copy.
 */

#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "control.h"
#include "evict.h"
#include "inject.h"
#include "line.h"
#include "snapshot.h"

/* Extra lines, so that the few pairs that appear while a copy is made seldom need another. */
#define SPARE	64

/* Greatest number of calls that may be missing in a line of a payer. */
static u64 lsmpmon_missed(enum lsmpmon_by by, unsigned int row,
			  unsigned int column, u64 others)
{
	const u64 missed = lsmpmon_payer_missed(by, column, others);
	struct lsmpmon_pair other;

	if (!missed)
		return 0;
	/* All of them are in the line of `other` and this hook. */
	lsmpmon_pair_read(by, row, lsmpmon_other_payer(by), &other);
	return min(missed, other.count + other.cs_count);
}

static void lsmpmon_add_line(struct lsmpmon_snapshot *s, unsigned int row,
			     unsigned int column, u64 others)
{
	struct lsmpmon_line *line = &s->line[s->count];

	lsmpmon_pair_read(s->by, row, column, &line->pair);
	if (lsmpmon_pair_is_empty(&line->pair))
		return;
	line->row = row;
	line->column = column;
	if (s->by < LSMPMON_PAYER_KINDS && column < lsmpmon_payer_limit(s->by)) {
		line->key = lsmpmon_payers[s->by]->key[column];
		line->missed = lsmpmon_missed(s->by, row, column, others);
	}
	s->count++;
}

/* Copy all lines; false if there is no room for one of them. */
static bool lsmpmon_add_lines(struct lsmpmon_snapshot *s,
			      const struct lsmpmon_places *places)
{
	const bool paid = s->by < LSMPMON_PAYER_KINDS;
	const u64 others = paid ? lsmpmon_payer_others(s->by) : 0;
	unsigned int row, column;

	for (column = 0; column < places->columns; column++) {
		for (row = 0; row < places->rows; row++) {
			if (lsmpmon_place_find(places, row, column) == LSMPMON_NO_PLACE)
				continue;
			if (s->count == s->room)
				return false;
			lsmpmon_add_line(s, row, column, others);
		}
		cond_resched();
	}
	return true;
}

static void lsmpmon_drop_lines(struct lsmpmon_snapshot *s)
{
	kvfree(s->line);
	s->line = NULL;
	s->named = NULL;
	s->count = 0;
}

/*
 * Allocate and copy the lines, again with more room if pairs have appeared meanwhile.
 * No place is freed here, so there are never more lines than places.
 */
static int lsmpmon_take_all(struct lsmpmon_snapshot *s,
			    const struct lsmpmon_places *places)
{
	s->room = LSMPMON_ALL_PLACES - lsmpmon_places_left(places) + SPARE;
	for (;;) {
		s->room = min(s->room, LSMPMON_ALL_PLACES);
		s->line = kvcalloc(s->room, sizeof(*s->line), GFP_KERNEL);
		if (!s->line)
			return -ENOMEM;
		lsmpmon_inject(LSMPMON_COPYING);
		if (lsmpmon_add_lines(s, places))
			return 0;
		lsmpmon_drop_lines(s);
		s->room *= 2;
	}
}

/* There are no lines before the first use of the table. */
static int lsmpmon_take_lines(struct lsmpmon_snapshot *s)
{
	const struct lsmpmon_places *places = lsmpmon_places[s->by];

	if (!places)
		return 0;
	if (s->by < LSMPMON_PAYER_KINDS)
		lsmpmon_evict(s->by, false);
	s->columns = places->columns;
	return lsmpmon_take_all(s, places);
}

static int lsmpmon_take_snapshot(struct lsmpmon_snapshot *s)
{
	int err;

	lsmpmon_drop_lines(s);
	lsmpmon_control_lock();
	err = lsmpmon_take_lines(s);
	lsmpmon_control_unlock();
	return err;
}

/* Position 0 is the header, position n + 1 is line n. */
static void *lsmpmon_line_at(const struct lsmpmon_snapshot *s, loff_t pos)
{
	if (pos == 0)
		return SEQ_START_TOKEN;
	return pos <= s->count ? &s->line[pos - 1] : NULL;
}

/**
 * lsmpmon_snapshot_start - seq_file start over the header and all lines
 * @m: the file
 * @pos: position; at 0, a snapshot is taken
 *
 * Context: process context, may sleep.
 * Return: SEQ_START_TOKEN for the header, a line, NULL at the end, or -ENOMEM.
 */
void *lsmpmon_snapshot_start(struct seq_file *m, loff_t *pos)
{
	int err = *pos ? 0 : lsmpmon_take_snapshot(m->private);

	return err ? ERR_PTR(err) : lsmpmon_line_at(m->private, *pos);
}

/**
 * lsmpmon_snapshot_next - seq_file next over the header and all lines
 * @m: the file
 * @v: current element
 * @pos: position, incremented
 *
 * Context: process context.
 * Return: the next element, as lsmpmon_snapshot_start().
 */
void *lsmpmon_snapshot_next(struct seq_file *m, void *v, loff_t *pos)
{
	return lsmpmon_line_at(m->private, ++*pos);
}

/**
 * lsmpmon_snapshot_stop - seq_file stop; there is no lock to release
 * @m: the file
 * @v: current element
 *
 * Context: process context.
 */
void lsmpmon_snapshot_stop(struct seq_file *m, void *v)
{
}

/**
 * lsmpmon_open_snapshot - open a table of pairs
 * @file: the file
 * @by: the table
 * @ops: lsmpmon_snapshot_start(), _next(), _stop() and a show function
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_open_snapshot(struct file *file, enum lsmpmon_by by,
			  const struct seq_operations *ops)
{
	struct lsmpmon_snapshot *s = __seq_open_private(file, ops, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->by = by;
	return 0;
}

/**
 * lsmpmon_release_snapshot - close a table of pairs
 * @inode: inode of the file
 * @file: the file
 *
 * Context: process context, may sleep.
 * Return: 0.
 */
int lsmpmon_release_snapshot(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	lsmpmon_drop_lines(m->private);
	return seq_release_private(inode, file);
}
