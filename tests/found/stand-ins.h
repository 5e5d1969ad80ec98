/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that stand in for those of Landlock's fs_bench.c, so that it runs without Landlock: the clock counts the
 * directories made so far, and only the first of the calls that Landlock would refuse is refused.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/times.h>

static int directories, refused;
static bool restricted;

static inline int stand_in_openat(int folder, const char *path, int flags)
{
	if (restricted && (flags & O_CREAT) && !refused++) {
		errno = EACCES;
		return -1;
	}
	return openat(folder, path, flags, 0600);
}

static inline int stand_in_mkdirat(int folder, const char *path, mode_t mode)
{
	directories++;
	return mkdirat(folder, path, mode);
}

static inline clock_t stand_in_times(struct tms *now)
{
	*now = (struct tms){ .tms_stime = directories };
	return 1;
}

static inline int stand_in_create_ruleset(const void *attributes)
{
	return attributes ? open(".", O_PATH) : 7;
}

static inline int stand_in_restrict_self(void)
{
	restricted = true;
	return 0;
}

#define openat(folder, path, flags, ...)			stand_in_openat(folder, path, flags)
#define mkdirat(folder, path, mode)				stand_in_mkdirat(folder, path, mode)
#define times(now)						stand_in_times(now)
#define landlock_create_ruleset(attributes, size, flags)	stand_in_create_ruleset(attributes)
#define landlock_add_rule(ruleset, type, attributes, flags)	((void)(attributes), 0)
#define landlock_restrict_self(ruleset, flags)			stand_in_restrict_self()
