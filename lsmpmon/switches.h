/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: lsmmon/control and lsmmon/reset
 */

#ifndef _SECURITY_LSMPMON_SWITCHES_H
#define _SECURITY_LSMPMON_SWITCHES_H

#include <linux/types.h>

int lsmpmon_parse_switch(const char *text, size_t length);

#endif /* _SECURITY_LSMPMON_SWITCHES_H */
