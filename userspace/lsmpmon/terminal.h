/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TERMINAL_H
#define LSMPMON_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Keys that are not characters. */
enum terminal_key {
	TERMINAL_UP = 256, TERMINAL_DOWN, TERMINAL_LEFT, TERMINAL_RIGHT, TERMINAL_PAGE_UP, TERMINAL_PAGE_DOWN,
	TERMINAL_HOME, TERMINAL_END, TERMINAL_ESCAPE, TERMINAL_UNKNOWN,
};

/* Take the screen until terminal_end(); keys are read as they are pressed. */
void terminal_begin(void);
void terminal_end(void);

/* The next key, a character or one of the others; 0 after so many milliseconds or a signal; -1 at end of input. */
int terminal_key(int milliseconds);

/* Its size in rows and columns. */
void terminal_size(size_t *rows, size_t *columns);

/* Whether that has changed since this was last asked. */
bool terminal_was_resized(void);

/* Show a text from the upper left corner on, and nothing else. */
void terminal_show(const char *text);

#endif
