// SPDX-License-Identifier: GPL-2.0-only
/* Puts this program in a Landlock domain, so that Landlock checks its work. */

#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * All file access rights of a version of Landlock, as a mask. By number, not by name: the headers
 * of the build machine may be older than the running kernel.
 */
static uint64_t rights_of(long version)
{
	static const unsigned int bits[] = { 13, 14, 15, 15, 16 };
	size_t known = sizeof(bits) / sizeof(bits[0]);

	return (1ull << bits[version <= (long)known ? version - 1 : (long)known - 1]) - 1;
}

static int allow_beneath(int ruleset, const char *dir, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = rights };
	int err;

	rule.parent_fd = open(dir, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return -1;
	err = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(rule.parent_fd);
	return err;
}

/* A rule holds the inode of its directory, so the directory itself can go. */
static int allow_another(int ruleset, const char *dir)
{
	char name[] = "lmbench-hook.XXXXXX";
	char *path;
	int err = -1;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		return -1;
	if (mkdtemp(path)) {
		err = allow_beneath(ruleset, path, LANDLOCK_ACCESS_FS_READ_FILE);
		if (rmdir(path))
			err = -1;
	}
	free(path);
	return err;
}

static int allow_others(int ruleset, const char *dir, size_t number)
{
	int err = 0;

	for (size_t i = 0; !err && i < number; i++)
		err = allow_another(ruleset, dir);
	return err;
}

/* A ruleset of all @rights of the running kernel, or -1. */
static int make_ruleset(uint64_t *rights)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
			       LANDLOCK_CREATE_RULESET_VERSION);
	struct landlock_ruleset_attr attr;

	if (version < 1)
		return -1;
	*rights = rights_of(version);
	attr = (struct landlock_ruleset_attr){ .handled_access_fs = *rights };
	return syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
}

static int enter(int ruleset)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       syscall(SYS_landlock_restrict_self, ruleset, 0) ? -1 : 0;
}

/* Closes the ruleset. @err: whether one of its rules could not be made. */
static int enter_or_say(int ruleset, int err, const char *dir)
{
	if (ruleset < 0 || err || enter(ruleset)) {
		fprintf(stderr, "lmbench-hook: --landlock '%s': %s\n", dir, strerror(errno));
		err = -1;
	}
	if (ruleset >= 0)
		close(ruleset);
	return err;
}

/*
 * From here on, this process can work only on files beneath @dir. @others is the number of further
 * rules, for directories that no longer exist.
 */
int confine_beneath(const char *dir, size_t others)
{
	uint64_t rights = 0;
	int ruleset = make_ruleset(&rights);
	int err = ruleset < 0 || allow_others(ruleset, dir, others) ||
		  allow_beneath(ruleset, dir, rights);

	return enter_or_say(ruleset, err, dir);
}

/* From here on, this process can read and execute all files, and write only beneath @dir. */
int confine_writes(const char *dir)
{
	uint64_t rights = 0;
	int ruleset = make_ruleset(&rights);
	int err = ruleset < 0 ||
		  allow_beneath(ruleset, "/", LANDLOCK_ACCESS_FS_EXECUTE |
				LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR) ||
		  allow_beneath(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE) ||
		  allow_beneath(ruleset, dir, rights);

	return enter_or_say(ruleset, err, dir);
}
