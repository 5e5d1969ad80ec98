/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TERMINAL_H
#define LSMPMON_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Take the screen until terminal_end(); keys are read as they are pressed. */
void terminal_begin(void);
void terminal_end(void);

/* The next key; 0 after so many milliseconds or a signal; -1 at end of input. */
int terminal_key(int milliseconds);

/* Its size in rows and columns. */
void terminal_size(size_t *rows, size_t *columns);

/* Move to the upper left corner and clear the screen. */
void terminal_home(void);

#endif
