// SPDX-License-Identifier: GPL-2.0-only
/* Prints results as a table or comma-separated values, each row once it is measured. */

#include "output.h"

#include <math.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "clock.h"
#include "filesystem.h"
#include "json.h"

static const struct bench empty_bench = { .name = "(empty)", .calls = "" };

/* Bytes per second, from the median, which is robust against outliers. */
double output_throughput(const struct output *output, const struct bench *bench,
			 const struct stats *stats)
{
	return bench->size * output->heading->ticks_per_ns * 1e9 / stats->median;
}

/* 78 columns; what else is known of the samples is in CSV and JSON. */
static void text_row(struct output *output, const struct bench *bench, const struct series *series)
{
	const struct stats *stats = &series->stats;
	double rate = output->heading->ticks_per_ns;

	printf("%-18s %8.1f %8.1f %8.1f +-%6.1f %8.0f %5zu", bench->name, stats->min / rate,
	       stats->median / rate, stats->mean / rate, (stats->high - stats->mean) / rate,
	       stats->max / rate, stats->below + stats->above);
	if (bench->size)
		printf(" %8.1f", output_throughput(output, bench, stats) / 1e6);
	putchar('\n');
}

static void text_about(const struct heading *heading)
{
	struct utsname kernel = { 0 };

	uname(&kernel);
	printf("Linux %s, on %s. Clock: " CLOCK_NAME ", %.4f ticks a ns.\n", kernel.release,
	       filesystem_name(heading->place->dirfd), heading->ticks_per_ns);
	printf("An empty sample has %.1f ns (median), not subtracted; outliers stay in.\n",
	       heading->empty.stats.median / heading->ticks_per_ns);
}

static void text_samples(const struct plan *plan, size_t many)
{
	if (plan->loop)
		printf("%zu samples of %zu whole rounds each.\n", plan->runs, plan->loop);
	else
		printf("%zu samples of one call each; of %zu calls where there are many.\n",
		       plan->runs, many);
}

static void text_begin(struct output *output)
{
	const struct heading *heading = output->heading;
	const char *path = heading->place->file;

	text_about(heading);
	printf("Paths have %u components (%s) unless the name says.\n",
	       place_depth(path), path);
	text_samples(heading->plan, heading->place->many);
	printf("%-18s %8s %8s %8s   %6s %8s %5s %8s\n", "ns", "min", "median", "mean", "95 %",
	       "max", "outl.", "MB/s");
	text_row(output, &empty_bench, &heading->empty);
}

static void walk_begin(struct output *output)
{
	text_about(output->heading);
}

static void walk_row(struct output *output, const struct bench *bench, const struct series *series)
{
	const struct place *place = output->heading->place;
	const struct stats *stats = &series->stats;
	double second = output->heading->ticks_per_ns * 1e9;

	printf("%s: %zu walks through %zu directories and %zu files: "
	       "mean %.4f s (95 %%: +- %.4f)\n",
	       bench->name, stats->count, place->directories, place->files, stats->mean / second,
	       (stats->high - stats->mean) / second);
	printf("min %.4f, median %.4f, max %.4f s, standard deviation %.4f, %zu outliers\n",
	       stats->min / second, stats->median / second, stats->max / second,
	       sqrt(stats->variance) / second, stats->below + stats->above);
}

static void csv_row(struct output *output, const struct bench *bench, const struct series *series)
{
	const struct stats *s = &series->stats;

	printf("%s,%s,%zu,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,", bench->name, bench->calls, s->count,
	       s->min, s->q1, s->median, s->q3, s->max, s->mean);
	printf("%.3f,%.3f,%.3f,%zu,%zu,%zu,%.6f\n", s->variance, s->low, s->high, s->below,
	       s->above, bench->size, output->heading->ticks_per_ns);
}

static void csv_begin(struct output *output)
{
	printf("name,calls,count,min,q1,median,q3,max,mean,variance,low,high,below,above,bytes,"
	       "ticks_per_ns\n");
	csv_row(output, &empty_bench, &output->heading->empty);
}

/**
 * struct writer - an output format
 * @begin: writes what comes before the first row
 * @row: writes a row
 */
struct writer {
	void (*begin)(struct output *output);
	void (*row)(struct output *output, const struct bench *bench, const struct series *series);
};

static const struct writer writers[] = {
	[FORMAT_TEXT] = { text_begin, text_row },
	[FORMAT_JSON] = { json_begin, json_row },
	[FORMAT_CSV] = { csv_begin, csv_row },
	[FORMAT_WALK] = { walk_begin, walk_row },
};

void output_begin(struct output *output, enum format format, const struct heading *heading)
{
	*output = (struct output){ .print = writers[format].row, .heading = heading };
	writers[format].begin(output);
}

void output_row(struct output *output, const struct bench *bench, const struct series *series)
{
	output->print(output, bench, series);
	fflush(stdout);
}

void output_left_out(struct output *output, const struct bench *bench, const char *why)
{
	if (output->json)
		json_left_out(output, bench, why);
}

void output_end(struct output *output)
{
	if (output->json)
		json_end(output);
}
