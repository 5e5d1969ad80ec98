// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: labels of files and tasks, hostile labels, and the
 * right to set them
 */

#define _GNU_SOURCE
#include <linux/limits.h>

#include "../kselftest_harness.h"
#include "fixture.h"

static const char *const labels[] = { "trusted", "untrusted", "ignored" };

TEST_F(tunable, labels_are_kept)
{
	size_t i;

	EXPECT_STREQ("", get_label(self->file));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(0, set_label(self->file, labels[i]));
		EXPECT_STREQ(labels[i], get_label(self->file));
	}
	EXPECT_EQ(0, removexattr(self->file, LABEL));
	EXPECT_STREQ("", get_label(self->file));
}

/* Limit the scope to this test: other tasks have labelled files as well. */
static int alone(void)
{
	return tunable_set("scope", "s tunable_labels*");
}

/* A delay for a label applies to files with that label. */
TEST_F(tunable, labels_count_at_once)
{
	char line[32];
	size_t i, j;

	ASSERT_EQ(0, alone());
	ASSERT_EQ(0, set_hook("file_permission", 1000));
	for (i = 0; i < 3; i++) {
		snprintf(line, sizeof(line), "o %s", labels[i]);
		ASSERT_EQ(0, tunable_set("scope", line));
		for (j = 0; j < 3; j++) {
			ASSERT_EQ(0, set_label(self->file, labels[j]));
			EXPECT_EQ(i == j ? CALLS : 0, waits_for(self->file));
		}
	}
}

TEST_F(tunable, what_has_no_label_is_ignored)
{
	ASSERT_EQ(0, alone());
	ASSERT_EQ(0, set_hook("file_permission", 1000));
	ASSERT_EQ(0, tunable_set("scope", "o ignored"));
	EXPECT_EQ(CALLS, waits_for(self->file));
	ASSERT_EQ(0, set_label(self->file, "trusted"));
	EXPECT_EQ(0, waits_for(self->file));
	ASSERT_EQ(0, removexattr(self->file, LABEL));
	EXPECT_EQ(CALLS, waits_for(self->file));
}

/* The label survives the inode in memory. */
TEST_F(tunable, labels_are_read_from_the_disk)
{
	if (!getenv("EXT4"))
		SKIP(return, "EXT4: no directory on a disk");
	ASSERT_EQ(0, set_label(self->file, "untrusted"));
	sync();
	ASSERT_EQ(0, write_file("/proc/sys/vm/drop_caches", "3"));
	ASSERT_EQ(0, set_hook("file_permission", 1000));
	ASSERT_EQ(0, tunable_set("scope", "o untrusted"));
	EXPECT_EQ(CALLS, waits_for(self->file));
}

static const struct {
	const char *value;
	size_t size;
} hostile[] = {
	{ "", 0 }, { "trust", 5 }, { "trusted\0", 8 }, { "trusted\n", 8 },
	{ " trusted", 8 }, { "TRUSTED", 7 }, { "tru\0ted", 7 },
	{ "untrustedd", 10 }, { "0", 1 }, { "\xff\xfe\xfd\xfc\xfb\xfa\xf9", 7 },
	{ "%s%n%p%x%s%n", 12 }, { "trusted,untrusted", 17 },
};

#define HOSTILE	(sizeof(hostile) / sizeof(*hostile))

