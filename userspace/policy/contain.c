// SPDX-License-Identifier: GPL-2.0-only
/*
 * contain [--seccomp] [--userns=USER] PROGRAM [ARG...]: executes a program as the first one of a
 * container is executed. --seccomp: with a filter that refuses what administrators do to a machine;
 * --userns: in a user namespace whose root is USER outside, a number, with namespaces for mounts,
 * IPC, the host's name and cgroups. Must be root.
 */

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "contain: the filter is for x86-64 and arm64"
#endif

/* How many users the namespace has. */
#define USERS 65536
#define NAMESPACES (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

/* Calls that need a privilege over the whole machine, or that tell of it. */
static const unsigned int refused[] = {
	SYS_acct, SYS_add_key, SYS_bpf, SYS_clock_adjtime, SYS_clock_settime, SYS_delete_module,
	SYS_finit_module, SYS_fsconfig, SYS_fsmount, SYS_fsopen, SYS_fspick, SYS_init_module,
	SYS_io_uring_enter, SYS_io_uring_register, SYS_io_uring_setup, SYS_kexec_file_load,
	SYS_kexec_load, SYS_keyctl, SYS_mount, SYS_move_mount, SYS_open_by_handle_at, SYS_open_tree,
	SYS_perf_event_open, SYS_pivot_root, SYS_quotactl, SYS_reboot, SYS_request_key, SYS_setns,
	SYS_settimeofday, SYS_swapoff, SYS_swapon, SYS_umount2, SYS_unshare, SYS_userfaultfd,
};

#define REFUSED (sizeof(refused) / sizeof(refused[0]))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)
#define NO(error) ANSWER(SECCOMP_RET_ERRNO | (error))
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)

static int complain(const char *what)
{
	fprintf(stderr, "contain: %s: %s\n", what, strerror(errno));
	return -1;
}

/*
 * A call is refused by its number, and clone() by its flags where they ask for a namespace.
 * clone3(), whose flags are in memory, is said to be missing.
 */
static const struct sock_filter first[] = {
	LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0), NO(ENOSYS),
	LOAD(nr), UNLESS(SYS_clone3, 1), NO(ENOSYS),
	UNLESS(SYS_clone, 4), LOAD(args[0]),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES | CLONE_NEWPID | CLONE_NEWNET, 0, 1),
	NO(EPERM), ANSWER(SECCOMP_RET_ALLOW),
};

#define FIRST (sizeof(first) / sizeof(first[0]))

static int filter(void)
{
	struct sock_filter code[FIRST + 2 * REFUSED + 1], *next = code + FIRST;
	struct sock_fprog program = { .filter = code, .len = sizeof(code) / sizeof(code[0]) };

	memcpy(code, first, sizeof(first));
	for (size_t i = 0; i < REFUSED; i++) {
		*next++ = (struct sock_filter)UNLESS(refused[i], 1);
		*next++ = (struct sock_filter)NO(EPERM);
	}
	*next = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? complain("seccomp") : 0;
}

static int put(pid_t task, const char *name, unsigned int user)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/%s", task, name);
	file = fopen(path, "we");
	if (!file || fprintf(file, "0 %u %u\n", user, USERS) < 0)
		return complain(path);
	return fclose(file) ? complain(path) : 0;
}

/* Only who is outside may map other users than itself: a child, which waits for the namespace. */
static void map(pid_t task, unsigned int user, int ready)
{
	char byte;

	if (read(ready, &byte, 1) != 1)
		_exit(EXIT_FAILURE);
	_exit(put(task, "uid_map", user) || put(task, "gid_map", user) ? EXIT_FAILURE : EXIT_SUCCESS);
}

static int become_root(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || status)
		return complain("the map of users");
	return setresgid(0, 0, 0) || setresuid(0, 0, 0) ? complain("root of the namespace") : 0;
}

static int namespaces(unsigned int user)
{
	int ready[2];
	pid_t child, task = getpid();

	if (pipe(ready))
		return complain("pipe");
	child = fork();
	if (child < 0)
		return complain("fork");
	if (!child) {
		close(ready[1]);
		map(task, user, ready[0]);
	}
	if (unshare(NAMESPACES) || write(ready[1], "", 1) != 1)
		return complain("unshare");
	close(ready[0]);
	close(ready[1]);
	return become_root(child);
}

/* What an option asks for: 0, or -1 with a complaint; 1: it is not an option. */
static int contained(const char *option)
{
	unsigned int user;
	char rest;

	if (!strcmp(option, "--seccomp"))
		return filter();
	if (sscanf(option, "--userns=%u%c", &user, &rest) == 1)
		return namespaces(user);
	return 1;
}

int main(int argc, char **argv)
{
	int err = 0;

	while (argc > 1 && !(err = contained(argv[1]))) {
		argc--;
		argv++;
	}
	if (err < 0)
		return EXIT_FAILURE;
	if (argc < 2 || argv[1][0] == '-') {
		fprintf(stderr, "usage: contain [--seccomp] [--userns=USER] PROGRAM [ARG...]\n");
		return 2;
	}
	execvp(argv[1], argv + 1);
	complain(argv[1]);
	return 127;
}
