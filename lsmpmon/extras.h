/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: what features add to a record
 */

#ifndef _SECURITY_LSMPMON_EXTRAS_H
#define _SECURITY_LSMPMON_EXTRAS_H

#include <linux/static_call.h>
#include <linux/types.h>

#include "keys.h"
#include "time.h"

void lsmpmon_finish_extras(unsigned long offset, u64 ticks);
void lsmpmon_account_quiet(unsigned long offset, u64 ticks);
void lsmpmon_account_extras(unsigned long offset, const struct lsmpmon_time *time);
void lsmpmon_choose_finish(void);

/* Records what features add to a call; one function for each usual set of features. */
DECLARE_STATIC_CALL(lsmpmon_finish, lsmpmon_finish_extras);

#endif /* _SECURITY_LSMPMON_EXTRAS_H */
