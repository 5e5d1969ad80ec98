/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: eviction of payers
 */

#ifndef _SECURITY_LSMPMON_EVICT_H
#define _SECURITY_LSMPMON_EVICT_H

#include "payer.h"

void lsmpmon_evict_init(void);
void lsmpmon_evict(enum lsmpmon_by kind, bool make_room);
u64 lsmpmon_payer_others(enum lsmpmon_by kind);
u64 lsmpmon_payer_missed(enum lsmpmon_by kind, unsigned int column, u64 others);

#endif /* _SECURITY_LSMPMON_EVICT_H */
