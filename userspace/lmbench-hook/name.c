// SPDX-License-Identifier: GPL-2.0-only
/* Calls that create, delete and change names and attributes of files. */

#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "syscalls.h"
#include "tree.h"

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

/* Like LMbench's lat_fs: writes the data at most one page at a time. */
static int call_creat_10k(struct place *place)
{
	static const size_t parts[] = { 4096, 4096, 2048 };

	if (call_creat(place))
		return -1;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (write(place->fd, place->buffer, parts[i]) != (ssize_t)parts[i])
			return -1;
	return close_created(place);
}

static int call_truncate(struct place *place)
{
	return lh_truncate(place->fresh);
}

/*
 * There and back are sub-benchmarks of their own: a module may take longer for one of the names. The
 * untimed way is by another system call, so that the timed one can be told from it.
 */
static int call_rename(struct place *place)
{
	return lh_rename(place->from, place->to);
}

static int after_rename(struct place *place)
{
	return lh_renameat2(place->to, place->from);
}

static int before_rename_back(struct place *place)
{
	return lh_renameat2(place->from, place->to);
}

static int call_rename_back(struct place *place)
{
	return lh_rename(place->to, place->from);
}

static int call_chmod(struct place *place)
{
	return lh_chmod(place->path, 0600);
}

static int call_fchmod(struct place *place)
{
	return fchmod(place->filefd, 0600);
}

static int call_symlink(struct place *place)
{
	return lh_symlink(PLACE_FILE_NAME, place->fresh);
}

#define RENAME_DEPTH(n)	\
	{ .name = "rename/depth-" #n, .calls = "[rename] renameat2",	\
	  .what = "rename a file, both paths of depth " #n,	\
	  .depth = n, .setup = tree_depth, .call = call_rename, .after = after_rename }

#define CHMOD_DEPTH(n)	\
	{ .name = "chmod/depth-" #n, .calls = "[chmod]",	\
	  .what = "set the mode of a file by a path of depth " #n,	\
	  .depth = n, .setup = tree_depth, .call = call_chmod }

const struct bench name_benches[] = {
	{ .name = "creat", .calls = "[creat] close unlink", .what = "create an empty file",
	  .call = call_creat, .after = after_creat },
	{ .name = "unlink", .calls = "creat close [unlink]", .what = "delete an empty file",
	  .before = before_unlink, .call = call_unlink },
	{ .name = "rename", .calls = "[rename] renameat2",
	  .what = "give a file a free name in its directory",
	  .call = call_rename, .after = after_rename },
	{ .name = "rename/back", .calls = "renameat2 [rename]",
	  .what = "give it its first name again",
	  .before = before_rename_back, .call = call_rename_back },
	{ .name = "chmod", .calls = "[chmod]", .what = "set the mode of a file by its path",
	  .call = call_chmod },
	{ .name = "symlink", .calls = "[symlink] unlink", .what = "make a symbolic link",
	  .call = call_symlink, .after = call_unlink },
	{ .name = "creat/10k", .calls = "[creat write write write close] unlink",
	  .what = "create a file of 10 KiB", .call = call_creat_10k, .after = call_unlink },
	{ .name = "unlink/10k", .calls = "creat write write write close [unlink]",
	  .what = "delete a file of 10 KiB", .before = call_creat_10k, .call = call_unlink },
	{ .name = "truncate/10k", .calls = "creat write write write close [truncate] unlink",
	  .what = "empty a file of 10 KiB by its path", .before = call_creat_10k, .call = call_truncate,
	  .after = call_unlink },
	RENAME_DEPTH(1), RENAME_DEPTH(2), RENAME_DEPTH(3), RENAME_DEPTH(4), RENAME_DEPTH(5),
	CHMOD_DEPTH(1), CHMOD_DEPTH(2), CHMOD_DEPTH(3), CHMOD_DEPTH(4), CHMOD_DEPTH(5),
	{ .name = "chmod/fd", .calls = "[fchmod]", .what = "set the mode of an open file",
	  .call = call_fchmod },
	{ 0 }
};
