// SPDX-License-Identifier: GPL-2.0-only
/* The first question: how much time went to hooks? */

#include "total.h"

#include <stdlib.h>

#include "alloc.h"
#include "commas.h"
#include "costs.h"
#include "unit.h"

static double seconds_of(const struct record *record)
{
	double ns = 0;

	for (size_t i = 0; i < record->run_count; i++)
		ns += run_info_number(&record->runs[i], "enabled_ns");
	return ns / 1e9;
}

static double share_of(const struct total *total, const struct record *record)
{
	double khz = run_info_number(record->runs, "clock_khz");

	return khz && total->seconds ? total->ticks / (khz * 1000) / total->seconds : 0;
}

int total_read(struct total *total, const struct record *record)
{
	double spans = 0;
	struct grouping hook;
	struct costs costs;

	*total = (struct total){ .seconds = seconds_of(record) };
	if (grouping_parse(&hook, "hook") ||
	    costs_read(&costs, record->runs, record->run_count, &hook))
		return -1;
	for (size_t i = 0; i < costs.count; i++) {
		spans += costs.rows[i].count;
		total->calls += costs.rows[i].count + costs.rows[i].cs_count;
	}
	total->ticks = costs.sum;
	total->empty = spans * run_info_number(record->runs, "overhead");
	total->share = share_of(total, record);
	costs_free(&costs);
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

struct total total_since(const struct total *before, const struct total *after, const struct record *record,
			 double seconds)
{
	struct total total = {
		.calls = since(before->calls, after->calls),
		.ticks = since_estimate(before->ticks, after->ticks, after->calls < before->calls),
		.empty = since(before->empty, after->empty),
		.seconds = seconds,
	};

	total.share = share_of(&total, record);
	return total;
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

static char *of_the_run(const struct record *record, const struct total *total)
{
	unsigned int cpus = run_info_number(record->runs, "cpus");
	char *time, *text;

	if (!total->seconds || !run_info_number(record->runs, "clock_khz"))
		return xstrdup("");
	time = time_text(total->seconds);
	text = xasprintf(" of %s on %u CPU%s, %.2g %%", time, cpus, cpus == 1 ? "" : "s",
			 100 * total->share);
	free(time);
	return text;
}

char *total_text(const struct total *total, const struct record *record)
{
	char *ticks, *empty, *of, *calls, *text;
	struct scale scale;

	if (scale_for(&scale, record, UNIT_DEFAULT))
		return NULL;
	ticks = ticks_text(record, &scale, total->ticks);
	empty = ticks_text(record, &scale, total->empty);
	of = of_the_run(record, total);
	calls = with_commas(xasprintf("%ju", (uintmax_t)total->calls));
	text = xasprintf("Hooks took %s%s%s; %s calls. Of that, %s is what empty spans read.",
			 record_timed(record) > 1 ? "about " : "", ticks, of, calls, empty);
	free(calls);
	free(ticks);
	free(empty);
	free(of);
	return text;
}

char *total_of_record(const struct record *record)
{
	struct total total;

	return total_read(&total, record) ? NULL : total_text(&total, record);
}
