/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_JSON_H
#define LMBENCH_HOOK_JSON_H

#include <json-c/json.h>

/* Ten digits are more than a clock knows. */
static inline struct json_object *json_number(double value)
{
	struct json_object *number = json_object_new_double(value);

	json_object_set_serializer(number, json_object_double_to_json_string, "%.10g", NULL);
	return number;
}

#endif
