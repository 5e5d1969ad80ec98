// SPDX-License-Identifier: GPL-2.0-only
/* The hooks of one call of a map as rows, on one object or on all together. */

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "json.h"
#include "map_rows.h"

struct json_object *map_member(struct json_object *object, const char *name)
{
	struct json_object *found;

	return json_object_object_get_ex(object, name, &found) ? found : NULL;
}

const char *map_text(struct json_object *object, const char *name)
{
	struct json_object *found = map_member(object, name);

	return found && json_object_is_type(found, json_type_string) ? json_object_get_string(found) : "";
}

size_t map_length(struct json_object *list)
{
	return list && json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

const char *map_item(struct json_object *list, size_t i)
{
	return json_object_get_string(json_object_array_get_idx(list, i)) ?: "";
}

bool map_contains(struct json_object *list, const char *word)
{
	for (size_t i = 0; i < map_length(list); i++)
		if (!strcmp(map_item(list, i), word))
			return true;
	return false;
}

/* Join the words of a list, or the functions of a path without their files. */
static char *joined(struct json_object *list, const char *between)
{
	char *text = xstrdup("");

	for (size_t i = 0; i < map_length(list); i++) {
		const char *word = map_item(list, i);
		char *longer = xasprintf("%s%s%.*s", text, i ? between : "", (int)strcspn(word, "@"), word);

		free(text);
		text = longer;
	}
	return text;
}

static void joined_cell(struct sheet *sheet, struct json_object *list, const char *between)
{
	char *text = joined(list, between);

	if (*text)
		sheet_text(sheet, text);
	else
		sheet_nothing(sheet);
	free(text);
}

static void text_cell(struct sheet *sheet, const char *text)
{
	if (*text)
		sheet_text(sheet, text);
	else
		sheet_nothing(sheet);
}

static long number_at(struct json_object *list, size_t i)
{
	struct json_object *number = i < map_length(list) ? json_object_array_get_idx(list, i) : NULL;

	return number && json_object_is_type(number, json_type_int) ? json_object_get_int64(number) : -1;
}

/*
 * The functions of a path, from its last step: each says how far back the one before it is, and 0 is the first. A step
 * of which that cannot be so, or that there is not, ends the path.
 */
static char *path_text(struct json_object *map, long step)
{
	struct json_object *steps = map_member(map, "steps"), *functions = map_member(map, "functions");
	char *text = xstrdup("");

	while (step >= 0 && (size_t)step < map_length(steps)) {
		struct json_object *one = json_object_array_get_idx(steps, step);
		const char *name = map_item(functions, number_at(one, 1));
		char *longer = xasprintf("%.*s%s%s", (int)strcspn(name, "@"), name, *text ? " > " : "", text);
		long back = number_at(one, 0);

		free(text);
		text = longer;
		step = back > 0 ? step - back : -1;
	}
	return text;
}

/* Paths that any call may take are in the map only once; on an object, there are those of the call itself. */
static struct json_object *path_to(const struct map_view *view, const char *kind, const char *hook)
{
	struct json_object *own = map_member(map_member(view->on ?: view->call, "paths"), hook);

	return own ?: map_member(map_member(map_member(view->map, "common"), kind), hook);
}

static void path_cell(struct sheet *sheet, const struct map_view *view, const char *kind, const char *hook)
{
	struct json_object *step = path_to(view, kind, hook);
	char *text = path_text(view->map, step && json_object_is_type(step, json_type_int) ?
						  json_object_get_int64(step) : -1);

	text_cell(sheet, text);
	free(text);
}

/* Of a call, or of what it does on an object. */
static void sure_cell(struct sheet *sheet, struct json_object *of, const char *hook)
{
	const char *unless = map_text(map_member(of, "unless"), hook);
	char *text = map_contains(map_member(of, "must"), hook) ?
		xasprintf("must%s%s", *unless ? " unless " : "", unless) : xstrdup("may");

	sheet_text(sheet, text);
	free(text);
}

static void row(struct sheet *sheet, const struct map_view *view, const char *kind, const char *hook)
{
	struct json_object *map = view->map, *of = view->on ?: view->call;
	struct json_object *count = map_member(map_member(view->counted, "calls"), hook);
	struct json_object *price = map_member(map_member(view->counted, "price"), hook);
	const char *times = map_text(map_member(of, "times"), hook);

	sheet_text(sheet, hook);
	sure_cell(sheet, of, hook);
	sheet_text(sheet, kind);
	text_cell(sheet, strcmp(kind, "sync") ? "" : *times ? times : "once");
	sheet_number(sheet, count ? json_object_get_int64(count) : 0);
	if (price)
		sheet_number(sheet, json_object_get_int64(price));
	else
		sheet_nothing(sheet);
	joined_cell(sheet, map_member(map_member(map, "modules"), hook), ",");
	joined_cell(sheet, map_member(map_member(of, "when"), hook), ", ");
	path_cell(sheet, view, kind, hook);
}

static const struct heading headings[] = {
	{ "hook", TEXT, 0 }, { "must", TEXT, 0 }, { "kind", TEXT, 0 }, { "times", TEXT, 1 }, { "calls", COUNT, 0 },
	{ "price", COUNT, 3 }, { "modules", TEXT, 4 }, { "when", TEXT, 2 }, { "path", TEXT, 5 }, { 0 }
};

/* Kinds of hooks that are folded away: how many there are is a note. */
static const struct {
	const char *kind, *says;
} folded[] = {
	{ "last", "where a last reference goes" }, { "rare", "in rare work, as for auditors, listeners or IPsec" },
	{ "module", "in callbacks of modules" }, { "return", "left for the return to user mode" },
	{ "fault", "in page faults" }, { "any", "in signals, or in work of others" }, { 0 }
};

/* The kind of a hook: on an object, the kind that has it there. */
static const char *kind_of(const struct map_view *view, const char *hook)
{
	struct json_object *kinds = map_member(view->on, "kinds");

	if (!view->on)
		return map_text(map_member(view->call, "kind"), hook);
	for (size_t i = 0; folded[i].kind; i++)
		if (map_contains(map_member(kinds, folded[i].kind), hook))
			return folded[i].kind;
	return map_contains(map_member(kinds, "sync"), hook) ? "sync" : "";
}

/* The hooks that a call may call are those that have a kind. */
static bool may_call(const struct map_view *view, const char *hook)
{
	return map_member(map_member(view->call, "kind"), hook);
}

static size_t count_kind(const struct map_view *view, const char *kind)
{
	struct json_object *may = map_member(view->call, "kind");
	size_t count = 0;

	if (may && json_object_is_type(may, json_type_object)) {
		json_object_object_foreach(may, hook, of) {
			(void)of;
			count += !strcmp(kind_of(view, hook), kind);
		}
	}
	return count;
}

static void note_folded(struct sheet *sheet, const struct map_view *view)
{
	char *text = xstrdup("");

	for (size_t k = 0; folded[k].kind; k++) {
		size_t count = count_kind(view, folded[k].kind);

		if (count) {
			char *longer = xasprintf("%s%s %zu %s", text, *text ? "," : "", count, folded[k].says);

			free(text);
			text = longer;
		}
	}
	if (*text)
		sheet_note(sheet, "not shown:%s; --all has them%s", text,
			   view->on ? ", --object=" MAP_ANY_OBJECT " those on other objects" : "");
	free(text);
}

/* The hooks that have no place in the order of the call. */
static void fill_rest(struct sheet *sheet, const struct map_view *view, struct json_object *order, bool all)
{
	struct json_object *may = map_member(view->call, "kind");

	if (!may || !json_object_is_type(may, json_type_object))
		return;
	json_object_object_foreach(may, hook, of) {
		const char *kind = kind_of(view, hook);

		(void)of;
		if (!strcmp(kind, "sync") ? !map_contains(order, hook) : all && *kind)
			row(sheet, view, kind, hook);
	}
}

void map_fill(struct sheet *sheet, const struct map_view *view, bool all)
{
	struct json_object *order = map_member(view->on ?: view->call, "order");

	sheet_columns(sheet, headings);
	for (size_t i = 0; i < map_length(order); i++)
		if (may_call(view, map_item(order, i)) && !strcmp(kind_of(view, map_item(order, i)), "sync"))
			row(sheet, view, "sync", map_item(order, i));
	fill_rest(sheet, view, order, all);
	if (!all)
		note_folded(sheet, view);
}

void map_note_named(struct sheet *sheet, struct json_object *call)
{
	struct json_object *named = map_member(call, "named");
	char *text = xstrdup("");

	if (named && json_object_is_type(named, json_type_object)) {
		json_object_object_foreach(named, name, function) {
			char *longer = xasprintf("%s%s %s (%s)", text, *text ? "," : "", name,
						 map_text(function, "sure"));

			free(text);
			text = longer;
		}
	}
	if (*text)
		sheet_note(sheet, "called by name, without a hook:%s", text);
	free(text);
}
