/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: lsmmon/comms and lsmmon/cgroups
 */

#ifndef _SECURITY_LSMPMON_PAYERS_H
#define _SECURITY_LSMPMON_PAYERS_H

#include <linux/types.h>

void lsmpmon_comm_name(const char *comm, char *name, size_t size);

#endif /* _SECURITY_LSMPMON_PAYERS_H */
