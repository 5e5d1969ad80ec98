// SPDX-License-Identifier: GPL-2.0-only
/* Collects results and prints them as one JSON object at the end. */

#include "json.h"

#include <json-c/json.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "clock.h"
#include "filesystem.h"

/* Ten digits are more than any clock resolves. */
static struct json_object *number(double value)
{
	struct json_object *object = json_object_new_double(value);

	json_object_set_serializer(object, json_object_double_to_json_string, "%.10g", NULL);
	return object;
}

static struct json_object *numbers(const double *values, size_t count)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(array, number(values[i]));
	return array;
}

static struct json_object *outliers(const struct series *series)
{
	const struct stats *stats = &series->stats;
	struct json_object *array = numbers(series->sorted, stats->below);

	for (size_t i = stats->count - stats->above; i < stats->count; i++)
		json_object_array_add(array, number(series->sorted[i]));
	return array;
}

static void add_stats(struct json_object *row, const struct series *series, bool keep)
{
	const struct stats *stats = &series->stats;

	json_object_object_add(row, "count", json_object_new_uint64(stats->count));
	json_object_object_add(row, "min", number(stats->min));
	json_object_object_add(row, "q1", number(stats->q1));
	json_object_object_add(row, "median", number(stats->median));
	json_object_object_add(row, "q3", number(stats->q3));
	json_object_object_add(row, "max", number(stats->max));
	json_object_object_add(row, "mean", number(stats->mean));
	json_object_object_add(row, "variance", number(stats->variance));
	json_object_object_add(row, "low", number(stats->low));
	json_object_object_add(row, "high", number(stats->high));
	json_object_object_add(row, "outliers", outliers(series));
	if (keep)
		json_object_object_add(row, "samples", numbers(series->samples, stats->count));
}

void json_row(struct output *output, const struct bench *bench, const struct series *series)
{
	struct json_object *row = json_object_new_object();

	json_object_object_add(row, "name", json_object_new_string(bench->name));
	json_object_object_add(row, "calls", json_object_new_string(bench->calls));
	if (bench->depth)
		json_object_object_add(row, "depth", json_object_new_uint64(bench->depth));
	add_stats(row, series, output->heading->keep);
	if (bench->size) {
		json_object_object_add(row, "bytes", json_object_new_uint64(bench->size));
		json_object_object_add(row, "bytes_per_s",
				       number(output_throughput(output, bench, &series->stats)));
	}
	json_object_array_add(json_object_object_get(output->json, "benchmarks"), row);
}

static void add_plan(struct json_object *json, const struct plan *plan, const struct place *place)
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

/* Don't print the user's directory. */
void json_begin(struct output *output)
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
	json_object_object_add(json, "ticks_per_ns", number(heading->ticks_per_ns));
	json_object_object_add(json, "depth",
			       json_object_new_uint64(place_depth(heading->place->file)));
	add_plan(json, heading->plan, heading->place);
	add_stats(empty, &heading->empty, false);
	json_object_object_add(json, "empty", empty);
	json_object_object_add(json, "benchmarks", json_object_new_array());
	json_object_object_add(json, "left_out", json_object_new_object());
	output->json = json;
}

void json_left_out(struct output *output, const struct bench *bench, const char *why)
{
	struct json_object *reasons = json_object_object_get(output->json, "left_out");

	json_object_object_add(reasons, bench->name, json_object_new_string(why));
}

void json_end(struct output *output)
{
	puts(json_object_to_json_string_ext(output->json, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED));
	json_object_put(output->json);
}
