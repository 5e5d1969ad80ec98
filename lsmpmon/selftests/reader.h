/* SPDX-License-Identifier: GPL-2.0-only */
/* A program that makes a known number of calls, and no other. */

#ifndef READER_H
#define READER_H

#define READER_READS	1009

/* What it ends with; 77 where it is not written for the architecture. */
#define READER_DONE	3
#define READER_SKIPPED	77

/* Where it begins; it has no main(). */
void _start(void);

#endif /* READER_H */
