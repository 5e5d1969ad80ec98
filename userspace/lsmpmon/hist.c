// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon hist: the durations of a hook's calls as a bar chart. */

#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "commands.h"
#include "complain.h"
#include "costs.h"
#include "histogram.h"
#include "hook_view.h"
#include "options.h"

/* The kernel's buckets: one tick wide below this, then so many per power of two. */
#define NARROW 16
#define IN_OCTAVE 8
#define ROWS_MAX 24
/* On a linear axis, all calls beyond this quantile share one row. */
#define LINEAR_UNTIL 0.999

enum key { KEY_LINEAR = 512, KEY_LOG, KEY_WALL };

struct hist {
	struct options options;
	const char *hook;
	bool linear;
	enum time time;
};

/**
 * struct axis - the rows of a distribution
 * @linear: all rows are @step wide; otherwise each power of two has @step rows
 * @until: end of the last regular row of a linear axis; one more row has the rest
 */
struct axis {
	bool linear;
	uint64_t step;
	uint64_t until;
};

static unsigned int log2_of(uint64_t ticks)
{
	return 63 - __builtin_clzll(ticks | 1);
}

/* Width of the kernel's bucket that ends at @le. */
static uint64_t bucket_width(uint64_t le)
{
	return le < NARROW ? 1 : (1ull << log2_of(le)) / IN_OCTAVE;
}

/* First and last tick of the row that contains @ticks. */
static void row_of(const struct axis *axis, uint64_t ticks, uint64_t *first, uint64_t *last)
{
	uint64_t width = axis->step;

	if (axis->linear && ticks > axis->until) {
		*first = axis->until + 1;
		*last = NO_END;
		return;
	}
	if (!axis->linear)
		width = (1ull << log2_of(ticks)) / axis->step ?: 1;
	*first = ticks / width * width;
	*last = *first + (width - 1);
}

static size_t count_rows(const struct axis *axis, const struct histogram *histogram)
{
	uint64_t last = histogram->buckets[histogram->bucket_count - 1].le;
	uint64_t first, end, at = histogram->buckets[0].le;
	size_t rows = 0;

	do {
		row_of(axis, at, &first, &end);
		at = end + 1;
		rows++;
	} while (end < last && rows <= ROWS_MAX);
	return rows;
}

/* The step is a power of two at least as wide as any bucket, so that no bucket falls into two rows. */
static struct axis linear_axis(const struct histogram *histogram)
{
	uint64_t until = histogram_quantile(histogram, LINEAR_UNTIL, NO_END - 1);
	struct axis axis = { .linear = true, .step = bucket_width(until) };

	while (until / axis.step > ROWS_MAX)
		axis.step *= 2;
	axis.until = until / axis.step * axis.step + (axis.step - 1);
	return axis;
}

/* As many rows as fit. */
static struct axis log_axis(const struct histogram *histogram)
{
	struct axis axis = { .step = IN_OCTAVE };

	while (axis.step > 1 && count_rows(&axis, histogram) > ROWS_MAX)
		axis.step /= 2;
	return axis;
}

/* Show rows without calls as well: gaps are part of the picture. */
static uint64_t count_in(const struct histogram *histogram, uint64_t first, uint64_t last)
{
	uint64_t count = 0;

	for (size_t i = 0; i < histogram->bucket_count; i++)
		if (histogram->buckets[i].le >= first && histogram->buckets[i].le <= last)
			count += histogram->buckets[i].count;
	return count;
}

static uint64_t most_in_a_row(const struct histogram *histogram, const struct axis *axis)
{
	uint64_t most = 0, first, last, count;

	for (size_t i = 0; i < histogram->bucket_count; i++) {
		row_of(axis, histogram->buckets[i].le, &first, &last);
		count = count_in(histogram, first, last);
		if (count > most)
			most = count;
	}
	return most;
}

static void add_row(struct sheet *sheet, uint64_t first, uint64_t last, uint64_t count,
		    double below, uint64_t all)
{
	sheet_number(sheet, first);
	if (last == NO_END)
		sheet_nothing(sheet);
	else
		sheet_number(sheet, last);
	sheet_number(sheet, count);
	sheet_number(sheet, 100.0 * count / all);
	sheet_number(sheet, 100.0 * below / all);
}

/* From the row of the shortest call to that of the longest. */
static void add_rows(struct sheet *sheet, const struct histogram *histogram,
		     const struct axis *axis, size_t room)
{
	uint64_t end = histogram->buckets[histogram->bucket_count - 1].le;
	uint64_t most = most_in_a_row(histogram, axis), at = histogram->buckets[0].le, first, last;
	double below = 0;

	do {
		uint64_t count;

		row_of(axis, at, &first, &last);
		count = count_in(histogram, first, last);
		below += count;
		add_row(sheet, first, last, count, below, histogram->count);
		if (room)
			bars_add(sheet, count, most, room);
		at = last + 1;
	} while (last < end);
}

