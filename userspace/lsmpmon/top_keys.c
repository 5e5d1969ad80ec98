// SPDX-License-Identifier: GPL-2.0-only
/* What the keys of top do. */

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "monitor.h"
#include "terminal.h"
#include "top.h"

/* More rows than any table has. */
#define ALL_ROWS (1L << 30)

/* An empty column sorts by name, whatever the table's rows are. */
static const struct { char key; const char *by; const char *sort; } keys[] = {
	{ 'h', "hook", NULL }, { 'm', "module", NULL }, { 's', "syscall", NULL },
	{ 'v', "hook,verdict", NULL }, { 'p', "cpu", NULL }, { 'w', "comm", NULL }, { 'g', "cgroup", NULL },
	{ 'i', "pid,tid,comm", NULL },
	{ 't', NULL, "time/s" }, { 'c', NULL, "calls/s" }, { 'a', NULL, "ave" }, { 'n', NULL, "" },
};

#define KEYS (sizeof(keys) / sizeof(*keys))

char top_key(const struct top *top)
{
	for (size_t i = 0; i < KEYS; i++)
		if (!top->path.depth && keys[i].by && !strcmp(keys[i].by, top->options.rows.by))
			return keys[i].key;
	return 0;
}

static void type(struct top *top, int key)
{
	size_t length = strlen(top->filter);

	if (key == '\n' || key == '\r' || key == TERMINAL_ESCAPE)
		top->is_typing = false;
	else if ((key == 0x7f || key == '\b') && length)
		top->filter[length - 1] = '\0';
	else if (key > ' ' && key < 0x7f && length + 1 < sizeof(top->filter))
		top->filter[length] = key;
}

/* The feature that what is shown needs; NULL if it is on, or none is needed. */
static const char *feature_off(const struct top *top, const struct run *run)
{
	const char *feature = top_path_is_histogram(top) ? "histogram" : top->options.rows.grouping.feature;

	return feature && !run_has_feature(run, feature) ? feature : NULL;
}

/* After the note about it. The monitor is restored at the end. */
static void switch_feature_on(struct top *top, const char *feature)
{
	char *lines = monitor_read(options_dir(&top->options), "features");
	char *off = xasprintf("%s 0", feature), *on = xasprintf("%s 1", feature);

	if (lines && strstr(lines, off))
		top->is_stale = !monitor_write(options_dir(&top->options), "features", on);
	free(lines);
	free(off);
	free(on);
}

static void view(struct top *top, const char *by, const struct run *run)
{
	const bool is_shown = !top->path.depth && !strcmp(by, top->options.rows.by);
	struct grouping grouping;

	if (is_shown && feature_off(top, run))
		switch_feature_on(top, feature_off(top, run));
	/* An older kernel does not have all tables. */
	if (is_shown || !grouping_find(&grouping, by) || !run_text(run, grouping.table))
		return;
	top_path_leave(top);
	top->options.rows.by = by;
	top->options.rows.grouping = grouping;
}

static void sort(struct top *top, const char *column)
{
	top->is_by_name = !*column;
	top->options.rows.sort = column;
}

static void press_letter(struct top *top, int key, const struct run *run)
{
	for (size_t i = 0; i < KEYS; i++) {
		if (keys[i].key != key)
			continue;
		if (keys[i].by)
			view(top, keys[i].by, run);
		else
			sort(top, keys[i].sort);
	}
}

/* How far a key moves. */
static long move(const struct top *top, int key)
{
	const long page = top->chosen.page;

	switch (key) {
	case TERMINAL_UP:
		return -1;
	case TERMINAL_DOWN:
		return 1;
	case TERMINAL_PAGE_UP:
		return -page;
	case TERMINAL_PAGE_DOWN:
		return page;
	case TERMINAL_HOME:
		return -ALL_ROWS;
	case TERMINAL_END:
		return ALL_ROWS;
	default:
		return 0;
	}
}

static void press(struct top *top, int key, const struct run *run)
{
	switch (key) {
	case 'f':
		memset(top->filter, 0, sizeof(top->filter));
		top->is_typing = true;
		break;
	case '?':
		top->is_help = true;
		break;
	case '\n':
	case '\r':
		if (feature_off(top, run))
			switch_feature_on(top, feature_off(top, run));
		else
			top_path_down(top, run);
		break;
	case TERMINAL_RIGHT:
		top_path_down(top, run);
		break;
	case TERMINAL_LEFT:
	case TERMINAL_ESCAPE:
		top_path_up(top, run);
		break;
	default:
		top->chosen.move += move(top, key);
		press_letter(top, key, run);
	}
}

bool top_press(struct top *top, int key, const struct run *run)
{
	if (key == -1)
		return false;
	if (top->is_typing) {
		type(top, key);
		return true;
	}
	if (top->is_help) {
		top->is_help = false;
		return true;
	}
	press(top, key, run);
	return key != 'q';
}
