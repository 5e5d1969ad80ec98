// SPDX-License-Identifier: GPL-2.0-only
/* Compares two saved results: means and medians, and their change in percent. */

#include "compare.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

#include "complain.h"
#include "result.h"

/* Names may come from a file of somebody else: keep terminal escapes out. */
static void print_name(const char *name)
{
	int room = 18;

	for (; *name; name++, room--)
		putchar(iscntrl((unsigned char)*name) ? '?' : *name);
	printf("%*s", room > 0 ? room : 0, "");
}

static bool print_change(const struct result *before, struct json_object *old,
			 const struct result *after, struct json_object *new, const char *key)
{
	double a, b;

	if (!result_ns(before, old, key, &a) || !result_ns(after, new, key, &b)) {
		printf(" %14s %14s %10s", "-", "-", "-");
		return false;
	}
	printf(" %14.1f %14.1f %+8.1f %%", a, b, 100 * (b - a) / a);
	return true;
}

/* Returns 0, or -1 after a complaint if there is no such row or it has no times. */
static int compare_row(const struct result *before, struct json_object *old,
		       const struct result *after)
{
	const char *name = result_name(old);
	struct json_object *new = result_find(after, name);
	bool has_times;

	if (!new)
		return complain("'%s' has no %s", after->path, name);
	print_name(name);
	has_times = print_change(before, old, after, new, "mean");
	has_times &= print_change(before, old, after, new, "median");
	putchar('\n');
	return has_times ? 0 : complain("%s has no time in both files", name);
}

/* Returns 0, or -1 after a complaint about each row that one file lacks. */
static int compare_rows(const struct result *before, const struct result *after)
{
	int error = 0;

	for (size_t i = 0; i < json_object_array_length(before->rows); i++)
		error |= compare_row(before, json_object_array_get_idx(before->rows, i), after);
	for (size_t i = 0; i < json_object_array_length(after->rows); i++) {
		const char *name = result_name(json_object_array_get_idx(after->rows, i));

		if (!result_find(before, name))
			error = complain("'%s' has no %s", before->path, name);
	}
	return error;
}

int compare(const char *old, const char *new)
{
	struct result before, after = { 0 };
	int status = result_load(&before, old) || result_load(&after, new) ? 2 : 0;

	if (!status) {
		printf("%-18s %14s %14s %10s %14s %14s %10s\n", "ns", "mean before", "mean after",
		       "change", "median before", "median after", "change");
		status = compare_rows(&before, &after) ? 1 : 0;
	}
	result_free(&before);
	result_free(&after);
	return status;
}
