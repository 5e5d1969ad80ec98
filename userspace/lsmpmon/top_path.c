// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way down in top: from a row to the system calls that made its calls, to the callbacks of modules in them, to the
 * commands, to the distribution. The kernel does not count each by all of the others: what it lacks is told.
 */

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "top.h"

/* Behind the last one is the distribution. */
static const char *const levels[] = { "hook", "syscall", "module", "comm" };

#define LEVELS (sizeof(levels) / sizeof(*levels))

const char *top_path_value(const struct top *top, const char *key)
{
	for (size_t i = 0; i < top->path.fixed_count; i++)
		if (!strcmp(top->path.fixed[i].key, key))
			return top->path.fixed[i].value;
	return NULL;
}

static const struct step *last_step(const struct top *top)
{
	return top->path.depth ? &top->path.steps[top->path.depth - 1] : NULL;
}

bool top_path_is_histogram(const struct top *top)
{
	const struct step *step = last_step(top);

	return step && step->level == LEVELS;
}

static bool is_off(const struct grouping *grouping, const struct run *run)
{
	return grouping->feature && !run_has_feature(run, grouping->feature);
}

/* Narrow the grouping down to what is fixed, if the kernel counts by both and does so now. */
static void narrow(struct grouping *grouping, char **by, const char *key, const struct run *run)
{
	char *more = xasprintf("%s,%s", *by, key);
	struct grouping found;

	if (grouping_find(&found, more) && run_text(run, found.table) &&
	    (!is_off(&found, run) || is_off(grouping, run))) {
		*grouping = found;
		free(*by);
		*by = more;
		return;
	}
	free(more);
}

/* What is shown, its own column first. The hook comes before all others: few tables are without one. */
static void regroup(struct top *top, const struct run *run)
{
	struct grouping *grouping = &top->options.rows.grouping;
	const struct step *step = last_step(top);
	char *by;

	by = xstrdup(!step ? top->options.rows.by : step->level < LEVELS ? levels[step->level] : "hook");
	if (grouping_find(grouping, by) && step && top_path_value(top, "hook") && strcmp(by, "hook"))
		narrow(grouping, &by, "hook", run);
	for (size_t i = 0; step && i < top->path.fixed_count; i++)
		if (grouping_key(grouping, top->path.fixed[i].key) < 0)
			narrow(grouping, &by, top->path.fixed[i].key, run);
	free(by);
}

static void forget_fixed_from(struct path *path, size_t count)
{
	while (path->fixed_count > count)
		free(path->fixed[--path->fixed_count].value);
}

void top_chosen_forget(struct chosen *chosen)
{
	for (size_t i = 0; i < KEYS_MAX; i++)
		free(chosen->values[i]);
	*chosen = (struct chosen){ .page = chosen->page };
}

void top_path_leave(struct top *top)
{
	forget_fixed_from(&top->path, 0);
	top->path.depth = 0;
	top_chosen_forget(&top->chosen);
}

/* The keys of the chosen row, which are the columns that are not fixed yet. */
static void fix_chosen(struct top *top)
{
	const struct grouping *grouping = &top->options.rows.grouping;
	struct path *path = &top->path;
	size_t shown = 0;

	for (size_t i = 0; i < grouping->key_count; i++) {
		if (top_path_value(top, grouping->keys[i]) || !top->chosen.values[shown])
			continue;
		path->fixed[path->fixed_count++] = (struct fixed){
			.key = grouping->keys[i], .value = xstrdup(top->chosen.values[shown++]),
		};
	}
}

/* An older kernel does not have all tables. */
static bool has_table(const char *by, const struct run *run)
{
	struct grouping grouping;

	return grouping_find(&grouping, by) && run_text(run, grouping.table);
}

static size_t next_level(const struct top *top, const struct run *run)
{
	const struct step *step = last_step(top);
	size_t level = step ? step->level + 1 : 0;

	while (level < LEVELS && (top_path_value(top, levels[level]) || !has_table(levels[level], run)))
		level++;
	return level;
}

/* Without a hook there is no distribution; and a level that is shown already is none. */
static bool leads_somewhere(const struct top *top, size_t level, const struct run *run)
{
	if (level == LEVELS)
		return top_path_value(top, "hook") && run_text(run, "histogram");
	return top->path.depth || grouping_key(&top->options.rows.grouping, levels[level]) < 0 ||
	       top_path_value(top, top->options.rows.grouping.keys[0]);
}

void top_path_down(struct top *top, const struct run *run)
{
	struct path *path = &top->path;
	struct step step = { .fixed_count = path->fixed_count };

	if (top_path_is_histogram(top) || path->depth == STEPS_MAX)
		return;
	fix_chosen(top);
	step.level = next_level(top, run);
	if (!leads_somewhere(top, step.level, run)) {
		forget_fixed_from(path, step.fixed_count);
		return;
	}
	path->steps[path->depth++] = step;
	top_chosen_forget(&top->chosen);
	regroup(top, run);
}

void top_path_up(struct top *top, const struct run *run)
{
	struct path *path = &top->path;
	size_t count;

	if (!path->depth)
		return;
	count = path->steps[--path->depth].fixed_count;
	top_chosen_forget(&top->chosen);
	for (size_t i = count; i < path->fixed_count && i - count < KEYS_MAX; i++)
		top->chosen.values[i - count] = xstrdup(path->fixed[i].value);
	top->chosen.is_followed = path->fixed_count > count;
	forget_fixed_from(path, count);
	regroup(top, run);
}

char *top_path_text(const struct top *top)
{
	const struct path *path = &top->path;
	char *text, *before;

	if (!path->depth)
		return NULL;
	text = xstrdup("");
	for (size_t i = 0; i < path->fixed_count; i++) {
		before = text;
		text = xasprintf("%s%s%s", before, i ? " > " : "", path->fixed[i].value);
		free(before);
	}
	before = text;
	if (top_path_is_histogram(top))
		text = xasprintf("%s: how long calls took", before);
	else
		text = xasprintf("%s%sby %s", before, *before ? ": " : "", levels[last_step(top)->level]);
	free(before);
	return text;
}

/* The distribution is only of the hook. */
static bool is_missing(const struct top *top, const char *key)
{
	if (top_path_is_histogram(top))
		return strcmp(key, "hook");
	return grouping_key(&top->options.rows.grouping, key) < 0;
}

char *top_path_missing(const struct top *top)
{
	const struct path *path = &top->path;
	char *text = NULL, *before;

	for (size_t i = 0; i < path->fixed_count; i++) {
		if (!is_missing(top, path->fixed[i].key))
			continue;
		before = text;
		text = xasprintf("%s%s%s %s", before ?: "", before ? ", " : "", path->fixed[i].key, path->fixed[i].value);
		free(before);
	}
	return text;
}
