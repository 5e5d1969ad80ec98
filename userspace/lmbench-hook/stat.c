// SPDX-License-Identifier: GPL-2.0-only
/* stat and fstatat. */

#include <errno.h>

#include "bench.h"
#include "syscalls.h"
#include "tree.h"

static int call_stat(struct place *place)
{
	struct stat_space space;

	return lh_stat(place->path, &space);
}

static int call_fstatat(struct place *place)
{
	struct stat_space space;

	return lh_fstatat(place->at, place->name, &space);
}

static int stat_missing(struct place *place)
{
	return call_stat(place) && errno == ENOENT ? 0 : -1;
}

static int fstatat_missing(struct place *place)
{
	return call_fstatat(place) && errno == ENOENT ? 0 : -1;
}

#define STAT_KIND(kind, make, components, about)	\
	{ .name = "stat/" kind, .calls = "[stat]", .what = "stat of " about,	\
	  .depth = components, .setup = make, .call = call_stat }

#define STAT_DEPTH(n)	\
	STAT_KIND("depth-" #n, tree_depth, n, "a file by a path of depth " #n)

#define FSTATAT_KIND(kind, make, components, about)	\
	{ .name = "fstatat/" kind, .calls = "[newfstatat]", .what = "fstatat of " about,	\
	  .depth = components, .setup = make, .call = call_fstatat }

const struct bench stat_benches[] = {
	{ .name = "stat", .calls = "[stat]", .what = "attributes of a file by its path",
	  .call = call_stat },
	{ .name = "fstatat", .calls = "[newfstatat]",
	  .what = "attributes of a file by its name in an open directory",
	  .call = call_fstatat },
	TREE_DEPTHS(STAT_DEPTH),
	TREE_KINDS(STAT_KIND),
	{ .name = "stat/missing", .calls = "[stat]", .what = "stat of a name where nothing is",
	  .depth = 1, .setup = tree_missing, .call = stat_missing },
	TREE_DOTDOTS(STAT_KIND),
	TREE_KINDS(FSTATAT_KIND),
	{ .name = "fstatat/missing", .calls = "[newfstatat]",
	  .what = "fstatat of a name where nothing is",
	  .depth = 1, .setup = tree_missing, .call = fstatat_missing },
	{ 0 }
};
