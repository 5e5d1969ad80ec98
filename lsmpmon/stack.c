// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: callbacks by system call
 *
 * Callbacks of modules by hook and system call are pairs of a callback and an
 * operation.  Only callbacks that exist have rows, since most of the possible ones
 * do not.
 */

#include "compat.h"
#include "operation.h"
#include "place.h"
#include "stack.h"
#include "store.h"

/*
 * By callback, its row plus one; zero for places without a callback.  All callbacks
 * of a module in a hook have the same row.
 */
static u16 rows[LSMPMON_CALLBACKS];
static unsigned int row_count;

/* By row, its first callback. */
static u16 callbacks[LSMPMON_CALLBACKS];

static void lsmpmon_number_callback(unsigned int callback)
{
	callbacks[row_count] = callback;
	rows[callback] = ++row_count;
}

static void lsmpmon_number_callbacks_of(unsigned int hook)
{
	const unsigned int callback = hook * LSMPMON_PLACES;
	unsigned int place, first;

	for (place = 0; place < LSMPMON_PLACES; place++) {
		if (!lsmpmon_module_name(hook, place))
			continue;
		first = lsmpmon_module_place(hook, place);
		if (first == place)
			lsmpmon_number_callback(callback + place);
		else
			rows[callback + place] = rows[callback + first];
	}
}

static void lsmpmon_number_callbacks(void)
{
	unsigned int hook;

	for (hook = 0; hook < LSMPMON_HOOKS; hook++)
		lsmpmon_number_callbacks_of(hook);
}

/**
 * lsmpmon_stack_rows - number the rows, once
 *
 * Context: process context, under lsmpmon_control_lock().
 * Return: number of rows.
 */
unsigned int lsmpmon_stack_rows(void)
{
	if (!row_count)
		lsmpmon_number_callbacks();
	return row_count;
}

/**
 * lsmpmon_stack_switch - prepare counting of callbacks by system call
 * @on: new state; switching off needs nothing
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_stack_switch(bool on)
{
	BUILD_BUG_ON(LSMPMON_FIXED * LSMPMON_CALLBACKS >= LSMPMON_ALL_PLACES);
	BUILD_BUG_ON(LSMPMON_CALLBACKS > U16_MAX);
	if (!on)
		return 0;
	return lsmpmon_places_alloc(&lsmpmon_places[LSMPMON_BY_STACK],
				    lsmpmon_stack_rows(), LSMPMON_OPERATIONS);
}

/**
 * lsmpmon_stack_row - row of a callback
 * @callback: number of the callback, below LSMPMON_CALLBACKS
 *
 * Context: any; called from the hot path.
 * Return: the row plus one; 0 if the module was registered after the rows were
 *	assigned.
 */
unsigned int lsmpmon_stack_row(unsigned int callback)
{
	return rows[callback];
}

/**
 * lsmpmon_stack_callback - first callback of a row
 * @row: the row
 *
 * Context: any.
 * Return: number of the callback, below LSMPMON_CALLBACKS.
 */
unsigned int lsmpmon_stack_callback(unsigned int row)
{
	return callbacks[row];
}
