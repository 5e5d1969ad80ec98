// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model of LIDS: what rules allow, to whom, and what its file refuses
 *
 * Root does all of it, whom no other check would stop.
 */

#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include "../kselftest_harness.h"
#include "lids.h"

FIXTURE(lids)
{
	char folder[64];
	char inner[128];
	char file[128];
	char other[128];
	char program[128];
	char helper[128];
};

FIXTURE_SETUP(lids)
{
	if (access(LIDS, F_OK))
		SKIP(return, "no " LIDS ": lsm=...,lids");
	ASSERT_EQ(0, lids_clear());
	snprintf(self->folder, sizeof(self->folder), "/tmp/lids.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->folder));
	snprintf(self->inner, sizeof(self->inner), "%s/inner", self->folder);
	snprintf(self->file, sizeof(self->file), "%s/inner/file", self->folder);
	snprintf(self->other, sizeof(self->other), "%s/other", self->folder);
	snprintf(self->program, sizeof(self->program), "%s/program", self->folder);
	snprintf(self->helper, sizeof(self->helper), "%s/helper", self->folder);
	ASSERT_EQ(0, mkdir(self->inner, 0755));
	ASSERT_EQ(0, make_file(self->file));
	ASSERT_EQ(0, make_file(self->other));
}

FIXTURE_TEARDOWN(lids)
{
	char command[128];

	EXPECT_EQ(0, lids_clear());
	snprintf(command, sizeof(command), "rm -rf %s", self->folder);
	EXPECT_EQ(0, system(command));
}

/* Targets. */

struct attempt {
	const char *name;
	int (*act)(const char *path);
	/* What has to be allowed for it: how many of the targets refuse it. */
	int refused;
};

static const char *const targets[] = { "DENY", "READONLY", "APPEND", "WRITE" };

static const struct attempt on_files[] = {
	{ "read", try_read, 1 },	{ "append", try_append, 2 },
	{ "write", try_write, 3 },	{ "truncate", try_truncate, 3 },
	{ "chmod", try_chmod, 3 },	{ "rename", try_rename, 3 },
	{ "link", try_link, 3 },	{ "unlink", try_unlink, 3 },
};

static const struct attempt on_folders[] = {
	{ "list", try_read, 1 },	{ "create", try_create, 3 },
	{ "mkdir", try_mkdir, 3 },	{ "symlink", try_symlink, 3 },
	{ "mknod", try_mknod, 3 },	{ "rename", try_rename, 3 },
	{ "chmod", try_chmod, 3 },
};

#define COUNT(ARRAY)	((int)(sizeof(ARRAY) / sizeof(*(ARRAY))))

/* How many of the attempts came out wrong, each under one target for @object. */
static int wrong_attempts(const struct attempt *attempts, int count, int target,
			  const char *object, const char *path)
{
	int wrong = 0, i;

	for (i = 0; i < count; i++) {
		const int expected = target < attempts[i].refused ? -EACCES : 0;
		int result;

		if (lids_set(targets[target], object))
			return -1;
		result = attempts[i].act(path);
		if (lids_clear())
			return -1;
		if (result != expected) {
			printf("# %s under %s: %d\n", attempts[i].name,
			       targets[target], result);
			wrong++;
		}
	}
	return wrong;
}

TEST_F(lids, a_file_may_be_used_as_its_target_says)
{
	int target;

	for (target = 0; target < COUNT(targets); target++)
		EXPECT_EQ(0, wrong_attempts(on_files, COUNT(on_files), target,
					    self->file, self->file));
}

TEST_F(lids, what_is_below_a_directory_is_covered)
{
	int target;

	for (target = 0; target < COUNT(targets); target++)
		EXPECT_EQ(0, wrong_attempts(on_files, COUNT(on_files), target,
					    self->folder, self->file));
}

TEST_F(lids, directories_are_objects)
{
	int target;

	for (target = 0; target < COUNT(targets); target++)
		EXPECT_EQ(0, wrong_attempts(on_folders, COUNT(on_folders),
					    target, self->inner, self->inner));
}

TEST_F(lids, the_nearest_rule_decides)
{
	ASSERT_EQ(0, lids_set("READONLY", self->folder));
	EXPECT_EQ(-EACCES, try_write(self->file));
	ASSERT_EQ(0, lids_set("WRITE", self->inner));
	EXPECT_EQ(0, try_write(self->file));
	EXPECT_EQ(-EACCES, try_write(self->other));
	ASSERT_EQ(0, lids_set("APPEND", self->file));
	EXPECT_EQ(-EACCES, try_write(self->file));
	EXPECT_EQ(0, try_append(self->file));
}

TEST_F(lids, nothing_else_is_covered)
{
	ASSERT_EQ(0, lids_set("DENY", self->inner));
	EXPECT_EQ(0, try_write(self->other));
	EXPECT_EQ(0, try_create(self->folder));
	EXPECT_EQ(-EACCES, try_read(self->file));
	ASSERT_EQ(0, lids_clear());
	EXPECT_EQ(0, try_write(self->file));
}

TEST_F(lids, symbolic_links_do_not_lead_around_rules)
{
	char link[160];

	snprintf(link, sizeof(link), "%s/link", self->folder);
	ASSERT_EQ(0, symlink(self->file, link));
	ASSERT_EQ(0, lids_set("READONLY", self->file));
	EXPECT_EQ(0, try_read(link));
	EXPECT_EQ(-EACCES, try_write(link));
}

/* Objects are inodes. */

TEST_F(lids, a_rule_follows_its_file)
{
	char moved[160];

	snprintf(moved, sizeof(moved), "%s/moved", self->folder);
	ASSERT_EQ(0, lids_set("READONLY", self->file));
	ASSERT_EQ(-EACCES, try_write(self->file));
	ASSERT_EQ(0, lids_clear());
	ASSERT_EQ(0, rename(self->file, moved));
	ASSERT_EQ(0, lids_set("READONLY", moved));
	ASSERT_EQ(0, make_file(self->file));
	EXPECT_EQ(0, try_write(self->file));
	EXPECT_EQ(-EACCES, try_write(moved));
}

TEST_F(lids, names_are_not_kept)
{
	char text[4096], expected[256];
	struct stat st;

	ASSERT_EQ(0, lids_set("READONLY", self->file));
	ASSERT_EQ(0, stat(self->file, &st));
	ASSERT_EQ(0, lids_read(text, sizeof(text)));
	snprintf(expected, sizeof(expected), HEADER "READONLY %u:%u:%llu - -\n",
		 major(st.st_dev), minor(st.st_dev), (unsigned long long)st.st_ino);
	EXPECT_STREQ(expected, text);
}

/* Subjects. */

TEST_F(lids, a_program_may_do_what_its_rule_says)
{
	ASSERT_EQ(0, copy_self(self->program));
	ASSERT_EQ(0, copy_self(self->helper));
	ASSERT_EQ(0, lids_set("DENY", self->file));
	ASSERT_EQ(0, lids_write("WRITE %s %s\n", self->file, self->program));
	EXPECT_EQ(0, write_after(self->program, 0, self->helper, self->file));
	EXPECT_EQ(-EACCES, write_after(self->helper, 0, self->helper, self->file));
	EXPECT_EQ(-EACCES, write_after(self->program, 1, self->helper, self->file));
	EXPECT_EQ(-EACCES, try_write(self->file));
}

TEST_F(lids, descendants_inherit_as_far_as_the_level_says)
{
	ASSERT_EQ(0, copy_self(self->program));
	ASSERT_EQ(0, copy_self(self->helper));
	ASSERT_EQ(0, lids_set("READONLY", self->file));
	ASSERT_EQ(0, lids_write("WRITE %s %s 2\n", self->file, self->program));
	EXPECT_EQ(0, write_after(self->program, 0, self->helper, self->file));
	EXPECT_EQ(0, write_after(self->program, 2, self->helper, self->file));
	EXPECT_EQ(-EACCES, write_after(self->program, 3, self->helper, self->file));
	ASSERT_EQ(0, lids_set("READONLY", self->other));
	ASSERT_EQ(0, lids_write("WRITE %s %s -1\n", self->other, self->program));
	EXPECT_EQ(0, write_after(self->program, 300, self->helper, self->other));
	EXPECT_EQ(-EACCES, write_after(self->helper, 1, self->helper, self->other));
}

TEST_F(lids, rules_may_restrict_one_program)
{
	ASSERT_EQ(0, copy_self(self->program));
	ASSERT_EQ(0, lids_write("READONLY %s %s -1\n", self->file, self->program));
	EXPECT_EQ(-EACCES, write_after(self->program, 0, self->helper, self->file));
	EXPECT_EQ(0, try_write(self->file));
}

/* Input. */

TEST_F(lids, other_input_is_refused_and_changes_nothing)
{
	static const char *const bad[] = {
		"x", " ", "READONLY\n", "READONLY ", "READONLY  /tmp\n",
		"readonly /tmp\n", "READONLY tmp\n", "READONLY /tmp ",
		"READONLY /tmp\n\n", "READONLY /tmp\nDENY /tmp\n",
		"READONLY /tmp /tmp\n", "READONLY /tmp /proc/self/exe 256\n",
		"READONLY /tmp /proc/self/exe -2\n", "READONLY /tmp /proc/self/exe 1 1\n",
	};
	char before[4096], after[4096];
	size_t i;

	ASSERT_EQ(0, lids_set("READONLY", self->file));
	ASSERT_EQ(0, lids_read(before, sizeof(before)));
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		EXPECT_EQ(-EINVAL, write_once(LIDS, 0, bad[i], strlen(bad[i])))
			TH_LOG("'%s'", bad[i]);
	EXPECT_EQ(-EINVAL, write_once(LIDS, 0, "DENY /tmp\0", 10));
	EXPECT_EQ(-EINVAL, write_once(LIDS, 0, "", 0));
	EXPECT_EQ(-ENOENT, lids_set("DENY", "/there/is/none"));
	EXPECT_EQ(-ENOTDIR, lids_write("DENY %s/%s\n", self->file, "x"));
	EXPECT_EQ(-EEXIST, lids_set("WRITE", self->file));
	ASSERT_EQ(0, lids_read(after, sizeof(after)));
	EXPECT_STREQ(before, after);
	EXPECT_EQ(-EACCES, try_write(self->file));
}

TEST_F(lids, unreadable_and_long_input_is_refused)
{
	const size_t size = 1 << 20;
	char *text = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, text);
	memset(text, 'a', size);
	EXPECT_EQ(-EINVAL, write_once(LIDS, 0, text, size));
	ASSERT_EQ(0, munmap(text, size));
	EXPECT_EQ(-EFAULT, write_once(LIDS, 0, text, 16));
}

