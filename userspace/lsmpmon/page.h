/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_PAGE_H
#define LSMPMON_PAGE_H

#include <stdio.h>

#include "options.h"

/* All of a record as a page that needs nothing else. 0, or -1 after a complaint. */
int page_print(const struct record *record, enum unit unit, FILE *out);

/* "SYSCALL;HOOK TICKS" in lines, for flamegraph.pl and speedscope. 0, or -1 after a complaint. */
int folded_print(const struct record *record, FILE *out);

#endif
