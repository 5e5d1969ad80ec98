/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_COMPLAIN_H
#define LSMPMON_COMPLAIN_H

/**
 * complain - say on stderr what is wrong, where, and the way out
 *
 * Return: -1, so that a caller can pass the failure on in the same line.
 */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What failed is all there is to say. Return: never; the program ends with status 2. */
void out_of_memory(void) __attribute__((noreturn));

#endif
