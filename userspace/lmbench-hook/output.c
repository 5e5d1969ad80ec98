// SPDX-License-Identifier: GPL-2.0-only
/* Prints results as a table, JSON or comma-separated values. Rows appear as they are measured. */

#include "output.h"

#include <stdio.h>

#include "clock.h"

static const struct bench empty_bench = { .name = "(empty)", .calls = "" };

static void text_row(const struct heading *heading, const struct bench *bench,
		     const struct stats *stats)
{
	double rate = heading->ticks_per_ns;

	printf("%-12s %9.1f %9.1f %9.1f +-%7.1f %9.0f %9.0f\n", bench->name, stats->min / rate,
	       stats->median / rate, stats->mean / rate, (stats->high - stats->mean) / rate,
	       stats->min, stats->median);
}

static void text_begin(const struct heading *heading)
{
	const struct plan *plan = heading->plan;
	const char *path = heading->place->file;

	printf("Paths have %u components, as in %s; ", place_depth(path), path);
	if (plan->loop)
		printf("%zu samples of %zu whole rounds each.\n", plan->runs, plan->loop);
	else
		printf("%zu samples of one call each.\n", plan->runs);
	printf("%-12s %9s %9s %9s   %7s %9s %9s\n", "", "min ns", "median ns", "mean ns", "95 %",
	       "min " CLOCK_NAME, "median");
	text_row(heading, &empty_bench, &heading->empty);
}

static void json_stats(const struct stats *stats)
{
	printf("\"count\": %zu, \"min\": %.3f, \"median\": %.3f, ", stats->count, stats->min,
	       stats->median);
	printf("\"mean\": %.3f, \"low\": %.3f, \"high\": %.3f", stats->mean, stats->low, stats->high);
}

/* Names, calls and the clock are ours and need no quoting; the user's directory stays out. */
static void json_begin(const struct heading *heading)
{
	const struct plan *plan = heading->plan;

	printf("{\"program\": \"lmbench-hook\", \"clock\": \"" CLOCK_NAME "\", \"unit\": \"ticks\", ");
	printf("\"ticks_per_ns\": %.6f, \"depth\": %u,\n", heading->ticks_per_ns,
	       place_depth(heading->place->file));
	printf(" \"runs\": %zu, \"warmup\": %zu, \"loop\": %zu,\n", plan->runs, plan->warmup,
	       plan->loop);
	printf(" \"empty\": {");
	json_stats(&heading->empty);
	printf("},\n \"benchmarks\": [");
}

static void json_row(const struct bench *bench, const struct stats *stats)
{
	static const char *separator = "";

	printf("%s\n  {\"name\": \"%s\", \"calls\": \"%s\", ", separator, bench->name,
	       bench->calls);
	json_stats(stats);
	printf("}");
	separator = ",";
}

static void csv_row(const struct heading *heading, const struct bench *bench,
		    const struct stats *stats)
{
	printf("%s,%s,%zu,%.3f,%.3f,%.3f,%.3f,%.3f,%.6f\n", bench->name, bench->calls,
	       stats->count, stats->min, stats->median, stats->mean, stats->low, stats->high,
	       heading->ticks_per_ns);
}

static void csv_begin(const struct heading *heading)
{
	printf("name,calls,count,min,median,mean,low,high,ticks_per_ns\n");
	csv_row(heading, &empty_bench, &heading->empty);
}

void output_begin(enum format format, const struct heading *heading)
{
	if (format == FORMAT_JSON)
		json_begin(heading);
	else if (format == FORMAT_CSV)
		csv_begin(heading);
	else
		text_begin(heading);
}

void output_row(enum format format, const struct heading *heading, const struct bench *bench,
		const struct stats *stats)
{
	if (format == FORMAT_JSON)
		json_row(bench, stats);
	else if (format == FORMAT_CSV)
		csv_row(heading, bench, stats);
	else
		text_row(heading, bench, stats);
}

void output_end(enum format format)
{
	if (format == FORMAT_JSON)
		printf("\n ]}\n");
}
