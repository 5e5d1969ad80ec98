// SPDX-License-Identifier: GPL-2.0-only
/* Reads a saved result. */

#include "result.h"

#include <math.h>
#include <string.h>

#include "complain.h"

static int no_result(const char *path, const char *why)
{
	return complain("'%s': %s; compare takes what run --json or openit --json printed", path, why);
}

int result_load(struct result *result, const char *path)
{
	struct json_object *rate = NULL;

	*result = (struct result){ .path = path, .json = json_object_from_file(path) };
	if (!result->json)
		return no_result(path, "missing, or not JSON");
	json_object_object_get_ex(result->json, "benchmarks", &result->rows);
	json_object_object_get_ex(result->json, "ticks_per_ns", &rate);
	result->rate = json_object_get_double(rate);
	if (!json_object_is_type(result->rows, json_type_array) || !isfinite(result->rate) ||
	    result->rate <= 0)
		return no_result(path, "has no benchmarks or no ticks_per_ns");
	return 0;
}

void result_free(struct result *result)
{
	json_object_put(result->json);
}

const char *result_name(struct json_object *row)
{
	struct json_object *name = NULL;

	json_object_object_get_ex(row, "name", &name);
	return json_object_is_type(name, json_type_string) ? json_object_get_string(name) : "";
}

bool result_ns(const struct result *result, struct json_object *row, const char *key, double *ns)
{
	struct json_object *number = NULL;

	json_object_object_get_ex(row, key, &number);
	*ns = json_object_get_double(number) / result->rate;
	return isfinite(*ns) && *ns > 0;
}

struct json_object *result_find(const struct result *result, const char *name)
{
	for (size_t i = 0; i < json_object_array_length(result->rows); i++) {
		struct json_object *row = json_object_array_get_idx(result->rows, i);

		if (!strcmp(result_name(row), name))
			return row;
	}
	return NULL;
}
