/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_FEATURE_H
#define LSMPMON_FEATURE_H

/* Syscall and histogram, where the kernel has them: what they cost is not in the hooks' own times. */
#define FEATURES_DEFAULT "default"
#define FEATURES_ALL "all"

struct run;

/*
 * Have those in the list on and the others off: names with commas between them, all, none or the default.
 * 0, or -1 after a complaint.
 */
int features_set(const char *dir, const char *list);

/* Those that were off in that run, with what asks for them, to be freed; NULL: none. */
char *features_missing(const struct run *run);

#endif
