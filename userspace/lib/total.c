// SPDX-License-Identifier: GPL-2.0-only
/* The first question: how much time went to hooks? */

#include "total.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commas.h"
#include "unit.h"

static double seconds_of(const struct record *record)
{
	double ns = 0;

	for (size_t i = 0; i < record->run_count; i++)
		ns += run_info_number(&record->runs[i], "enabled_ns");
	return ns / 1e9;
}

/* Nothing where the kernel has no such table. */
static int read_if_there(struct costs *costs, const struct record *record, const struct grouping *grouping)
{
	*costs = (struct costs){ 0 };
	if (!run_text(record->runs, grouping->table))
		return 0;
	return costs_read(costs, record->runs, record->run_count, grouping);
}

static int count_callbacks(uint64_t *most, const struct record *record, const char *by)
{
	struct grouping grouping;
	struct costs costs;
	uint64_t count = 0;

	if (grouping_parse(&grouping, by) || read_if_there(&costs, record, &grouping))
		return -1;
	for (size_t i = 0; i < costs.count; i++)
		count += costs.rows[i].count;
	if (count > *most)
		*most = count;
	costs_free(&costs);
	return 0;
}

/* Either feature times callbacks, both the same ones. */
static int read_callbacks(struct total *total, const struct record *record)
{
	return count_callbacks(&total->callbacks, record, "module") ||
	       count_callbacks(&total->callbacks, record, "syscall,module") ? -1 : 0;
}

static int read_once(struct total *total, const struct record *record)
{
	struct costs costs;

	if (read_if_there(&costs, record, &grouping_calls))
		return -1;
	for (size_t i = 0; i < costs.count; i++)
		total->once += costs.rows[i].hook_sum;
	costs_free(&costs);
	return 0;
}

static int read_hooks(struct total *total, const struct record *record)
{
	uint64_t timed = 0;
	struct grouping hook;
	struct costs costs;

	if (grouping_parse(&hook, "hook") ||
	    costs_read(&costs, record->runs, record->run_count, &hook))
		return -1;
	for (size_t i = 0; i < costs.count; i++) {
		total->spans += costs.rows[i].count;
		total->calls += costs.rows[i].count + costs.rows[i].cs_count;
		timed += costs.rows[i].timed;
	}
	total->ticks = costs.sum;
	/* Callbacks were counted in the calls that were timed. */
	if (timed && timed < total->spans)
		total->callbacks *= (double)total->spans / timed;
	costs_free(&costs);
	return 0;
}

int total_read(struct total *total, const struct record *record)
{
	double most;

	*total = (struct total){ .seconds = seconds_of(record) };
	if (read_callbacks(total, record) || read_once(total, record) || read_hooks(total, record))
		return -1;
	most = (double)(total->spans + total->callbacks) * run_info_number(record->runs, "overhead");
	total->measuring = fmin(most, total->ticks);
	return 0;
}

/* A counter that went back was reset in between, so all of it is new. */
static uint64_t since(uint64_t before, uint64_t after)
{
	return after >= before ? after - before : after;
}

/* The same for one that is estimated, and may go back a little: then @was_reset decides. */
static uint64_t since_estimate(uint64_t before, uint64_t after, bool was_reset)
{
	return after >= before || was_reset ? since(before, after) : 0;
}

struct total total_since(const struct total *before, const struct total *after, double seconds)
{
	const bool was_reset = after->calls < before->calls;

	return (struct total){
		.calls = since(before->calls, after->calls),
		.spans = since(before->spans, after->spans),
		.callbacks = since_estimate(before->callbacks, after->callbacks, was_reset),
		.ticks = since_estimate(before->ticks, after->ticks, was_reset),
		.measuring = since_estimate(before->measuring, after->measuring, was_reset),
		.once = since(before->once, after->once),
		.seconds = seconds,
	};
}

double total_share(const struct total *total, const struct record *record, double ticks)
{
	double khz = run_info_number(record->runs, "clock_khz");

	return khz && total->seconds ? ticks / (khz * 1000) / total->seconds : 0;
}

static uint64_t without_measuring(const struct total *total)
{
	return total->ticks - fmin(total->measuring, total->ticks);
}

/* In a readable unit. */
static char *time_text(double seconds)
{
	static const struct { double least, per_second; const char *name; } units[] = {
		{ 1, 1, "s" }, { 1e-3, 1e3, "ms" }, { 1e-6, 1e6, "us" }, { 0, 1e9, "ns" },
	};
	size_t i = 0;

	while (seconds < units[i].least)
		i++;
	return xasprintf("%.3g %s", seconds * units[i].per_second, units[i].name);
}

static char *ticks_text(const struct record *record, const struct scale *scale, uint64_t ticks)
{
	double khz = run_info_number(record->runs, "clock_khz");

	if (khz && scale->per_tick != 1)
		return time_text(ticks / (khz * 1000));
	return xasprintf("%ju %s", (uintmax_t)ticks, scale->name);
}

/* Of one processor's time, and if there are more, of that of all. */
static char *of_the_time(const struct total *total, const struct record *record)
{
	double share = 100 * total_share(total, record, without_measuring(total));
	unsigned int cpus = record_cpus(record);
	char *time, *text;

	if (!total->seconds || !run_info_number(record->runs, "clock_khz"))
		return xstrdup("");
	time = time_text(total->seconds);
	if (cpus > 1)
		text = xasprintf(" in %s: %.2g %% of one CPU's time, %.2g %% of that of %u CPUs", time, share,
				 share / cpus, cpus);
	else
		text = xasprintf(" in %s: %.2g %% of one CPU's time", time, share);
	free(time);
	return text;
}

