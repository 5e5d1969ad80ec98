// SPDX-License-Identifier: GPL-2.0-only
/* The first question: how much time went to hooks? */

#include "total.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commas.h"
#include "duration.h"
#include "inner.h"
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
		count += cost_covered(&costs.rows[i]);
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

static int read_once_in_syscalls(struct total *total, const struct record *record)
{
	struct costs costs;

	if (read_if_there(&costs, record, &grouping_calls))
		return -1;
	for (size_t i = 0; i < costs.count; i++)
		total->once += costs.rows[i].hook_own;
	costs_free(&costs);
	return 0;
}

static int read_once(struct total *total, const struct record *record)
{
	if (inner_once(&total->once, record))
		return -1;
	total->is_all = total->once;
	return total->is_all ? 0 : read_once_in_syscalls(total, record);
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
		total->spans += cost_covered(&costs.rows[i]);
		total->calls += cost_calls(&costs.rows[i]);
		total->unknown += costs.rows[i].unknown;
		timed += cost_timed(&costs.rows[i]);
	}
	total->has_switched = costs.has_switched;
	total->times = costs.times;
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
	total->measuring = fmin(most, total->times.own);
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

static struct times times_since(const struct times *before, const struct times *after, bool was_reset)
{
	return (struct times){
		.own = since_estimate(before->own, after->own, was_reset),
		.wall = since_estimate(before->wall, after->wall, was_reset),
		.slept = since_estimate(before->slept, after->slept, was_reset),
		.preempted = since_estimate(before->preempted, after->preempted, was_reset),
	};
}

struct total total_since(const struct total *before, const struct total *after, double seconds)
{
	const bool was_reset = after->calls < before->calls;

	return (struct total){
		.calls = since(before->calls, after->calls),
		.spans = since(before->spans, after->spans),
		.unknown = since(before->unknown, after->unknown),
		.callbacks = since_estimate(before->callbacks, after->callbacks, was_reset),
		.has_switched = after->has_switched,
		.times = times_since(&before->times, &after->times, was_reset),
		.measuring = since_estimate(before->measuring, after->measuring, was_reset),
		.once = since(before->once, after->once),
		.is_all = after->is_all,
		.seconds = seconds,
	};
}

double total_share(const struct total *total, const struct record *record, double ticks)
{
	double khz = run_info_number(record->runs, "clock_khz");

	return khz && total->seconds ? ticks / (khz * 1000) / total->seconds : 0;
}

static uint64_t less(uint64_t ticks, uint64_t part)
{
	return ticks > part ? ticks - part : 0;
}

static uint64_t own_of_hooks(const struct total *total)
{
	return less(total->times.own, total->measuring);
}

/* What processors spent in hooks, interrupts in them included. */
static uint64_t hooks_of(const struct total *total)
{
	return less(total->times.wall, times_off_cpu(&total->times) + total->measuring);
}

static char *ticks_text(const struct record *record, const struct scale *scale, uint64_t ticks)
{
	double khz = run_info_number(record->runs, "clock_khz");

	if (khz && !strcmp(scale->name, "ns"))
		return duration_text(ticks / (khz * 1000));
	return xasprintf("%ju %s", (uintmax_t)ticks, scale->name);
}

/* Of one processor's time, and if there are more, of that of all. */
static char *of_the_time(const struct total *total, const struct record *record)
{
	double share = 100 * total_share(total, record, hooks_of(total));
	const char *in = total->has_switched ? "of" : "in";
	unsigned int cpus = record_cpus(record);
	char *time, *runs, *text;

	if (!total->seconds || !run_info_number(record->runs, "clock_khz"))
		return xstrdup("");
	time = duration_text(total->seconds);
	runs = record->run_count > 1 ? xasprintf(" in %zu runs", record->run_count) : xstrdup("");
	if (cpus > 1)
		text = xasprintf(" %s %s%s: %.2g %% of one CPU's time, %.2g %% of that of %u CPUs", in, time, runs, share,
				 share / cpus, cpus);
	else
		text = xasprintf(" %s %s%s: %.2g %% of one CPU's time", in, time, runs, share);
	free(time);
	free(runs);
	return text;
}

/* What hooks took of the time of processors, and what of that is not interrupts. */
static char *hooks_text(const struct total *total, const struct record *record, const struct scale *scale)
{
	char *hooks = ticks_text(record, scale, hooks_of(total)), *own, *text;

	own = ticks_text(record, scale, own_of_hooks(total));
	if (!total->has_switched || !strcmp(hooks, own))
		text = xstrdup(hooks);
	else
		text = xasprintf("%s (%s without interrupts)", hooks, own);
	free(hooks);
	free(own);
	return text;
}

