// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: switched, reset and read under load
 */

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "../kselftest_harness.h"
#include "lsmmon.h"

#define WORKERS		4
#define SECONDS		15
/* Under emulation, switching all static keys under load takes a second. */
#define FEWEST_TURNS	5

static void use_files(void)
{
	struct stat st;
	int fd;

	stat("/proc/self", &st);
	fd = open("/dev/null", O_RDWR);
	if (write(fd, "x", 1) != 1)
		_exit(1);
	close(fd);
}

static void use_sockets(void)
{
	char byte;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		_exit(1);
	if (write(pair[0], "x", 1) != 1 || read(pair[1], &byte, 1) != 1)
		_exit(1);
	close(pair[0]);
	close(pair[1]);
}

static void use_memory(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(page, 4096, PROT_READ);
	munmap(page, 4096);
}

static void use_processes(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	if (child > 0)
		waitpid(child, NULL, 0);
}

/* Shared with the workers. */
static volatile int *stopped;

static void work(int number)
{
	void (*const use[])(void) = {
		use_files, use_sockets, use_memory, use_processes,
	};

	while (!*stopped)
		use[number % 4]();
	_exit(0);
}

/* Clock ticks since @since. */
static unsigned long long ticks_since(const struct timespec *since)
{
	struct timespec now;
	long long us;

	clock_gettime(CLOCK_MONOTONIC, &now);
	us = (now.tv_sec - since->tv_sec) * 1000000LL +
	     (now.tv_nsec - since->tv_nsec) / 1000;
	return us * lsmmon_info("clock_khz") / 1000;
}

/* Conditions that hold for any line at any time. */
static void expect_sane(struct __test_metadata *_metadata,
			const struct hook *h, unsigned long long most)
{
	EXPECT_LE(h->min, h->ave) { TH_LOG("%s", h->name); }
	EXPECT_LE(h->ave, h->max) { TH_LOG("%s", h->name); }
	EXPECT_LE(h->max, most) { TH_LOG("%s", h->name); }
	if (h->count)
		EXPECT_LT(0, h->min) { TH_LOG("%s", h->name); }
}

static void disturb(struct __test_metadata *_metadata, unsigned int *seed,
		    const struct timespec *begin)
{
	static struct result r;
	int i;

	switch (rand_r(seed) % 8) {
	case 0:
		ASSERT_EQ(0, lsmmon_control(0));
		break;
	case 1:
		ASSERT_EQ(0, lsmmon_reset());
		break;
	case 2:
	case 3:
		ASSERT_EQ(0, lsmmon_control(1));
		break;
	default:
		ASSERT_EQ(0, lsmmon_result(&r));
		for (i = 0; i < r.hooks; i++)
			expect_sane(_metadata, &r.hook[i],
				    2 * ticks_since(begin));
	}
}

FIXTURE(stress)
{
	pid_t worker[WORKERS];
};

FIXTURE_SETUP(stress)
{
	int i;

	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	stopped = mmap(NULL, sizeof(*stopped), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)stopped);
	for (i = 0; i < WORKERS; i++) {
		self->worker[i] = fork();
		if (!self->worker[i])
			work(i);
		ASSERT_LT(0, self->worker[i]);
	}
}

/*
 * Not by a signal: User-Mode Linux 6.12 crashes if one interrupts fork(), in
 * flush_tlb_mm(), which cannot handle a half-copied address space.
 */
static void end_workers(FIXTURE_DATA(stress) *self)
{
	int i;

	*stopped = 1;
	for (i = 0; i < WORKERS; i++) {
		if (self->worker[i] > 0)
			waitpid(self->worker[i], NULL, 0);
		self->worker[i] = 0;
	}
}

FIXTURE_TEARDOWN(stress)
{
	end_workers(self);
	lsmmon_control(0);
}

static void disturb_for_a_while(struct __test_metadata *_metadata)
{
	unsigned int seed = time(NULL);
	struct timespec begin;
	int turns = 0;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	while (turns < FEWEST_TURNS ||
	       ticks_since(&begin) / lsmmon_info("clock_khz") < SECONDS * 1000) {
		disturb(_metadata, &seed, &begin);
		turns++;
	}
	TH_LOG("%d turns", turns);
}

/* After all that, a known number of calls is still counted exactly. */
TEST_F_TIMEOUT(stress, nothing_is_lost, 300)
{
	static struct result before, after;
	struct stat st;
	int i;

	disturb_for_a_while(_metadata);
	EXPECT_EQ(0, lsmmon_info("lost"));
	end_workers(self);
	ASSERT_EQ(0, lsmmon_control(1));
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, lsmmon_result(&before));
	for (i = 0; i < 10007; i++)
		stat("/", &st);
	ASSERT_EQ(0, lsmmon_result(&after));
	/* The C library adds one: fstat() of the file that it reads. */
	EXPECT_EQ(10007 + 1, calls(lsmmon_hook(&after, "inode_getattr")) -
		  calls(lsmmon_hook(&before, "inode_getattr")));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

TEST_HARNESS_MAIN
