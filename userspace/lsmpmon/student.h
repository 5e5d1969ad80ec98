/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_STUDENT_H
#define LSMPMON_STUDENT_H

/* How likely chance alone brings a value of Student's t at least so far from zero, on either side. */
double student_chance(double t, double freedom);

/* The t that chance exceeds, on either side, with that probability. */
double student_limit(double chance, double freedom);

#endif