/* For how long tasks were off the CPU in hooks; nothing if they never were. */
static char *waiting_text(const struct total *total, const struct record *record, const struct scale *scale)
{
	char *ticks, *text;

	if (!times_off_cpu(&total->times))
		return xstrdup("");
	ticks = ticks_text(record, scale, times_off_cpu(&total->times));
	text = xasprintf(", and made tasks wait another %s", ticks);
	free(ticks);
	return text;
}

static char *count_text(uint64_t count, const char *what)
{
	return with_commas(xasprintf("%ju %s%s", (uintmax_t)count, what, count == 1 ? "" : "s"));
}

/* The calls that measuring adds to, and the callbacks. */
static char *spans_text(const struct total *total)
{
	char *calls = count_text(total->spans, "call"), *callbacks, *text;

	if (!total->callbacks)
		return calls;
	callbacks = count_text(total->callbacks, "callback");
	text = xasprintf("%s and %s", calls, callbacks);
	free(calls);
	free(callbacks);
	return text;
}

/* Nothing disturbed the calls, or the kernel does not tell. */
static bool is_all_own(const struct total *total)
{
	return !times_off_cpu(&total->times) && !times_interrupted(&total->times);
}

/* What of the kernel's numbers is not the hooks'; an empty span that reads nothing may take up to a step of the clock. */
static char *measuring_text(const struct total *total, const struct record *record, const struct scale *scale)
{
	uint64_t overhead = run_info_number(record->runs, "overhead");
	char *measuring, *each, *spans, *text;

	if (!overhead)
		return xstrdup(scale->step ? "; what measuring adds to a call is less than a step of the clock" : "");
	measuring = ticks_text(record, scale, total->measuring);
	each = ticks_text(record, scale, overhead);
	spans = spans_text(total);
	text = xasprintf("%s%s is measuring itself: %s in each of %s", is_all_own(total) ? ", of which " : "; of own time, ",
			 measuring, each, spans);
	free(measuring);
	free(each);
	free(spans);
	return text;
}

/* Add what calls did in this part of their time, unless that is nothing. Frees @text. */
static char *with_state(char *text, const char *state, const struct record *record, const struct scale *scale,
			uint64_t ticks)
{
	char *time, *longer;

	if (!ticks)
		return text;
	time = ticks_text(record, scale, ticks);
	longer = xasprintf("%s, %s %s", text, state, time);
	free(time);
	free(text);
	return longer;
}

/* All of the wall time, by what the calls did. */
static char *states_text(const struct total *total, const struct record *record, const struct scale *scale)
{
	char *own = ticks_text(record, scale, total->times.own), *text;

	if (!total->has_switched)
		return own;
	text = xasprintf("own %s", own);
	free(own);
	text = with_state(text, "interrupted", record, scale, times_interrupted(&total->times));
	text = with_state(text, "slept", record, scale, total->times.slept);
	return with_state(text, "preempted", record, scale, total->times.preempted);
}

static char *measured_text(const struct total *total, const struct record *record, const struct scale *scale)
{
	char *states = states_text(total, record, scale), *measuring = measuring_text(total, record, scale);
	char *text = xasprintf("Measured: %s%s. A call inside another is in both.", states, measuring);

	free(states);
	free(measuring);
	return text;
}

static char *once_text(const struct total *total, const struct record *record, const struct scale *scale)
{
	char *once, *text;

	if (!total->once)
		return xstrdup("");
	once = ticks_text(record, scale, total->once);
	if (total->is_all)
		text = xasprintf(" Each moment counted once: own %s.", once);
	else if (total->has_switched)
		text = xasprintf(" In whole system calls, where it is in one only, measured: own %s.", once);
	else
		text = xasprintf(" In whole system calls without a context switch, where it is in one only, measured: %s.",
				 once);
	free(once);
	return text;
}

static char *unknown_text(const struct total *total)
{
	char *count, *text;

	if (!total->unknown)
		return xstrdup("");
	count = count_text(total->unknown, "call");
	text = xasprintf(" The own time of %s is unknown: all of their time is in interrupted.", count);
	free(count);
	return text;
}

