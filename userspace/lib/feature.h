/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_FEATURE_H
#define LSMPMON_FEATURE_H

/* syscall and histogram, where the kernel has them: their cost is not in the hooks' own times. */
#define FEATURES_DEFAULT "default"
#define FEATURES_ALL "all"

/* That a kernel may have. */
#define FEATURES_HELP "syscall, module, histogram, calls, stack, comm, cgroup, task, slowest, waits, nested, timed=N, with commas; all; none"

/* Before a list: in addition to what would be measured without it. */
#define FEATURES_ADD '+'

struct run;

/*
 * Switch the features in the list on and the others off. The list is names with commas, all, none or default.
 * With timed=N, one call in N is timed, else each. With a plus before the list, those of @base are on as well: a
 * list, too; NULL for those that are on.
 * Returns 0, or -1 after a complaint.
 */
int features_set(const char *dir, const char *list, const char *base);

/* Those that were on in that run, and timed=N if not every call was timed, as a list for the caller to free. */
char *features_on(const struct run *run);

#endif
