// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: IMA and EVM count as modules on every kernel
 *
 * Before Linux 6.9 they are not modules: security.c calls them by name, next
 * to the callbacks of a hook.
 */

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "../kselftest_harness.h"
#include "table.h"

#define N	103
#define FILE_AT	"/tmp/lsmpmon-integrity"

FIXTURE(integrity)
{
	int fd;
	struct table result, verdicts, modules, hooks;
};

static int switch_modules(int on)
{
	return lsmmon_write("features", on ? "module 1" : "module 0", 8);
}

FIXTURE_SETUP(integrity)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, switch_modules(1));
	ASSERT_EQ(0, table_read(&self->hooks, "hooks"));
	self->fd = open(FILE_AT, O_RDWR | O_CREAT, 0600);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(1, write(self->fd, "x", 1));
}

FIXTURE_TEARDOWN(integrity)
{
	lsmmon_control(0);
	switch_modules(0);
	close(self->fd);
	unlink(FILE_AT);
	table_free(&self->result);
	table_free(&self->verdicts);
	table_free(&self->modules);
	table_free(&self->hooks);
}

/* Whether a module implements a hook, according to `hooks`. */
static int implements(const struct table *hooks, const char *module,
		      const char *hook)
{
	char list[256], *word, *save = NULL;
	int row;

	for (row = 0; row < hooks->rows; row++) {
		if (strcmp(table_text(hooks, row, "hook"), hook))
			continue;
		snprintf(list, sizeof(list), "%s",
			 table_text(hooks, row, "modules"));
		for (word = strtok_r(list, ",", &save); word;
		     word = strtok_r(NULL, ",", &save))
			if (!strcmp(word, module))
				return 1;
	}
	return 0;
}

static void read_all(struct __test_metadata *_metadata,
		     FIXTURE_DATA(integrity) *self)
{
	ASSERT_EQ(0, lsmmon_control(0));
	ASSERT_EQ(0, table_read(&self->result, "result"));
	ASSERT_EQ(0, table_read(&self->verdicts, "verdicts"));
	ASSERT_EQ(0, table_read(&self->modules, "modules"));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

/* Hooks of both in the calls below, none of which is denied. */
static const struct part {
	const char *module, *hook;
} parts[] = {
	{ "ima", "bprm_check_security" },
	{ "ima", "mmap_file" },
	{ "ima", "file_mprotect" },
	{ "ima", "inode_setxattr" },
	{ "ima", "inode_removexattr" },
	{ "evm", "inode_setattr" },
	{ "evm", "inode_setxattr" },
	{ "evm", "inode_post_setxattr" },
	{ "evm", "inode_removexattr" },
};

static void use_all(int fd)
{
	pid_t child = fork();
	void *page;

	if (!child) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	page = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	mprotect(page, 1, PROT_READ | PROT_WRITE);
	munmap(page, 1);
	fchmod(fd, 0640);
	fsetxattr(fd, "security.lsmpmon", "x", 1, 0);
	fremovexattr(fd, "security.lsmpmon");
}

/* They take part in each call, within the hook's own time. */
TEST_F_TIMEOUT(integrity, have_a_part_in_every_call, 120)
{
	size_t i;
	int n;

	ASSERT_EQ(0, lsmmon_control(1));
	for (n = 0; n < N; n++)
		use_all(self->fd);
	read_all(_metadata, self);
	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const struct part *p = &parts[i];
		unsigned long long calls = table_total(&self->result, p->hook);

		if (!implements(&self->hooks, p->module, p->hook)) {
			TH_LOG("no %s in %s", p->module, p->hook);
			continue;
		}
		EXPECT_LE(N, calls)
			TH_LOG("%s", p->hook);
		EXPECT_EQ(calls, table_calls(&self->modules, p->hook, "module",
					     p->module))
			TH_LOG("%s in %s", p->module, p->hook);
		EXPECT_EQ(0, table_sum_where(&self->modules, p->hook, "module",
					     p->module, "deny_count"));
	}
}

/* An unknown kind of digest: IMA denies it, and EVM is not called. */
TEST_F_TIMEOUT(integrity, ima_denies, 120)
{
	int i;

	if (!implements(&self->hooks, "ima", "inode_setxattr"))
		SKIP(return, "no IMA that appraises");
	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < N; i++)
		EXPECT_EQ(-1, fsetxattr(self->fd, "security.ima", "\377", 1, 0));
	read_all(_metadata, self);
	EXPECT_EQ(N, table_calls(&self->verdicts, "inode_setxattr", "verdict",
				 "deny"));
	EXPECT_EQ(0, table_calls(&self->verdicts, "inode_setxattr", "verdict",
				 "allow"));
	EXPECT_EQ(N, table_sum_where(&self->modules, "inode_setxattr", "module",
				     "ima", "deny_count"));
	EXPECT_EQ(0, table_calls(&self->modules, "inode_setxattr", "module", "evm"));
}

/* No digest: IMA allows it, EVM denies it. */
TEST_F_TIMEOUT(integrity, evm_denies, 120)
{
	int i;

	if (!implements(&self->hooks, "evm", "inode_setxattr"))
		SKIP(return, "no EVM");
	ASSERT_EQ(0, lsmmon_control(1));
	for (i = 0; i < N; i++)
		EXPECT_EQ(-1, fsetxattr(self->fd, "security.evm", "", 0, 0));
	read_all(_metadata, self);
	EXPECT_EQ(N, table_calls(&self->verdicts, "inode_setxattr", "verdict",
				 "deny"));
	EXPECT_EQ(0, table_calls(&self->verdicts, "inode_setxattr", "verdict",
				 "allow"));
	EXPECT_EQ(N, table_sum_where(&self->modules, "inode_setxattr", "module",
				     "evm", "deny_count"));
	EXPECT_EQ(0, table_sum_where(&self->modules, "inode_setxattr", "module",
				     "ima", "deny_count"));
}

TEST_HARNESS_MAIN
