// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: modules' callbacks by hook and system call
 */

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"
#include "table.h"

#define N	1009
#define WORKERS	4

/* Bytes per CPU: at most for all features, and at least for each table of pairs. */
#define MEMORY	13000000
#define PAIRS	1200000

static int switch_both(int on)
{
	return lsmmon_feature("stack", on) ?: lsmmon_feature("module", on);
}

FIXTURE(stacks)
{
	struct table modules, stacks;
};

FIXTURE_SETUP(stacks)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, switch_both(1));
}

FIXTURE_TEARDOWN(stacks)
{
	lsmmon_control(0);
	switch_both(0);
	table_free(&self->modules);
	table_free(&self->stacks);
}

static unsigned long long sum_of(const struct table *t, const char *syscall,
				 const char *hook, const char *module,
				 const char *column)
{
	unsigned long long sum = 0;
	int row;

	for (row = 0; row < t->rows; row++)
		if (!strcmp(table_text(t, row, "hook"), hook) &&
		    !strcmp(table_text(t, row, "module"), module) &&
		    (!syscall || !strcmp(table_text(t, row, "syscall"), syscall)))
			sum += table_number(t, row, column);
	return sum;
}

static void work(void)
{
	struct stat st;
	int i;

	for (i = 0; i < N; i++) {
		syscall(SYS_sethostname, "x", 1000);
		stat("/proc/self/status", &st);
		if (mkdir("/tmp/lsmpmon-stacks", 0700) == 0)
			rmdir("/tmp/lsmpmon-stacks");
	}
	_exit(0);
}

static void work_at_once(void)
{
	int i;

	for (i = 0; i < WORKERS; i++)
		if (!fork())
			work();
	while (wait(NULL) > 0)
		;
}

static int measure(FIXTURE_DATA(stacks) *self)
{
	if (lsmmon_control(1))
		return -1;
	work_at_once();
	return lsmmon_control(0) || table_read(&self->modules, "modules") ||
	       table_read(&self->stacks, "stacks") ? -1 : 0;
}

/* The calls of a callback are the sum over all system calls. */
TEST_F_TIMEOUT(stacks, sums_equal_the_callbacks_own, 120)
{
	size_t i;
	int row;

	ASSERT_EQ(0, measure(self));
	EXPECT_EQ(0, lsmmon_info("lost"));
	EXPECT_LT(0, self->modules.rows);
	for (row = 0; row < self->modules.rows; row++) {
		const char *hook = table_text(&self->modules, row, "hook");
		const char *module = table_text(&self->modules, row, "module");

		for (i = 0; i < TABLE_SUMS; i++)
			EXPECT_EQ(table_number(&self->modules, row, table_sums[i]),
				  sum_of(&self->stacks, NULL, hook, module,
					 table_sums[i]))
				TH_LOG("%s of %s %s", table_sums[i], module, hook);
	}
	for (i = 0; i < TABLE_SUMS; i++)
		EXPECT_EQ(table_sum(&self->modules, NULL, table_sums[i]),
			  table_sum(&self->stacks, NULL, table_sums[i]));
}

/* Number of rows whose first columns equal those of an earlier row; prints them. */
static int repeated(const struct table *t, int columns)
{
	int row, before, i, repeats = 0;

	for (row = 0; row < t->rows; row++) {
		for (before = 0; before < row; before++) {
			for (i = 0; i < columns; i++)
				if (strcmp(t->cell[row][i], t->cell[before][i]))
					break;
			if (i < columns)
				continue;
			fprintf(stderr, "# again: %s %s\n", t->cell[row][0],
				t->cell[row][1]);
			repeats++;
		}
	}
	return repeats;
}

static const char *callbacks_of_bpf(const struct table *t, const char *hook)
{
	int row;

	for (row = 0; row < t->rows; row++)
		if (!strcmp(table_text(t, row, "module"), "bpf") &&
		    !strcmp(table_text(t, row, "hook"), hook))
			return table_text(t, row, "callbacks");
	return "none";
}

TEST_F_TIMEOUT(stacks, modules_have_one_row_in_each_hook, 120)
{
	ASSERT_EQ(0, measure(self));
	EXPECT_EQ(0, repeated(&self->modules, 2));
	EXPECT_EQ(0, repeated(&self->stacks, 3));
}

/*
 * In each hook, the BPF LSM has a callback that calls BPF programs.  Where an
 * inode is freed, it has a second one, which frees the storage of BPF programs.
 */
TEST_F_TIMEOUT(stacks, all_callbacks_of_a_module_are_one_row, 120)
{
	char modules[256] = "";

	ASSERT_EQ(0, read_text("/sys/kernel/security/lsm", modules, sizeof(modules)));
	if (!strstr(modules, "bpf"))
		SKIP(return, "no BPF LSM");
	ASSERT_EQ(0, measure(self));
	EXPECT_STREQ("2", callbacks_of_bpf(&self->modules, "inode_free_security"));
	EXPECT_STREQ("1", callbacks_of_bpf(&self->modules, "inode_mkdir"));
}

/* sethostname() calls capable() before it rejects the long name. */
TEST_F(stacks, callbacks_belong_to_their_system_calls)
{
	int i;

	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < N; i++)
		EXPECT_EQ(-1, syscall(SYS_sethostname, "x", 1000));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->stacks, "stacks"));
	EXPECT_EQ(N, sum_of(&self->stacks, "sethostname", "capable",
			    "capability", "count") +
		     sum_of(&self->stacks, "sethostname", "capable",
			    "capability", "cs_count"));
}

/* Without `module`, the other feature that measures callbacks. */
TEST_F(stacks, feature_needs_no_other)
{
	int i;

	ASSERT_EQ(0, lsmmon_feature("module", 0));
	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < N; i++)
		syscall(SYS_sethostname, "x", 1000);
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->modules, "modules"));
	ASSERT_EQ(0, table_read(&self->stacks, "stacks"));
	EXPECT_EQ(0, self->modules.rows);
	EXPECT_LE(N, sum_of(&self->stacks, NULL, "capable", "capability",
			    "count"));
}

/* All features of the kernel can be switched on together. */
static int switch_every_feature(int on)
{
	FILE *f = fopen(LSMMON "features", "r");
	char name[32];
	int failed = !f;

	while (f && fscanf(f, "%31s %*d", name) == 1)
		failed |= lsmmon_feature(name, on);
	if (f)
		fclose(f);
	return failed;
}

TEST_F(stacks, every_feature_at_once_takes_bounded_memory)
{
	long long memory;
	int failed = switch_every_feature(1);

	memory = lsmmon_info("memory_per_cpu");
	failed |= switch_every_feature(0);
	EXPECT_EQ(0, failed);
	/* The least size with all tables of pairs. */
	EXPECT_LT(5 * PAIRS, memory);
	EXPECT_GE(MEMORY, memory);
}

TEST_HARNESS_MAIN
