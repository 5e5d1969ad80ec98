/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_FILE_H
#define LSMPMON_FILE_H

/* The rest of the file, for the caller to free; NULL after a complaint that names @path. */
char *file_text(int fd, const char *path);

#endif
