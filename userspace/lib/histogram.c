// SPDX-License-Identifier: GPL-2.0-only
#include "histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"

/* The kernel's buckets are one tick wide below this. */
#define NARROW 16

/* A line of the file `histogram`. */
struct line {
	const char *hook;
	struct bucket bucket;
};

struct lines {
	struct line *rows;
	size_t count;
};

static int read_line(struct line *line, const struct table *table, size_t row, const int *columns)
{
	line->hook = table_text(table, row, columns[0]);
	if (!line->hook)
		return complain("%s: record %zu ends before the hook", table->name, row + 1);
	return table_number(table, row, columns[1], &line->bucket.le) ||
	       table_number(table, row, columns[2], &line->bucket.count) ? -1 : 0;
}

/* Older kernels have `count` only: how long calls without a context switch inside took from begin to end. */
static const char *column_of(const struct histograms *all, enum time time)
{
	if (!all->has_switched)
		return "count";
	return time == WALL_TIME ? "wall" : "own";
}

/* Buckets are lines if any of their columns has calls. */
static int read_run(struct lines *lines, const struct run *run, const char *calls)
{
	const struct table *table = run_table(run, "histogram");
	int columns[3];

	if (!table)
		return -1;
	columns[0] = table_need(table, "hook");
	columns[1] = table_need(table, "le");
	columns[2] = table_need(table, calls);
	if (columns[0] < 0 || columns[1] < 0 || columns[2] < 0)
		return -1;
	for (size_t row = 0; row < table->row_count; row++) {
		struct line line;

		if (read_line(&line, table, row, columns))
			return -1;
		if (!line.bucket.count)
			continue;
		lines->rows = xgrow(lines->rows, lines->count, sizeof(line));
		lines->rows[lines->count++] = line;
	}
	return 0;
}

static int by_hook_and_end(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	return strcmp(a->hook, b->hook) ?:
	       (a->bucket.le > b->bucket.le) - (a->bucket.le < b->bucket.le);
}

static void add_bucket(struct histogram *histogram, const struct bucket *bucket)
{
	size_t count = histogram->bucket_count;

	histogram->count += bucket->count;
	if (count && histogram->buckets[count - 1].le == bucket->le) {
		histogram->buckets[count - 1].count += bucket->count;
		return;
	}
	histogram->buckets = xgrow(histogram->buckets, count, sizeof(*bucket));
	histogram->buckets[histogram->bucket_count++] = *bucket;
}

static struct histogram *histogram_for(struct histograms *all, const char *hook)
{
	if (!all->count || strcmp(all->rows[all->count - 1].hook, hook)) {
		all->rows = xgrow(all->rows, all->count, sizeof(*all->rows));
		all->rows[all->count++] = (struct histogram){ .hook = hook };
	}
	return &all->rows[all->count - 1];
}

/* Runs of which some lack such buckets cannot be added up with them. */
static int find_columns(struct histograms *all, const struct run *runs, size_t run_count)
{
	all->has_switched = true;
	for (size_t i = 0; i < run_count; i++) {
		const struct table *table = run_table(&runs[i], "histogram");

		if (!table)
			return -1;
		all->has_switched &= table_find(table, "own") >= 0 && table_find(table, "wall") >= 0;
	}
	return 0;
}

int histograms_read(struct histograms *all, const struct run *runs, size_t run_count, enum time time)
{
	struct lines lines = { .rows = xcalloc(1, sizeof(*lines.rows)) };
	int error;

	*all = (struct histograms){ 0 };
	error = find_columns(all, runs, run_count);
	for (size_t i = 0; i < run_count && !error; i++)
		error = read_run(&lines, &runs[i], column_of(all, time));
	if (!error) {
		qsort(lines.rows, lines.count, sizeof(*lines.rows), by_hook_and_end);
		for (size_t i = 0; i < lines.count; i++)
			add_bucket(histogram_for(all, lines.rows[i].hook), &lines.rows[i].bucket);
	}
	free(lines.rows);
	return error;
}

const char *histograms_what(const struct histograms *all, enum time time)
{
	if (!all->has_switched)
		return "calls without a context switch inside, from begin to end";
	return time == WALL_TIME ? "all calls, from begin to end" : "the own time of all calls";
}

