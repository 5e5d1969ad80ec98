// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: delays, their scope, and what its files refuse
 */

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#include "../kselftest_harness.h"
#include "../lsmpmon/audit.h"
#include "../lsmpmon/process.h"
#include "acts.h"
#include "fixture.h"

#define EVERYONE	"s\nl\no\n"

TEST_F(tunable, nothing_waits_without_a_delay)
{
	char text[1024];

	ASSERT_EQ(0, tunable_read("scope", text, sizeof(text)));
	EXPECT_STREQ(EVERYONE, text);
	ASSERT_EQ(0, tunable_read("delay_ns", text, sizeof(text)));
	EXPECT_STREQ("0\n", text);
	EXPECT_EQ(0, waits_for(self->file));
}

/* The eight hooks of the paper, by their current names. */
TEST_F(tunable, has_eight_hooks)
{
	static const char *const hooks[] = {
		"bprm_creds_for_exec", "inode_alloc_security",
		"inode_init_security", "inode_setxattr", "inode_create",
		"file_permission", "inode_permission",
	};
	char text[1024], *at;
	size_t i, lines = 0;

	for (i = 0; i < sizeof(hooks) / sizeof(*hooks); i++) {
		EXPECT_NE(NULL, hook_line("hooks", hooks[i], text, sizeof(text)));
		EXPECT_NE(NULL, hook_line("stats", hooks[i], text, sizeof(text)));
	}
	EXPECT_NE(NULL, hook_line("stats", secid_hook(), text, sizeof(text)));
	for (at = strchr(text, '\n'); at; at = strchr(at + 1, '\n'))
		lines++;
	EXPECT_EQ(8 + 1, lines);
}

TEST_F(tunable, calls_are_counted_and_do_not_wait)
{
	const struct stats before = stats_of("file_permission");
	struct stats after;

	ASSERT_EQ(0, read_file(self->file));
	after = stats_of("file_permission");
	EXPECT_LE(before.calls + CALLS, after.calls);
	EXPECT_EQ(before.waits, after.waits);
	EXPECT_EQ(before.waited_ns, after.waited_ns);
}

/* Delays. */

/* Each hook waits, only that hook, and at least as long as set. */
TEST_F_TIMEOUT(tunable, each_hook_waits, 120)
{
	size_t i;

	for (i = 0; i < sizeof(acts) / sizeof(*acts); i++) {
		const char *hook = strchr(acts[i].hook, ' ') ? secid_hook() :
							       acts[i].hook;
		struct stats before, after;
		unsigned long long begin;

		before = stats_of(hook);
		ASSERT_EQ(0, set_hook(hook, NS));
		begin = now_ns();
		EXPECT_EQ(0, acts[i].act(self->folder));
		begin = now_ns() - begin;
		ASSERT_EQ(0, set_hook(hook, 0));
		after = stats_of(hook);
		EXPECT_LT(before.waits, after.waits) {
			TH_LOG("%s did not wait", hook);
		}
		EXPECT_LE((after.waits - before.waits) * NS,
			  after.waited_ns - before.waited_ns);
		EXPECT_LE(NS, begin);
		EXPECT_EQ(0, acts[i].act(self->folder));
		EXPECT_EQ(after.waits, stats_of(hook).waits);
	}
}

TEST_F(tunable, as_many_calls_as_there_are_wait)
{
	ASSERT_EQ(0, tunable_set("scope", "o trusted"));
	ASSERT_EQ(0, set_label(self->file, "trusted"));
	ASSERT_EQ(0, tunable_set("delay_ns", "1000000000"));
	ASSERT_EQ(0, tunable_set("delay_ns", "1"));
	EXPECT_EQ(CALLS, waits_for(self->file));
	ASSERT_EQ(0, tunable_set("delay_ns", "0"));
	EXPECT_EQ(0, waits_for(self->file));
}

TEST_F(tunable, one_delay_is_that_of_both_permission_hooks)
{
	char text[1024];

	ASSERT_EQ(0, tunable_set("delay_ns", "5\n"));
	EXPECT_EQ(0, strncmp("file_permission 5\n",
			     hook_line("hooks", "file_permission", text,
				       sizeof(text)) ?: "", 18));
	EXPECT_EQ(0, strncmp("inode_permission 5\n",
			     hook_line("hooks", "inode_permission", text,
				       sizeof(text)) ?: "", 19));
	ASSERT_EQ(0, tunable_read("delay_ns", text, sizeof(text)));
	EXPECT_STREQ("5\n", text);
	ASSERT_EQ(0, set_hook("inode_permission", 6));
	ASSERT_EQ(0, tunable_read("delay_ns", text, sizeof(text)));
	EXPECT_STREQ("mixed\n", text);
}

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
	signals++;
}

