/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access to the files of the LSM performance monitor, shared by its tests
 */

#ifndef LSMMON_H
#define LSMMON_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The harness of Linux 6.1 to 6.8, which has no XFAIL_ADD(), goes on to a test
 * that its fixture has skipped.  A child that ends with 255 has skipped.
 */
#ifndef XFAIL_ADD
#undef SKIP
#define SKIP(statement, fmt, ...) do {					\
	snprintf(_metadata->results->reason,				\
		 sizeof(_metadata->results->reason), fmt, ##__VA_ARGS__); \
	_metadata->passed = 1;						\
	_metadata->skip = 1;						\
	_metadata->trigger = 0;						\
	if (!_metadata->setup_completed)				\
		_exit(255);						\
	statement;							\
} while (0)
#endif

#define LSMMON		"/sys/kernel/security/lsmmon/"
#define MAX_HOOKS	512
#define NAME_LENGTH	64

/* A policy of IMA stays until the next boot. */
#define IMA_POLICY		"/sys/kernel/security/ima/policy"
#define MEASURE_CODE_ON_EXT4	"measure func=MMAP_CHECK mask=MAY_EXEC fsmagic=0xef53\n"

/* One line of result; all zero for a hook that was never called. */
struct hook {
	char name[NAME_LENGTH];
	unsigned long long min, max, ave, count, cs_count;
};

struct result {
	int hooks;
	struct hook hook[MAX_HOOKS];
};

/* Write a file with a single write(); 0 or the negative errno. */
static inline int write_once(const char *path, int flags, const void *text,
			     size_t length)
{
	ssize_t written;
	int fd, err = 0;

	fd = open(path, O_WRONLY | flags);
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

/* Read as much of a file as fits; returns 0 or the negative errno. */
static inline int read_text(const char *path, char *text, size_t size)
{
	ssize_t length = 0, more;
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		return -errno;
	while ((more = read(fd, text + length, size - 1 - length)) > 0)
		length += more;
	close(fd);
	text[length] = '\0';
	return 0;
}

/* Write to a file like the redirection of a shell; 0 or the negative errno. */
static inline int write_file(const char *path, const char *text)
{
	return write_once(path, O_TRUNC, text, strlen(text));
}

/* Write to a file of lsmmon/; 0 or the negative errno. */
static inline int lsmmon_write(const char *file, const void *text, size_t length)
{
	char path[128];

	snprintf(path, sizeof(path), LSMMON "%s", file);
	return write_once(path, 0, text, length);
}

static inline int lsmmon_control(int on)
{
	return lsmmon_write("control", on ? "1" : "0", 1);
}

static inline int lsmmon_reset(void)
{
	return lsmmon_write("reset", "1", 1);
}

/* Switch a feature, which resets; 0 or the negative errno. */
static inline int lsmmon_feature(const char *name, int on)
{
	char text[NAME_LENGTH];

	snprintf(text, sizeof(text), "%s %d\n", name, on);
	return lsmmon_write("features", text, strlen(text));
}

/* The state in control; -1 if it cannot be read. */
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

/* Copies the value of a key in info to @text; -1 if there is none. */
static inline int lsmmon_info_text(const char *key, char *text, size_t size)
{
	const size_t key_length = strlen(key);
	FILE *file = fopen(LSMMON "info", "r");
	char line[4096], *value = line + key_length + 2;
	int status = -1;

	if (!file)
		return -1;
	while (status && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, key, key_length) ||
		    strncmp(line + key_length, ": ", 2) || strlen(value) >= size)
			continue;
		strcpy(text, value);
		status = 0;
	}
	fclose(file);
	return status;
}

/* A number in info; -1 if there is none. */
static inline long long lsmmon_info(const char *key)
{
	char text[32];
	long long value;

	if (lsmmon_info_text(key, text, sizeof(text)) ||
	    sscanf(text, "%lld", &value) != 1)
		return -1;
	return value;
}

/* Read result; -1 if a line is malformed. */
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
