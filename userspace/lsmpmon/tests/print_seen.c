// SPDX-License-Identifier: GPL-2.0-only
/*
 * For the tests:
 *
 *     duration TEXT...     its nanoseconds, or that it was refused, and how these are shown
 *     lines, json          what lsmpmon slower prints of lines SECONDS COMM PID EVENT on stdin
 *     pending              the order in which calls are handed on, by lines on stdin: `call CPU NAME`, `stack CPU NAME`,
 *                          `round`, `lost`
 *     objects              the objects that calls get, by lines on stdin: `object CPU EVENT`, `call CPU HOOK NANOSECONDS`
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "duration.h"
#include "pending.h"
#include "seen.h"
#include "traced_objects.h"

static int print_durations(char **words)
{
	for (; *words; words++) {
		uint64_t ns;
		char *text;

		if (duration_parse(*words, &ns)) {
			puts("refused");
			continue;
		}
		text = duration_text(ns / 1e9);
		printf("%ju %s\n", (uintmax_t)ns, text);
		free(text);
	}
	return EXIT_SUCCESS;
}

static int print_lines(void (*print)(const struct seen *seen, FILE *out))
{
	char line[1024];

	while (fgets(line, sizeof(line), stdin)) {
		struct seen seen = { 0 };
		int event = 0;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%lf %15s %d %n", &seen.seconds, seen.comm, &seen.pid, &event) != 3 ||
		    traced_parse(&seen.traced, line + event))
			puts("refused");
		else
			print(&seen, stdout);
	}
	return EXIT_SUCCESS;
}

static bool print_name(const struct seen *seen, void *context)
{
	(void)context;
	printf(" %s%s%s", seen->comm, seen->stack ? "=" : "", seen->stack ? seen->stack[0] : "");
	return true;
}

static void add_call(struct pending *pending, int cpu, const char *name)
{
	struct seen seen = { 0 };

	strcpy(seen.comm, name);
	pending_add(pending, &seen, cpu);
}

static void give_stack(struct pending *pending, int cpu, const char *name)
{
	struct seen *seen = pending_take_stack(pending, cpu);

	if (!seen)
		return;
	seen->stack = xcalloc(1, sizeof(*seen->stack));
	seen->stack[0] = xstrdup(name);
	seen->stack_count = 1;
}

static int print_pending(void)
{
	struct pending pending = { 0 };
	char what[16], name[SEEN_COMM];
	int cpu;

	while (scanf("%15s", what) == 1) {
		if (!strcmp(what, "round"))
			pending_end_round(&pending);
		else if (!strcmp(what, "lost"))
			pending_give_up(&pending);
		else if (scanf("%d %15s", &cpu, name) != 2)
			return EXIT_FAILURE;
		else if (!strcmp(what, "stack"))
			give_stack(&pending, cpu, name);
		else
			add_call(&pending, cpu, name);
		pending_hand_on(&pending, print_name, NULL);
		putchar('\n');
	}
	pending_free(&pending);
	return EXIT_SUCCESS;
}

static void give_object(struct traced_objects *objects, int cpu, const char *text)
{
	struct traced call = { 0 };

	if (sscanf(text, "%63s %ju", call.hook, &call.wall) != 2)
		exit(EXIT_FAILURE);
	traced_objects_give(objects, &call, cpu);
	puts(*call.object ? call.object : "-");
}

static int print_objects(void)
{
	struct traced_objects objects = { 0 };
	struct traced object;
	char line[1024], what[16];
	int cpu, text;

	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "%15s %d %n", what, &cpu, &text) != 2)
			return EXIT_FAILURE;
		if (!strcmp(what, "call")) {
			give_object(&objects, cpu, line + text);
			continue;
		}
		line[strcspn(line, "\n")] = '\0';
		if (traced_parse_object(&object, line + text)) {
			puts("refused");
			continue;
		}
		traced_objects_keep(&objects, &object, cpu);
		putchar('\n');
	}
	traced_objects_free(&objects);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "duration"))
		return print_durations(argv + 2);
	if (argc == 2 && !strcmp(argv[1], "lines"))
		return print_lines(seen_print);
	if (argc == 2 && !strcmp(argv[1], "json"))
		return print_lines(seen_print_json);
	if (argc == 2 && !strcmp(argv[1], "pending"))
		return print_pending();
	if (argc == 2 && !strcmp(argv[1], "objects"))
		return print_objects();
	return EXIT_FAILURE;
}
