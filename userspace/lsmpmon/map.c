// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon map: which hooks a system call may reach and which it must, from the map that make map writes. */

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "alloc.h"
#include "commands.h"
#include "complain.h"
#include "json.h"
#include "options.h"

#define MAP_FORMAT "lsmpmon-map"
/* Where make map writes it, relative to the repository, which is $REPO in guests. */
#define MAP_PATTERN "build/map/*/map.json"

enum key { KEY_ALL = 512 };

struct map {
	struct options options;
	const char *file;
	const char *call;
	bool all;
};

/* The map of the running kernel if there is one, else the only map. NULL after a complaint. */
static char *pick(const glob_t *found)
{
	struct utsname running;
	char *own = NULL;
	unsigned int major, minor;

	if (!uname(&running) && sscanf(running.release, "%u.%u", &major, &minor) == 2)
		own = xasprintf("/%u.%u/", major, minor);
	for (size_t i = 0; own && i < found->gl_pathc; i++)
		if (strstr(found->gl_pathv[i], own)) {
			free(own);
			return xstrdup(found->gl_pathv[i]);
		}
	free(own);
	if (found->gl_pathc == 1)
		return xstrdup(found->gl_pathv[0]);
	complain("there are %zu maps, but none of the running kernel; choose one with -m, such as %s",
		 found->gl_pathc, found->gl_pathv[0]);
	return NULL;
}

static char *find(void)
{
	const char *repo = getenv("REPO");
	char *pattern = xasprintf("%s%s" MAP_PATTERN, repo ?: "", repo ? "/" : "");
	char *path = NULL;
	glob_t found;

	if (!glob(pattern, 0, NULL, &found)) {
		path = pick(&found);
		globfree(&found);
	} else {
		complain("no map at %s: make one with make map KVER=6.12, or name its place with -m", pattern);
	}
	free(pattern);
	return path;
}

static struct json_object *member(struct json_object *object, const char *name)
{
	struct json_object *found;

	return json_object_object_get_ex(object, name, &found) ? found : NULL;
}

static const char *text_of(struct json_object *object, const char *name)
{
	struct json_object *found = member(object, name);

	return found && json_object_is_type(found, json_type_string) ? json_object_get_string(found) : "";
}

