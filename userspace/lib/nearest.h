/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_NEAREST_H
#define LSMPMON_NEAREST_H

#include <stddef.h>

/**
 * struct nearest - search for the name that a user probably meant
 * @wanted: what the user gave
 * @found: the closest name so far; NULL if none is close
 * @distance: its distance from @wanted
 */
struct nearest {
	const char *wanted;
	const char *found;
	size_t distance;
};

void nearest_begin(struct nearest *nearest, const char *wanted);
void nearest_try(struct nearest *nearest, const char *name);

/* "; did you mean 'NAME'?" or "", for the caller to free. */
char *nearest_text(const struct nearest *nearest);

#endif
