/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_BARS_H
#define LSMPMON_BARS_H

#include "sheet.h"

/* The longest bar beside columns that are @used characters wide; 0 where numbers are enough. */
size_t bars_room(const struct style *style, size_t used);

/* Add a bar of # for @count, which is at most @most. One call shows, too. */
void bars_add(struct sheet *sheet, uint64_t count, uint64_t most, size_t room);

#endif