void histograms_free(struct histograms *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->rows[i].buckets);
	free(all->rows);
	*all = (struct histograms){ 0 };
}

static int by_hook(const void *left, const void *right)
{
	const struct histogram *a = left, *b = right;

	return strcmp(a->hook, b->hook);
}

const struct histogram *histograms_find(const struct histograms *all, const char *hook)
{
	const struct histogram wanted = { .hook = hook };

	return all->count ? bsearch(&wanted, all->rows, all->count, sizeof(wanted), by_hook) : NULL;
}

static uint64_t count_at(const struct histogram *histogram, uint64_t le)
{
	for (size_t i = 0; i < histogram->bucket_count; i++)
		if (histogram->buckets[i].le == le)
			return histogram->buckets[i].count;
	return 0;
}

struct histogram histogram_since(const struct histogram *before, const struct histogram *histogram)
{
	static const struct histogram none;
	struct histogram since = { .hook = histogram->hook };

	if (!before || before->count > histogram->count)
		before = &none;
	for (size_t i = 0; i < histogram->bucket_count; i++) {
		struct bucket bucket = histogram->buckets[i];
		uint64_t old = count_at(before, bucket.le);

		if (bucket.count <= old)
			continue;
		bucket.count -= old;
		add_bucket(&since, &bucket);
	}
	return since;
}

uint64_t histogram_quantile(const struct histogram *histogram, double quantile, uint64_t max)
{
	double wanted = ceil(quantile * histogram->count);
	double below = 0;

	for (size_t i = 0; i < histogram->bucket_count; i++) {
		below += histogram->buckets[i].count;
		if (below >= wanted)
			return histogram->buckets[i].le < max ? histogram->buckets[i].le : max;
	}
	return max;
}

uint64_t histogram_part(uint64_t ticks, uint64_t parts)
{
	return (1ull << (63 - __builtin_clzll(ticks | 1))) / parts ?: 1;
}

uint64_t histogram_width(uint64_t le)
{
	return le < NARROW ? 1 : histogram_part(le, HISTOGRAM_IN_OCTAVE);
}

static uint64_t count_until(const struct histogram *histograms, size_t count, uint64_t le)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t bucket = 0; bucket < histograms[i].bucket_count; bucket++)
			if (histograms[i].buckets[bucket].le <= le)
				calls += histograms[i].buckets[bucket].count;
	return calls;
}

/* End of the first bucket until which there are so many calls: numbers of calls change only at such ends. */
static uint64_t end_with(const struct histogram *histograms, size_t count, double calls)
{
	uint64_t low = 0, high = NO_END;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (count_until(histograms, count, middle) < calls)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

double histogram_median(const struct histogram *histograms, size_t count)
{
	double half = count_until(histograms, count, NO_END) / 2.0, below, within;
	uint64_t end = end_with(histograms, count, half), width;

	if (!half || end == NO_END)
		return 0;
	width = histogram_width(end);
	below = end ? count_until(histograms, count, end - 1) : 0;
	within = count_until(histograms, count, end) - below;
	/* A bucket of one tick has only that one. */
	return width > 1 ? end - width + width * (half - below) / within : end;
}

/* Of numbers that are spread evenly over an eighth of @end. */
static double variance_within(double end)
{
	return end / 8 * end / 8 / 12;
}

/* The last bucket has no end; nothing is known but where the one before it ended. */
static double end_of(const struct histogram *histogram, size_t bucket)
{
	if (histogram->buckets[bucket].le != NO_END)
		return histogram->buckets[bucket].le;
	return bucket ? histogram->buckets[bucket - 1].le : 0;
}

double histogram_deviation(const struct histogram *histogram)
{
	double sum = 0, squares = 0, mean;

	if (histogram->count < 2)
		return 0;
	for (size_t i = 0; i < histogram->bucket_count; i++)
		sum += histogram->buckets[i].count * end_of(histogram, i);
	mean = sum / histogram->count;
	for (size_t i = 0; i < histogram->bucket_count; i++) {
		double end = end_of(histogram, i);

		squares += histogram->buckets[i].count * ((end - mean) * (end - mean) + variance_within(end));
	}
	return sqrt(squares / (histogram->count - 1));
}
