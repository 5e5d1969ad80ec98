/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: lsmmon/filter
 */

#ifndef _SECURITY_LSMPMON_FILTER_H
#define _SECURITY_LSMPMON_FILTER_H

#include <linux/types.h>

void lsmpmon_filter_save(void);
bool lsmpmon_filter_changed(void);
void lsmpmon_filter_restore(void);

#endif /* _SECURITY_LSMPMON_FILTER_H */
