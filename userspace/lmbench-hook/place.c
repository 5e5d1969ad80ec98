// SPDX-License-Identifier: GPL-2.0-only
/* The working directory of a run. */

#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int join(char *path, const char *dir, const char *name)
{
	int len = snprintf(path, PATH_MAX, "%s/%s", dir, name);

	if (len < PATH_MAX)
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

/*
 * The number in the name has a fixed width: a longer name takes longer to hash, and every run must
 * do the same work.
 */
static int make_dir(struct place *place, const char *parent)
{
	char *real = realpath(parent, NULL);
	char name[32];
	int err;

	if (!real)
		return -1;
	snprintf(name, sizeof(name), "lmbench-hook.%07d", (int)getpid());
	err = join(place->dir, strcmp(real, "/") ? real : "", name);
	free(real);
	return err ? err : mkdir(place->dir, 0700);
}

static int name_files(struct place *place)
{
	if (join(place->file, place->dir, PLACE_FILE_NAME) ||
	    join(place->here, place->dir, "here") ||
	    join(place->there, place->dir, "there") ||
	    join(place->fresh, place->dir, "fresh") ||
	    join(place->tree, place->dir, "tree"))
		return -1;
	return 0;
}

/* Create a file of PLACE_FILE_SIZE bytes, open for reading and writing. */
int place_fill(struct place *place, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return -1;
	for (size_t done = 0; done < PLACE_FILE_SIZE; done += PLACE_BUFFER_SIZE) {
		if (pwrite(fd, place->buffer, PLACE_BUFFER_SIZE, done) == PLACE_BUFFER_SIZE)
			continue;
		close(fd);
		return -1;
	}
	return fd;
}

static int fill_file(struct place *place)
{
	place->filefd = place_fill(place, place->file);
	return place->filefd < 0 ? -1 : 0;
}

static int make_here(struct place *place)
{
	int fd = open(place->here, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd < 0 ? -1 : close(fd);
}

static int open_dir(struct place *place)
{
	place->dirfd = open(place->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return place->dirfd < 0 ? -1 : 0;
}

static void forget(struct place *place)
{
	place->dirfd = -1;
	place->filefd = -1;
	place->copyfd = -1;
	place->treefd = -1;
	place->startfd = -1;
	place->fd = -1;
	place->listener = -1;
	place->ends[0] = -1;
	place->ends[1] = -1;
	place->key = -1;
}

int place_make(struct place *place, const char *parent)
{
	forget(place);
	if (make_dir(place, parent)) {
		place->dir[0] = '\0';
		return -1;
	}
	if (name_files(place) || open_dir(place) || fill_file(place) || make_here(place))
		return -1;
	return 0;
}

/* Set up what the plain sub-benchmarks work on. */
void place_defaults(struct place *place, size_t size)
{
	place->path = place->file;
	place->name = PLACE_FILE_NAME;
	place->at = place->dirfd;
	place->from = place->here;
	place->to = place->there;
	place->size = size;
	place->offset = 0;
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Close what one sub-benchmark opened. */
void place_close(struct place *place)
{
	close_one(&place->fd);
	close_one(&place->copyfd);
	close_one(&place->listener);
	close_one(&place->ends[0]);
	close_one(&place->ends[1]);
}

/* Remove everything, including leftovers of a benchmark that failed half way. */
void place_remove(struct place *place)
{
	if (!place->dir[0])
		return;
	place_close(place);
	close_one(&place->filefd);
	close_one(&place->dirfd);
	unlink(place->file);
	unlink(place->here);
	unlink(place->there);
	if (unlink(place->fresh))
		rmdir(place->fresh);
	if (rmdir(place->dir))
		fprintf(stderr, "lmbench-hook: could not remove '%s': %s\n", place->dir,
			strerror(errno));
	place->dir[0] = '\0';
}

/* Number of names that the kernel looks up for an absolute path. */
unsigned int place_depth(const char *path)
{
	unsigned int depth = 0;

	for (; *path; path++)
		if (path[0] == '/' && path[1] && path[1] != '/')
			depth++;
	return depth;
}
