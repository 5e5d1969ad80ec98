/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_HISTOGRAM_SHEET_H
#define LSMPMON_HISTOGRAM_SHEET_H

#include "histogram.h"
#include "sheet.h"

/*
 * Add columns and rows of a distribution, which has calls: people also get bars in the width that the numbers leave. On
 * a linear axis all rows but the last are equally wide.
 */
void histogram_sheet(struct sheet *sheet, const struct histogram *histogram, bool is_linear, const struct style *style);

#endif
