/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: names as words of a line
 */

#ifndef _SECURITY_LSMPMON_ESCAPE_H
#define _SECURITY_LSMPMON_ESCAPE_H

#include <linux/sched.h>
#include <linux/types.h>

/* Buffer size for a name of a length: each byte as a backslash and three digits. */
#define LSMPMON_ESCAPED(LENGTH)	(4 * (LENGTH) + 1)

/* Buffer size for a command name. */
#define LSMPMON_COMM_NAME	LSMPMON_ESCAPED(TASK_COMM_LEN)

/* Buffer size for the name of an error. */
#define LSMPMON_ERROR_NAME	24

size_t lsmpmon_escape(const char *bytes, size_t length, char *word, size_t size);
void lsmpmon_escape_name(const char *name, char *word, size_t size);
void lsmpmon_error_name(int error, char *word, size_t size);

#endif /* _SECURITY_LSMPMON_ESCAPE_H */
