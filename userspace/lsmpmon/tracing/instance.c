// SPDX-License-Identifier: GPL-2.0-only
/* An instance of tracefs for the time of one run. */

#include "instance.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"
#include "privilege.h"
#include "traced.h"

#define TRACING "/sys/kernel/tracing"
#define INSTANCE "lsmpmon-slower-"

static int no_event(const char *dir)
{
	char *path = xasprintf("%s/events", dir);
	const int error = access(path, X_OK) ? errno : 0;

	free(path);
	if (error == EACCES || error == EPERM)
		return complain("not allowed to read '%s': %s", dir, privilege_missing());
	if (error)
		return complain("'%s/events': %s; give the directory of tracefs", dir, strerror(error));
	return complain("'%s/events' has no " TRACED_SYSTEM "/" TRACED_EVENT ": this kernel has no lsmpmon; lsmpmon status says "
			"more", dir);
}

int instance_find_event(const char *dir)
{
	/* Otherwise the library would mount it. */
	if (!dir && tracefs_tracing_dir_is_mounted(false, &dir) != 1)
		return complain("tracefs is not mounted: mount -t tracefs tracefs " TRACING);
	if (tracefs_set_tracing_dir((char *)dir))
		out_of_memory();
	if (!tracefs_event_file_exists(NULL, TRACED_SYSTEM, TRACED_EVENT, "filter"))
		return no_event(dir);
	return 0;
}

static bool is_gone(const char *name)
{
	const pid_t pid = atoi(name + strlen(INSTANCE));

	return pid > 0 && kill(pid, 0) && errno == ESRCH;
}

/* What one of us has left that was killed. One that is open is in use, and the kernel keeps it. */
static void sweep(void)
{
	char **names = tracefs_instances("^" INSTANCE "[0-9]*$");

	for (size_t i = 0; names && names[i]; i++) {
		struct tracefs_instance *instance = is_gone(names[i]) ? tracefs_instance_alloc(NULL, names[i]) : NULL;

		if (instance)
			tracefs_instance_destroy(instance);
		tracefs_instance_free(instance);
	}
	tracefs_list_free(names);
}

struct tracefs_instance *instance_make(void)
{
	char *name = xasprintf(INSTANCE "%d", getpid());
	struct tracefs_instance *instance;

	sweep();
	instance = tracefs_instance_create(name);
	if (!instance)
		complain("cannot make '%s/instances/%s': %s", tracefs_tracing_dir(), name, strerror(errno));
	free(name);
	return instance;
}

static int cannot_write(struct tracefs_instance *instance, const char *file, const char *text)
{
	const int error = errno;
	char *path = tracefs_instance_get_file(instance, file);

	complain("cannot write '%s' to '%s': %s", text, path ?: file, strerror(error));
	tracefs_put_tracing_file(path);
	return -1;
}

int instance_put(struct tracefs_instance *instance, const char *file, const char *text)
{
	return tracefs_instance_file_write(instance, file, text) < 0 ? cannot_write(instance, file, text) : 0;
}

int instance_put_event(struct tracefs_instance *instance, const char *event, const char *file, const char *text)
{
	char *path;

	if (tracefs_event_file_write(instance, TRACED_SYSTEM, event, file, text) >= 0)
		return 0;
	path = xasprintf("events/" TRACED_SYSTEM "/%s/%s", event, file);
	cannot_write(instance, path, text);
	free(path);
	return -1;
}

/* The number in a line `NAME: NUMBER`. */
static uint64_t number_in(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? strtoull(line + strlen(name), NULL, 10) : 0;
}

/* The kernel says why there was no room for an event: nobody read it in time, or writers were in each other's way. */
uint64_t instance_lost(struct tracefs_instance *instance)
{
	uint64_t lost = 0;

	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		char *file = xasprintf("per_cpu/cpu%d/stats", cpu);
		char *text = tracefs_instance_file_read(instance, file, NULL);

		if (text)
			lost += number_in(text, "\noverrun: ") + number_in(text, "\ncommit overrun: ") +
				number_in(text, "\ndropped events: ");
		free(text);
		free(file);
	}
	return lost;
}

int instance_remove(struct tracefs_instance *instance)
{
	char *path = tracefs_instance_get_dir(instance);
	int error = tracefs_instance_destroy(instance);

	if (error)
		complain("cannot remove '%s': %s", path, strerror(errno));
	tracefs_put_tracing_file(path);
	tracefs_instance_free(instance);
	return error;
}
