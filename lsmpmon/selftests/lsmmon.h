/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of the LSM performance monitor share: its files
 */

#ifndef LSMMON_H
#define LSMMON_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LSMMON		"/sys/kernel/security/lsmmon/"
#define MAX_HOOKS	512
#define NAME_LENGTH	64

/* One line of result; all zero for a hook that was never called. */
struct hook {
	char name[NAME_LENGTH];
	unsigned long long min, max, ave, count, cs_count;
};

struct result {
	int hooks;
	struct hook hook[MAX_HOOKS];
};

/* Write to a file of lsmmon/; 0 or the negative errno. */
static inline int lsmmon_write(const char *file, const void *text, size_t length)
{
	char path[128];
	ssize_t written;
	int fd, err = 0;

	snprintf(path, sizeof(path), LSMMON "%s", file);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -errno;
	written = write(fd, text, length);
	if (written < 0)
		err = -errno;
	else if ((size_t)written != length)
		err = -EIO;
	close(fd);
	return err;
}

static inline int lsmmon_control(int on)
{
	return lsmmon_write("control", on ? "1" : "0", 1);
}

static inline int lsmmon_reset(void)
{
	return lsmmon_write("reset", "1", 1);
}

/* What control says; -1 if it cannot be read. */
static inline int lsmmon_is_on(void)
{
	FILE *file = fopen(LSMMON "control", "r");
	int on = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%d", &on) != 1)
		on = -1;
	fclose(file);
	return on;
}

/* A number of info; -1 if it is not there. */
static inline long long lsmmon_info(const char *key)
{
	char line[4096], name[NAME_LENGTH];
	long long value, found = -1;
	FILE *file = fopen(LSMMON "info", "r");

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%63[^:]: %lld", name, &value) == 2 &&
		    !strcmp(name, key))
			found = value;
	fclose(file);
	return found;
}

/* Read result; -1 if a line is not as it should be. */
static inline int lsmmon_result(struct result *result)
{
	FILE *file = fopen(LSMMON "result", "r");
	char line[256];
	int ok = 0;

	if (!file)
		return -1;
	result->hooks = 0;
	if (!fgets(line, sizeof(line), file) || strncmp(line, "hook ", 5))
		goto out;
	while (fgets(line, sizeof(line), file)) {
		struct hook *h = &result->hook[result->hooks];
		int fields;

		if (result->hooks == MAX_HOOKS)
			goto out;
		memset(h, 0, sizeof(*h));
		fields = sscanf(line, "%63s %llu %llu %llu %llu %llu", h->name,
				&h->min, &h->max, &h->ave, &h->count,
				&h->cs_count);
		if (fields != 1 && fields != 6)
			goto out;
		result->hooks++;
	}
	ok = 1;
out:
	fclose(file);
	return ok ? 0 : -1;
}

static inline const struct hook *lsmmon_hook(const struct result *result,
					     const char *name)
{
	int i;

	for (i = 0; i < result->hooks; i++)
		if (!strcmp(result->hook[i].name, name))
			return &result->hook[i];
	return NULL;
}

static inline unsigned long long calls(const struct hook *h)
{
	return h->count + h->cs_count;
}

#endif /* LSMMON_H */
