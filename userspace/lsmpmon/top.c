// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon top: what hooks cost now, again and again. */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "child.h"
#include "commands.h"
#include "complain.h"
#include "costs.h"
#include "keep.h"
#include "measuring.h"
#include "monitor.h"
#include "options.h"
#include "seconds.h"
#include "terminal.h"
#include "total.h"

#define FILTER_MAX 40
#define SECONDS_DEFAULT 2
/* Lines of the screen that are no rows: title, header, keys. */
#define LINES_AROUND 10

enum key { KEY_BY = 512, KEY_SORT, KEY_TOP };

struct top {
	struct options options;
	struct grouping grouping;
	const char *by;
	const char *sort;
	size_t rows;
	double seconds;
	double time;
	size_t count;
	pid_t pid;
	bool is_all;
	char filter[FILTER_MAX];
	bool is_typing;
	bool is_screen;
};

/**
 * struct moment - the counters, and when they were read
 * @record: all files of the monitor
 * @costs: of the grouping that is shown
 * @total: of all calls
 * @at: seconds
 */
struct moment {
	struct record record;
	struct costs costs;
	struct total total;
	double at;
};

static void forget(struct moment *moment)
{
	costs_free(&moment->costs);
	record_free(&moment->record);
}

static int take(struct moment *moment, const struct top *top)
{
	*moment = (struct moment){ 0 };
	if (record_of_monitor(&moment->record, options_dir(&top->options)))
		return -1;
	moment->at = seconds_now();
	if (!costs_read(&moment->costs, moment->record.runs, 1, &top->grouping) &&
	    !total_read(&moment->total, &moment->record))
		return 0;
	forget(moment);
	return -1;
}

static bool passes(const struct top *top, const struct cost *cost)
{
	for (size_t i = 0; i < top->grouping.key_count; i++)
		if (strstr(cost->keys[i], top->filter))
			return true;
	return false;
}

static void add_columns(struct sheet *sheet, const struct top *top)
{
	/* Of a stream of lines each says when. */
	if (!top->is_screen)
		sheet_column(sheet, "seconds", REAL, 0);
	for (size_t i = 0; i < top->grouping.key_count; i++)
		sheet_column(sheet, top->grouping.keys[i], TEXT, 0);
	sheet_column(sheet, "calls/s", REAL, 0);
	sheet_column(sheet, "ave", TICKS, 1);
	sheet_column(sheet, "time/s", TICKS, 0);
	sheet_column(sheet, "busy", PERCENT, 0);
	sheet_column(sheet, "share", PERCENT, 2);
}

/* Seconds of processor that there were for each second that passed, of those that a row is about. */
static double processors(const struct record *record, const struct top *top)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (!strcmp(top->grouping.table, "cpus"))
		return 1;
	return online > 0 ? (uint64_t)online : run_info_number(record->runs, "cpus");
}

/* What came since: counters that went back were reset meanwhile, so all of them is new. */
static uint64_t since(uint64_t before, uint64_t after)
{
	return after >= before ? after - before : after;
}

static uint64_t sum_since(const struct moment *a, const struct moment *b, const struct top *top)
{
	uint64_t total = 0;

	for (size_t i = 0; i < b->costs.count; i++) {
		const struct cost *cost = &b->costs.rows[i];
		const struct cost *old = costs_find(&a->costs, cost->keys, top->grouping.key_count);

		total += since(old ? old->sum : 0, cost->sum);
	}
	return total;
}

static void add_row(struct sheet *sheet, const struct top *top, const struct cost *old,
		    const struct cost *cost, const struct moment *b, double seconds, double total)
{
	double khz = run_info_number(b->record.runs, "clock_khz");
	uint64_t sum = since(old ? old->sum : 0, cost->sum);
	uint64_t count = since(old ? old->count : 0, cost->count);
	uint64_t switched = since(old ? old->cs_count : 0, cost->cs_count);

	if (!(count + switched) || !passes(top, cost))
		return;
	if (!top->is_screen)
		sheet_number(sheet, b->at);
	for (size_t i = 0; i < top->grouping.key_count; i++)
		sheet_text(sheet, cost->keys[i]);
	sheet_number(sheet, (count + switched) / seconds);
	if (count)
		sheet_number(sheet, (double)sum / count);
	else
		sheet_nothing(sheet);
	sheet_number(sheet, sum / seconds);
	if (khz)
		sheet_number(sheet, 100 * sum / (khz * 1000) / seconds / processors(&b->record, top));
	else
		sheet_nothing(sheet);
	sheet_number(sheet, total ? 100 * sum / total : 0);
}

