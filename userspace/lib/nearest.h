/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_NEAREST_H
#define LSMPMON_NEAREST_H

#include <stddef.h>

/**
 * struct nearest - the name that was probably meant
 * @wanted: what was given
 * @found: the closest so far; NULL: none is close
 * @distance: letters that differ
 */
struct nearest {
	const char *wanted;
	const char *found;
	size_t distance;
};

void nearest_begin(struct nearest *nearest, const char *wanted);
void nearest_try(struct nearest *nearest, const char *name);

/* "; did you mean 'NAME'?" or nothing, to be freed. */
char *nearest_text(const struct nearest *nearest);

#endif
