/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: recording calls with measured callbacks
 */

#ifndef _SECURITY_LSMPMON_INSPECT_H
#define _SECURITY_LSMPMON_INSPECT_H

#include <linux/types.h>

struct lsmpmon_frame;

void lsmpmon_record_inspected(unsigned long offset, struct lsmpmon_frame *frame,
			      u64 now);

#endif /* _SECURITY_LSMPMON_INSPECT_H */
