/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_PLACE_H
#define LMBENCH_HOOK_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The file that stat, open, read, write, chmod and rename work on; its size as in the paper. */
#define PLACE_FILE_SIZE (100 * 1024)

/* Its last component, for the calls that take a directory's descriptor. */
#define PLACE_FILE_NAME "file"

/* The largest transfer of any sub-benchmark. */
#define PLACE_BUFFER_SIZE 4096

/**
 * struct place - where the benchmarks work, and what one of them keeps between its calls
 * @dir: the directory of this run, absolute, made for it and removed after it
 * @file: a regular file of PLACE_FILE_SIZE bytes in @dir, always there
 * @here: a file for rename alone, so that the others always find theirs
 * @there: its other name
 * @fresh: a name in @dir where nothing is; creat, mkdir and symlink make it
 * @dirfd: @dir, open, for the calls that take one
 * @filefd: @file, open for reading and writing
 * @fd: the descriptor that open and creat got and close will close
 * @away: the file for rename is @there just now
 * @size: bytes to read or write in a call
 * @buffer: what is read or written
 */
struct place {
	char dir[PATH_MAX];
	char file[PATH_MAX];
	char here[PATH_MAX];
	char there[PATH_MAX];
	char fresh[PATH_MAX];
	int dirfd;
	int filefd;
	int fd;
	bool away;
	size_t size;
	char buffer[PLACE_BUFFER_SIZE];
};

int place_make(struct place *place, const char *parent);
void place_remove(struct place *place);
unsigned int place_depth(const char *path);

#endif
