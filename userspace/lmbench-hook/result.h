/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_RESULT_H
#define LMBENCH_HOOK_RESULT_H

#include <json-c/json.h>
#include <stdbool.h>

/**
 * struct result - a file written by run --json or openit --json
 * @path: name of the file
 * @json: the whole file
 * @rows: its sub-benchmarks
 * @rate: ticks of its clock per nanosecond
 */
struct result {
	const char *path;
	struct json_object *json;
	struct json_object *rows;
	double rate;
};

/* Returns 0, or -1 after a complaint. Free it in both cases. */
int result_load(struct result *result, const char *path);
void result_free(struct result *result);

/* The name of a row; "" if it has none. */
const char *result_name(struct json_object *row);

/* The mean or median of a row in nanoseconds. Returns false if it has none. */
bool result_ns(const struct result *result, struct json_object *row, const char *key, double *ns);

/* The row with that name, or NULL. */
struct json_object *result_find(const struct result *result, const char *name);

#endif
