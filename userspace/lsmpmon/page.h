/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_PAGE_H
#define LSMPMON_PAGE_H

#include <stdio.h>

#include "options.h"

/* Write a whole record as one self-contained HTML page, by this time. Returns 0, or -1 after a complaint. */
int page_print(const struct record *record, enum unit unit, enum time time, FILE *out);

#endif
