// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: hooks are accounted to the io_uring operation they
 * ran in, whether the task itself or a kernel worker does it
 */

#define _GNU_SOURCE
#include <dirent.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "../kselftest_harness.h"
#include "operations.h"
#include "uring.h"

#define N	101
/* Read a table until it has the expected rows, for at most 10 s of sleep. */
#define PATIENCE	1000

#define PLACE	"/tmp/lsmpmon-uring"

static const struct in_operation known[] = {
	{ "uring:OPENAT", "inode_create", 2 },
	{ "uring:OPENAT", "file_open", 6 },
	{ "uring:CLOSE", "file_free_security", 5 },
	{ "uring:CLOSE", "inode_free_security", 2 },
	{ "uring:WRITE", "file_permission", 1 },
	{ "uring:READ", "file_permission", 2 },
	{ "uring:STATX", "inode_getattr", 2 },
	{ "uring:FALLOCATE", "file_permission", 1 },
	{ "uring:LINKAT", "inode_link", 1 },
	{ "uring:SYMLINKAT", "inode_symlink", 1 },
	{ "uring:RENAMEAT", "inode_rename", 1 },
	{ "uring:UNLINKAT", "inode_unlink", 4 },
	{ "uring:UNLINKAT", "inode_rmdir", 1 },
	{ "uring:MKDIRAT", "inode_mkdir", 1 },
	{ "uring:SOCKET", "socket_create", 1 },
	{ "uring:SEND", "socket_sendmsg", 1 },
	{ "uring:RECV", "socket_recvmsg", 1 },
	{}
};

#define address_of(what)	((unsigned long)(what))

static struct uring ring;
/* Flags of all operations: IOSQE_ASYNC or none. */
static unsigned int flags;

/* Exits if the operation fails. */
static int operate(struct io_uring_sqe sqe)
{
	int result;

	sqe.flags = flags;
	result = uring_do(&ring, &sqe);
	if (result < 0) {
		fprintf(stderr, "# operation %d: %s\n", sqe.opcode,
			strerror(-result));
		abort();
	}
	return result;
}

static int do_open(const char *name, int how)
{
	return operate((struct io_uring_sqe){
		.opcode = IORING_OP_OPENAT, .fd = AT_FDCWD,
		.addr = address_of(name), .len = 0600, .open_flags = how });
}

static void do_io(int opcode, int fd, void *buffer, size_t length)
{
	operate((struct io_uring_sqe){
		.opcode = opcode, .fd = fd, .addr = address_of(buffer),
		.len = length });
}

static void do_close(int fd)
{
	operate((struct io_uring_sqe){ .opcode = IORING_OP_CLOSE, .fd = fd });
}

static void do_unlink(const char *name, int how)
{
	operate((struct io_uring_sqe){
		.opcode = IORING_OP_UNLINKAT, .fd = AT_FDCWD,
		.addr = address_of(name), .unlink_flags = how });
}

/* Make @to in the working directory with any operation that makes names. */
static void do_names(int opcode, const char *from, const char *to)
{
	operate((struct io_uring_sqe){
		.opcode = opcode, .fd = AT_FDCWD, .addr = address_of(from),
		.addr2 = address_of(to),
		.len = opcode == IORING_OP_SYMLINKAT ? 0 : AT_FDCWD });
}

static void use_files(void)
{
	char byte = 'x';
	int fd;

	fd = do_open("file", O_RDWR);
	do_io(IORING_OP_WRITE, fd, &byte, 1);
	do_io(IORING_OP_READ, fd, &byte, 1);
	do_io(IORING_OP_READ, fd, &byte, 1);
	operate((struct io_uring_sqe){
		.opcode = IORING_OP_FALLOCATE, .fd = fd, .addr = 4096 });
	close(fd);
	do_close(do_open("file", O_RDONLY));
	if (uring_stat(&ring, "file", flags) < 0)
		abort();
}

/* A file is freed with its last name and its last descriptor. */
static void use_doomed_file(void)
{
	int fd = do_open("doomed", O_RDWR | O_CREAT);

	do_unlink("doomed", 0);
	do_close(fd);
}

