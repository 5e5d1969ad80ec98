/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_RESULT_H
#define LMBENCH_HOOK_RESULT_H

#include <json-c/json.h>
#include <stdbool.h>

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

/* 0, or -1 after a complaint. To be freed either way. */
int result_load(struct result *result, const char *path);
void result_free(struct result *result);

/* Of a row; "" where it has none. */
const char *result_name(struct json_object *row);

/* Nanoseconds of a row's mean or median; false: it has no such time. */
bool result_ns(const struct result *result, struct json_object *row, const char *key, double *ns);

/* The row of that name, or NULL. */
struct json_object *result_find(const struct result *result, const char *name);

#endif
