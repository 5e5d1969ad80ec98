// SPDX-License-Identifier: GPL-2.0-only
/* open, openat and close. */

#include "bench.h"
#include "syscalls.h"

static int call_open(struct place *place)
{
	place->fd = lh_open(place->file, O_RDONLY);
	return place->fd < 0 ? -1 : 0;
}

static int call_openat(struct place *place)
{
	place->fd = lh_openat(place->dirfd, PLACE_FILE_NAME, O_RDONLY);
	return place->fd < 0 ? -1 : 0;
}

static int call_close(struct place *place)
{
	int fd = place->fd;

	place->fd = -1;
	return lh_close(fd);
}

const struct bench open_benches[] = {
	{ .name = "open", .calls = "[open] close", .what = "open a file for reading by its path",
	  .call = call_open, .after = call_close },
	{ .name = "openat", .calls = "[openat] close",
	  .what = "open a file by its name in an open directory",
	  .call = call_openat, .after = call_close },
	{ .name = "close", .calls = "open [close]", .what = "close a file's last descriptor",
	  .before = call_open, .call = call_close },
	{ 0 }
};
