/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the tests of the Tunable Security Module: access to its files
 *
 * The module counts waits itself, so the tests check numbers, not times.
 */

#ifndef TUNABLE_H
#define TUNABLE_H

#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#include "../lsmpmon/process.h"

#define TUNABLE		"/sys/kernel/security/tunable/"
#define LABEL		"security.test"
#define CALLS		7

struct stats {
	unsigned long long calls, waits, waited_ns, sleeps, lock_waits, allocations;
};

static inline int tunable_write(const char *file, const void *text, size_t length)
{
	char path[128];

	snprintf(path, sizeof(path), TUNABLE "%s", file);
	return write_once(path, 0, text, length);
}

static inline int tunable_set(const char *file, const char *text)
{
	return tunable_write(file, text, strlen(text));
}

/* Set the number of a hook in one of the files that have a line for each. */
static inline int set_in(const char *file, const char *hook, unsigned long long number)
{
	char line[128];

	snprintf(line, sizeof(line), "%s %llu\n", hook, number);
	return tunable_set(file, line);
}

static inline int set_hook(const char *hook, unsigned long long ns)
{
	return set_in("hooks", hook, ns);
}

static inline int tunable_read(const char *file, char *text, size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), TUNABLE "%s", file);
	return read_text(path, text, size);
}

/* The line of a hook in a file of tunable/; NULL if there is none. */
static inline const char *hook_line(const char *file, const char *hook, char *text,
				    size_t size)
{
	char name[NAME_LENGTH + 2];
	char *line;

	if (tunable_read(file, text, size))
		return NULL;
	snprintf(name, sizeof(name), "\n%s ", hook);
	if (!strncmp(text, name + 1, strlen(name + 1)))
		return text;
	line = strstr(text, name);
	return line ? line + 1 : NULL;
}

/* All ones if it cannot be read. */
static inline struct stats stats_of(const char *hook)
{
	struct stats stats = { -1, -1, -1, -1, -1, -1 };
	char text[1024];
	const char *line = hook_line("stats", hook, text, sizeof(text));

	if (line && sscanf(line, "%*s %llu %llu %llu %llu %llu %llu", &stats.calls,
			   &stats.waits, &stats.waited_ns, &stats.sleeps,
			   &stats.lock_waits, &stats.allocations) != 6)
		stats.calls = -1;
	return stats;
}

/* The name of the hook in this kernel. */
static inline const char *secid_hook(void)
{
	char text[1024];

	return hook_line("hooks", "inode_getsecid", text, sizeof(text)) ?
		"inode_getsecid" : "inode_getlsmprop";
}

static inline int set_label(const char *path, const char *label)
{
	return setxattr(path, LABEL, label, strlen(label), 0) ? -errno : 0;
}

/* "" if there is none. */
static inline const char *get_label(const char *path)
{
	static char value[64];
	ssize_t length = getxattr(path, LABEL, value, sizeof(value) - 1);

	value[length < 0 ? 0 : length] = '\0';
	return value;
}

static inline int make_file(const char *path, mode_t mode)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);

	if (fd < 0)
		return -errno;
	if (write(fd, "content", 7) != 7) {
		close(fd);
		return -EIO;
	}
	close(fd);
	return 0;
}

/* Read a file a known number of times. */
static inline int read_file(const char *path)
{
	int fd = open(path, O_RDONLY), i, err = 0;
	char byte;

	if (fd < 0)
		return -errno;
	for (i = 0; i < CALLS; i++)
		if (pread(fd, &byte, 1, 0) != 1)
			err = -EIO;
	close(fd);
	return err;
}

/* Number of calls that waited; -1 on failure. Reading it waits as well. */
static inline long long waits_for(const char *path)
{
	const struct stats before = stats_of("file_permission");
	const struct stats begin = stats_of("file_permission");

	if (read_file(path))
		return -1;
	return stats_of("file_permission").waits - begin.waits -
	       (begin.waits - before.waits);
}

static inline void nothing_waits(void)
{
	static const char *const hooks[] = {
		"bprm_creds_for_exec", "inode_alloc_security",
		"inode_init_security", "inode_setxattr", "inode_getsecid",
		"inode_getlsmprop", "inode_create", "inode_permission",
		"file_permission",
	};
	size_t i;

	tunable_set("delay_ns", "0");
	for (i = 0; i < sizeof(hooks) / sizeof(*hooks); i++)
		set_hook(hooks[i], 0);
	/* Those that may not sleep refuse it. */
	for (i = 0; i < sizeof(hooks) / sizeof(*hooks); i++) {
		set_in("sleep_ns", hooks[i], 0);
		set_in("lock_ns", hooks[i], 0);
		set_in("alloc_bytes", hooks[i], 0);
	}
	tunable_set("scope", "\n");
}

/* Arguments for running a copy of this program, with the label of the copy. */
#define MAKE_FILE	"--make-file"
#define READ_FILE	"--read-file"

static inline int run_program(const char *program, const char *what,
			      const char *path)
{
	pid_t child = fork();

	if (!child) {
		execl(program, program, what, path, NULL);
		_exit(9);
	}
	return exit_status(child);
}

/* Runs before main() of the harness. */
static __attribute__((constructor)) void be_another_program(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], MAKE_FILE))
		_exit(make_file(argv[2], 0644) ? 1 : 0);
	if (argc == 3 && !strcmp(argv[1], READ_FILE))
		_exit(read_file(argv[2]) ? 1 : 0);
}

#endif /* TUNABLE_H */
