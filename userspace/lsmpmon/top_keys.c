// SPDX-License-Identifier: GPL-2.0-only
/* What the keys of top do. */

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "monitor.h"
#include "top.h"

void top_print_keys(const struct top *top)
{
	if (top->is_typing)
		printf("\nonly names with: %s_ (Enter)", top->filter);
	else
		printf("\nby:   h hook  m module  s syscall  v verdict  p cpu  w command  g cgroup\n"
		       "sort: t time  c calls  a ave  n name | f filter%s%s  q quit",
		       *top->filter ? ": " : "", top->filter);
	fflush(stdout);
}

/* An empty column sorts by name, whatever the table's rows are. */
static const struct { char key; const char *by; const char *sort; } keys[] = {
	{ 'h', "hook", NULL }, { 'm', "module", NULL }, { 's', "syscall", NULL },
	{ 'v', "hook,verdict", NULL }, { 'p', "cpu", NULL }, { 'w', "comm", NULL }, { 'g', "cgroup", NULL },
	{ 't', NULL, "time/s" }, { 'c', NULL, "calls/s" }, { 'a', NULL, "ave" }, { 'n', NULL, "" },
};

char top_key(const struct top *top)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].by && !strcmp(keys[i].by, top->options.rows.by))
			return keys[i].key;
	return 0;
}

static void type(struct top *top, int key)
{
	size_t length = strlen(top->filter);

	if (key == '\n' || key == '\r')
		top->is_typing = false;
	else if ((key == 0x7f || key == '\b') && length)
		top->filter[length - 1] = '\0';
	else if (key > ' ' && key < 0x7f && length + 1 < sizeof(top->filter))
		top->filter[length] = key;
}

/* The second press of the key, after the note about it. The monitor is restored at the end. */
static void switch_feature_on(const struct top *top)
{
	const char *feature = top->options.rows.grouping.feature;
	char *lines = feature ? monitor_read(options_dir(&top->options), "features") : NULL;
	char *off = feature ? xasprintf("%s 0", feature) : NULL;
	char *on = feature ? xasprintf("%s 1", feature) : NULL;

	if (lines && strstr(lines, off))
		monitor_write(options_dir(&top->options), "features", on);
	free(lines);
	free(off);
	free(on);
}

static void sort(struct top *top, const char *column)
{
	top->is_by_name = !*column;
	top->options.rows.sort = column;
}

bool top_press(struct top *top, int key)
{
	if (top->is_typing) {
		type(top, key);
		return true;
	}
	if (key == 'f') {
		memset(top->filter, 0, sizeof(top->filter));
		top->is_typing = true;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (keys[i].key != key)
			continue;
		if (keys[i].by && !strcmp(keys[i].by, top->options.rows.by))
			switch_feature_on(top);
		if (keys[i].by && !grouping_parse(&top->options.rows.grouping, keys[i].by))
			top->options.rows.by = keys[i].by;
		if (keys[i].sort)
			sort(top, keys[i].sort);
	}
	return key != 'q' && key != -1;
}
