// SPDX-License-Identifier: GPL-2.0-only
#include "commas.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"

char *with_commas(char *plain)
{
	size_t first = strspn(plain, "+-"), digits = strspn(plain + first, "0123456789");
	char *text = xcalloc(2 * strlen(plain) + 1, 1), *to = text;

	for (size_t i = 0; plain[i]; i++) {
		size_t left = first + digits - i;

		if (i > first && i < first + digits && left % 3 == 0)
			*to++ = ',';
		*to++ = plain[i];
	}
	free(plain);
	return text;
}