/* The feature that what is shown needs; NULL: none. */
static const char *feature_of(const struct top *top)
{
	switch (*top->grouping.table) {
	case 'm':
		return "module";
	case 's':
		return "syscall";
	default:
		return NULL;
	}
}

static bool is_off(const char *feature, const struct record *record)
{
	char *line = feature ? xasprintf("%s 0", feature) : NULL;
	bool is_off = line && strstr(run_text(record->runs, "features") ?: "", line);

	free(line);
	return is_off;
}

static void note_empty(struct sheet *sheet, const struct top *top, const struct record *record)
{
	const char *feature = feature_of(top);

	if (!is_off(feature, record))
		sheet_note(sheet, "No call by %s.", top->by);
	else if (top->is_screen)
		sheet_note(sheet, "Calls are not measured by %s: press %c again to switch the feature on. That sets "
				  "all counters to zero.", feature, *feature);
	else
		sheet_note(sheet, "Calls are not measured by %s: lsmpmon on -f %s", feature, feature);
}

static void note_total(struct sheet *sheet, const struct moment *a, const struct moment *b)
{
	struct total total = total_since(&a->total, &b->total, &b->record, b->at - a->at);
	char *text = total_text(&total, &b->record);

	if (text)
		sheet_note(sheet, "%s", text);
	free(text);
}

static int fill(struct sheet *sheet, const struct top *top, const struct moment *a,
		const struct moment *b)
{
	double seconds = b->at - a->at > 0 ? b->at - a->at : 1;
	uint64_t total = sum_since(a, b, top);

	sheet_describe(sheet, &b->record);
	add_columns(sheet, top);
	for (size_t i = 0; i < b->costs.count; i++) {
		const struct cost *cost = &b->costs.rows[i];

		add_row(sheet, top, costs_find(&a->costs, cost->keys, top->grouping.key_count), cost,
			b, seconds, total);
	}
	if (!sheet_rows(sheet))
		note_empty(sheet, top, &b->record);
	note_total(sheet, a, b);
	return sheet_sort(sheet, *top->sort ? top->sort : top->grouping.keys[0]);
}

static void print_keys(const struct top *top)
{
	if (top->is_typing)
		printf("\nonly names with: %s_ (Enter)", top->filter);
	else
		printf("\nby:   h hook  m module  s syscall  v verdict  p cpu\n"
		       "sort: t time  c calls  a ave  n name | f filter%s%s  q quit",
		       *top->filter ? ": " : "", top->filter);
	fflush(stdout);
}

static int print(const struct top *top, const struct moment *a, const struct moment *b)
{
	struct style style = top->options.style;
	size_t rows = top->rows, room;
	struct scale scale;
	struct sheet sheet;
	int error;

	if (scale_for(&scale, &b->record, top->options.unit))
		return -1;
	if (top->is_screen) {
		terminal_size(&room, &style.width);
		room = room > LINES_AROUND ? room - LINES_AROUND : 1;
		rows = rows && rows < room ? rows : room;
		terminal_home();
	}
	sheet_init(&sheet, "top", &scale);
	error = fill(&sheet, top, a, b);
	if (!error) {
		if (rows)
			sheet_top(&sheet, rows);
		sheet_print(&sheet, &style, stdout);
		if (top->is_screen)
			print_keys(top);
		fflush(stdout);
	}
	sheet_free(&sheet);
	return error;
}

/* To sort by nothing is to sort by name. */
static const struct { char key; const char *by; const char *sort; } keys[] = {
	{ 'h', "hook", NULL }, { 'm', "module", NULL }, { 's', "syscall", NULL },
	{ 'v', "hook,verdict", NULL }, { 'p', "cpu", NULL }, { 't', NULL, "time/s" }, { 'c', NULL, "calls/s" },
	{ 'a', NULL, "ave" }, { 'n', NULL, "" },
};

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

/* Asked for again: it has said what that does. The monitor is restored at the end. */
static void switch_feature_on(const struct top *top)
{
	const char *feature = feature_of(top);
	char *lines = feature ? monitor_read(options_dir(&top->options), "features") : NULL;
	char *off = feature ? xasprintf("%s 0", feature) : NULL;
	char *on = feature ? xasprintf("%s 1", feature) : NULL;

	if (lines && strstr(lines, off))
		monitor_write(options_dir(&top->options), "features", on);
	free(lines);
	free(off);
	free(on);
}

