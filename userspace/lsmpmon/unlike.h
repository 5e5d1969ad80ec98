/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_UNLIKE_H
#define LSMPMON_UNLIKE_H

#include "comparison.h"

/* The sentence that it becomes. */
#define UNLIKE "Not the same work measured in the same way: %s."

/*
 * What makes runs of a comparison unlike each other, although neither kernel nor modules do: command, features,
 * how many calls are timed, filter.
 * For the caller to free; NULL if there is nothing.
 */
char *unlike(const struct comparison *comparison);

#endif
