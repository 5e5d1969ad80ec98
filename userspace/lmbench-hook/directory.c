// SPDX-License-Identifier: GPL-2.0-only
/* mkdir and rmdir: of one directory repeatedly, and of many in a row. */

#include <stdio.h>

#include "bench.h"
#include "syscalls.h"

static int call_mkdir(struct place *place)
{
	return lh_mkdir(place->fresh);
}

static int call_rmdir(struct place *place)
{
	return lh_rmdir(place->fresh);
}

/* All names have the same length. */
static void name_number(struct place *place, size_t number)
{
	snprintf(place->near, sizeof(place->near), "%09zu", number);
}

static int name_next(struct place *place)
{
	name_number(place, place->index);
	return 0;
}

static int mkdir_next(struct place *place)
{
	return lh_mkdir(place->near);
}

static int rmdir_next(struct place *place)
{
	return lh_rmdir(place->near);
}

static int each(struct place *place, size_t count, int (*call)(struct place *place))
{
	for (size_t i = 0; i < count; i++) {
		name_number(place, i);
		if (call(place))
			return -1;
	}
	return 0;
}

static int make_all(struct place *place, size_t count)
{
	return each(place, count, mkdir_next);
}

static int remove_all(struct place *place, size_t count)
{
	return each(place, count, rmdir_next);
}

/* Nothing to make: the variation only has to run in the tree. */
static int in_tree(struct place *place, const struct bench *bench)
{
	(void)place;
	(void)bench;
	return 0;
}

const struct bench directory_benches[] = {
	{ .name = "mkdir", .calls = "[mkdir] rmdir", .what = "make a directory",
	  .call = call_mkdir, .after = call_rmdir },
	{ .name = "rmdir", .calls = "mkdir [rmdir]", .what = "remove an empty directory",
	  .before = call_mkdir, .call = call_rmdir },
	{ .name = "mkdir/many", .calls = "[mkdir] rmdir",
	  .what = "make one directory of 9437 (--directories), removed when all are made",
	  .many = true, .setup = in_tree,
	  .before = name_next, .call = mkdir_next, .finish = remove_all },
	{ .name = "rmdir/many", .calls = "mkdir [rmdir]",
	  .what = "remove one directory of 9437 (--directories), all made before",
	  .many = true, .setup = in_tree,
	  .begin = make_all, .before = name_next, .call = rmdir_next },
	{ 0 }
};
