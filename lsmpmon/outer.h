/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the hook calls that others are nested in
 */

#ifndef _SECURITY_LSMPMON_OUTER_H
#define _SECURITY_LSMPMON_OUTER_H

#include <linux/types.h>

int lsmpmon_nested_switch(bool on);
unsigned int lsmpmon_outer_column(void);
bool lsmpmon_outer_callback(unsigned int column, unsigned int *callback);

#endif /* _SECURITY_LSMPMON_OUTER_H */
