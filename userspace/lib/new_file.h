/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_NEW_FILE_H
#define LSMPMON_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct new_file - where output goes
 *
 * A regular file appears at once and whole, or not at all. Anything else, a device or a pipe, is written
 * to as it is: nothing is put in its place.
 *
 * @path: where it is, symbolic links followed
 * @temporary: where it is written first, in the same directory; NULL: it is no regular file
 * @stream: to write to
 * @is_made: an empty file was made, at the end of a link that led nowhere
 */
struct new_file {
	char *path;
	char *temporary;
	FILE *stream;
	bool is_made;
};

/*
 * Begin @path; "-" is stdout. 0, or -1 after a complaint. What is begun is ended by one of those below,
 * which free it.
 */
int new_file_begin(struct new_file *file, const char *path);

/* With @keep, what was there before is kept as PATH.old. 0, or -1 after a complaint. */
int new_file_finish(struct new_file *file, bool keep);
void new_file_drop(struct new_file *file);

#endif
