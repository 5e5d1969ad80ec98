// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: hooks are accounted to the system call they ran in
 *
 * Programs that make each system call a known number of times. The table must
 * be the same whether the system call comes from the audit context or from
 * registers: its output is compared between boots with and without audit=1.
 */

#define _GNU_SOURCE
#include <linux/capability.h>
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"
#include "audit.h"
#include "older.h"
#include "operations.h"

/* Rounds; mounting and starting programs is slow. */
#define N	101

#define PLACE	"/tmp/lsmpmon-syscalls"

/* Exits if the call fails. */
#define must(call)							\
({									\
	long __value = (call);						\
									\
	if (__value < 0) {						\
		perror(#call);						\
		abort();						\
	}								\
	__value;							\
})

/* By number: the C library would make newer calls. */
#define by_number(name, ...)	must(syscall(SYS_##name, ##__VA_ARGS__))
#define by_path(older, newer, ...)	must(call_by_path(older, newer, ##__VA_ARGS__))

static const struct in_operation file_calls[] = {
	{ STAT_NAME, "inode_getattr", 1 },
	{ OLDER_NAME(open, openat2), "file_open", 2 },
	{ OLDER_NAME(creat, openat), "inode_create", 1 },
	{ OLDER_NAME(creat, openat2), "file_open", IF_OLDER(1, 2) },
	{ "pwrite64", "file_permission", 1 },
	{ "pread64", "file_permission", 2 },
	{ "ftruncate", "inode_setattr", 1 },
	{ "fcntl", "file_fcntl", 1 },
	{ "flock", "file_lock", 1 },
	{ "ioctl", "file_ioctl", 1 },
	{ OLDER_NAME(chmod, fchmodat), "inode_setattr", 1 },
	{ OLDER_NAME(chown, fchownat), "inode_setattr", 1 },
	{ "setxattr", "inode_setxattr", 1 },
	{ "getxattr", "inode_getxattr", 1 },
	{ OLDER_NAME(link, linkat), "inode_link", 1 },
	{ OLDER_NAME(symlink, symlinkat), "inode_symlink", 1 },
	{ OLDER_NAME(readlink, readlinkat), "inode_readlink", 1 },
	{ OLDER_NAME(mknod, mknodat), "inode_mknod", 1 },
	{ OLDER_NAME(rename, renameat), "inode_rename", 1 },
	{ OLDER_NAME(unlink, unlinkat), "inode_unlink", 4 },
	{ OLDER_NAME(mkdir, mkdirat), "inode_mkdir", 1 },
	{ OLDER_NAME(rmdir, unlinkat), "inode_rmdir", 1 },
	{ "statfs", "sb_statfs", 1 },
	{}
};

/* Not by openat(), which also opens the file that switches the monitor off. */
static int open_null(void)
{
	struct open_how how = { .flags = O_RDONLY };

	return IF_OLDER(by_number(open, "/dev/null", (int)how.flags),
			by_number(openat2, AT_FDCWD, "/dev/null", &how, sizeof(how)));
}

static void call_on_files(void)
{
	char text[256];
	struct stat st;
	int fd;

	by_path(stat, newfstatat, PLACE, &st, 0);
	close(open_null());
	close(open_null());
	fd = IF_OLDER(by_number(creat, "file", 0600),
		      by_number(openat, AT_FDCWD, "file", O_CREAT | O_WRONLY | O_TRUNC, 0600));
	by_number(pwrite64, fd, "x", 1, 0);
	by_number(ftruncate, fd, 100);
	by_number(fcntl, fd, F_GETFL);
	by_number(flock, fd, 2 /* LOCK_EX */);
	close(fd);
	fd = must(openat(AT_FDCWD, "file", O_RDONLY));
	by_number(pread64, fd, text, 1, 0);
	by_number(pread64, fd, text, 1, 0);
	by_number(ioctl, fd, 0x541b /* FIONREAD */, text);
	close(fd);
	by_path(chmod, fchmodat, "file", 0640);
	by_path(chown, fchownat, "file", 1, 1, 0);
	by_number(setxattr, "file", "trusted.a", "1", 1, 0);
	by_number(getxattr, "file", "trusted.a", text, sizeof(text));
	IF_OLDER(by_number(link, "file", "hard"),
		 by_number(linkat, AT_FDCWD, "file", AT_FDCWD, "hard", 0));
	IF_OLDER(by_number(symlink, "file", "soft"),
		 by_number(symlinkat, "file", AT_FDCWD, "soft"));
	by_path(readlink, readlinkat, "soft", text, sizeof(text));
	by_path(mknod, mknodat, "fifo", S_IFIFO | 0600, 0);
	IF_OLDER(by_number(rename, "hard", "renamed"),
		 by_number(renameat, AT_FDCWD, "hard", AT_FDCWD, "renamed"));
	by_path(unlink, unlinkat, "renamed", 0);
	by_path(unlink, unlinkat, "soft", 0);
	by_path(unlink, unlinkat, "fifo", 0);
	by_path(unlink, unlinkat, "file", 0);
	by_path(mkdir, mkdirat, "dir", 0700);
	by_path(rmdir, unlinkat, "dir", AT_REMOVEDIR);
	by_number(statfs, PLACE, text);
}

static const struct in_operation other_calls[] = {
	{ "mount", "sb_mount", 1 },
	{ "umount2", "sb_umount", 1 },
	{ "socket", "socket_create", 2 },
	{ "bind", "socket_bind", 1 },
	{ "listen", "socket_listen", 1 },
	{ "connect", "socket_connect", 1 },
	{ "connect", "unix_stream_connect", 1 },
	{ "accept", "socket_accept", 1 },
	{ "sendto", "socket_sendmsg", 1 },
	{ "recvfrom", "socket_recvmsg", 1 },
	{ "socketpair", "socket_create", 2 },
	{ "socketpair", "socket_socketpair", 1 },
	{ "mmap", "mmap_file", 1 },
	{ "mprotect", "file_mprotect", 1 },
	{ "shmget", "shm_alloc_security", 1 },
	{ "shmat", "shm_shmat", 1 },
	{ "msgget", "msg_queue_alloc_security", 1 },
	{ "msgsnd", "msg_queue_msgsnd", 1 },
	{ "semget", "sem_alloc_security", 1 },
	{ "mq_open", "inode_create", 1 },
	{ "mq_unlink", "inode_unlink", 1 },
	{ "prctl", "task_prctl", 1 },
	{ "getpgid", "task_getpgid", 1 },
	{ "setpriority", "task_setnice", 1 },
	{ "sched_setscheduler", "task_setscheduler", 1 },
	{ "capget", "capget", 1 },
	{ "add_key", "key_alloc", 1 },
	{ "sethostname", "capable", 1 },
	{}
};

static void use_sockets(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "sock" };
	int listener = by_number(socket, AF_UNIX, SOCK_STREAM, 0);
	int client = by_number(socket, AF_UNIX, SOCK_STREAM, 0);
	int server, pair[2];
	char byte;

	by_number(bind, listener, &address, sizeof(address));
	by_number(listen, listener, 1);
	by_number(connect, client, &address, sizeof(address));
	server = by_number(accept, listener, NULL, NULL);
	by_number(sendto, client, "x", 1, 0, NULL, 0);
	by_number(recvfrom, server, &byte, 1, 0, NULL, NULL);
	by_number(socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	close(pair[0]);
	close(pair[1]);
	close(server);
	close(client);
	close(listener);
	must(unlinkat(AT_FDCWD, "sock", 0));
}

static void use_ipc(void)
{
	struct { long type; char text[8]; } message = { 1, "message" };
	int shm = by_number(shmget, IPC_PRIVATE, 4096, 0600);
	int msg = by_number(msgget, IPC_PRIVATE, 0600);
	int sem = by_number(semget, IPC_PRIVATE, 1, 0600);
	void *page = shmat(shm, NULL, 0);

	shmdt(page);
	by_number(msgsnd, msg, &message, sizeof(message.text), 0);
	must(shmctl(shm, IPC_RMID, NULL));
	must(msgctl(msg, IPC_RMID, NULL));
	must(semctl(sem, 0, IPC_RMID));
	close(by_number(mq_open, "lsmpmon", O_RDWR | O_CREAT, 0600, NULL));
	by_number(mq_unlink, "lsmpmon");
}

static void call_others(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];
	struct sched_param param = {};
	static int number;
	char name[32];
	void *page;

	by_number(mount, "none", "mnt", "tmpfs", 0, NULL);
	by_number(umount2, "mnt", 0);
	use_sockets();
	use_ipc();
	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	by_number(mprotect, page, 4096, PROT_NONE);
	munmap(page, 4096);
	by_number(prctl, PR_GET_DUMPABLE);
	by_number(getpgid, getpid());	/* as if of another */
	by_number(setpriority, PRIO_PROCESS, 0, 0);
	by_number(sched_setscheduler, 0, SCHED_OTHER, &param);
	by_number(capget, &header, data);
	snprintf(name, sizeof(name), "lsmpmon-%d", number++);
	by_number(add_key, "user", name, "x", 1, -2 /* the process's */);
	/* It calls capable() before it rejects the long name. */
	if (syscall(SYS_sethostname, "x", 1000) != -1)
		abort();
}