/* A signal does not end a wait. */
TEST_F(tunable, nothing_ends_a_wait)
{
	const struct itimerval soon = { .it_value = { .tv_usec = 10000 } };
	unsigned long long begin;
	char byte;
	int fd = open(self->file, O_RDONLY);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, tunable_set("scope", "o trusted"));
	ASSERT_EQ(0, set_label(self->file, "trusted"));
	ASSERT_EQ(0, set_hook("file_permission", 200 * NS));
	signal(SIGALRM, count_signal);
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &soon, NULL));
	begin = now_ns();
	EXPECT_EQ(1, pread(fd, &byte, 1, 0));
	EXPECT_LE(200 * NS, now_ns() - begin);
	EXPECT_EQ(1, signals);
	close(fd);
}

/* Another task on the same processor runs in the meantime. */
TEST_F(tunable, waiting_tasks_let_others_run)
{
	struct rusage before, after;
	pid_t other;
	char byte;
	int fd = open(self->file, O_RDONLY);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, run_on(0));
	ASSERT_EQ(0, tunable_set("scope", "o trusted"));
	ASSERT_EQ(0, set_label(self->file, "trusted"));
	ASSERT_EQ(0, set_hook("file_permission", 500 * NS));
	other = fork();
	if (!other)
		for (;;)
			;
	getrusage(RUSAGE_SELF, &before);
	EXPECT_EQ(1, pread(fd, &byte, 1, 0));
	getrusage(RUSAGE_SELF, &after);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	EXPECT_LT(before.ru_nivcsw, after.ru_nivcsw);
	close(fd);
}

/* Scope of the delays. */

TEST_F(tunable, delays_can_meet_tasks_of_a_name)
{
	static const struct {
		const char *scope;
		long long waits;
	} cases[] = {
		{ "s a waiter", CALLS }, { "s a wait", 0 }, { "s b waiter", 0 },
		{ "s a*", CALLS }, { "s ? waiter", CALLS }, { "s b*", 0 },
		{ "s", CALLS },
	};
	char text[256], expected[64];
	size_t i;

	ASSERT_EQ(0, prctl(PR_SET_NAME, "a waiter"));
	ASSERT_EQ(0, set_hook("file_permission", 1000));
	/* Reading statistics waits as well. */
	ASSERT_EQ(0, set_label(self->file, "trusted"));
	ASSERT_EQ(0, tunable_set("scope", "o trusted"));
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ASSERT_EQ(0, tunable_set("scope", cases[i].scope));
		EXPECT_EQ(cases[i].waits, waits_for(self->file));
		ASSERT_EQ(0, tunable_read("scope", text, sizeof(text)));
		snprintf(expected, sizeof(expected), "%s\nl\no trusted\n",
			 cases[i].scope);
		EXPECT_STREQ(expected, text);
	}
}

/* Number of calls that waited while another program read the file. */
static long long waits_of(const char *program, const char *path)
{
	const struct stats before = stats_of("file_permission");

	if (run_program(program, READ_FILE, path))
		return -1;
	return stats_of("file_permission").waits - before.waits;
}

TEST_F(tunable, delays_can_meet_tasks_of_a_label)
{
	ASSERT_EQ(0, copy_self(self->program));
	ASSERT_EQ(0, set_hook("file_permission", 1000));
	ASSERT_EQ(0, set_label(self->file, "untrusted"));
	ASSERT_EQ(0, tunable_set("scope", "l trusted"));
	EXPECT_EQ(0, waits_of(self->program, self->file));
	ASSERT_EQ(0, set_label(self->program, "trusted"));
	/* Includes those of its libraries. */
	EXPECT_LE(CALLS, waits_of(self->program, self->file));
	ASSERT_EQ(0, tunable_set("scope", "o untrusted"));
	EXPECT_EQ(CALLS, waits_of(self->program, self->file));
	ASSERT_EQ(0, tunable_set("scope", "l untrusted"));
	EXPECT_EQ(0, waits_of(self->program, self->file));
	ASSERT_EQ(0, tunable_set("scope", "l"));
	EXPECT_EQ(CALLS, waits_of(self->program, self->file));
	ASSERT_EQ(0, set_label(self->file, "trusted"));
	EXPECT_EQ(0, waits_of(self->program, self->file));
}

/* Invalid input and access. */

