// SPDX-License-Identifier: GPL-2.0-only
/* Sets two saved results beside each other: means and medians, and their change in percent. */

#include "compare.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

/**
 * struct result - one file that run --json or openit --json wrote
 * @path: its name
 * @json: all of it
 * @rows: its sub-benchmarks
 * @rate: ticks of its clock in a nanosecond
 */
struct result {
	const char *path;
	struct json_object *json;
	struct json_object *rows;
	double rate;
};

static int no_result(const char *path, const char *why)
{
	fprintf(stderr,
		"lmbench-hook: '%s': %s; compare takes what run --json or openit --json printed\n",
		path, why);
	return -1;
}

static int load(struct result *result, const char *path)
{
	struct json_object *rate = NULL;

	*result = (struct result){ .path = path, .json = json_object_from_file(path) };
	if (!result->json)
		return no_result(path, "not there, or no JSON");
	json_object_object_get_ex(result->json, "benchmarks", &result->rows);
	json_object_object_get_ex(result->json, "ticks_per_ns", &rate);
	result->rate = json_object_get_double(rate);
	if (!json_object_is_type(result->rows, json_type_array) || result->rate <= 0)
		return no_result(path, "has no benchmarks or no ticks_per_ns");
	return 0;
}

static const char *name_of(struct json_object *row)
{
	struct json_object *name = NULL;

	json_object_object_get_ex(row, "name", &name);
	return name ? json_object_get_string(name) : "";
}

static double ns_of(const struct result *result, struct json_object *row, const char *key)
{
	struct json_object *number = NULL;

	json_object_object_get_ex(row, key, &number);
	return json_object_get_double(number) / result->rate;
}

static struct json_object *find(const struct result *result, const char *name)
{
	for (size_t i = 0; i < json_object_array_length(result->rows); i++) {
		struct json_object *row = json_object_array_get_idx(result->rows, i);

		if (!strcmp(name_of(row), name))
			return row;
	}
	fprintf(stderr, "lmbench-hook: '%s' has no %s\n", result->path, name);
	return NULL;
}

static void print_change(double before, double after)
{
	printf(" %14.1f %14.1f %+8.1f %%", before, after, 100 * (after - before) / before);
}

static void compare_row(const struct result *before, struct json_object *old,
			const struct result *after)
{
	struct json_object *new = find(after, name_of(old));

	if (!new)
		return;
	printf("%-18s", name_of(old));
	print_change(ns_of(before, old, "mean"), ns_of(after, new, "mean"));
	print_change(ns_of(before, old, "median"), ns_of(after, new, "median"));
	putchar('\n');
}

int compare(const char *old, const char *new)
{
	struct result before, after = { 0 };
	int err = load(&before, old) || load(&after, new) ? -1 : 0;

	if (!err) {
		printf("%-18s %14s %14s %10s %14s %14s %10s\n", "ns", "mean before", "mean after",
		       "change", "median before", "median after", "change");
		for (size_t i = 0; i < json_object_array_length(before.rows); i++)
			compare_row(&before, json_object_array_get_idx(before.rows, i), &after);
	}
	json_object_put(before.json);
	json_object_put(after.json);
	return err;
}
