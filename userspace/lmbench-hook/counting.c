// SPDX-License-Identifier: GPL-2.0-only
/* Makes the kernel's monitor count the work of this program and nothing else. */

#include "counting.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "feature.h"
#include "file.h"
#include "monitor.h"
#include "new_file.h"

#define SETTLE_NS 50000000
/* Together, half of a tick at 250 Hz on a processor that executes one instruction in a nanosecond. */
#define STEPS 31
#define STEP_TURNS 30000

static int open_node(const char *dir, const char *name, int how)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, how | O_CLOEXEC);
	if (fd < 0)
		fprintf(stderr, "lmbench-hook: cannot open '%s' of the monitor: %s\n", path,
			strerror(errno));
	return fd;
}

/* Whatever somebody else has set. */
static int count_by_syscall(struct counting *counting, const char *dir)
{
	if (features_set(dir, "syscall", NULL) || monitor_write(dir, "filter", "s lmbench-hook") ||
	    monitor_write(dir, "filter", "o") || monitor_write(dir, "filter", "p"))
		return -1;
	counting->syscalls = open_node(dir, "syscalls", O_RDONLY);
	return counting->syscalls < 0 ? -1 : 0;
}

int counting_open(struct counting *counting, const char *dir, bool by_syscall)
{
	*counting = (struct counting){ .control = -1, .reset = -1, .syscalls = -1 };
	if (!dir)
		return 0;
	if (keep_begin(&counting->keep, dir))
		return -1;
	counting->control = open_node(dir, "control", O_WRONLY);
	counting->reset = open_node(dir, "reset", O_WRONLY);
	if (counting->control >= 0 && counting->reset >= 0 && !(by_syscall && count_by_syscall(counting, dir)))
		return 0;
	counting_close(counting, NULL);
	return -1;
}

static int save(int syscalls, const char *path)
{
	char *text = file_text(syscalls, "syscalls");
	struct new_file file;
	int err = !text || new_file_begin(&file, path) ? -1 : 0;

	if (!err) {
		fputs(text, file.stream);
		err = new_file_finish(&file, false);
	}
	free(text);
	return err;
}

/* Saves before anything is restored: a feature that changes back resets the counters. */
int counting_close(struct counting *counting, const char *syscalls)
{
	int err;

	if (!counting->keep.dir)
		return 0;
	err = syscalls ? save(counting->syscalls, syscalls) : 0;
	if (counting->control >= 0)
		close(counting->control);
	if (counting->reset >= 0)
		close(counting->reset);
	if (counting->syscalls >= 0)
		close(counting->syscalls);
	return keep_end(&counting->keep) ? -1 : err;
}

static int tell(int fd, const char *word)
{
	return write(fd, word, 1) == 1 ? 0 : -1;
}

/*
 * A process that ended just before, such as the shell's last child, is freed a grace period later,
 * which calls hooks: wait for that.
 */
static void settle(void)
{
	static const struct timespec time = { .tv_nsec = SETTLE_NS };

	nanosleep(&time, NULL);
}

/*
 * A reset waits for a grace period, which ends with the kernel's tick. Without this, each repetition would begin at the
 * same distance from the next tick, and have the same call interrupted again.
 */
static void step_away_from_tick(void)
{
	for (unsigned long turns = getpid() % STEPS * STEP_TURNS; turns; turns--)
		__asm__ volatile("");
}

/* Continues counting if it has counted before. */
int counting_start(struct counting *counting)
{
	if (counting->control < 0 || counting->on)
		return 0;
	settle();
	if (tell(counting->control, "1") || (!counting->begun && tell(counting->reset, "1")))
		return -1;
	step_away_from_tick();
	counting->on = true;
	counting->begun = true;
	return 0;
}

/* This write itself calls file_permission while the monitor is still on: one call more than the work's. */
int counting_stop(struct counting *counting)
{
	if (!counting->on)
		return 0;
	counting->on = false;
	return tell(counting->control, "0");
}
