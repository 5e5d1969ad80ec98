/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_DISTURBANCE_H
#define LSMPMON_DISTURBANCE_H

#include "record.h"
#include "sheet.h"

/* Add a note for each thing that disturbs times on the machine of the record. */
void disturbances_note(struct sheet *sheet, const struct record *record);

#endif
