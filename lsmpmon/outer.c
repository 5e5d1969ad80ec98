// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the hook calls that others are nested in
 *
 * A module may call hooks, as IMA does when it asks for the security ID of a task.  Such
 * a call is counted, and its time is in the outer call as well.  Calls by what they are
 * nested in are pairs of a hook and an outer one, so that the time which a hook takes by
 * itself can be computed.  If callbacks are measured, the outer one is a callback.
 */

#include <linux/kprobes.h>
#include <linux/lsmpmon_task.h>

#include "callback.h"
#include "delay.h"
#include "frame.h"
#include "outer.h"
#include "place.h"
#include "stack.h"
#include "store.h"

/*
 * Columns: a hook outside of its measured callbacks; the rows of callbacks in stack.c;
 * and the fixed ones, outside of any hook call, and for pairs without a place.
 */
#define FIRST_CALLBACK	LSMPMON_CELLS

/**
 * lsmpmon_nested_switch - prepare counting of hook calls by what they are nested in
 * @on: new state; switching off needs nothing
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_nested_switch(bool on)
{
	return on ? lsmpmon_places_alloc(&lsmpmon_places[LSMPMON_BY_OUTER],
					 LSMPMON_CELLS,
					 FIRST_CALLBACK + lsmpmon_stack_rows() +
					 LSMPMON_FIXED) : 0;
}

/* The innermost recorded span of the current context; NULL if there is none. */
static const struct lsmpmon_span *lsmpmon_outer_span(void)
{
	const struct lsmpmon_span *bound, *span = READ_ONCE(lsmpmon_of(current)->span);

	if (!span || lsmpmon_own_spans(&bound) < 0)
		return NULL;
	return lsmpmon_recorded_span(span, bound);
}

/**
 * lsmpmon_outer_column - what the hook call that ends is nested in
 *
 * Calls that the filter rejects are passed over.  A call in an interrupt is not nested
 * in the calls of the interrupted task, whose time does not include it.
 *
 * Context: any, as a writer, after the span of the call was unlinked.
 * Return: column of the outer hook call in the table LSMPMON_BY_OUTER.
 */
unsigned int lsmpmon_outer_column(void)
{
	const struct lsmpmon_span *outer = lsmpmon_outer_span();
	unsigned int place, row;

	if (likely(!outer))
		return lsmpmon_places[LSMPMON_BY_OUTER]->columns - LSMPMON_FIXED;
	place = lsmpmon_place_under_way(outer);
	row = place ? lsmpmon_stack_row(outer->hook * LSMPMON_PLACES + place - 1) : 0;
	return row ? FIRST_CALLBACK + row - 1 : outer->hook;
}

NOKPROBE_SYMBOL(lsmpmon_outer_column);

/**
 * lsmpmon_outer_callback - what a column stands for
 * @column: column of the table LSMPMON_BY_OUTER; not a fixed one
 * @callback: set to the number of the callback; if none was measured, to that of the
 *	first place of the hook
 *
 * Context: any.
 * Return: true if a callback was measured.
 */
bool lsmpmon_outer_callback(unsigned int column, unsigned int *callback)
{
	const bool measured = column >= FIRST_CALLBACK;

	*callback = measured ? lsmpmon_stack_callback(column - FIRST_CALLBACK) :
			       column * LSMPMON_PLACES;
	return measured;
}