static size_t length(struct json_object *list)
{
	return list && json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

static const char *item(struct json_object *list, size_t i)
{
	return json_object_get_string(json_object_array_get_idx(list, i)) ?: "";
}

static bool contains(struct json_object *list, const char *word)
{
	for (size_t i = 0; i < length(list); i++)
		if (!strcmp(item(list, i), word))
			return true;
	return false;
}

static struct json_object *load(const char *path)
{
	struct json_object *map = json_object_from_file(path);

	if (!map) {
		complain("%s: %s", path, json_util_get_last_err());
		return NULL;
	}
	if (strcmp(text_of(map, "format"), MAP_FORMAT) || !member(map, "syscalls")) {
		complain("%s is not a map: its format must be " MAP_FORMAT, path);
		json_object_put(map);
		return NULL;
	}
	return map;
}

/* Join the words of a list, or the functions of a path without their files. */
static char *joined(struct json_object *list, const char *between)
{
	char *text = xstrdup("");

	for (size_t i = 0; i < length(list); i++) {
		const char *word = item(list, i);
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

/* Paths that any call may take are in the map only once. */
static struct json_object *path_to(struct json_object *map, struct json_object *call, const char *hook)
{
	struct json_object *own = member(member(call, "paths"), hook);
	const char *kind = text_of(member(call, "kind"), hook);

	return own ?: member(member(member(map, "common"), kind), hook);
}

static void row(struct sheet *sheet, struct json_object *map, struct json_object *call, const char *hook)
{
	struct json_object *count = member(member(call, "calls"), hook);
	struct json_object *price = member(member(call, "price"), hook);

	sheet_text(sheet, hook);
	sheet_text(sheet, contains(member(call, "must"), hook) ? "must" : "may");
	sheet_text(sheet, text_of(member(call, "kind"), hook));
	text_cell(sheet, text_of(member(call, "times"), hook));
	sheet_number(sheet, count ? json_object_get_int64(count) : 0);
	if (price)
		sheet_number(sheet, json_object_get_int64(price));
	else
		sheet_nothing(sheet);
	joined_cell(sheet, member(member(map, "modules"), hook), ",");
	joined_cell(sheet, member(member(call, "when"), hook), ", ");
	joined_cell(sheet, path_to(map, call, hook), " > ");
}

/* Whether the call itself leads to the hook. */
static bool is_own(struct json_object *call, const char *hook)
{
	const char *kind = text_of(member(call, "kind"), hook);

	return !strcmp(kind, "sync") || !strcmp(kind, "return");
}

static const struct heading headings[] = {
	{ "hook", TEXT, 0 }, { "must", TEXT, 0 }, { "kind", TEXT, 0 }, { "times", TEXT, 2 }, { "calls", COUNT, 0 },
	{ "price", COUNT, 1 }, { "modules", TEXT, 3 }, { "when", TEXT, 4 }, { "path", TEXT, 5 }, { 0 }
};

/* In the order in which the call reaches them; hooks without a known order come last. */
static void fill(struct sheet *sheet, const struct map *options, struct json_object *map, struct json_object *call)
{
	struct json_object *order = member(call, "order"), *may = member(call, "may");
	size_t left_out = 0;

	sheet_columns(sheet, headings);
	for (size_t i = 0; i < length(order); i++)
		if (contains(may, item(order, i)))
			row(sheet, map, call, item(order, i));
	for (size_t i = 0; i < length(may); i++) {
		const char *hook = item(may, i);

		if (contains(order, hook))
			continue;
		if (!options->all && !is_own(call, hook))
			left_out++;
		else
			row(sheet, map, call, hook);
	}
	if (left_out)
		sheet_note(sheet, "%zu more hooks come from modules' callbacks, page faults and signals: "
				  "--all shows them.", left_out);
}

/* Old kernels call functions of IMA, EVM and capability by name, without a hook. */
static void note_named(struct sheet *sheet, struct json_object *call)
{
	struct json_object *named = member(call, "named");
	char *text = xstrdup("");

	if (named && json_object_is_type(named, json_type_object)) {
		json_object_object_foreach(named, name, function) {
			char *longer = xasprintf("%s%s %s (%s)", text, *text ? "," : "", name,
						 text_of(function, "sure"));

			free(text);
			text = longer;
		}
	}
	if (*text)
		sheet_note(sheet, "called by name, without a hook:%s", text);
	free(text);
}

static struct json_object *source(const struct map *options, struct json_object *map)
{
	struct json_object *said = json_object_new_object();

	json_object_object_add(said, "kernel", json_text(text_of(map, "kernel")));
	json_object_object_add(said, "call", json_text(options->call));
	json_object_object_add(said, "unit", json_text(text_of(map, "unit")));
	return said;
}

static int show(const struct map *options, struct json_object *map)
{
	struct json_object *call = member(member(map, "syscalls"), options->call);
	/* No column has times, so the scale does not matter. */
	struct scale scale = { .name = "ticks", .per_tick = 1 };
	struct sheet sheet;

	if (!call)
		return complain("'%s' is not a system call of Linux %s, nor an operation such as uring:OPENAT",
				options->call, text_of(map, "kernel"));
	sheet_init(&sheet, "map", &scale);
	sheet.title = xasprintf("%s, Linux %s", options->call, text_of(map, "kernel"));
	sheet.source = source(options, map);
	fill(&sheet, options, map, call);
	note_named(&sheet, call);
	if (*text_of(map, "unit"))
		sheet_note(&sheet, "price: mean %s of one call of the hook", text_of(map, "unit"));
	sheet_print(&sheet, &options->options.style, stdout);
	sheet_free(&sheet);
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct map *map = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, options_printed, &map->options);
		break;
	case 'm':
		map->file = arg;
		break;
	case KEY_ALL:
		map->all = true;
		break;
	case ARGP_KEY_ARG:
		if (map->call)
			option_error("'%s': one call at a time", arg);
		map->call = arg;
		break;
	case ARGP_KEY_NO_ARGS:
		option_error("give a system call, such as openat, or an operation, such as uring:OPENAT");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_map(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "map", 'm', "FILE", 0, "Map written by make map (default: that of the running kernel, in build/map)", 0 },
		{ "all", KEY_ALL, NULL, 0, "Show callbacks of modules, page faults and signals as well", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_printed, .args_doc = "SYSCALL",
		.doc = "Show which hooks a system call may reach and which it must, in order, each with a path to it.",
	};
	struct map options = { 0 };
	struct json_object *map;
	char *path;
	int error;

	options_init(&options.options);
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	path = options.file ? xstrdup(options.file) : find();
	map = path ? load(path) : NULL;
	error = map ? show(&options, map) : -1;
	json_object_put(map);
	free(path);
	return error ? STATUS_ERROR : EXIT_SUCCESS;
}
