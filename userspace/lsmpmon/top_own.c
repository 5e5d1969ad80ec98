// SPDX-License-Identifier: GPL-2.0-only
/*
 * Our own hook calls: those that reading the monitor and writing to the screen make. The kernel cannot leave out a process,
 * but it can leave out all others: that is done once at the start, for as long as one reading takes. Each table is then
 * shown without what that reading had.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "monitor.h"
#include "terminal.h"
#include "top.h"

static bool has_process(const char *filter)
{
	return filter && (*filter == 'p' || strstr(filter, "\np "));
}

/* A process that is selected already is not us. Without sessions nobody would clear the filter if we were killed. */
static bool can_measure(const struct keep *keep)
{
	return keep->session >= 0 && !has_process(run_text(&keep->state, "filter"));
}

/* What each table does besides reading. */
static void write_something(const struct top *top)
{
	size_t rows, columns;

	if (!top->is_screen)
		return;
	terminal_size(&rows, &columns);
	terminal_show("The first table comes soon.");
}

/* The first reading fills caches, and is not measured. */
static int measure(struct top *top)
{
	struct own_calls *own = &top->own;
	struct moment first;

	if (top_take(&first, top))
		return -1;
	moment_forget(&first);
	if (top_take(&own->before, top))
		return -1;
	write_something(top);
	if (!top_take(&own->after, top)) {
		own->is_known = true;
		return 0;
	}
	moment_forget(&own->before);
	return -1;
}

int top_own_measure(struct top *top, const struct keep *keep)
{
	char *line;
	int error;

	if (!can_measure(keep) || top->pid)
		return 0;
	line = xasprintf("p %d", getpid());
	error = monitor_try(keep->dir, "filter", line);
	free(line);
	/* A kernel without such a filter. */
	if (error)
		return 0;
	error = measure(top);
	return monitor_write(keep->dir, "filter", "p") | error;
}

void top_own_forget(struct own_calls *own)
{
	if (!own->is_known)
		return;
	moment_forget(&own->before);
	moment_forget(&own->after);
}

static uint64_t less(uint64_t number, uint64_t part)
{
	return number > part ? number - part : 0;
}

/* What is left of a time; in proportion to the calls if ours took less in this reading than in the measured one. */
static uint64_t rest_of(uint64_t ticks, uint64_t own, uint64_t calls, uint64_t left)
{
	if (!left)
		return 0;
	return ticks > own ? ticks - own : (double)ticks / calls * left;
}

/* @calls: how many these times are of; @left: how many without ours. */
static void take_off(struct times *times, const struct times *own, uint64_t calls, uint64_t left)
{
	times->own = rest_of(times->own, own->own, calls, left);
	times->wall = rest_of(times->wall, own->wall, calls, left);
	times->slept = rest_of(times->slept, own->slept, calls, left);
	times->preempted = rest_of(times->preempted, own->preempted, calls, left);
}

/* A call of ours may have been interrupted by a context switch in one reading, and not in another. */
static struct cost without(const struct cost *cost, const struct cost *own)
{
	uint64_t calls = cost_calls(own);
	struct cost rest = *cost;

	rest.count = less(cost->count, calls);
	rest.cs_count = less(cost->cs_count, less(calls, cost->count));
	rest.timed = less(cost->timed, own->timed);
	rest.unknown = less(cost->unknown, own->unknown);
	take_off(&rest.sample, &own->sample, cost_calls(cost), cost_calls(&rest));
	take_off(&rest.times, &own->times, cost_calls(cost), cost_calls(&rest));
	return rest;
}

/* Nobody knows on which CPU we will be. */
static bool has_own(const struct top *top)
{
	return top->own.is_known && strcmp(top->options.rows.grouping.table, "cpus");
}

struct cost top_own_leave_out(const struct top *top, const struct cost *since)
{
	const struct grouping *grouping = &top->options.rows.grouping;
	const struct cost *after;
	struct cost own;

	if (!has_own(top))
		return *since;
	after = costs_find(&top->own.after.costs, since->keys, grouping->key_count);
	if (!after)
		return *since;
	own = moment_row_since(&top->own.before, &top->own.after, grouping, after);
	return without(since, &own);
}

/* Our calls take longer in one reading than in another. What that makes of a row, it makes of the total. */
static void agree(struct total *rest, const struct total *own, uint64_t rows)
{
	uint64_t low = less(rest->times.own, own->times.own), high = rest->times.own + own->times.own;

	if (rows < low || rows > high)
		return;
	rest->times.wall = less(rest->times.wall + rows, rest->times.own);
	rest->times.own = rows;
}

struct total top_own_leave_out_all(const struct top *top, const struct total *since, uint64_t rows)
{
	struct total rest = *since, own;

	if (!has_own(top))
		return rest;
	own = total_since(&top->own.before.total, &top->own.after.total, since->seconds);
	rest.calls = less(since->calls, own.calls);
	rest.spans = less(since->spans, own.spans);
	rest.unknown = less(since->unknown, own.unknown);
	rest.callbacks = less(since->callbacks, own.callbacks);
	rest.measuring = less(since->measuring, own.measuring);
	rest.once = less(since->once, own.once);
	take_off(&rest.times, &own.times, since->calls, rest.calls);
	agree(&rest, &own, rows);
	return rest;
}

uint64_t top_own_calls(const struct top *top)
{
	if (!has_own(top))
		return 0;
	return total_since(&top->own.before.total, &top->own.after.total, 0).calls;
}
