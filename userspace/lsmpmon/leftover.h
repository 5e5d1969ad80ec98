/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_LEFTOVER_H
#define LSMPMON_LEFTOVER_H

#include "sheet.h"

/*
 * Note what somebody has set in the monitor of @dir or in tracefs that measurements there meet, and how to undo it.
 * @is_held: a process has the monitor.
 */
void leftovers_note(struct sheet *sheet, const struct run *run, const char *dir, bool is_held);

#endif
