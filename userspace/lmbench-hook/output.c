// SPDX-License-Identifier: GPL-2.0-only
/* Prints results as a table or comma-separated values, each row as it is measured, or as JSON. */

#include "output.h"

#include <math.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "clock.h"
#include "filesystem.h"
#include "json.h"

static const struct bench empty_bench = { .name = "(empty)", .calls = "" };

/* Bytes a second; of the median, which outliers do not move. */
static double throughput(const struct heading *heading, const struct bench *bench,
			 const struct stats *stats)
{
	return bench->size * heading->ticks_per_ns * 1e9 / stats->median;
}

static void text_row(struct output *output, const struct bench *bench, const struct series *series)
{
	const struct stats *stats = &series->stats;
	double rate = output->heading->ticks_per_ns;

	printf("%-18s %9.1f %9.1f %9.1f +-%7.1f %11.4g %9.0f %6zu", bench->name, stats->min / rate,
	       stats->median / rate, stats->mean / rate, (stats->high - stats->mean) / rate,
	       stats->variance / rate / rate, stats->max / rate, stats->below + stats->above);
	if (bench->size)
		printf(" %8.1f", throughput(output->heading, bench, stats) / 1e6);
	putchar('\n');
}

static void text_about(const struct heading *heading)
{
	struct utsname kernel = { 0 };

	uname(&kernel);
	printf("Linux %s, on %s. Clock: " CLOCK_NAME ", %.4f ticks a ns. Outliers are in all figures.\n",
	       kernel.release, filesystem_name(heading->place->dirfd), heading->ticks_per_ns);
	printf("The harness reads %.1f ns around nothing (median): in every figure, not subtracted.\n",
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
	printf("Paths have %u components, as in %s, where the name has no depth.\n",
	       place_depth(path), path);
	text_samples(heading->plan, heading->place->many);
	printf("%-18s %9s %9s %9s   %7s %11s %9s %6s %8s\n", "ns", "min", "median", "mean", "95 %",
	       "variance", "max", "outl.", "MB/s");
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

	printf("%s: %zu walks through %zu directories and %zu files: mean %.4f s (95 %%: +- %.4f)\n",
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
	printf("%.3f,%.3f,%.3f,%zu,%zu,%zu,%.6f\n", s->variance, s->low, s->high, s->below, s->above,
	       bench->size, output->heading->ticks_per_ns);
}

static void csv_begin(struct output *output)
{
	printf("name,calls,count,min,q1,median,q3,max,mean,variance,low,high,below,above,bytes,"
	       "ticks_per_ns\n");
	csv_row(output, &empty_bench, &output->heading->empty);
}

static struct json_object *json_numbers(const double *values, size_t count)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(array, json_number(values[i]));
	return array;
}

static struct json_object *json_outliers(const struct series *series)
{
	const struct stats *stats = &series->stats;
	struct json_object *array = json_numbers(series->sorted, stats->below);

	for (size_t i = stats->count - stats->above; i < stats->count; i++)
		json_object_array_add(array, json_number(series->sorted[i]));
	return array;
}

static void json_stats(struct json_object *row, const struct series *series, bool keep)
{
	const struct stats *stats = &series->stats;

	json_object_object_add(row, "count", json_object_new_uint64(stats->count));
	json_object_object_add(row, "min", json_number(stats->min));
	json_object_object_add(row, "q1", json_number(stats->q1));
	json_object_object_add(row, "median", json_number(stats->median));
	json_object_object_add(row, "q3", json_number(stats->q3));
	json_object_object_add(row, "max", json_number(stats->max));
	json_object_object_add(row, "mean", json_number(stats->mean));
	json_object_object_add(row, "variance", json_number(stats->variance));
	json_object_object_add(row, "low", json_number(stats->low));
	json_object_object_add(row, "high", json_number(stats->high));
	json_object_object_add(row, "outliers", json_outliers(series));
	if (keep)
		json_object_object_add(row, "samples", json_numbers(series->samples, stats->count));
}

static void json_row(struct output *output, const struct bench *bench, const struct series *series)
{
	struct json_object *row = json_object_new_object();

	json_object_object_add(row, "name", json_object_new_string(bench->name));
	json_object_object_add(row, "calls", json_object_new_string(bench->calls));
	if (bench->depth)
		json_object_object_add(row, "depth", json_object_new_uint64(bench->depth));
	json_stats(row, series, output->heading->keep);
	if (bench->size) {
		json_object_object_add(row, "bytes", json_object_new_uint64(bench->size));
		json_object_object_add(row, "bytes_per_s",
				       json_number(throughput(output->heading, bench, &series->stats)));
	}
	json_object_array_add(json_object_object_get(output->json, "benchmarks"), row);
}

static void json_plan(struct json_object *json, const struct plan *plan, const struct place *place)
{
	json_object_object_add(json, "runs", json_object_new_uint64(plan->runs));
	json_object_object_add(json, "warmup", json_object_new_uint64(plan->warmup));
	json_object_object_add(json, "loop", json_object_new_uint64(plan->loop));
	json_object_object_add(json, "many", json_object_new_uint64(place->many));
	if (place->directories) {
		json_object_object_add(json, "directories",
				       json_object_new_uint64(place->directories));
		json_object_object_add(json, "files", json_object_new_uint64(place->files));
	}
}

/* The user's directory stays out of it. */
static void json_begin(struct output *output)
{
	const struct heading *heading = output->heading;
	struct json_object *json = json_object_new_object();
	struct json_object *empty = json_object_new_object();
	struct utsname kernel = { 0 };

	uname(&kernel);
	json_object_object_add(json, "program", json_object_new_string("lmbench-hook"));
	json_object_object_add(json, "kernel", json_object_new_string(kernel.release));
	json_object_object_add(json, "filesystem",
			       json_object_new_string(filesystem_name(heading->place->dirfd)));
	json_object_object_add(json, "clock", json_object_new_string(CLOCK_NAME));
	json_object_object_add(json, "unit", json_object_new_string("ticks"));
	json_object_object_add(json, "ticks_per_ns", json_number(heading->ticks_per_ns));
	json_object_object_add(json, "depth",
			       json_object_new_uint64(place_depth(heading->place->file)));
	json_plan(json, heading->plan, heading->place);
	json_stats(empty, &heading->empty, false);
	json_object_object_add(json, "empty", empty);
	json_object_object_add(json, "benchmarks", json_object_new_array());
	json_object_object_add(json, "left_out", json_object_new_object());
	output->json = json;
}

void output_begin(struct output *output, enum format format, const struct heading *heading)
{
	static void (*const rows[])(struct output *output, const struct bench *bench,
				    const struct series *series) = { text_row, json_row, csv_row, walk_row };
	static void (*const begin[])(struct output *output) = { text_begin, json_begin, csv_begin,
								walk_begin };

	*output = (struct output){ .print = rows[format], .heading = heading };
	begin[format](output);
}

void output_row(struct output *output, const struct bench *bench, const struct series *series)
{
	output->print(output, bench, series);
	fflush(stdout);
}

void output_left_out(struct output *output, const struct bench *bench, const char *why)
{
	if (output->json)
		json_object_object_add(json_object_object_get(output->json, "left_out"), bench->name,
				       json_object_new_string(why));
}

void output_end(struct output *output)
{
	if (!output->json)
		return;
	puts(json_object_to_json_string_ext(output->json, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED));
	json_object_put(output->json);
}
