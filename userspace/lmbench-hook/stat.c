// SPDX-License-Identifier: GPL-2.0-only
/* stat and fstatat. */

#include "bench.h"
#include "syscalls.h"

static int call_stat(struct place *place)
{
	struct stat_space space;

	return lh_stat(place->file, &space);
}

static int call_fstatat(struct place *place)
{
	struct stat_space space;

	return lh_fstatat(place->dirfd, PLACE_FILE_NAME, &space);
}

const struct bench stat_benches[] = {
	{ .name = "stat", .calls = "[stat]", .what = "attributes of a file by its path",
	  .call = call_stat },
	{ .name = "fstatat", .calls = "[newfstatat]",
	  .what = "attributes of a file by its name in an open directory",
	  .call = call_fstatat },
	{ 0 }
};
