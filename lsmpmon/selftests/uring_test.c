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

#define N	211

#define PLACE	"/tmp/lsmpmon-uring"

static const struct in_operation known[] = {
	{ "uring:OPENAT", "inode_create", 1 },
	{ "uring:OPENAT", "file_open", 2 },
	{ "uring:WRITE", "file_permission", 1 },
	{ "uring:READ", "file_permission", 2 },
	{ "uring:STATX", "inode_getattr", 1 },
	{ "uring:FALLOCATE", "file_permission", 1 },
	{ "uring:LINKAT", "inode_link", 1 },
	{ "uring:SYMLINKAT", "inode_symlink", 1 },
	{ "uring:RENAMEAT", "inode_rename", 1 },
	{ "uring:UNLINKAT", "inode_unlink", 3 },
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
	struct statx st;
	char byte = 'x';
	int fd;

	fd = do_open("file", O_RDWR | O_CREAT);
	do_io(IORING_OP_WRITE, fd, &byte, 1);
	do_io(IORING_OP_READ, fd, &byte, 1);
	do_io(IORING_OP_READ, fd, &byte, 1);
	operate((struct io_uring_sqe){
		.opcode = IORING_OP_FALLOCATE, .fd = fd, .addr = 4096 });
	close(fd);
	close(do_open("file", O_RDONLY));
	operate((struct io_uring_sqe){
		.opcode = IORING_OP_STATX, .fd = AT_FDCWD,
		.addr = address_of("file"), .len = STATX_BASIC_STATS,
		.addr2 = address_of(&st) });
}

static void use_names(void)
{
	do_names(IORING_OP_LINKAT, "file", "hard");
	do_names(IORING_OP_SYMLINKAT, "file", "soft");
	do_names(IORING_OP_RENAMEAT, "hard", "renamed");
	do_unlink("renamed", 0);
	do_unlink("soft", 0);
	do_unlink("file", 0);
	operate((struct io_uring_sqe){
		.opcode = IORING_OP_MKDIRAT, .fd = AT_FDCWD,
		.addr = address_of("dir"), .len = 0700 });
	do_unlink("dir", AT_REMOVEDIR);
}

static void use_sockets(void)
{
	char byte = 'x';
	int pair[2];

	close(operate((struct io_uring_sqe){
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
	int found = 0;

	while (dir && (entry = readdir(dir)))
		found += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return found;
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
	if (uring_open(&ring))
		SKIP(return, "no io_uring: %s", strerror(errno));
	ASSERT_FALSE(mkdir(PLACE, 0700) && errno != EEXIST);
	ASSERT_EQ(0, chdir(PLACE));
}

FIXTURE_TEARDOWN(uring)
{
	operations_off(&self->syscalls);
	close(ring.fd);
	rmdir(PLACE);
}

static void expect_known(struct __test_metadata *_metadata,
			 FIXTURE_DATA(uring) *self)
{
	int i;

	ASSERT_EQ(0, operations_begin());
	for (i = 0; i < N; i++) {
		use_files();
		use_names();
		use_sockets();
	}
	ASSERT_EQ(0, operations_end(&self->syscalls));
	operations_print(&self->syscalls, known);
	EXPECT_EQ(0, operations_unexpected(&self->syscalls, known, N));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

TEST_F_TIMEOUT(uring, operations_of_the_task, 120)
{
	flags = 0;
	expect_known(_metadata, self);
}

TEST_F_TIMEOUT(uring, operations_of_workers, 120)
{
	flags = IOSQE_ASYNC;
	expect_known(_metadata, self);
	EXPECT_LT(1, threads());
}

TEST_HARNESS_MAIN