static void describe(struct sheet *sheet, const struct record *record, const char *hook)
{
	sheet_describe(sheet, record);
	hook_title(sheet, hook);
	sheet_column(sheet, "from", TICKS, 0);
	sheet_column(sheet, "to", TICKS, 0);
	sheet_column(sheet, "count", COUNT, 0);
	sheet_column(sheet, "share", PERCENT, 0);
	sheet_column(sheet, "until", PERCENT, 1);
}

/* The bars take the width that the numbers leave. */
static size_t bar_room(const struct sheet *sheet, const struct style *style,
		       const struct histogram *histogram)
{
	uint64_t end = histogram->buckets[histogram->bucket_count - 1].le;
	const struct cell widest = { .is_set = true, .number = end }, all = { true, NULL, histogram->count };
	char *ticks = sheet_cell_text(sheet, &sheet->columns[0], &widest, true);
	char *count = sheet_cell_text(sheet, &sheet->columns[2], &all, true);
	size_t used = 2 * strlen(ticks) + strlen(count) + sizeof("  " "  " "  100.0%" "  100.0%" "  ");

	free(ticks);
	free(count);
	return bars_room(style, used);
}

/* @what: what the histogram is of. */
static void print(const struct hist *hist, const struct record *record, const struct scale *scale,
		  const struct histogram *histogram, const char *what)
{
	struct axis axis = hist->linear ? linear_axis(histogram) : log_axis(histogram);
	struct sheet sheet;
	size_t room;

	sheet_init(&sheet, "hist", scale);
	describe(&sheet, record, hist->hook);
	room = bar_room(&sheet, &hist->options.style, histogram);
	if (room)
		sheet_column(&sheet, "calls", TEXT, 0);
	add_rows(&sheet, histogram, &axis, room);
	sheet_note(&sheet, "This is the distribution of %s.", what);
	sheet_note_step(&sheet, histogram->buckets[0].le);
	sheet_print(&sheet, &hist->options.style, stdout);
	sheet_free(&sheet);
}

/* An unknown hook is an error; a hook without calls is a valid answer. */
static int nothing(const struct hist *hist, const struct record *record, bool any)
{
	if (hook_number(record, hist->hook) < 0)
		return -1;
	if (!any)
		return complain("no distribution was measured: lsmpmon on -f histogram, or "
				"lsmpmon record -f histogram");
	return complain("no call of '%s' was counted", hist->hook);
}

static int show(const struct hist *hist, const struct record *record)
{
	const struct histogram *histogram;
	struct histograms all;
	struct scale scale;
	int error = 0;

	if (scale_for(&scale, record, hist->options.unit) ||
	    histograms_read(&all, record->runs, record->run_count, hist->time))
		return -1;
	histogram = histograms_find(&all, hist->hook);
	if (histogram && histogram->count)
		print(hist, record, &scale, histogram, histograms_what(&all, hist->time));
	else
		error = nothing(hist, record, all.count);
	histograms_free(&all);
	return error;
}

/* No hook is called like a file usually is. */
static void check(const struct hist *hist)
{
	if (!hist->hook)
		option_error("give a HOOK, such as inode_permission");
	if (!hist->options.input && strpbrk(hist->hook, "./"))
		option_error("'%s' is a file: give a HOOK before it, as in: hist inode_permission %s", hist->hook,
			     hist->hook);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct hist *hist = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, options_input, &hist->options);
		break;
	case KEY_LINEAR:
		hist->linear = true;
		break;
	case KEY_LOG:
		hist->linear = false;
		break;
	case KEY_WALL:
		hist->time = WALL_TIME;
		break;
	case ARGP_KEY_ARG:
		if (hist->hook)
			return option_record(&hist->options, arg);
		hist->hook = arg;
		break;
	case ARGP_KEY_END:
		check(hist);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_hist(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "log", KEY_LOG, NULL, 0, "Each row is wider than the one before it (default)", 0 },
		{ "linear", KEY_LINEAR, NULL, 0, "All rows are equally wide, except the last", 0 },
		{ "wall", KEY_WALL, NULL, 0, WALL_HELP, 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_input, .args_doc = "HOOK [FILE]",
		.doc = "Show the durations of a hook's calls as a bar chart.",
	};
	struct hist hist = { .hook = NULL };
	struct record record;
	int error;

	options_init(&hist.options);
	argp_parse(&argp, argc, argv, 0, NULL, &hist);
	if (options_record(&hist.options, &record))
		return STATUS_ERROR;
	error = show(&hist, &record);
	record_free(&record);
	return error ? STATUS_ERROR : EXIT_SUCCESS;
}
