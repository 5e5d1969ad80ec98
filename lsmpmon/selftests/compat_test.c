// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: 32-bit and 64-bit system calls are distinguished
 *
 * A 64-bit program may make either, call by call.
 */

#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"
#include "older.h"
#include "operations.h"

#ifndef MAP_32BIT
#define MAP_32BIT	0
#endif

/* Rounds of 32-bit calls, and of 64-bit calls. */
#define N	211
#define M	307

static const struct in_operation known_32[] = {
	{ "compat:open", "file_open", 2 },
	{ "compat:creat", "inode_create", 1 },
	{ "compat:stat64", "inode_getattr", 1 },
	{ "compat:chmod", "inode_setattr", 1 },
	{ "compat:rename", "inode_rename", 1 },
	{ "compat:unlink", "inode_unlink", 1 },
	{ "compat:mkdir", "inode_mkdir", 1 },
	{ "compat:rmdir", "inode_rmdir", 1 },
	{ "compat:socket", "socket_create", 1 },
	{}
};

static const struct in_operation known_64[] = {
	{ OLDER_NAME(mkdir, mkdirat), "inode_mkdir", 1 },
	{ OLDER_NAME(rmdir, unlinkat), "inode_rmdir", 1 },
	{}
};

/* System call numbers of i386. */
enum {
	OPEN = 5, CREAT = 8, UNLINK = 10, CHMOD = 15, GETPID = 20, RENAME = 38,
	MKDIR = 39, RMDIR = 40, STAT64 = 195, SOCKET = 359,
};

static long call_32(long number, long a, long b, long c)
{
#ifdef __x86_64__
	asm volatile("int $0x80" : "+a" (number) : "b" (a), "c" (b), "d" (c) :
		     "memory", "r8", "r9", "r10", "r11");
	return number;
#else
	return -1;
#endif
}

/* In a child, since the kernel may kill the caller. */
static int has_32_bit_calls(void)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(call_32(GETPID, 0, 0, 0) != getpid());
	return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       !WEXITSTATUS(status);
}

/* Exits if the call fails. */
static long must(long value)
{
	if (value < 0) {
		fprintf(stderr, "# %s\n", strerror(-value));
		abort();
	}
	return value;
}

/* Mapped below 4 GiB, for 32-bit addresses. */
struct low {
	char file[32], renamed[32];
	char stat[256];
};

static struct low *low;

static long low_call(long number, const void *a, long b)
{
	return must(call_32(number, (long)a, b, 0));
}

static void calls_of_32_bits(void)
{
	int fd;

	fd = low_call(CREAT, low->file, 0600);
	close(fd);
	close(low_call(OPEN, low->file, O_RDONLY));
	close(low_call(OPEN, low->file, O_RDONLY));
	low_call(STAT64, low->file, (long)low->stat);
	low_call(CHMOD, low->file, 0640);
	low_call(RENAME, low->file, (long)low->renamed);
	low_call(UNLINK, low->renamed, 0);
	low_call(MKDIR, low->file, 0700);
	low_call(RMDIR, low->file, 0);
	/* AF_UNIX, SOCK_STREAM */
	close(must(call_32(SOCKET, 1, 1, 0)));
}

FIXTURE(compat)
{
	struct table syscalls;
};

FIXTURE_SETUP(compat)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	if (!has_32_bit_calls())
		SKIP(return, "this kernel has no 32-bit system calls");
	low = mmap(NULL, sizeof(*low), PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)low);
	*low = (struct low){
		.file = "/tmp/lsmpmon-compat",
		.renamed = "/tmp/lsmpmon-compat-2",
	};
}

FIXTURE_TEARDOWN(compat)
{
	operations_off(&self->syscalls);
}

TEST_F_TIMEOUT(compat, calls_are_told_apart, 120)
{
	int i;

	ASSERT_EQ(0, operations_begin());
	for (i = 0; i < N; i++)
		calls_of_32_bits();
	for (i = 0; i < M; i++) {
		ASSERT_EQ(0, call_by_path(mkdir, mkdirat, low->file, 0700));
		ASSERT_EQ(0, call_by_path(rmdir, unlinkat, low->file, AT_REMOVEDIR));
	}
	ASSERT_EQ(0, operations_end(&self->syscalls));
	operations_print(&self->syscalls, known_32);
	EXPECT_EQ(0, operations_unexpected(&self->syscalls, known_32, N));
	EXPECT_EQ(0, operations_unexpected(&self->syscalls, known_64, M));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

TEST_HARNESS_MAIN
