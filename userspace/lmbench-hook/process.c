// SPDX-License-Identifier: GPL-2.0-only
/* Processes: fork, exec and kill. */

#include "process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "bench.h"
#include "external.h"
#include "syscalls.h"

static char *const exec_words[] = { "lmbench-hook", PROCESS_EXIT, NULL };
static char *const no_environment[] = { NULL };

/* The child exits with an errno. */
static int ended(pid_t child)
{
	int status;

	if (wait4(child, &status, 0, NULL) != child)
		return -1;
	errno = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
	return errno ? -1 : 0;
}

static int call_fork(struct place *place)
{
	long child = lh_fork();

	(void)place;
	if (child == 0)
		lh_exit(0);
	return child < 0 ? -1 : ended(child);
}

static int call_exec(struct place *place)
{
	long child = lh_fork();

	if (child == 0) {
		execve(place->near, exec_words, no_environment);
		lh_exit(errno);
	}
	return child < 0 ? -1 : ended(child);
}

static int call_kill(struct place *place)
{
	return kill(place->self, 0);
}

static int make_fork(struct place *place, const struct bench *bench)
{
	return bench_try(bench, place);
}

static int make_exec(struct place *place, const struct bench *bench)
{
	return external_self(place->near, sizeof(place->near)) ? 1 : bench_try(bench, place);
}

static int make_kill(struct place *place, const struct bench *bench)
{
	place->self = getpid();
	return bench_try(bench, place);
}

bool process_exits(char **argv)
{
	return argv[1] && !strcmp(argv[1], PROCESS_EXIT);
}

const struct bench process_benches[] = {
	{ .name = "task/fork", .calls = "[fork exit_group wait4]",
	  .what = "make a process that ends at once, and wait for it",
	  .setup = make_fork, .call = call_fork },
	{ .name = "task/exec", .calls = "[fork execve exit_group wait4]",
	  .what = "the same, but the process executes this program, which ends at once",
	  .setup = make_exec, .call = call_exec },
	{ .name = "task/kill", .calls = "[kill]", .what = "send signal 0 to the process itself",
	  .setup = make_kill, .call = call_kill },
	{ 0 }
};