/* Close files in one submission, with other operations in between. */
static void close_at_once(void)
{
	struct statx st;
	struct io_uring_sqe sqe[] = {
		{ .opcode = IORING_OP_CLOSE, .fd = do_open("file", O_RDONLY) },
		{ .opcode = IORING_OP_STATX, .fd = AT_FDCWD,
		  .addr = address_of("file"), .len = STATX_BASIC_STATS,
		  .addr2 = address_of(&st) },
		{ .opcode = IORING_OP_CLOSE, .fd = do_open("file", O_RDONLY) },
	};
	size_t i;

	for (i = 0; i < sizeof(sqe) / sizeof(*sqe); i++)
		sqe[i].flags = flags;
	if (uring_do_all(&ring, sqe, i) < 0)
		abort();
	close(open("file", O_RDONLY));
}

/*
 * The names are those of a file that no worker has closed: a worker that is
 * slow to release a file would free its inode after the last name is removed.
 */
static void use_names(void)
{
	close(do_open("named", O_RDWR | O_CREAT));
	do_names(IORING_OP_LINKAT, "named", "hard");
	do_names(IORING_OP_SYMLINKAT, "named", "soft");
	do_names(IORING_OP_RENAMEAT, "hard", "renamed");
	do_unlink("renamed", 0);
	do_unlink("soft", 0);
	do_unlink("named", 0);
	operate((struct io_uring_sqe){
		.opcode = IORING_OP_MKDIRAT, .fd = AT_FDCWD,
		.addr = address_of("dir"), .len = 0700 });
	do_unlink("dir", AT_REMOVEDIR);
}

static void use_sockets(void)
{
	char byte = 'x';
	int pair[2];

	do_close(operate((struct io_uring_sqe){
		.opcode = IORING_OP_SOCKET, .fd = AF_UNIX, .off = SOCK_STREAM }));
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		abort();
	do_io(IORING_OP_SEND, pair[0], &byte, 1);
	do_io(IORING_OP_RECV, pair[1], &byte, 1);
	close(pair[0]);
	close(pair[1]);
}

/* Workers are threads of the task. */
static int threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;
	int threads = 0;

	while (dir && (entry = readdir(dir)))
		threads += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return threads;
}

FIXTURE(uring)
{
	struct table syscalls;
};

FIXTURE_SETUP(uring)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	ASSERT_FALSE(mkdir(PLACE, 0700) && errno != EEXIST);
	ASSERT_EQ(0, chdir(PLACE));
	ASSERT_EQ(0, close(open("file", O_RDWR | O_CREAT, 0600)));
}

FIXTURE_TEARDOWN(uring)
{
	operations_off(&self->syscalls);
	close(ring.fd);
	unlink("file");
	rmdir(PLACE);
}

/* A worker releases a file after it has completed the CLOSE. */
static int wait_for_releases(struct table *syscalls)
{
	int tries;

	for (tries = 0; tries < PATIENCE; tries++) {
		if (table_read(syscalls, "syscalls"))
			return -1;
		if (table_calls(syscalls, "file_free_security", "syscall",
				"uring:CLOSE") >= 5 * N)
			break;
		usleep(10000);
	}
	return 0;
}

static void expect_known(struct __test_metadata *_metadata,
			 FIXTURE_DATA(uring) *self, unsigned int setup)
{
	int i;

	if (uring_open(&ring, setup))
		SKIP(return, "no io_uring: %s", strerror(errno));
	ASSERT_EQ(0, operations_begin());
	for (i = 0; i < N; i++) {
		use_files();
		use_doomed_file();
		close_at_once();
		use_names();
		use_sockets();
	}
	ASSERT_EQ(0, wait_for_releases(&self->syscalls));
	ASSERT_EQ(0, operations_end(&self->syscalls));
	operations_print(&self->syscalls, known);
	EXPECT_EQ(0, operations_unexpected(&self->syscalls, known, N));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

TEST_F_TIMEOUT(uring, operations_of_the_task, 120)
{
	flags = 0;
	expect_known(_metadata, self, 0);
	/*
	 * A worker does FALLOCATE, and the task puts its file: after close(), if the
	 * worker was slow.  expect_known() checks all files of CLOSE.
	 */
	EXPECT_GE(N, table_calls(&self->syscalls, "file_free_security", "syscall",
				 "io_uring_enter"));
}

TEST_F_TIMEOUT(uring, operations_of_workers, 120)
{
	flags = IOSQE_ASYNC;
	expect_known(_metadata, self, 0);
	EXPECT_LT(1, threads());
}

TEST_F_TIMEOUT(uring, operations_of_the_polling_thread, 120)
{
	flags = 0;
	expect_known(_metadata, self, IORING_SETUP_SQPOLL);
	EXPECT_LT(1, threads());
}

TEST_HARNESS_MAIN