static const struct {
	const char *file;
	const char *text;
	size_t length;
} bad[] = {
	{ "delay_ns", "\n", 1 }, { "delay_ns", "-1", 2 },
	{ "delay_ns", "+1", 2 }, { "delay_ns", "1000000001", 10 },
	{ "delay_ns", "99999999999999999999", 20 }, { "delay_ns", "1 ", 2 },
	{ "delay_ns", " 1", 2 }, { "delay_ns", "1\n\n", 3 },
	{ "delay_ns", "1\0", 2 }, { "delay_ns", "0x1", 3 },
	{ "delay_ns", "1us", 3 }, { "delay_ns", "mixed", 5 },
	{ "hooks", "\n", 1 }, { "hooks", "1", 1 },
	{ "hooks", "inode_permission", 16 },
	{ "hooks", "inode_permission ", 17 },
	{ "hooks", "inode_permission -1", 19 },
	{ "hooks", "inode_permission 1 2", 20 },
	{ "hooks", "inode_permission  1", 19 },
	{ "hooks", "inode_permission\0001", 18 },
	{ "hooks", "inode_permission 1000000001", 27 },
	{ "hooks", "inode_rename 1", 14 },
	{ "hooks", "inode_permission 1\ninode_create 1\n", 34 },
	{ "sleep_ns", "\n", 1 }, { "sleep_ns", "1", 1 },
	{ "sleep_ns", "inode_create", 12 }, { "sleep_ns", "inode_create -1", 15 },
	{ "sleep_ns", "inode_create 1000000001", 23 },
	{ "sleep_ns", "inode_alloc_security 1", 22 },
	{ "lock_ns", "inode_create 1 ", 15 }, { "lock_ns", "inode_create  1", 15 },
	{ "lock_ns", "inode_create 1000000001", 23 },
	{ "lock_ns", "inode_create 1\nfile_permission 1\n", 33 },
	{ "alloc_bytes", "inode_create 16777217", 21 },
	{ "alloc_bytes", "inode_create 0x1", 16 },
	{ "alloc_bytes", "inode_rename 1", 14 },
	{ "scope", " ", 1 }, { "scope", "x", 1 }, { "scope", "s ", 2 },
	{ "scope", "scat", 4 }, { "scope", "s sixteen-letters-", 18 },
	{ "scope", "s a\0b", 5 }, { "scope", "s a\nl trusted", 13 },
	{ "scope", "l ", 2 }, { "scope", "l trust", 7 },
	{ "scope", "o TRUSTED", 9 }, { "scope", "o trusted untrusted", 19 },
	{ "stats", "0", 1 },
};

static const char *const settings[] = {
	"hooks", "scope", "sleep_ns", "lock_ns", "alloc_bytes",
};

#define SETTINGS	(sizeof(settings) / sizeof(*settings))

/* All files that can be written, one after the other. */
static int read_settings(char text[SETTINGS][512])
{
	size_t i;

	for (i = 0; i < SETTINGS; i++)
		if (tunable_read(settings[i], text[i], 512))
			return -1;
	return 0;
}

TEST_F(tunable, bad_input_changes_nothing)
{
	char before[SETTINGS][512], after[SETTINGS][512], big[8192];
	const char *file = NULL;
	void *hole;
	size_t i, j;

	ASSERT_EQ(0, tunable_set("delay_ns", "3"));
	ASSERT_EQ(0, set_hook("inode_create", 2));
	ASSERT_EQ(0, tunable_set("scope", "s no-such-task"));
	ASSERT_EQ(0, tunable_set("scope", "l trusted"));
	for (i = 2; i < SETTINGS; i++)
		ASSERT_EQ(0, set_in(settings[i], "inode_create", 4 + i));
	memset(big, '1', sizeof(big));
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		file = bad[i].file;
		ASSERT_EQ(0, read_settings(before));
		EXPECT_EQ(-EINVAL, tunable_write(file, bad[i].text,
						 bad[i].length)) {
			TH_LOG("%s: '%s'", file, bad[i].text);
		}
		EXPECT_EQ(-EINVAL, tunable_write(file, big, sizeof(big)));
		ASSERT_EQ(0, read_settings(after));
		for (j = 0; j < SETTINGS; j++)
			EXPECT_STREQ(before[j], after[j]);
	}
	hole = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, hole);
	EXPECT_EQ(-EFAULT, tunable_write("delay_ns", hole, 1));
}

/* 0 if all files refuse to be opened with EPERM or EACCES. */
static int all_refuse(void)
{
	static const char *const files[] = {
		"delay_ns", "hooks", "scope", "stats", "fault", "sleep_ns",
		"lock_ns", "alloc_bytes",
	};
	char path[128];
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), TUNABLE "%s", files[i]);
		/* Not every kernel has all of them. */
		if (access(path, F_OK) && errno == ENOENT)
			continue;
		if (!refuses(path, O_RDONLY) || !refuses(path, O_WRONLY))
			return 1;
	}
	return 0;
}

TEST_F(tunable, nobody_else_may_open_its_files)
{
	EXPECT_EQ(0, as_nobody(all_refuse));
	EXPECT_EQ(0, as_root_of_namespace(all_refuse));
}

TEST_HARNESS_MAIN