static const struct in_operation process_calls[] = {
	{ "clone", "task_alloc", 3 },
	{ "execve", "bprm_check_security", 1 },
	{ "execve", "bprm_committing_creds", 1 },
	{ "ptrace", "ptrace_traceme", 1 },
	{ "ptrace", "ptrace_access_check", 1 },
	{ "kill", "task_kill", 1 },
	{}
};

static void wait_for(pid_t child)
{
	must(waitpid(child, NULL, 0));
}

static void call_processes(void)
{
	pid_t child = must(fork());

	if (!child) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	wait_for(child);

	child = must(fork());
	if (!child)
		_exit(syscall(SYS_ptrace, PTRACE_TRACEME, 0, NULL, NULL));
	wait_for(child);

	child = must(fork());
	if (!child) {
		pause();
		_exit(1);
	}
	by_number(ptrace, PTRACE_SEIZE, child, NULL, NULL);
	by_number(kill, child, SIGKILL);
	wait_for(child);
}

FIXTURE(syscalls)
{
	struct table syscalls;
};

FIXTURE_SETUP(syscalls)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	ASSERT_FALSE(mkdir(PLACE, 0700) && errno != EEXIST);
	ASSERT_EQ(0, chdir(PLACE));
	ASSERT_FALSE(mkdir("mnt", 0700) && errno != EEXIST);
}

