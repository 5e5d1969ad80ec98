// SPDX-License-Identifier: GPL-2.0-only
/* Bar charts for people: the last column of a distribution. */

#include "bars.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"

#define BAR_MIN 8

size_t bars_room(const struct style *style, size_t used)
{
	if (style->format != FORMAT_TEXT)
		return 0;
	return style->width > used + BAR_MIN ? style->width - used : BAR_MIN;
}

void bars_add(struct sheet *sheet, uint64_t count, uint64_t most, size_t room)
{
	size_t length = most ? (double)count / most * room + 0.5 : 0;
	char *bar = xcalloc(room + 1, 1);

	memset(bar, '#', count && !length ? 1 : length);
	sheet_text(sheet, bar);
	free(bar);
}