static char *count_text(uint64_t count)
{
	return with_commas(xasprintf("%ju", (uintmax_t)count));
}

/* What of the kernel's numbers is not the hooks'; an empty span that reads nothing may take up to a step of the clock. */
static char *measuring_text(const struct total *total, const struct record *record, const struct scale *scale)
{
	char *measuring, *calls, *callbacks, *text;

	if (!run_info_number(record->runs, "overhead"))
		return xstrdup(scale->step ? "; what measuring adds to a call is less than a step of the clock" : "");
	measuring = ticks_text(record, scale, total->measuring);
	calls = count_text(total->spans);
	callbacks = count_text(total->callbacks);
	text = xasprintf("; of that, measuring is %s: an empty span in each of %s calls%s%s%s", measuring, calls,
			 total->callbacks ? " and " : "", total->callbacks ? callbacks : "",
			 total->callbacks ? " callbacks" : "");
	free(measuring);
	free(calls);
	free(callbacks);
	return text;
}

/* What the kernel's numbers add up to. */
static char *measured_text(const struct total *total, const struct record *record, const struct scale *scale)
{
	char *ticks = ticks_text(record, scale, total->ticks), *measuring = measuring_text(total, record, scale);
	char *text = xasprintf("Measured: %s%s. A call inside another is in both.", ticks, measuring);

	free(ticks);
	free(measuring);
	return text;
}

static char *once_text(const struct total *total, const struct record *record, const struct scale *scale)
{
	char *once = ticks_text(record, scale, total->once), *text;

	text = xasprintf(" In whole system calls without a context switch, where it is in one only, measured: %s.", once);
	free(once);
	return text;
}

char *total_text(const struct total *total, const struct record *record)
{
	char *hooks, *of, *calls, *measured, *once, *text;
	struct scale scale;

	if (scale_for(&scale, record, UNIT_DEFAULT))
		return NULL;
	hooks = ticks_text(record, &scale, without_measuring(total));
	of = of_the_time(total, record);
	calls = count_text(total->calls);
	measured = measured_text(total, record, &scale);
	once = total->once ? once_text(total, record, &scale) : xstrdup("");
	text = xasprintf("Hooks took %s%s%s; %s calls. %s%s", record_timed(record) > 1 ? "about " : "", hooks, of,
			 calls, measured, once);
	free(calls);
	free(hooks);
	free(of);
	free(measured);
	free(once);
	return text;
}

char *total_of_record(const struct record *record)
{
	struct total total;

	return total_read(&total, record) ? NULL : total_text(&total, record);
}

/* Why rows are not all that was measured. */
static const char *why(const struct grouping *grouping, const struct record *record)
{
	for (size_t i = 0; i < grouping->key_count; i++)
		if (!strcmp(grouping->keys[i], "module"))
			return "they are the modules' own callbacks, and the rest is dispatch and measuring";
	return record_timed(record) > 1 ? "they have only the calls that were timed" :
					  "the rest was not counted in this way";
}

static void note_rows(struct sheet *sheet, const struct total *total, const struct record *record,
		      const struct grouping *grouping, double rows)
{
	char *ticks;
	struct scale scale;

	/* Estimates are rounded, row by row. */
	if (fabs(rows - total->ticks) <= sheet_rows(sheet) || scale_for(&scale, record, UNIT_DEFAULT))
		return;
	ticks = ticks_text(record, &scale, rows);
	sheet_note(sheet, "The rows add up to %s of what was measured, and share is of that: %s.", ticks,
		   why(grouping, record));
	free(ticks);
}

static void add_number(struct json_object *object, const char *key, double number)
{
	json_object_object_add(object, key, json_object_new_double(number));
}

static struct json_object *object_of(const struct total *total, const struct record *record, double per_tick,
				     double rows)
{
	double share = 100 * total_share(total, record, without_measuring(total));
	struct json_object *object = json_object_new_object();
	unsigned int cpus = record_cpus(record);

	json_object_object_add(object, "calls", json_object_new_uint64(total->calls));
	json_object_object_add(object, "callbacks", json_object_new_uint64(total->callbacks));
	add_number(object, "measured", total->ticks * per_tick);
	add_number(object, "measuring", total->measuring * per_tick);
	add_number(object, "hooks", without_measuring(total) * per_tick);
	add_number(object, "rows", rows * per_tick);
	add_number(object, "seconds", total->seconds);
	json_object_object_add(object, "cpus", json_object_new_uint64(cpus));
	add_number(object, "percent_of_one_cpu", share);
	add_number(object, "percent_of_all_cpus", cpus ? share / cpus : 0);
	return object;
}

void total_note(struct sheet *sheet, const struct total *total, const struct record *record,
		const struct grouping *grouping, double rows)
{
	char *text = total_text(total, record);

	if (text)
		sheet_note(sheet, "%s", text);
	free(text);
	note_rows(sheet, total, record, grouping, rows);
	json_object_put(sheet->took);
	sheet->took = object_of(total, record, sheet->scale.per_tick, rows);
}
