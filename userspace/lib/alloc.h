/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_ALLOC_H
#define LSMPMON_ALLOC_H

#include <stddef.h>

/* Like their namesakes without the x, but they end the program instead of returning NULL. */
void *xcalloc(size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Make room for element @count of an array that grows by doubling. */
void *xgrow(void *array, size_t count, size_t size);

#endif
