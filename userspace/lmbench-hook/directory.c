// SPDX-License-Identifier: GPL-2.0-only
/* mkdir and rmdir. */

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

const struct bench directory_benches[] = {
	{ .name = "mkdir", .calls = "[mkdir] rmdir", .what = "make a directory",
	  .call = call_mkdir, .after = call_rmdir },
	{ .name = "rmdir", .calls = "mkdir [rmdir]", .what = "remove an empty directory",
	  .before = call_mkdir, .call = call_rmdir },
	{ 0 }
};