TEST_F(tunable, hostile_values_are_not_set)
{
	static char big[XATTR_SIZE_MAX];
	size_t i;

	ASSERT_EQ(0, set_label(self->file, "untrusted"));
	for (i = 0; i < HOSTILE; i++) {
		EXPECT_EQ(-1, setxattr(self->file, LABEL, hostile[i].value,
				       hostile[i].size, 0));
		EXPECT_EQ(EINVAL, errno);
	}
	memset(big, 't', sizeof(big));
	EXPECT_EQ(-1, setxattr(self->file, LABEL, big, sizeof(big), 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_STREQ("untrusted", get_label(self->file));
	ASSERT_EQ(0, set_hook("file_permission", 1000));
	ASSERT_EQ(0, tunable_set("scope", "o untrusted"));
	EXPECT_EQ(CALLS, waits_for(self->file));
}

/* Run shell commands in a directory; 0 if all succeeded. */
static int run_in(const char *folder, const char *commands)
{
	char line[2048];

	snprintf(line, sizeof(line),
		 "cd %s && PATH=$PATH:/sbin:/usr/sbin && { %s; } >/dev/null 2>&1",
		 folder, commands);
	return system(line);
}

/* A disk of somebody else, written without the module. */
#define MAKE_DISK						\
	"truncate -s 4M disk && mke2fs -q -t ext4 -I 1024 disk && mkdir mnt"
#define MOUNT		"mount -o loop disk mnt"
#define WRITE_FILE	"debugfs -w -R 'write value %zu' disk"
#define WRITE_LABEL	"debugfs -w -R 'ea_set -f value %zu " LABEL "' disk"

static int write_bytes(const char *folder, const char *name, const void *bytes,
		       size_t size)
{
	char path[160];

	if (make_file((snprintf(path, sizeof(path), "%s/%s", folder, name),
		       path), 0600))
		return -1;
	return truncate(path, 0) ?: write_once(path, 0, bytes, size);
}

/* Files 0, 1, ... with these values, and one with a very long value. */
static int make_hostile_disk(const char *folder)
{
	static char big[900];
	char command[256];
	size_t i;

	if (run_in(folder, MAKE_DISK))
		return -1;
	memset(big, 't', sizeof(big));
	for (i = 0; i <= HOSTILE; i++) {
		const void *value = i < HOSTILE ? hostile[i].value : big;
		const size_t size = i < HOSTILE ? hostile[i].size : sizeof(big);

		if (write_bytes(folder, "value", value, size))
			return -1;
		snprintf(command, sizeof(command),
			 WRITE_FILE " && " WRITE_LABEL, i, i);
		if (run_in(folder, command))
			return -1;
	}
	return run_in(folder, MOUNT);
}

TEST_F(tunable, hostile_values_on_a_disk_are_ignored)
{
	size_t i, labels = 0;
	char path[160];

	if (run_in(self->folder, "command -v debugfs && command -v mke2fs"))
		SKIP(return, "no debugfs or mke2fs");
	ASSERT_EQ(0, make_hostile_disk(self->folder));
	ASSERT_EQ(0, set_hook("inode_permission", 1000));
	for (i = 0; i <= HOSTILE; i++) {
		struct stats before, after;

		snprintf(path, sizeof(path), "%s/mnt/%zu", self->folder, i);
		labels += getxattr(path, LABEL, NULL, 0) > 0;
		ASSERT_EQ(0, tunable_set("scope", "o ignored"));
		before = stats_of("inode_permission");
		EXPECT_EQ(0, access(path, R_OK));
		EXPECT_LT(before.waits, stats_of("inode_permission").waits);
		EXPECT_EQ(0, tunable_set("scope", "o trusted"));
		before = stats_of("inode_permission");
		EXPECT_EQ(0, access(path, R_OK));
		after = stats_of("inode_permission");
		EXPECT_EQ(before.waits, after.waits);
		EXPECT_LT(before.calls, after.calls);
	}
	/* The labels exist; debugfs may or may not store an empty one. */
	EXPECT_LE(HOSTILE, labels);
	EXPECT_EQ(0, run_in(self->folder, "umount mnt"));
}

/* Who may label. */

static int drop_capability(int capability)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return -errno;
	data[capability / 32].effective &= ~(1U << capability % 32);
	data[capability / 32].permitted &= ~(1U << capability % 32);
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

/* 0 if neither setting nor removing a label is allowed, and nothing changed. */
static int may_not_label(const char *path)
{
	if (set_label(path, "untrusted") != -EPERM)
		return 1;
	if (!removexattr(path, LABEL) || errno != EPERM)
		return 2;
	return strcmp("trusted", get_label(path)) ? 3 : 0;
}

static int without(int capability, const char *path)
{
	return drop_capability(capability) ? 9 : may_not_label(path);
}

TEST_F(tunable, labelling_needs_two_capabilities)
{
	pid_t child;

	ASSERT_EQ(0, set_label(self->file, "trusted"));
	child = fork();
	if (!child)
		_exit(without(CAP_MAC_ADMIN, self->file));
	EXPECT_EQ(0, exit_status(child));
	child = fork();
	if (!child)
		_exit(without(CAP_SYS_ADMIN, self->file));
	EXPECT_EQ(0, exit_status(child));
}

static int nobody(const char *path)
{
	if (setuid(65534))
		return 9;
	/* What the capability module refuses stays refused. */
	if (!setxattr(path, "security.other", "x", 1, 0) || errno != EPERM)
		return 8;
	return may_not_label(path);
}

TEST_F(tunable, owners_may_not_label)
{
	pid_t child;

	ASSERT_EQ(0, set_label(self->file, "trusted"));
	ASSERT_EQ(0, chmod(self->folder, 0755));
	ASSERT_EQ(0, chown(self->file, 65534, 65534));
	child = fork();
	if (!child)
		_exit(nobody(self->file));
	EXPECT_EQ(0, exit_status(child));
}

TEST_F(tunable, root_of_a_user_namespace_may_not_label)
{
	pid_t child;

	ASSERT_EQ(0, set_label(self->file, "trusted"));
	child = fork();
	if (!child)
		_exit(enter_namespace() ? 9 : may_not_label(self->file));
	EXPECT_EQ(0, exit_status(child));
}

/* Inheritance. */

/*
 * Before Linux 6.6, only one module can give a new file an xattr, and SELinux
 * and Smack do.
 */
static int new_files_keep_labels(void)
{
	char modules[256] = "", release[64] = "";
	int major = 0, minor = 0;

	read_text("/sys/kernel/security/lsm", modules, sizeof(modules));
	read_text("/proc/sys/kernel/osrelease", release, sizeof(release));
	if (sscanf(release, "%d.%d", &major, &minor) != 2)
		return 0;
	return major * 100 + minor >= 606 ||
	       (!strstr(modules, "selinux") && !strstr(modules, "smack"));
}

TEST_F(tunable, new_files_have_the_label_of_who_makes_them)
{
	char path[160];
	size_t i;

	ASSERT_EQ(0, copy_self(self->program));
	ASSERT_EQ(0, set_hook("file_permission", 1000));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, set_label(self->program, labels[i]));
		snprintf(path, sizeof(path), "%s/%zu", self->folder, i);
		ASSERT_EQ(0, run_program(self->program, MAKE_FILE, path));
		snprintf(self->file, sizeof(self->file), "o %s", labels[i]);
		ASSERT_EQ(0, tunable_set("scope", self->file));
		EXPECT_EQ(CALLS, waits_for(path));
		if (new_files_keep_labels())
			EXPECT_STREQ(i < 2 ? labels[i] : "", get_label(path));
	}
}

TEST_F(tunable, new_files_of_tasks_without_label_have_none)
{
	EXPECT_STREQ("", get_label(self->file));
	EXPECT_STREQ("", get_label(self->folder));
}

TEST_HARNESS_MAIN