TEST_F(lids, the_list_has_an_end)
{
	char path[160];
	int i;

	for (i = 0; i < 1024; i++) {
		snprintf(path, sizeof(path), "%s/%d", self->folder, i);
		ASSERT_EQ(0, make_file(path));
		ASSERT_EQ(0, lids_set("READONLY", path));
	}
	EXPECT_EQ(-ENOSPC, lids_set("READONLY", self->file));
	EXPECT_EQ(-EACCES, try_write(path));
	EXPECT_EQ(0, try_write(self->file));
}

/* 0 if the file refuses to be opened with EPERM or EACCES. */
static int all_refuse(void)
{
	return !refuses(LIDS, O_RDONLY) || !refuses(LIDS, O_WRONLY);
}

TEST_F(lids, nobody_else_may_open_its_file)
{
	EXPECT_EQ(0, as_nobody(all_refuse));
	EXPECT_EQ(0, as_root_of_namespace(all_refuse));
}

/* Hostile users. */

/* More directories in each other than a path has components; 0 or the errno. */
static int dig(const char *folder, const char *name)
{
	int i;

	if (chdir(folder))
		return errno;
	for (i = 0; i < 2100; i++)
		if (mkdir(name, 0755) || chdir(name))
			return errno;
	return 0;
}

TEST_F(lids, nobody_digs_around_rules)
{
	pid_t child = fork();

	if (!child)
		_exit(dig(self->inner, "a"));
	EXPECT_EQ(0, exit_status(child));
	ASSERT_EQ(0, lids_set("READONLY", self->other));
	child = fork();
	if (!child)
		_exit(dig(self->inner, "b"));
	EXPECT_EQ(EACCES, exit_status(child));
	EXPECT_EQ(0, try_create(self->inner));
}

static void work(const char *folder, const char *file, const volatile int *stop)
{
	while (!*stop) {
		try_create(folder);
		try_mkdir(folder);
		try_rename(file);
		write_after("/bin/true", 0, "", file);
	}
	_exit(0);
}

TEST_F(lids, rules_may_change_while_they_are_looked_up)
{
	int *stop = mmap(NULL, sizeof(*stop), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t children[4];
	int i;

	ASSERT_NE(MAP_FAILED, stop);
	for (i = 0; i < COUNT(children); i++) {
		children[i] = fork();
		if (!children[i])
			work(self->inner, self->file, stop);
	}
	for (i = 0; i < 200; i++) {
		EXPECT_EQ(0, lids_set(targets[i % COUNT(targets)], self->inner));
		EXPECT_EQ(0, lids_set("READONLY", self->other));
		EXPECT_EQ(0, lids_write("WRITE %s %s -1\n", self->inner, "/bin/true"));
		EXPECT_EQ(0, lids_clear());
	}
	/* User-Mode Linux does not survive a fork that is killed. */
	*stop = 1;
	for (i = 0; i < COUNT(children); i++)
		EXPECT_EQ(0, exit_status(children[i]));
}

TEST_HARNESS_MAIN
