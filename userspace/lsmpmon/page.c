// SPDX-License-Identifier: GPL-2.0-only
/* report --html: pictures of a record. */

#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "histogram.h"
#include "json.h"
#include "stacks.h"
#include "total.h"
#include "view.h"

/* The page, and the place for its data. */
#define DATA_MARK "@DATA@"
__asm__(".section .rodata\n.global page_html\npage_html:\n.incbin \"page.html\"\n.byte 0\n.previous");
extern const char page_html[];

static struct json_object *number(double value)
{
	return json_object_new_double(value);
}

/**
 * struct page - what a page is made of
 * @record: the record
 * @unit: unit of times
 * @time: which of them
 * @scale: for the record in that unit
 */
struct page {
	const struct record *record;
	enum unit unit;
	enum time time;
	struct scale scale;
};

static struct json_object *costs_of(const struct page *page, const char *by)
{
	struct view view = { .unit = page->unit, .time = page->time };
	struct json_object *object;
	struct sheet sheet;

	if (grouping_parse(&view.grouping, by) || !run_text(page->record->runs, view.grouping.table))
		return NULL;
	if (view_costs(&view, "report", page->record, &sheet))
		return NULL;
	object = sheet_object(&sheet);
	sheet_free(&sheet);
	return object;
}

static void add_stack(struct json_object *all, const char *const *names, size_t depth, uint64_t ticks)
{
	struct json_object *one = json_object_new_array(), *path = json_object_new_array();

	for (size_t i = 0; i < depth; i++)
		json_object_array_add(path, json_text(names[i]));
	json_object_array_add(one, path);
	json_object_array_add(one, json_object_new_uint64(ticks));
	json_object_array_add(all, one);
}

/* [[system call, hook, module], ticks], ... */
static struct json_object *stacks_of(const struct page *page)
{
	struct json_object *all = json_object_new_array();
	struct stacks stacks;

	if (stacks_read(&stacks, page->record, page->time))
		return all;
	for (size_t i = 0; i < stacks.count; i++)
		add_stack(all, stacks.rows[i].names, stacks.rows[i].depth, stacks.rows[i].ticks);
	stacks_free(&stacks);
	return all;
}

/* The same of hooks and modules, whatever called them. */
static struct json_object *module_stacks_of(const struct page *page)
{
	struct json_object *all = json_object_new_array();
	const struct record *record = page->record;
	struct grouping grouping;
	struct costs costs;

	if (grouping_parse(&grouping, "hook,module") || !run_text(record->runs, grouping.table) ||
	    costs_read(&costs, record->runs, record->run_count, &grouping))
		return all;
	for (size_t i = 0; i < costs.count; i++) {
		uint64_t ticks = times_of(&costs.rows[i].times, page->time);

		if (ticks)
			add_stack(all, costs.rows[i].keys, grouping.key_count, ticks);
	}
	costs_free(&costs);
	return all;
}

static struct json_object *buckets_of(const struct histogram *histogram)
{
	struct json_object *all = json_object_new_array(), *one;

	for (size_t i = 0; i < histogram->bucket_count; i++) {
		const struct bucket *bucket = &histogram->buckets[i];

		one = json_object_new_array();
		json_object_array_add(one, bucket->le == NO_END ? NULL : json_object_new_uint64(bucket->le));
		json_object_array_add(one, json_object_new_uint64(bucket->count));
		json_object_array_add(all, one);
	}
	return all;
}

/* What they are of is said of all of them. */
static struct json_object *histograms_of(const struct page *page, struct json_object *data)
{
	struct json_object *all = json_object_new_array(), *one;
	const struct record *record = page->record;
	struct histograms histograms;

