// SPDX-License-Identifier: GPL-2.0-only
/* A command whose process waits until it is released, so that the monitor can be set up for it first. */

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "complain.h"

static volatile sig_atomic_t running;
static volatile sig_atomic_t interrupted;
static int missing;

/* Ctrl-C on a terminal reaches the child as well. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	(void)context;
	interrupted = number;
	if (running && info->si_code != SI_KERNEL)
		kill(running, number);
}

/* Nobody reads our output any more; the child may have another. */
static void note(int number)
{
	interrupted = number;
}

/* Keep a signal ignored that nohup made ignored. */
static void take_signal(int number, const struct sigaction *action)
{
	struct sigaction before;

	sigaction(number, NULL, &before);
	if (before.sa_handler != SIG_IGN)
		sigaction(number, action, NULL);
}

void child_take_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction passing = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigaction noting = { .sa_handler = note, .sa_flags = SA_RESTART };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		take_signal(signals[i], &passing);
	take_signal(SIGPIPE, &noting);
}

bool child_was_interrupted(void)
{
	return interrupted;
}

static void be_child(int gate, int failure, char **words)
{
	char go;

	/* End of file: the parent changed its mind. */
	if (read(gate, &go, 1) != 1)
		_exit(0);
	execvp(words[0], words);
	if (write(failure, &errno, sizeof(errno)) < 0)
		_exit(126);
	_exit(127);
}

int child_make(struct child *child, char **words)
{
	int gate[2], failure[2];

	if (pipe2(gate, O_CLOEXEC))
		return complain("cannot make a pipe: %s", strerror(errno));
	if (pipe2(failure, O_CLOEXEC)) {
		close(gate[0]);
		close(gate[1]);
		return complain("cannot make a pipe: %s", strerror(errno));
	}
	child->pid = fork();
	if (!child->pid) {
		close(gate[1]);
		be_child(gate[0], failure[1], words);
	}
	close(gate[0]);
	close(failure[1]);
	child->gate = gate[1];
	child->failure = failure[0];
	if (child->pid > 0)
		return 0;
	complain("cannot make a process: %s", strerror(errno));
	close(child->gate);
	close(child->failure);
	return -1;
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return complain("cannot wait for the command: %s", strerror(errno));
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int child_run(struct child *child, const char *name)
{
	int error = 0, status;

	running = child->pid;
	if (write(child->gate, "", 1) < 0)
		complain("cannot start the command: %s", strerror(errno));
	close(child->gate);
	/* A successful exec closes the pipe; otherwise the child writes errno to it. */
	if (read(child->failure, &error, sizeof(error)) == sizeof(error)) {
		missing = error == ENOENT ? 127 : 126;
		complain("cannot run '%s': %s", name, strerror(error));
	} else {
		error = 0;
	}
	close(child->failure);
	status = wait_for(child->pid);
	running = 0;
	return error ? -1 : status;
}

int child_missing(void)
{
	return missing;
}

void child_drop(struct child *child)
{
	close(child->gate);
	close(child->failure);
	wait_for(child->pid);
}
