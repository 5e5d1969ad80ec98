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
#include "map_rows.h"
#include "options.h"

#define MAP_FORMAT "lsmpmon-map"
/* Where make map writes it, relative to the repository, which is $REPO in guests. */
#define MAP_PATTERN "build/map/*/map.json"

enum key { KEY_ALL = 512, KEY_OBJECT };

struct map {
	struct options options;
	const char *file;
	const char *call;
	const char *object;
	bool all;
};

/* The map of the running kernel if there is one, else the only map. NULL after a complaint. */
static char *pick(const glob_t *found)
{
	struct utsname running;
	char *own = NULL;
	unsigned int major, minor;

	if (!uname(&running) && sscanf(running.release, "%u.%u", &major, &minor) == 2)
		own = xasprintf("/%u.%u%s/", major, minor, strcmp(running.machine, "aarch64") ? "" : "-arm64");
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

static struct json_object *load(const char *path)
{
	struct json_object *map = json_object_from_file(path);

	if (!map) {
		complain("%s: %s", path, json_util_get_last_err());
		return NULL;
	}
	if (strcmp(map_text(map, "format"), MAP_FORMAT) || !map_member(map, "syscalls")) {
		complain("%s is not a map: its format must be " MAP_FORMAT, path);
		json_object_put(map);
		return NULL;
	}
	return map;
}

/* What a call does on an object; NULL if the map does not say. */
static struct json_object *on_object(struct json_object *call, const char *object)
{
	struct json_object *all = map_member(call, "on");

	for (size_t i = 0; i < map_length(all); i++) {
		struct json_object *on = json_object_array_get_idx(all, i);

		if (map_contains(map_member(on, "objects"), object))
			return on;
	}
	return NULL;
}

/* Choose what is shown: the object that is asked for, or the one that the map shows the call on. Returns -1 after a complaint. */
static int look(const struct map *options, struct json_object *map, struct json_object *call, struct map_view *view,
		const char **object)
{
	struct json_object *alike = map_member(map_member(map, "syscalls"), map_text(call, "alike"));

	*view = (struct map_view) { .map = map, .call = alike ?: call, .counted = call };
	call = view->call;
	*object = options->object ?: map_text(call, "object");
	if (!strcmp(*object, MAP_ANY_OBJECT) || !**object)
		return 0;
	view->on = on_object(call, *object);
	if (!view->on && options->object)
		return complain("the map does not have %s on '%s'", options->call, *object);
	return 0;
}

static struct json_object *source(const struct map *options, struct json_object *map, const char *object)
{
	struct json_object *said = json_object_new_object();

	json_object_object_add(said, "kernel", json_text(map_text(map, "kernel")));
	json_object_object_add(said, "call", json_text(options->call));
	json_object_object_add(said, "object", json_text(object));
	json_object_object_add(said, "unit", json_text(map_text(map, "unit")));
	return said;
}

static int show(const struct map *options, struct json_object *map)
{
	struct json_object *call = map_member(map_member(map, "syscalls"), options->call);
	/* No column has times, so the scale does not matter. */
	struct scale scale = { .name = "ticks", .per_tick = 1 };
	const char *object;
	struct sheet sheet;
	struct map_view view;

	if (!call)
		return complain("'%s' is not a system call of Linux %s, nor an operation such as uring:OPENAT",
				options->call, map_text(map, "kernel"));
	if (look(options, map, call, &view, &object))
		return -1;
	sheet_init(&sheet, "map", &scale);
	sheet.title = xasprintf("%s%s%s, Linux %s", options->call, view.on ? " on " : "", view.on ? object : "",
				map_text(map, "kernel"));
	sheet.source = source(options, map, view.on ? object : MAP_ANY_OBJECT);
	map_fill(&sheet, &view, options->all);
	if (!view.on)
		map_note_named(&sheet, view.call);
	if (*map_text(map, "unit"))
		sheet_note(&sheet, "price: mean %s of one call of the hook", map_text(map, "unit"));
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
	case KEY_OBJECT:
		map->object = arg;
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
		{ "all", KEY_ALL, NULL, 0, "Show hooks of all kinds, callbacks of modules and signals among them", 0 },
		{ "object", KEY_OBJECT, "NAME", 0, "Show what the call does on this object, such as tmpfs or tcp; "
		  MAP_ANY_OBJECT ": on all together", 0 },
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
