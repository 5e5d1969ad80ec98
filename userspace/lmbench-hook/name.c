// SPDX-License-Identifier: GPL-2.0-only
/* What makes, takes away and changes names and attributes of files. */

#include "bench.h"
#include "syscalls.h"

static int call_creat(struct place *place)
{
	place->fd = lh_creat(place->fresh);
	return place->fd < 0 ? -1 : 0;
}

static int close_created(struct place *place)
{
	int fd = place->fd;

	place->fd = -1;
	return lh_close(fd);
}

static int call_unlink(struct place *place)
{
	return lh_unlink(place->fresh);
}

static int before_unlink(struct place *place)
{
	return call_creat(place) || close_created(place) ? -1 : 0;
}

static int after_creat(struct place *place)
{
	return close_created(place) || call_unlink(place) ? -1 : 0;
}

/* Forth and back in turn: each call is a rename to a free name and needs no other beside it. */
static int call_rename(struct place *place)
{
	const char *from = place->away ? place->there : place->here;
	const char *to = place->away ? place->here : place->there;

	if (lh_rename(from, to))
		return -1;
	place->away = !place->away;
	return 0;
}

static int call_chmod(struct place *place)
{
	return lh_chmod(place->file, 0600);
}

static int call_symlink(struct place *place)
{
	return lh_symlink(PLACE_FILE_NAME, place->fresh);
}

const struct bench name_benches[] = {
	{ .name = "creat", .calls = "[creat] close unlink", .what = "create an empty file",
	  .call = call_creat, .after = after_creat },
	{ .name = "unlink", .calls = "creat close [unlink]", .what = "delete an empty file",
	  .before = before_unlink, .call = call_unlink },
	{ .name = "rename", .calls = "[rename]", .what = "give a file a free name in its directory",
	  .call = call_rename },
	{ .name = "chmod", .calls = "[chmod]", .what = "set the mode of a file by its path",
	  .call = call_chmod },
	{ .name = "symlink", .calls = "[symlink] unlink", .what = "make a symbolic link",
	  .call = call_symlink, .after = call_unlink },
	{ 0 }
};
