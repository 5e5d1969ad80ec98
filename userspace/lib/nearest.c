// SPDX-License-Identifier: GPL-2.0-only
#include "nearest.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

/* No name is longer. */
#define LENGTH_MAX 64

static size_t least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Levenshtein distance, computed one row at a time. */
static size_t distance(const char *a, const char *b)
{
	size_t row[LENGTH_MAX + 1], length = strlen(b);

	if (length > LENGTH_MAX)
		return SIZE_MAX;
	for (size_t i = 0; i <= length; i++)
		row[i] = i;
	for (size_t i = 0; a[i]; i++) {
		size_t corner = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < length; j++) {
			size_t above = row[j + 1];

			row[j + 1] = least(above + 1, row[j] + 1, corner + (a[i] != b[j]));
			corner = above;
		}
	}
	return row[length];
}

/* Accept up to a third of the letters wrong. */
void nearest_begin(struct nearest *nearest, const char *wanted)
{
	*nearest = (struct nearest){ .wanted = wanted, .distance = strlen(wanted) / 3 + 2 };
}

void nearest_try(struct nearest *nearest, const char *name)
{
	size_t away = distance(nearest->wanted, name);

	if (away >= nearest->distance)
		return;
	nearest->distance = away;
	nearest->found = name;
}

char *nearest_text(const struct nearest *nearest)
{
	if (!nearest->found)
		return xstrdup("");
	return xasprintf("; did you mean '%s'?", nearest->found);
}
