/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: who pays for hook calls
 */

#ifndef _SECURITY_LSMPMON_PAYER_H
#define _SECURITY_LSMPMON_PAYER_H

#include <linux/sched.h>

#include "compat.h"
#include "place.h"

/* The columns: some with names, and the two that are fixed. */
enum {
	LSMPMON_PAYERS = 256,
	LSMPMON_NO_PAYER = LSMPMON_PAYERS,	/* in interrupts */
	LSMPMON_OTHER_PAYER,			/* found no place */
	LSMPMON_PAYER_COLUMNS,
};

/* The longest name of a command: each byte as a backslash and three digits. */
#define LSMPMON_COMM_NAME	(4 * TASK_COMM_LEN + 1)

int lsmpmon_comm_switch(bool on);
int lsmpmon_cgroup_switch(bool on);
unsigned int lsmpmon_payer_column(enum lsmpmon_by kind);
void lsmpmon_payers_forget(void);
bool lsmpmon_payer_is_known(enum lsmpmon_by kind, unsigned int column);
void lsmpmon_payer_name(enum lsmpmon_by kind, unsigned int column, char *path,
			char *name, size_t size);
void lsmpmon_comm_name(const char *comm, char *name, size_t size);

#endif /* _SECURITY_LSMPMON_PAYER_H */