/* False: that was the last. */
static bool press(struct top *top, int key)
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
		if (keys[i].by && !strcmp(keys[i].by, top->by))
			switch_feature_on(top);
		if (keys[i].by && !grouping_parse(&top->grouping, keys[i].by))
			top->by = keys[i].by;
		if (keys[i].sort)
			top->sort = keys[i].sort;
	}
	return key != 'q' && key != -1;
}

/* Until it is time for the next table, or a key asks for another. */
static bool pause_between(struct top *top)
{
	double until = seconds_now() + top->seconds;
	int key;

	if (!top->is_screen) {
		struct timespec time = { .tv_sec = top->seconds };

		time.tv_nsec = (top->seconds - time.tv_sec) * 1e9;
		return !nanosleep(&time, NULL) && !child_was_interrupted();
	}
	while (seconds_now() < until && !child_was_interrupted()) {
		key = terminal_key((until - seconds_now()) * 1000);
		if (key)
			return press(top, key);
	}
	return !child_was_interrupted();
}

/* Another grouping has other rows: what was before is then counted anew. */
static int watch(struct top *top)
{
	double until = seconds_now() + top->time;
	struct moment a, b;
	int error = take(&a, top);

	for (size_t shown = 0; !error && (!top->count || shown < top->count); shown++) {
		if (!pause_between(top) || (top->time && a.at >= until))
			break;
		costs_free(&a.costs);
		error = costs_read(&a.costs, a.record.runs, 1, &top->grouping) || take(&b, top);
		if (error)
			break;
		error = print(top, &a, &b);
		forget(&a);
		a = b;
	}
	forget(&a);
	return error ? -1 : 0;
}

/* Whom it is about; otherwise the filter stays as somebody has set it. */
static int set_up(const struct top *top, const struct keep *keep)
{
	if ((top->pid || top->is_all) && keep_check_process(keep))
		return -1;
	if (top->pid && measure_process(keep->dir, top->pid))
		return -1;
	if (top->is_all && (monitor_write(keep->dir, "filter", "s") || monitor_write(keep->dir, "filter", "o")))
		return -1;
	return monitor_write(keep->dir, "control", "1");
}

static int run(struct top *top)
{
	struct keep keep;
	int error;

	if (keep_begin(&keep, options_dir(&top->options)))
		return -1;
	child_take_signals();
	error = set_up(top, &keep);
	if (top->is_screen)
		terminal_begin();
	if (!error)
		error = watch(top);
	if (top->is_screen)
		terminal_end();
	return keep_end(&keep) | error;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct top *top = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, &top->options);
		break;
	case KEY_BY:
		top->by = arg;
		break;
	case KEY_SORT:
		top->sort = arg;
		break;
	case KEY_TOP:
		top->rows = option_number(state, "--top", arg, 1, NUMBER_MAX);
		break;
	case 's':
		top->seconds = option_seconds(state, "--seconds", arg);
		break;
	case 'n':
		top->count = option_number(state, "--number", arg, 1, NUMBER_MAX);
		break;
	case 't':
		top->time = option_seconds(state, "--time", arg);
		break;
	case 'p':
		top->pid = option_number(state, "--pid", arg, 1, PID_MAX);
		break;
	case 'a':
		top->is_all = true;
		break;
	case ARGP_KEY_END:
		if (top->pid && top->is_all)
			argp_error(state, "--pid and --all: give one of them");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_top(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "by", KEY_BY, "WHAT", 0,
		  GROUPINGS_HELP, 0 },
		{ "sort", KEY_SORT, "COLUMN", 0, "By any column (default: time/s)", 0 },
		{ "top", KEY_TOP, "N", 0, "Only the first N rows", 0 },
		{ "seconds", 's', "N", 0, "From one table to the next, as 2 (default) or 0.5", 0 },
		{ "number", 'n', "N", 0, "End after N tables", 0 },
		{ "time", 't', "SECONDS", 0, "End after so long", 0 },
		{ "pid", 'p', "PID", 0, "Only a process that runs already, and all that it will start", 0 },
		{ "all", 'a', NULL, 0, "Every task of the system, whatever the filter is", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_output,
		.doc = "What hooks cost now. Measures meanwhile, and resets nothing.",
	};
	struct top top = { .by = "hook", .sort = "time/s", .seconds = SECONDS_DEFAULT };

	options_init(&top.options);
	argp_parse(&argp, argc, argv, 0, NULL, &top);
	top.options.style.one_line = true;
	top.is_screen = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
			top.options.style.format == FORMAT_TEXT;
	return grouping_parse(&top.grouping, top.by) || run(&top) ? STATUS_ERROR : EXIT_SUCCESS;
}
