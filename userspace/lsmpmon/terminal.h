/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TERMINAL_H
#define LSMPMON_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* The screen is ours until terminal_end(), and keys come as they are pressed. */
void terminal_begin(void);
void terminal_end(void);

/* The next key; 0: none came in so many milliseconds, or a signal did; -1: there will be no more. */
int terminal_key(int milliseconds);

/* Rows and columns. */
void terminal_size(size_t *rows, size_t *columns);

/* To the upper left corner, with nothing below. */
void terminal_home(void);

#endif
