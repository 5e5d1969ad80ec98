/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_PLACE_H
#define LMBENCH_HOOK_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The file that stat, open, read, write, chmod and rename work on; its size as in the paper. */
#define PLACE_FILE_SIZE (100 * 1024)

/* Its last component, for the calls that take a directory's descriptor. */
#define PLACE_FILE_NAME "file"

/* The largest transfer of any sub-benchmark that works on a file. */
#define PLACE_BUFFER_SIZE 4096

/* What LMbench opens and asks for the attributes of, unless it is told otherwise. */
#define PLACE_LMBENCH_PATH "/usr/include/x86_64-linux-gnu/sys/types.h"

/**
 * struct place - where the benchmarks work, and what one of them keeps between its calls
 * @dir: the directory of this run, absolute, made for it and removed after it
 * @file: a regular file of PLACE_FILE_SIZE bytes in @dir, always there
 * @here: a file for rename alone, so that the others always find theirs
 * @there: its other name
 * @fresh: a name in @dir where nothing is; creat, mkdir and symlink make it
 * @tree: a directory in @dir that is made for one variation and removed after it
 * @dirfd: @dir, open
 * @filefd: @file, open for reading and writing
 * @copyfd: a second file of the same size that copy writes to, or -1
 * @treefd: @tree, open, or -1
 * @startfd: the directory that the program was started in, while it works in @tree, or -1
 * @fd: the descriptor that open, creat and socket got and close will close, or -1
 * @listener: a socket that others connect to, or -1
 * @ends: two sockets that are connected with each other, or -1
 * @path: what stat, open and chmod work on: @file, or a path from @tree
 * @name: what fstatat and openat work on, from the directory @at
 * @at: @dirfd or @treefd
 * @from: the name that rename takes: @here, or a path from @tree
 * @to: the name that it gives
 * @near: a path that a variation made
 * @far: another one
 * @away: the file for rename is at @to just now
 * @size: bytes to read or write in a call
 * @offset: where the next of them begin
 * @many: rounds in a sample of the sub-benchmarks that have many
 * @index: of the present round in them
 * @self: this process
 * @map: @file in memory, or NULL
 * @key: a key in the keyring of this process, or -1
 * @directories: how many directories openit walks through
 * @files: and how many files
 * @buffer: what is read or written
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
	bool away;
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
