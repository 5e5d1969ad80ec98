// SPDX-License-Identifier: GPL-2.0-only
/* The directory of a variation, with its files and links. */

#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REMOVE_DESCRIPTORS 16

/* Make the tree and change into it: paths of variations are relative to it. */
int tree_enter(struct place *place)
{
	place->startfd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (place->startfd < 0 || mkdir(place->tree, 0700))
		return -1;
	place->treefd = open(place->tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return place->treefd < 0 ? -1 : fchdir(place->treefd);
}

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *where)
{
	(void)stat;
	(void)where;
	return type == FTW_DP ? rmdir(path) : unlink(path);
}

void tree_leave(struct place *place)
{
	if (place->startfd >= 0 && fchdir(place->startfd) == 0)
		nftw(place->tree, remove_one, REMOVE_DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
	if (place->treefd >= 0)
		close(place->treefd);
	if (place->startfd >= 0)
		close(place->startfd);
	place->treefd = -1;
	place->startfd = -1;
}

static int make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd < 0 ? -1 : close(fd);
}

/* AA, AA/BB, AA/BB/CC: all components have the same length. */
static int make_directories(char *path, unsigned int count)
{
	size_t len = 0;

	for (unsigned int i = 0; i < count; i++) {
		path[len++] = 'A' + i;
		path[len++] = 'A' + i;
		path[len] = '\0';
		if (mkdir(path, 0700))
			return -1;
		path[len++] = '/';
	}
	path[len] = '\0';
	return 0;
}

static void use(struct place *place, const char *path)
{
	place->path = path;
	place->name = path;
	place->at = place->treefd;
}

/* The last component is the file; rename changes its name within its directory. */
int tree_depth(struct place *place, const struct bench *bench)
{
	size_t len;

	if (make_directories(place->near, bench->depth - 1))
		return -1;
	len = strlen(place->near);
	memcpy(place->far, place->near, len);
	strcpy(place->near + len, "NN");
	strcpy(place->far + len, "FF");
	use(place, place->near);
	place->from = place->near;
	place->to = place->far;
	return make_file(place->near);
}

int tree_hard_link(struct place *place, const struct bench *bench)
{
	(void)bench;
	use(place, "LL");
	return make_file("NN") || link("NN", "LL") ? -1 : 0;
}

int tree_symlink(struct place *place, const struct bench *bench)
{
	(void)bench;
	use(place, "LL");
	return make_file("NN") || symlink("NN", "LL") ? -1 : 0;
}

int tree_missing(struct place *place, const struct bench *bench)
{
	(void)bench;
	use(place, "MM");
	return 0;
}

/* Left out unless this is x86 with the C library's headers. */
int tree_lmbench(struct place *place, const struct bench *bench)
{
	int fd = open(PLACE_LMBENCH_PATH, O_RDONLY | O_CLOEXEC);

	(void)bench;
	use(place, PLACE_LMBENCH_PATH);
	return fd < 0 ? 1 : close(fd);
}

int tree_dotdot_3(struct place *place, const struct bench *bench)
{
	(void)bench;
	use(place, "AA/../HH");
	return mkdir("AA", 0700) || make_file("HH") ? -1 : 0;
}

int tree_dotdot_9(struct place *place, const struct bench *bench)
{
	(void)bench;
	use(place, "XX/YY/../../AA/BB/../../HH");
	if (mkdir("XX", 0700) || mkdir("XX/YY", 0700) || mkdir("AA", 0700) ||
	    mkdir("AA/BB", 0700))
		return -1;
	return make_file("HH");
}
