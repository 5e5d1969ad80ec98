// SPDX-License-Identifier: GPL-2.0-only
/* One measurement: set the filter, switch on, wait, switch off, and check that nobody interfered. */

#include "measuring.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "alloc.h"
#include "child.h"
#include "complain.h"
#include "monitor.h"
#include "seconds.h"

/* The longest single wait, in seconds. */
#define POLL_MAX 1000000.0

/**
 * struct window - when the monitor was on
 * @opens: just before it was switched on
 * @open: just after
 * @closes: just before it was switched off
 * @closed: just after
 * @switches: filter and features as we set them
 * @programs: BPF programs on hooks, if they are to be timed
 */
struct window {
	double opens;
	double open;
	double closes;
	double closed;
	char *switches;
	struct bpf_programs programs;
};

/* Write "s NAME", or "s" to clear it. */
static int write_filter(const char *dir, char letter, const char *name)
{
	char *line = xasprintf("%c%s%s", letter, name ? " " : "", name ?: "");
	int error = monitor_write(dir, "filter", line);

	free(line);
	return error;
}

/* The process gets a mark, which its children inherit. */
int measure_process(const char *dir, pid_t pid)
{
	char *line = xasprintf("p %d", pid);
	int error = monitor_try(dir, "filter", line);

	free(line);
	if (error == EINVAL)
		return complain("this kernel cannot filter by process (p PID): measure everything with -a, "
		"or one command name with -a -s NAME");
	if (error == ESRCH)
		return complain("there is no process %d", pid);
	return error ? complain("cannot filter by process: %s", strerror(error)) : 0;
}

/* From its next program on. Older kernels can do so only from now on, with how the process comes to that. */
static int measure_program(const char *dir, pid_t pid)
{
	static bool is_told;
	char *line = xasprintf("p %d exec", pid);
	int error = monitor_try(dir, "filter", line);

	free(line);
	if (!error)
		return 0;
	if (!is_told && error == EINVAL) {
		complain("this kernel counts how the command is found and executed as well (it has no p PID exec)");
		is_told = true;
	}
	return measure_process(dir, pid);
}

static int measure_tree(const char *dir, const struct measuring *measuring, pid_t pid)
{
	if (measuring->is_all)
		return 0;
	return measuring->words ? measure_program(dir, pid) : measure_process(dir, pid);
}

static char *read_switches(const char *dir)
{
	char *filter = monitor_read(dir, "filter"), *features = monitor_read(dir, "features");
	char *both = filter && features ? xasprintf("%s%s", filter, features) : NULL;

	free(filter);
	free(features);
	return both;
}

static int open_window(struct window *window, const struct keep *keep,
		       const struct measuring *measuring, pid_t pid)
{
	const char *dir = keep->dir;

	if (monitor_write(dir, "control", "0") || write_filter(dir, 's', measuring->subject) ||
	    write_filter(dir, 'o', measuring->object) ||
	    measure_tree(dir, measuring, pid) || monitor_write(dir, "reset", "1"))
		return -1;
	*window = (struct window){
		.switches = read_switches(dir), .opens = seconds_now(), .programs.stats = -1
	};
	if (!window->switches || monitor_write(dir, "control", "1"))
		return -1;
	window->open = seconds_now();
	return measuring->has_programs ? bpf_programs_begin(&window->programs) : 0;
}

static void window_free(struct window *window)
{
	free(window->switches);
	bpf_programs_free(&window->programs);
}

static int close_window(struct window *window, const char *dir)
{
	window->closes = seconds_now();
	if (monitor_write(dir, "control", "0"))
		return -1;
	window->closed = seconds_now();
	return 0;
}

/* Somebody interfered if the kernel was on for another time than ours, or if its files are not as we set them. */
static void check_window(const struct window *window, const char *dir, struct run *run)
{
	double enabled = run_info_number(run, "enabled_ns") / 1e9;
	char *switches = read_switches(dir);

	if (enabled < window->closes - window->open || enabled > window->closed - window->opens)
		run->disturbed = xasprintf("the monitor was on for %.6f s instead of %.6f s: somebody "
		"switched or reset it in the meantime.", enabled,
					   window->closes - window->open);
	else if (switches && strcmp(switches, window->switches))
		run->disturbed = xstrdup("somebody changed the monitor's filter or features in the meantime.");
	if (run->disturbed)
		complain("this is not exact: %s", run->disturbed);
	free(switches);
}

/* Programs are timed only while the monitor is on, so that it has all of their calls. */
static int finish(struct window *window, const char *dir, struct record *record, int status)
{
	bool has_programs = window->programs.stats >= 0;
	struct run *run;
	int error = has_programs ? bpf_programs_end(&window->programs) : 0;

	error |= close_window(window, dir);
	if (!error && status >= 0) {
		run = record_add_run(record);
		run->status = status;
		run->seconds = window->closes - window->open;
		error = monitor_read_all(dir, run);
		if (!error && has_programs)
			error = bpf_programs_add(&window->programs, run);
		if (!error)
			check_window(window, dir, run);
	}
	return error || status < 0 ? -1 : 0;
}

static int measure_command(const struct keep *keep, const struct measuring *measuring,
			   struct record *record)
{
	struct window window = { .programs.stats = -1 };
	struct child child;
	int error;

	if (child_make(&child, measuring->words))
		return -1;
	if (open_window(&window, keep, measuring, child.pid)) {
		child_drop(&child);
		error = -1;
	} else {
		error = finish(&window, keep->dir, record, child_run(&child, measuring->words[0]));
	}
	window_free(&window);
	return error;
}

/* Until the process ends, the time is up or a signal arrives. */
static void wait_for(int process, double seconds)
{
	struct pollfd wait = { .fd = process, .events = POLLIN };
	double until = seconds_now() + (seconds ?: POLL_MAX), left;

	while ((left = until - seconds_now()) > 0 && !child_was_interrupted()) {
		int milliseconds = left < POLL_MAX ? left * 1000 + 1 : POLL_MAX;

		if (poll(&wait, 1, milliseconds) > 0)
			return;
	}
}

static int measure_running(const struct keep *keep, const struct measuring *measuring,
			   struct record *record)
{
	int process = measuring->pid ? syscall(SYS_pidfd_open, measuring->pid, 0) : -1;
	struct window window = { .programs.stats = -1 };
	int error;

	if (measuring->pid && process < 0)
		return complain("cannot watch process %d: %s", measuring->pid, strerror(errno));
	error = open_window(&window, keep, measuring, measuring->pid);
	if (!error) {
		wait_for(process, measuring->seconds);
		error = finish(&window, keep->dir, record, 0);
	}
	window_free(&window);
	if (process >= 0)
		close(process);
	return error;
}

int measure(const struct keep *keep, const struct measuring *measuring, struct record *record)
{
	if (measuring->words)
		return measure_command(keep, measuring, record);
	return measure_running(keep, measuring, record);
}
