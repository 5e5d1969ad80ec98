/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_FILE_H
#define LSMPMON_FILE_H

#include <stdio.h>

/* Everything from there on, to be freed; NULL after a complaint that names @path. */
char *file_text(int fd, const char *path);

/**
 * struct new_file - a file that appears at once and whole, or not at all
 * @path: where it is to be
 * @temporary: where it is written, in the same directory
 * @stream: to write to
 */
struct new_file {
	const char *path;
	char *temporary;
	FILE *stream;
};

/* 0, or -1 after a complaint. What is begun is ended by either of the other two. */
int new_file_begin(struct new_file *file, const char *path);
int new_file_finish(struct new_file *file);
void new_file_drop(struct new_file *file);

#endif
