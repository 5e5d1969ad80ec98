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

static struct json_object *costs_of(const struct record *record, const char *by, enum unit unit)
{
	struct view view = { .unit = unit };
	struct json_object *object;
	struct sheet sheet;

	if (grouping_parse(&view.grouping, by) || !run_text(record->runs, view.grouping.table))
		return NULL;
	if (view_costs(&view, "report", record, &sheet))
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
static struct json_object *stacks_of(const struct record *record)
{
	struct json_object *all = json_object_new_array();
	struct stacks stacks;

	if (stacks_read(&stacks, record))
		return all;
	for (size_t i = 0; i < stacks.count; i++)
		add_stack(all, stacks.rows[i].names, stacks.rows[i].depth, stacks.rows[i].ticks);
	stacks_free(&stacks);
	return all;
}

/* The same of hooks and modules, whatever called them. */
static struct json_object *module_stacks_of(const struct record *record)
{
	struct json_object *all = json_object_new_array();
	struct grouping grouping;
	struct costs costs;

	if (grouping_parse(&grouping, "hook,module") || !run_text(record->runs, grouping.table) ||
	    costs_read(&costs, record->runs, record->run_count, &grouping))
		return all;
	for (size_t i = 0; i < costs.count; i++)
		if (costs.rows[i].sum)
			add_stack(all, costs.rows[i].keys, grouping.key_count, costs.rows[i].sum);
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

static struct json_object *histograms_of(const struct record *record)
{
	struct json_object *all = json_object_new_array(), *one;
	struct histograms histograms;

	if (!run_text(record->runs, "histogram") ||
	    histograms_read(&histograms, record->runs, record->run_count))
		return all;
	for (size_t i = 0; i < histograms.count; i++) {
		if (!histograms.rows[i].count)
			continue;
		one = json_object_new_array();
		json_object_array_add(one, json_text(histograms.rows[i].hook));
		json_object_array_add(one, buckets_of(&histograms.rows[i]));
		json_object_array_add(all, one);
	}
	histograms_free(&histograms);
	return all;
}

/* What is said above every table. */
static void describe(struct json_object *data, const struct record *record, const struct scale *scale)
{
	struct json_object *notes = json_object_new_array();
	struct sheet sheet;
	char *below;

	sheet_init(&sheet, "report", scale);
	sheet_describe(&sheet, record);
	below = sheet_below_step(&sheet);
	for (size_t i = 0; i < sheet.note_count; i++)
		json_object_array_add(notes, json_text(sheet.notes[i]));
	json_object_object_add(data, "title", json_text(sheet.title));
	json_object_object_add(data, "notes", notes);
	json_object_object_add(data, "step", number(scale->step));
	json_object_object_add(data, "below_step", json_text(below));
	free(below);
	sheet_free(&sheet);
}

static struct json_object *data_of(const struct record *record, enum unit unit, const struct scale *scale)
{
	struct json_object *data = json_object_new_object();
	char *total = total_of_record(record);

	describe(data, record, scale);
	json_object_object_add(data, "command",
			       record->command ? json_object_get(record->command) : json_object_new_array());
	json_object_object_add(data, "total", json_text(total ?: ""));
	json_object_object_add(data, "unit", json_text(scale->name));
	json_object_object_add(data, "per_tick", number(scale->per_tick));
	json_object_object_add(data, "hooks", costs_of(record, "hook", unit));
	json_object_object_add(data, "modules", costs_of(record, "module", unit));
	json_object_object_add(data, "syscalls", costs_of(record, "syscall", unit));
	json_object_object_add(data, "comms", costs_of(record, "comm", unit));
	json_object_object_add(data, "cgroups", costs_of(record, "cgroup", unit));
	json_object_object_add(data, "stacks", stacks_of(record));
	json_object_object_add(data, "module_stacks", module_stacks_of(record));
	json_object_object_add(data, "histograms", histograms_of(record));
	free(total);
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

int page_print(const struct record *record, enum unit unit, FILE *out)
{
	const char *mark = strstr(page_html, DATA_MARK);
	struct json_object *data;
	struct scale scale;

	if (scale_for(&scale, record, unit))
		return -1;
	data = data_of(record, unit, &scale);
	fwrite(page_html, 1, mark - page_html, out);
	put_data(data, out);
	fputs(mark + strlen(DATA_MARK), out);
	json_object_put(data);
	return 0;
}
