// SPDX-License-Identifier: GPL-2.0-only
/* How a single hook call is printed. */

#include "seen.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "duration.h"
#include "errno_name.h"
#include "json.h"
#include "utf8.h"

/* As in the kernel. */
#define ERRNO_MAX 4095

void seen_print_heading(FILE *out)
{
	fprintf(out, "%10s  %-15s  %7s  %-12s  %-24s  %8s  %8s  %8s  %9s  %-8s  %s\n", "seconds", "comm", "pid", "syscall",
		"hook", "wall", "own", "slept", "preempted", "result", "object");
}

static void print_comm(const char *comm, FILE *out)
{
	char text[SEEN_COMM];

	snprintf(text, sizeof(text), "%s", comm);
	utf8_disarm(text);
	fprintf(out, "  %-15s", text);
}

static void print_time(uint64_t ns, bool is_known, int width, FILE *out)
{
	char *text = !is_known ? xstrdup("-") : ns ? duration_text(ns / 1e9) : xstrdup("0");

	fprintf(out, "  %*s", width, text);
	free(text);
}

/* Its error, as in errno.h; numbers that the kernel has for itself have no name there. */
static void print_result(const struct traced *traced, FILE *out)
{
	const int rc = traced->rc;
	const char *name = rc < -ERRNO_MAX ? NULL : rc < 0 ? errno_name(-rc) : traced->verdict;

	if (name)
		fprintf(out, "  %-8s", name);
	else
		fprintf(out, "  %-8d", rc);
}

void seen_print(const struct seen *seen, FILE *out)
{
	const struct traced *traced = &seen->traced;

	fprintf(out, "%10.3f", seen->seconds);
	print_comm(seen->comm, out);
	fprintf(out, "  %7d  %-12s  %-24s", seen->pid, traced->syscall, traced->hook);
	print_time(traced->wall, true, 8, out);
	print_time(traced->own, traced->is_known, 8, out);
	print_time(traced->slept, traced->is_known, 8, out);
	print_time(traced->preempted, traced->is_known, 9, out);
	print_result(traced, out);
	fprintf(out, "  %s\n", *traced->object ? traced->object : "-");
	for (size_t i = 0; i < seen->stack_count; i++)
		fprintf(out, "            %s\n", seen->stack[i]);
}

static void add(struct json_object *object, const char *name, struct json_object *value)
{
	json_object_object_add(object, name, value);
}

/* With as many digits as the kernel has. */
static struct json_object *seconds_of(const struct seen *seen)
{
	char *text = xasprintf("%.9f", seen->seconds);
	struct json_object *seconds = json_object_new_double_s(seen->seconds, text);

	free(text);
	return seconds;
}

static struct json_object *time_or_null(uint64_t ns, bool is_known)
{
	return is_known ? json_object_new_uint64(ns) : NULL;
}

static struct json_object *stack_of(const struct seen *seen)
{
	struct json_object *stack = json_object_new_array();

	for (size_t i = 0; i < seen->stack_count; i++)
		json_object_array_add(stack, json_text(seen->stack[i]));
	return stack;
}

void seen_print_json(const struct seen *seen, FILE *out)
{
	const struct traced *traced = &seen->traced;
	struct json_object *object = json_object_new_object();

	add(object, "seconds", seconds_of(seen));
	add(object, "comm", json_text(seen->comm));
	add(object, "pid", json_object_new_int(seen->pid));
	add(object, "syscall", json_text(traced->syscall));
	add(object, "hook", json_text(traced->hook));
	add(object, "wall", json_object_new_uint64(traced->wall));
	add(object, "own", time_or_null(traced->own, traced->is_known));
	add(object, "slept", time_or_null(traced->slept, traced->is_known));
	add(object, "preempted", time_or_null(traced->preempted, traced->is_known));
	add(object, "rc", json_object_new_int(traced->rc));
	add(object, "verdict", json_text(traced->verdict));
	add(object, "depth", traced->depth < 0 ? NULL : json_object_new_int(traced->depth));
	add(object, "object", *traced->object ? json_text(traced->object) : NULL);
	if (seen->stack)
		add(object, "stack", stack_of(seen));
	fprintf(out, "%s\n", json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
	json_object_put(object);
}

void seen_free(struct seen *seen)
{
	for (size_t i = 0; i < seen->stack_count; i++)
		free(seen->stack[i]);
	free(seen->stack);
	seen->stack = NULL;
	seen->stack_count = 0;
}
