// SPDX-License-Identifier: GPL-2.0-only
/* open, openat and close. */

#include <errno.h>

#include "bench.h"
#include "syscalls.h"
#include "tree.h"

static int call_open(struct place *place)
{
	place->fd = lh_open(place->path, O_RDONLY);
	return place->fd < 0 ? -1 : 0;
}

static int call_openat(struct place *place)
{
	place->fd = lh_openat(place->at, place->name, O_RDONLY);
	return place->fd < 0 ? -1 : 0;
}

static int call_openat_fcntl(struct place *place)
{
	return call_openat(place) || fcntl(place->fd, F_GETFL) < 0 ? -1 : 0;
}

static int call_close(struct place *place)
{
	int fd = place->fd;

	place->fd = -1;
	return lh_close(fd);
}

static int open_missing(struct place *place)
{
	return call_open(place) && errno == ENOENT ? 0 : -1;
}

static int openat_missing(struct place *place)
{
	return call_openat(place) && errno == ENOENT ? 0 : -1;
}

#define OPEN_KIND(kind, make, components, about)	\
	{ .name = "open/" kind, .calls = "[open] close", .what = "open " about,	\
	  .depth = components, .setup = make, .call = call_open, .after = call_close }

#define OPEN_DEPTH(n)	\
	OPEN_KIND("depth-" #n, tree_depth, n, "a file by a path of depth " #n)

#define OPENAT_KIND(kind, make, components, about)	\
	{ .name = "openat/" kind, .calls = "[openat] close", .what = "openat of " about,	\
	  .depth = components, .setup = make, .call = call_openat, .after = call_close }

const struct bench open_benches[] = {
	{ .name = "open", .calls = "[open] close", .what = "open a file for reading by its path",
	  .call = call_open, .after = call_close },
	{ .name = "openat", .calls = "[openat] close",
	  .what = "open a file by its name in an open directory",
	  .call = call_openat, .after = call_close },
	{ .name = "close", .calls = "open [close]", .what = "close a file's last descriptor",
	  .before = call_open, .call = call_close },
	TREE_DEPTHS(OPEN_DEPTH),
	TREE_KINDS(OPEN_KIND),
	{ .name = "open/missing", .calls = "[open]", .what = "open a name where nothing is",
	  .depth = 1, .setup = tree_missing, .call = open_missing },
	TREE_DOTDOTS(OPEN_KIND),
	TREE_KINDS(OPENAT_KIND),
	OPENAT_KIND("depth-2", tree_depth, 2, "a file by a path of depth 2"),
	{ .name = "openat/fcntl", .calls = "[openat fcntl] close",
	  .what = "openat of a file by its name, and F_GETFL of it",
	  .call = call_openat_fcntl, .after = call_close },
	{ .name = "openat/missing", .calls = "[openat]",
	  .what = "openat of a name where nothing is",
	  .depth = 1, .setup = tree_missing, .call = openat_missing },
	{ 0 }
};
