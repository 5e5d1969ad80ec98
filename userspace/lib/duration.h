/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_DURATION_H
#define LSMPMON_DURATION_H

#include <stdint.h>

/* Seconds in a readable unit, as 30.1 ms, for the caller to free. */
char *duration_text(double seconds);

/* Nanoseconds of a text such as 10us or 0.5ms. Returns 0, or -1 if it is not a number with a unit. */
int duration_parse(const char *text, uint64_t *ns);

#endif
