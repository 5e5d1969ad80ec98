/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_PLACE_H
#define LMBENCH_HOOK_PLACE_H

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

/* Size of the file that stat, open, read, write, chmod and rename work on, as in the paper. */
#define PLACE_FILE_SIZE (100 * 1024)

/* Last component of its path, for the calls that take a directory descriptor. */
#define PLACE_FILE_NAME "file"

/* The largest transfer of any file operation. */
#define PLACE_BUFFER_SIZE 4096

/* The file that LMbench opens and stats by default. */
#define PLACE_LMBENCH_PATH "/usr/include/x86_64-linux-gnu/sys/types.h"

/**
 * struct place - the working directory, and state that a benchmark keeps between its calls
 * @dir: absolute path of the run's directory, made for it and removed after it
 * @file: a regular file of PLACE_FILE_SIZE bytes in @dir, which always exists
 * @here: a file used only by rename, so that the other calls always find theirs
 * @there: its other name
 * @fresh: an unused name in @dir, for creat, mkdir and symlink
 * @tree: a directory in @dir, made for one variation and removed after it
 * @dirfd: descriptor of @dir
 * @filefd: descriptor of @file, for reading and writing
 * @copyfd: descriptor of a second file of the same size, which copy writes to, or -1
 * @treefd: descriptor of @tree, or -1
 * @startfd: descriptor of the directory of the start, while the program works in @tree, or -1
 * @fd: descriptor from open, creat or socket, for close, or -1
 * @listener: a listening socket, or -1
 * @ends: two connected sockets, or -1
 * @path: path for stat, open and chmod: @file, or relative to @tree
 * @name: path for fstatat and openat, relative to @at
 * @at: @dirfd or @treefd
 * @from: old name for rename: @here, or relative to @tree
 * @to: new name for rename
 * @near: a path that a variation made
 * @far: another such path
 * @denied: a file that policy denies, or NULL
 * @size: bytes to read or write per call
 * @offset: file offset of the next transfer
 * @many: rounds per sample, for sub-benchmarks with many
 * @index: current round of the sample
 * @self: this process
 * @map: mapping of @file, or NULL
 * @key: a key in the process keyring, or -1
 * @directories: number of directories that openit walks through
 * @files: number of files that openit walks through
 * @buffer: data to read or write
 */
struct place {
	char dir[PATH_MAX];
	char file[PATH_MAX];
	char here[PATH_MAX];
	char there[PATH_MAX];
	char fresh[PATH_MAX];
	char tree[PATH_MAX];
	int dirfd;
	int filefd;
	int copyfd;
	int treefd;
	int startfd;
	int fd;
	int listener;
	int ends[2];
	const char *path;
	const char *name;
	int at;
	const char *from;
	const char *to;
	char near[PATH_MAX];
	char far[PATH_MAX];
	const char *denied;
	size_t size;
	off_t offset;
	size_t many;
	size_t index;
	pid_t self;
	void *map;
	long key;
	size_t directories;
	size_t files;
	char buffer[PLACE_BUFFER_SIZE];
};

int place_make(struct place *place, const char *parent);
void place_defaults(struct place *place, size_t size);
int place_fill(struct place *place, const char *path);
void place_close(struct place *place);
void place_remove(struct place *place);
unsigned int place_depth(const char *path);

#endif