char *total_text(const struct total *total, const struct record *record)
{
	char *hooks, *time, *waiting, *calls, *text;
	struct scale scale;

	if (scale_for(&scale, record, UNIT_DEFAULT))
		return NULL;
	hooks = hooks_text(total, record, &scale);
	time = of_the_time(total, record);
	waiting = waiting_text(total, record, &scale);
	calls = count_text(total->calls, "call");
	text = xasprintf("Hooks took %s%s%s%s; %s.", record_timed(record) > 1 ? "about " : "", hooks, time, waiting,
			 calls);
	free(hooks);
	free(time);
	free(waiting);
	free(calls);
	return text;
}

char *total_measured_text(const struct total *total, const struct record *record)
{
	char *measured, *once, *unknown, *text;
	struct scale scale;

	if (scale_for(&scale, record, UNIT_DEFAULT))
		return NULL;
	measured = measured_text(total, record, &scale);
	once = once_text(total, record, &scale);
	unknown = unknown_text(total);
	text = xasprintf("%s%s%s", measured, once, unknown);
	free(measured);
	free(once);
	free(unknown);
	return text;
}

uint64_t total_hooks(const struct total *total)
{
	return own_of_hooks(total);
}

char *total_ticks_text(const struct record *record, uint64_t ticks)
{
	struct scale scale;

	return scale_for(&scale, record, UNIT_DEFAULT) ? xstrdup("?") : ticks_text(record, &scale, ticks);
}

/* Why rows are not all that was measured. */
static const char *why(const struct grouping *grouping, const struct record *record)
{
	if (grouping_key(grouping, "module") >= 0 && grouping_key(grouping, "outer") < 0)
		return "they are the modules' own callbacks, and the rest is dispatch and measuring";
	return record_timed(record) > 1 ? "they have only the calls that were timed" :
					  "the rest was not counted in this way";
}

static void note_rows(struct sheet *sheet, const struct total *total, const struct record *record,
		      const struct shown *shown)
{
	const char *what = total->has_switched && shown->time == OWN_TIME ? "own time" : "what was measured";
	char *ticks;
	struct scale scale;

	/* Estimates are rounded, row by row. */
	if (fabs(shown->ticks - times_of(&total->times, shown->time)) <= sheet_rows(sheet) ||
	    scale_for(&scale, record, UNIT_DEFAULT))
		return;
	ticks = ticks_text(record, &scale, shown->ticks);
	sheet_note(sheet, "The rows add up to %s of %s, and share is of that: %s.", ticks, what,
		   why(shown->grouping, record));
	free(ticks);
}

static void add_number(struct json_object *object, const char *key, double number)
{
	json_object_object_add(object, key, json_object_new_double(number));
}

/* Kernels of an older lsmpmon do not tell these apart. */
static void add_states(struct json_object *object, const struct total *total, double per_tick)
{
	add_number(object, "own", own_of_hooks(total) * per_tick);
	add_number(object, "interrupted", times_interrupted(&total->times) * per_tick);
	add_number(object, "slept", total->times.slept * per_tick);
	add_number(object, "preempted", total->times.preempted * per_tick);
	json_object_object_add(object, "unknown", json_object_new_uint64(total->unknown));
}

static struct json_object *object_of(const struct total *total, const struct record *record, double per_tick,
				     double rows)
{
	double share = 100 * total_share(total, record, hooks_of(total));
	struct json_object *object = json_object_new_object();
	unsigned int cpus = record_cpus(record);

	json_object_object_add(object, "calls", json_object_new_uint64(total->calls));
	json_object_object_add(object, "callbacks", json_object_new_uint64(total->callbacks));
	add_number(object, "measured", total->times.wall * per_tick);
	add_number(object, "measuring", total->measuring * per_tick);
	add_number(object, "hooks", hooks_of(total) * per_tick);
	if (total->has_switched)
		add_states(object, total, per_tick);
	add_number(object, "rows", rows * per_tick);
	add_number(object, "seconds", total->seconds);
	json_object_object_add(object, "cpus", json_object_new_uint64(cpus));
	add_number(object, "percent_of_one_cpu", share);
	add_number(object, "percent_of_all_cpus", cpus ? share / cpus : 0);
	return object;
}

/* Frees @text, which may be NULL. */
static void note(struct sheet *sheet, char *text)
{
	if (text)
		sheet_note(sheet, "%s", text);
	free(text);
}

void total_note(struct sheet *sheet, const struct total *total, const struct record *record, const struct shown *shown)
{
	note(sheet, total_text(total, record));
	note(sheet, total_measured_text(total, record));
	note_rows(sheet, total, record, shown);
	json_object_put(sheet->took);
	sheet->took = object_of(total, record, sheet->scale.per_tick, shown->ticks);
}
