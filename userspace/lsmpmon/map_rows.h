/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_MAP_ROWS_H
#define LSMPMON_MAP_ROWS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "sheet.h"

/* The name of all objects together. */
#define MAP_ANY_OBJECT "any"

/* What a map has, whatever is in the file: NULL, nothing or 0 where something is missing or of another type. */
struct json_object *map_member(struct json_object *object, const char *name);
const char *map_text(struct json_object *object, const char *name);
size_t map_length(struct json_object *list);
const char *map_item(struct json_object *list, size_t i);
bool map_contains(struct json_object *list, const char *word);

/* A call of a map, on an object. */
struct map_view {
	struct json_object *map, *call;
	struct json_object *counted;	/* the call that has the counts: `call` may be another one that is like it */
	struct json_object *on;		/* NULL: all objects together */
};

/*
 * A row for each hook, in the order in which the call reaches them; hooks without a known order come last. Without `all`,
 * only those that the call itself calls; how many others there are is a note.
 */
void map_fill(struct sheet *sheet, const struct map_view *view, bool all);

/* Old kernels call functions of IMA, EVM and capability by name, without a hook. */
void map_note_named(struct sheet *sheet, struct json_object *call);

#endif