FIXTURE_TEARDOWN(syscalls)
{
	operations_off(&self->syscalls);
	rmdir("mnt");
	rmdir(PLACE);
}

static void expect_known(struct __test_metadata *_metadata,
			 FIXTURE_DATA(syscalls) *self, void (*call)(void),
			 const struct in_operation *known)
{
	char source[NAME_LENGTH];
	int i;

	call();		/* once unmeasured, so that all caches know the paths */
	ASSERT_EQ(0, operations_begin());
	for (i = 0; i < N; i++)
		call();
	ASSERT_EQ(0, operations_end(&self->syscalls));
	operations_print(&self->syscalls, known);
	ASSERT_EQ(0, lsmmon_info_text("syscall_source", source, sizeof(source)));
	EXPECT_STREQ("ptregs", source);
	EXPECT_EQ(0, operations_unexpected(&self->syscalls, known, N));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

TEST_F_TIMEOUT(syscalls, of_files, 120)
{
	expect_known(_metadata, self, call_on_files, file_calls);
}

TEST_F_TIMEOUT(syscalls, of_mounts_sockets_memory_and_ipc, 120)
{
	expect_known(_metadata, self, call_others, other_calls);
}

TEST_F_TIMEOUT(syscalls, of_processes, 120)
{
	expect_known(_metadata, self, call_processes, process_calls);
}

#define CORE_PATTERN	"/proc/sys/kernel/core_pattern"

/* The kernel starts a program for the core dump of each. */
static void die_often(void)
{
	static const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	pid_t child;
	int i;

	for (i = 0; i < N; i++) {
		child = must(fork());
		if (!child) {
			setrlimit(RLIMIT_CORE, &all);
			prctl(PR_SET_DUMPABLE, 1);
			signal(SIGABRT, SIG_DFL);
			abort();
		}
		wait_for(child);
	}
}

/* Such a program is not in a system call until it runs. */
TEST_F_TIMEOUT(syscalls, of_programs_that_the_kernel_starts, 120)
{
	static const char *const exec_only[] = {
		"bprm_check_security", "bprm_committing_creds", "mmap_file",
		"file_open",
	};
	char pattern[128] = "";
	FILE *f = fopen(CORE_PATTERN, "r");
	size_t i;

	ASSERT_NE(NULL, f);
	ASSERT_NE(NULL, fgets(pattern, sizeof(pattern), f));
	fclose(f);
	ASSERT_EQ(0, write_file(CORE_PATTERN, "|/bin/true"));
	ASSERT_EQ(0, operations_begin());
	die_often();
	EXPECT_EQ(0, operations_end(&self->syscalls));
	ASSERT_EQ(0, write_file(CORE_PATTERN, pattern));
	for (i = 0; i < sizeof(exec_only) / sizeof(*exec_only); i++) {
		EXPECT_EQ(0, table_calls(&self->syscalls, exec_only[i],
					 "syscall", "read"))
			TH_LOG("%s", exec_only[i]);
		EXPECT_LE(N, table_calls(&self->syscalls, exec_only[i],
					 "syscall", "-"))
			TH_LOG("%s", exec_only[i]);
	}
}

static void call_on_files_often(void)
{
	int i;

	for (i = 0; i < N; i++)
		call_on_files();
}

static void have_a_child_call_on_files_often(void)
{
	pid_t child = must(fork());

	if (!child) {
		call_on_files_often();
		_exit(0);
	}
	wait_for(child);
}

static void expect_files(struct __test_metadata *_metadata,
			 FIXTURE_DATA(syscalls) *self, void (*work)(void))
{
	EXPECT_EQ(0, operations_begin());
	work();
	EXPECT_EQ(0, operations_end(&self->syscalls));
	EXPECT_EQ(0, operations_unexpected(&self->syscalls, file_calls, N));
}

/*
 * A task has an audit context if audit was on when it was forked.  The results must
 * be the same.
 */
TEST_F_TIMEOUT(syscalls, of_tasks_older_than_audit, 120)
{
	if (switch_audit(1))
		SKIP(return, "audit cannot be switched on");
	expect_files(_metadata, self, call_on_files_often);
	expect_files(_metadata, self, have_a_child_call_on_files_often);
	EXPECT_EQ(0, switch_audit(0));
}

TEST_HARNESS_MAIN
