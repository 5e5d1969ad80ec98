/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_ERRNO_NAME_H
#define LSMPMON_ERRNO_NAME_H

/* The name of an error as in errno.h; NULL if it has none. Not every C library can tell it. */
const char *errno_name(int error);

#endif
