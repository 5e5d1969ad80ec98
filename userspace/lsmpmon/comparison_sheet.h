/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_COMPARISON_SHEET_H
#define LSMPMON_COMPARISON_SHEET_H

#include "comparison.h"
#include "sheet.h"

/* Fill in everything but the order of the rows. */
void comparison_sheet(const struct comparison *comparison, struct sheet *sheet);

#endif
