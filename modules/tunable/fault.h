/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: faults in a callback, for tests of the monitor
 */

#ifndef _SECURITY_TUNABLE_FAULT_H
#define _SECURITY_TUNABLE_FAULT_H

#if defined(CONFIG_SECURITY_TUNABLE_KUNIT_TEST) && \
	defined(CONFIG_SECURITY_LSMPMON)

#include <linux/seq_file.h>

#define TUNABLE_HAS_FAULT	1

void tunable_fault(void);
int tunable_set_fault(char *line);
int tunable_fault_show(struct seq_file *m, void *v);

#else

static inline void tunable_fault(void)
{
}

#endif

#endif /* _SECURITY_TUNABLE_FAULT_H */
