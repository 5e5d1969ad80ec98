// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: the slowest calls of each hook
 *
 * mkdir() calls inode_mkdir once for each new directory.
 */

#define _GNU_SOURCE
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "../kselftest_harness.h"
#include "process.h"
#include "table.h"

#define COMM	"slow caller"
#define ESCAPED	"slow\\040caller"
#define HOOK	"inode_mkdir"
#define PLACE	"/tmp/lsmpmon-slowest"
/* More than there are lines for a hook. */
#define MANY	100
#define SHOWN	16

FIXTURE(slowest)
{
	struct table slowest, verdicts;
};

FIXTURE_SETUP(slowest)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, prctl(PR_SET_NAME, COMM));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, lsmmon_feature("slowest", 1));
	mkdir(PLACE, 0700);
}

FIXTURE_TEARDOWN(slowest)
{
	lsmmon_control(0);
	lsmmon_write("filter", "o", 1);
	lsmmon_write("filter", "s", 1);
	lsmmon_feature("module", 0);
	lsmmon_feature("slowest", 0);
	rmdir(PLACE);
	table_free(&self->slowest);
	table_free(&self->verdicts);
}

/* Make a directory of that name, and remove it. */
static int make(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), PLACE "/%s", name);
	return mkdir(path, 0700) || rmdir(path);
}

static int make_many(void)
{
	char name[32];
	int i;

	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "many.%d", i);
		if (make(name))
			return -1;
	}
	return 0;
}

/* Measure while a function works. */
static void measure(struct __test_metadata *_metadata, FIXTURE_DATA(slowest) *self,
		    int (*work)(void))
{
	ASSERT_EQ(0, lsmmon_control(1));
	EXPECT_EQ(0, work());
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->slowest, "slowest"));
	ASSERT_EQ(0, table_read(&self->verdicts, "verdicts"));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

/* Number of lines of a hook; @first is set to the first one. */
static int lines_of(const struct table *t, const char *hook, int *first)
{
	int row, lines = 0;

	for (row = 0; row < t->rows; row++) {
		if (strcmp(table_text(t, row, "hook"), hook))
			continue;
		if (!lines++)
			*first = row;
	}
	return lines;
}

static int is_unknown(const struct table *t, int row, const char *column)
{
	return !strcmp(table_text(t, row, column), "-");
}

TEST_F(slowest, has_its_columns)
{
	static const char *const columns[] = {
		"hook", "wall", "own", "slept", "preempted", "end", "pid",
		"comm", "syscall", "module", "error", "object",
	};
	size_t i;

	ASSERT_EQ(0, table_read(&self->slowest, "slowest"));
	ASSERT_LE((int)(sizeof(columns) / sizeof(*columns)), self->slowest.columns);
	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		EXPECT_STREQ(columns[i], self->slowest.column[i]);
	EXPECT_EQ(0, self->slowest.rows);
}

/* The greatest time of a call of a hook, with or without a switch. */
static unsigned long long longest(const struct table *verdicts, const char *hook)
{
	static const char *const columns[] = { "max", "cs_max" };
	unsigned long long most = 0, value;
	size_t i;
	int row;

	for (row = 0; row < verdicts->rows; row++)
		for (i = 0; i < 2; i++) {
			value = table_number(verdicts, row, columns[i]);
			if (!strcmp(table_text(verdicts, row, "hook"), hook) &&
			    value > most)
				most = value;
		}
	return most;
}

static void expect_in_order(struct __test_metadata *_metadata,
			    FIXTURE_DATA(slowest) *self, int first, int lines)
{
	const unsigned long long reset = lsmmon_info("reset_ns");
	const struct table *t = &self->slowest;
	unsigned long long wall;
	int row;

	for (row = first; row < first + lines; row++) {
		wall = table_number(t, row, "wall");
		if (row > first)
			EXPECT_LE(wall, table_number(t, row - 1, "wall"));
		EXPECT_EQ(is_unknown(t, row, "own"), is_unknown(t, row, "slept"));
		EXPECT_GE(wall, table_number(t, row, "own") +
			  table_number(t, row, "slept") +
			  table_number(t, row, "preempted"));
		EXPECT_LE(reset, table_number(t, row, "end"));
	}
}

