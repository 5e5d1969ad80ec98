// SPDX-License-Identifier: GPL-2.0-only
/* Who a task is. */

#include "task_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

#include "alloc.h"
#include "seen.h"

/* Copy the command name in the line of a process. */
static bool find_saved(const char *saved, int pid, char *name)
{
	for (const char *line = saved; line && *line; line = strchr(line, '\n'), line += !!line) {
		char *end;

		if (strtol(line, &end, 10) != pid || *end != ' ')
			continue;
		snprintf(name, SEEN_COMM, "%.*s", (int)strcspn(end + 1, "\n"), end + 1);
		return true;
	}
	return false;
}

static bool read_now(int pid, char *name)
{
	char *path = xasprintf("/proc/%d/comm", pid);
	FILE *file = fopen(path, "re");
	bool found = file && fgets(name, SEEN_COMM, file);

	if (found)
		name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
	free(path);
	return found;
}

static const char *saved_names(struct task_names *names)
{
	if (!names->saved)
		names->saved = tracefs_instance_file_read(NULL, "saved_cmdlines", NULL);
	return names->saved;
}

/* What was saved may be older than the call, of a task that has ended since. */
static bool find_again(struct task_names *names, int pid, char *name)
{
	task_names_forget(names);
	return find_saved(saved_names(names), pid, name);
}

/*
 * The kernel saves it when the task leaves its CPU next, so that is older than what /proc has, and is there even if the task
 * has ended; but a task that is still on its CPU is only in /proc.
 */
void task_names_find(struct task_names *names, int pid, char *name)
{
	if (!pid)
		strcpy(name, "<idle>");
	else if (!find_saved(saved_names(names), pid, name) && !read_now(pid, name) && !find_again(names, pid, name))
		strcpy(name, "<...>");
}

void task_names_forget(struct task_names *names)
{
	free(names->saved);
	names->saved = NULL;
}