	if (!run_text(record->runs, "histogram") ||
	    histograms_read(&histograms, record->runs, record->run_count, page->time))
		return all;
	for (size_t i = 0; i < histograms.count; i++) {
		one = json_object_new_array();
		json_object_array_add(one, json_text(histograms.rows[i].hook));
		json_object_array_add(one, buckets_of(&histograms.rows[i]));
		json_object_array_add(all, one);
	}
	json_object_object_add(data, "distributions", json_text(histograms_what(&histograms, page->time)));
	histograms_free(&histograms);
	return all;
}

/* The total, and what times are. */
static void describe_times(struct json_object *data, struct json_object *notes, const struct page *page)
{
	const char *time = "time";
	struct total total;
	char *text = NULL, *measured = NULL;

	if (!total_read(&total, page->record)) {
		text = total_text(&total, page->record);
		measured = total_measured_text(&total, page->record);
		if (measured)
			json_object_array_add(notes, json_text(measured));
		json_object_array_add(notes, json_text(times_text(total.has_switched, page->time)));
		if (total.has_switched)
			time = page->time == WALL_TIME ? "time from begin to end" : "own time";
	}
	json_object_object_add(data, "time", json_text(time));
	json_object_object_add(data, "total", json_text(text ?: ""));
	free(text);
	free(measured);
}

static struct json_object *lines_of(const char *title)
{
	struct json_object *lines = json_object_new_array();
	char *copy = xstrdup(title), *rest = copy;

	for (char *line; (line = strsep(&rest, "\n"));)
		json_object_array_add(lines, json_text(line));
	free(copy);
	return lines;
}

/* What is said above every table. */
static void describe(struct json_object *data, const struct page *page)
{
	struct json_object *notes = json_object_new_array();
	struct sheet sheet;
	char *below;

	sheet_init(&sheet, "report", &page->scale);
	sheet_describe(&sheet, page->record);
	below = sheet_below_step(&sheet);
	for (size_t i = 0; i < sheet.note_count; i++)
		json_object_array_add(notes, json_text(sheet.notes[i]));
	describe_times(data, notes, page);
	json_object_object_add(data, "title", lines_of(sheet.title));
	json_object_object_add(data, "notes", notes);
	json_object_object_add(data, "step", number(page->scale.step));
	json_object_object_add(data, "below_step", json_text(below));
	free(below);
	sheet_free(&sheet);
}

static struct json_object *data_of(const struct page *page)
{
	struct json_object *data = json_object_new_object();

	describe(data, page);
	json_object_object_add(data, "unit", json_text(page->scale.name));
	json_object_object_add(data, "per_tick", number(page->scale.per_tick));
	json_object_object_add(data, "hooks", costs_of(page, "hook"));
	json_object_object_add(data, "modules", costs_of(page, "module"));
	json_object_object_add(data, "syscalls", costs_of(page, "syscall"));
	json_object_object_add(data, "comms", costs_of(page, "comm"));
	json_object_object_add(data, "cgroups", costs_of(page, "cgroup"));
	json_object_object_add(data, "stacks", stacks_of(page));
	json_object_object_add(data, "module_stacks", module_stacks_of(page));
	json_object_object_add(data, "histograms", histograms_of(page, data));
	return data;
}

/* Nothing of a record may end the element that it is in: in JSON, < is only in strings. */
static void put_data(struct json_object *data, FILE *out)
{
	const char *text = json_object_to_json_string_ext(data, JSON_C_TO_STRING_PLAIN);

	for (; *text; text++) {
		if (*text == '<')
			fputs("\\u003c", out);
		else
			fputc(*text, out);
	}
}

int page_print(const struct record *record, enum unit unit, enum time time, FILE *out)
{
	struct page page = { .record = record, .unit = unit, .time = time };
	const char *mark = strstr(page_html, DATA_MARK);
	struct json_object *data;

	if (scale_for(&page.scale, record, unit))
		return -1;
	data = data_of(&page);
	fwrite(page_html, 1, mark - page_html, out);
	put_data(data, out);
	fputs(mark + strlen(DATA_MARK), out);
	json_object_put(data);
	return 0;
}
