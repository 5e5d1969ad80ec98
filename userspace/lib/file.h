/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_FILE_H
#define LSMPMON_FILE_H

/* Everything from there on, to be freed; NULL after a complaint that names @path. */
char *file_text(int fd, const char *path);

#endif
