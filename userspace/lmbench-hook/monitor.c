// SPDX-License-Identifier: GPL-2.0-only
/* Makes the kernel's monitor count the work of this program and nothing else. */

#include "monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lock.h"

#define SETTLE_NS 50000000
/* Together, half of a tick at 250 Hz on a processor that executes one instruction in a nanosecond. */
#define STEPS 31
#define STEP_TURNS 30000

static int open_node(const char *dir, const char *name)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		fprintf(stderr, "lmbench-hook: cannot open '%s' of the monitor: %s\n", path,
			strerror(errno));
	return fd;
}

int monitor_open(struct monitor *monitor, const char *dir)
{
	*monitor = (struct monitor){ .lock = -1, .control = -1, .reset = -1 };
	if (!dir)
		return 0;
	monitor->lock = lock_monitor(dir);
	if (monitor->lock < 0)
		return -1;
	monitor->control = open_node(dir, "control");
	monitor->reset = open_node(dir, "reset");
	return monitor->control < 0 || monitor->reset < 0 ? -1 : 0;
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
int monitor_start(struct monitor *monitor)
{
	if (monitor->control < 0 || monitor->on)
		return 0;
	settle();
	if (tell(monitor->control, "1") || (!monitor->begun && tell(monitor->reset, "1")))
		return -1;
	step_away_from_tick();
	monitor->on = true;
	monitor->begun = true;
	return 0;
}

/* This write itself calls file_permission while the monitor is still on: one call more than the work's. */
int monitor_stop(struct monitor *monitor)
{
	if (!monitor->on)
		return 0;
	monitor->on = false;
	return tell(monitor->control, "0");
}
