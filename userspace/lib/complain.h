/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_COMPLAIN_H
#define LSMPMON_COMPLAIN_H

#include <stdarg.h>

/**
 * complain - say on stderr what is wrong, where, and what to do
 *
 * Return: -1, so that callers can write "return complain(...)".
 */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
int complain_args(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* End the program with status 2. */
void out_of_memory(void) __attribute__((noreturn));

#endif
