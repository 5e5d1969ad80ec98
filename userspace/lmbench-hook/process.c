// SPDX-License-Identifier: GPL-2.0-only
/* Processes: fork, exec and kill. */

#include "process.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "external.h"
#include "syscalls.h"

/* The first page of the heap that has nothing on it before main(). */
static char *heap;

static char *const exec_words[] = { "lmbench-hook", PROCESS_EXIT, NULL };
static char *const no_environment[] = { NULL };

/*
 * To be called before anything is on the heap. What libc has below the first piece of malloc() is
 * for children as well.
 */
void process_begin(void)
{
	uintptr_t page = sysconf(_SC_PAGESIZE);
	void *first = malloc(1);

	heap = (char *)(((uintptr_t)first + page - 1) / page * page);
	free(first);
}

/*
 * The results of other sub-benchmarks are on the heap, fewer where some were left out. Children do
 * not need them; with them, a fork would take the longer the more there are.
 */
static int heap_for_children(int advice)
{
	char *end = sbrk(0);

	return end > heap ? madvise(heap, end - heap, advice) : 0;
}

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
	return heap_for_children(MADV_DONTFORK) ? 1 : bench_try(bench, place);
}

static int make_exec(struct place *place, const struct bench *bench)
{
	return external_self(place->near, sizeof(place->near)) ? 1 : make_fork(place, bench);
}

static void clear_fork(struct place *place)
{
	(void)place;
	heap_for_children(MADV_DOFORK);
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
	  .setup = make_fork, .call = call_fork, .clear = clear_fork },
	{ .name = "task/exec", .calls = "[fork execve exit_group wait4]",
	  .what = "the same, but the process executes this program, which ends at once",
	  .setup = make_exec, .call = call_exec, .clear = clear_fork },
	{ .name = "task/kill", .calls = "[kill]", .what = "send signal 0 to the process itself",
	  .setup = make_kill, .call = call_kill },
	{ 0 }
};
