// SPDX-License-Identifier: GPL-2.0-only
#include "alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"

void *xcalloc(size_t count, size_t size)
{
	/* calloc() may return NULL for an empty array, which is not a failure. */
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		out_of_memory();
	return memory;
}

char *xstrdup(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		out_of_memory();
	return copy;
}

char *xstrndup(const char *text, size_t length)
{
	char *copy = strndup(text, length);

	if (!copy)
		out_of_memory();
	return copy;
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0)
		out_of_memory();
	return text;
}

/* The array is full when @count is zero or a power of two. */
void *xgrow(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	array = reallocarray(array, count ? 2 * count : 1, size);
	if (!array)
		out_of_memory();
	return array;
}
