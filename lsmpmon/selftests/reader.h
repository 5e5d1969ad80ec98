/* SPDX-License-Identifier: GPL-2.0-only */
/* A program that makes a known number of calls, and no other. */

#ifndef READER_H
#define READER_H

#define READER_READS	1009

/* Exit status of the program; 77 on architectures for which it is not written. */
#define READER_DONE	3
#define READER_SKIPPED	77

/* Entry point of the program, which has no main(). */
void _start(void);

#endif /* READER_H */
