/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_UTF8_H
#define LSMPMON_UTF8_H

/* Length in bytes of the character at the beginning of @text, which is not empty; 0 if it is not UTF-8. */
int utf8_length(const char *text);

/*
 * Names may come from somebody else: a task gives itself any, and so does who writes a file. Replace by question marks
 * each byte of what could command a terminal, and of what is not UTF-8, which has such bytes in a terminal of eight bits.
 */
void utf8_disarm(char *text);

#endif
