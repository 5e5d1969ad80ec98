/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_STUDENT_H
#define LSMPMON_STUDENT_H

/* A difference is called sure below this p-value, and intervals miss the true value with this probability. */
#define SIGNIFICANCE_LEVEL 0.05

/* Two-sided p-value of Student's t. */
double student_chance(double t, double freedom);

/* The value of t that has the given two-sided p-value. */
double student_limit(double chance, double freedom);

#endif
