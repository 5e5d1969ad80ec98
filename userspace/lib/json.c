// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"

#include <stdlib.h>

#include "alloc.h"
#include "utf8.h"

struct json_object *json_text(const char *text)
{
	char *copy = xstrdup(text);
	struct json_object *object;

	for (char *at = copy; *at;) {
		int length = utf8_length(at);

		if (!length)
			*at = '?';
		at += length ?: 1;
	}
	object = json_object_new_string(copy);
	free(copy);
	return object;
}
