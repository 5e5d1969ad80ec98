/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_NEW_FILE_H
#define LSMPMON_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct new_file - an output file
 *
 * A regular file is replaced atomically or not at all. A device or a pipe is written to directly, never
 * replaced.
 *
 * @path: the real path, with symbolic links followed
 * @temporary: the file written first, in the same directory; NULL unless it is a regular file
 * @stream: the stream to write to
 * @is_made: we created an empty file as the target of a dangling link
 */
struct new_file {
	char *path;
	char *temporary;
	FILE *stream;
	bool is_made;
};

/*
 * Open @path for writing; "-" is stdout. Returns 0, or -1 after a complaint. Each file ends with one of the
 * functions below, which free it.
 */
int new_file_begin(struct new_file *file, const char *path);

/* With @keep, keep the earlier file as PATH.old. Returns 0, or -1 after a complaint. */
int new_file_finish(struct new_file *file, bool keep);
void new_file_drop(struct new_file *file);

#endif