/* All calls of each hook are there, or as many as are shown, with the longest first. */
TEST_F(slowest, misses_no_call)
{
	unsigned long long all;
	int row, lines, first;
	const char *hook;

	measure(_metadata, self, make_many);
	ASSERT_EQ(0, lsmmon_info("backwards"));
	ASSERT_LT(5, self->verdicts.rows);
	for (row = 0; row < self->verdicts.rows; row++) {
		hook = table_text(&self->verdicts, row, "hook");
		all = table_total(&self->verdicts, hook);
		lines = lines_of(&self->slowest, hook, &first);
		EXPECT_EQ(all < SHOWN ? (int)all : SHOWN, lines)
			TH_LOG("%s", hook);
		ASSERT_LT(0, lines);
		EXPECT_EQ(longest(&self->verdicts, hook),
			  table_number(&self->slowest, first, "wall"))
			TH_LOG("%s", hook);
		expect_in_order(_metadata, self, first, lines);
	}
	EXPECT_EQ(SHOWN, lines_of(&self->slowest, HOOK, &first));
}

static int make_one(void)
{
	return make("known name");
}

TEST_F(slowest, says_who_called_and_on_what)
{
	const struct table *t = &self->slowest;
	int row = 0;

	measure(_metadata, self, make_one);
	ASSERT_EQ(1, lines_of(t, HOOK, &row));
	EXPECT_STREQ("known\\040name", table_text(t, row, "object"));
	EXPECT_STREQ(ESCAPED, table_text(t, row, "comm"));
	EXPECT_EQ(getpid(), table_number(t, row, "pid"));
	EXPECT_EQ(0, strncmp(table_text(t, row, "syscall"), "mkdir", 5));
	EXPECT_STREQ("-", table_text(t, row, "module"));
	EXPECT_STREQ("0", table_text(t, row, "error"));
}

/* sethostname() calls capable() before it rejects the long name. */
static int be_denied(void)
{
	return !syscall(SYS_sethostname, "x", 1000);
}

static int let_nobody_be_denied(void)
{
	return as_nobody(be_denied);
}

/* A denial of the capability module, which is on no object. */
TEST_F(slowest, says_which_module_and_error)
{
	const struct table *t = &self->slowest;
	int row, found = 0;

	ASSERT_EQ(0, lsmmon_feature("module", 1));
	measure(_metadata, self, let_nobody_be_denied);
	for (row = 0; row < t->rows; row++) {
		if (strcmp(table_text(t, row, "hook"), "capable") ||
		    strcmp(table_text(t, row, "syscall"), "sethostname"))
			continue;
		found++;
		EXPECT_STREQ("EPERM", table_text(t, row, "error"));
		EXPECT_STRNE("-", table_text(t, row, "module"));
		EXPECT_STREQ("-", table_text(t, row, "object"));
	}
	EXPECT_EQ(1, found);
}

/* As many letters as are shown. */
#define LETTERS	"012345678901234567890123456789012345678901234567890123456789012"

static int make_odd(void)
{
	return make("-") || make("a\nb\\c") || make(LETTERS) || make(LETTERS "3");
}

static int has(const char *text, const char *end)
{
	if (strstr(text, end))
		return 1;
	fprintf(stderr, "# no line ends with%s", end);
	return 0;
}

TEST_F(slowest, shows_odd_names_as_words)
{
	static const char *const ends[] = {
		" \\055\n", " a\\012b\\134c\n", " " LETTERS "\n", " " LETTERS "\\...\n",
	};
	static char text[1 << 20];
	size_t i;

	measure(_metadata, self, make_odd);
	ASSERT_EQ(0, read_text(LSMMON "slowest", text, sizeof(text)));
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		EXPECT_TRUE(has(text, ends[i]));
}

TEST_F(slowest, has_the_calls_that_the_filter_selects)
{
	const struct table *t = &self->slowest;
	int row;

	ASSERT_EQ(0, lsmmon_write("filter", "o many.7", 8));
	measure(_metadata, self, make_many);
	EXPECT_EQ(1, lines_of(t, HOOK, &row));
	EXPECT_STREQ("many.7", table_text(t, row, "object"));
	ASSERT_EQ(0, lsmmon_write("filter", "o", 1));
	ASSERT_EQ(0, lsmmon_write("filter", "s nobody-at-all", 15));
	ASSERT_EQ(0, lsmmon_reset());
	measure(_metadata, self, make_many);
	EXPECT_EQ(0, t->rows);
}

TEST_F(slowest, is_empty_after_a_reset)
{
	measure(_metadata, self, make_many);
	EXPECT_LT(0, self->slowest.rows);
	ASSERT_EQ(0, lsmmon_reset());
	ASSERT_EQ(0, table_read(&self->slowest, "slowest"));
	EXPECT_EQ(0, self->slowest.rows);
}

TEST_HARNESS_MAIN
