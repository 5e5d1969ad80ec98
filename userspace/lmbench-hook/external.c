// SPDX-License-Identifier: GPL-2.0-only
/* Verbs that are separate programs next to this one, since they need a shell or Python. */

#include "external.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const verbs[] = { "sweep", "slopes", "spread" };

static int is_external(const char *word)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (word && !strcmp(word, verbs[i]))
			return 1;
	return 0;
}

/* The path of this program. */
int external_self(char *path, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", path, size - 1);

	if (len < 0)
		return -1;
	path[len] = '\0';
	return 0;
}

/* Returns 0 if argv[1] is not one of them, -1 if it could not be run. */
int external_run(char **argv)
{
	char self[PATH_MAX], path[PATH_MAX + 16];

	if (!is_external(argv[1]))
		return 0;
	if (external_self(self, sizeof(self)))
		return -1;
	snprintf(path, sizeof(path), "%s-%s", self, argv[1]);
	execv(path, argv + 1);
	fprintf(stderr, "lmbench-hook: cannot run '%s' for %s: %s\n", path, argv[1],
		strerror(errno));
	return -1;
}
