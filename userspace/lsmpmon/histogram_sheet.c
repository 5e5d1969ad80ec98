// SPDX-License-Identifier: GPL-2.0-only
#include "histogram_sheet.h"

#include <stdlib.h>
#include <string.h>

#include "bars.h"

#define ROWS_MAX 24
/* On a linear axis, all calls beyond this quantile share one row. */
#define LINEAR_UNTIL 0.999

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
		width = histogram_part(ticks, axis->step);
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
	struct axis axis = { .linear = true, .step = histogram_width(until) };

	while (until / axis.step > ROWS_MAX)
		axis.step *= 2;
	axis.until = until / axis.step * axis.step + (axis.step - 1);
	return axis;
}

/* As many rows as fit. */
static struct axis log_axis(const struct histogram *histogram)
{
	struct axis axis = { .step = HISTOGRAM_IN_OCTAVE };

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

static void add_columns(struct sheet *sheet)
{
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

void histogram_sheet(struct sheet *sheet, const struct histogram *histogram, bool is_linear, const struct style *style)
{
	struct axis axis = is_linear ? linear_axis(histogram) : log_axis(histogram);
	size_t room;

	add_columns(sheet);
	room = bar_room(sheet, style, histogram);
	if (room)
		sheet_column(sheet, "calls", TEXT, 0);
	add_rows(sheet, histogram, &axis, room);
}
