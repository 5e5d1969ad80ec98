// SPDX-License-Identifier: GPL-2.0-only
/* Names of objects and subjects, before the kernel sees them: it can only say that they are invalid. */

#include "whom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"

#define COMM_MAX 15

static int is_pattern(const char *name)
{
	return !!strpbrk(name, "*?[\\");
}

static const char *last_part(const char *path)
{
	return strrchr(path, '/') + 1;
}

static char *no_such_path(const char *name)
{
	char *real = *name == '/' ? NULL : realpath(name, NULL);

	if (real)
		complain("--object '%s': give the absolute path, '%s', or only the last part, '%s'", name, real,
			 last_part(real));
	else
		complain("--object '%s': give an absolute path, as /etc/passwd, or the last part of one, as passwd",
			 name);
	free(real);
	return NULL;
}

/* What /proc/self leads to is another file for each process, and we are not the one to be measured. */
static char *not_of_ours(const char *name, char *real)
{
	char *own = xasprintf("/proc/%d/", getpid());
	int is_own = !strncmp(real, own, strlen(own));

	free(own);
	if (!is_own)
		return real;
	complain("--object '%s': for each process that is another file, '/proc/PID/...', so no call would be on it: give "
		 "only the last part, '%s'", name, last_part(real));
	free(real);
	return NULL;
}

static int is_normal(const char *path)
{
	return *path == '/' && !strstr(path, "//") && (!path[1] || path[strlen(path) - 1] != '/');
}

/* The kernel compares with where the file is. Who opens it may be about to make it, too. */
static char *find(const char *name)
{
	char *real = realpath(name, NULL);

	if (!real)
		return is_normal(name) ? xstrdup(name) : no_such_path(name);
	real = not_of_ours(name, real);
	if (real && strcmp(real, name))
		complain("--object '%s' is '%s', and calls on that are measured", name, real);
	return real;
}

char *whom_object(const char *name)
{
	if (!*name || strchr(name, '\n'))
		return no_such_path(name);
	if (!strchr(name, '/'))
		return xstrdup(name);
	if (is_pattern(name))
		return is_normal(name) ? xstrdup(name) : no_such_path(name);
	return *name == '/' ? find(name) : no_such_path(name);
}

int whom_check_subject(const char *name)
{
	if (*name && !strchr(name, '\n') && (is_pattern(name) || strlen(name) <= COMM_MAX))
		return 0;
	return complain("--subject '%s': give a command name as ps shows it, of 1 to %d characters, as '%.*s'", name,
			COMM_MAX, COMM_MAX, *name ? name : "cat");
}
