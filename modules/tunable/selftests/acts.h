/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the tests of the Tunable Security Module: what calls each of its hooks
 *
 * A program includes ../kselftest_harness.h first.
 */

#ifndef TUNABLE_ACTS_H
#define TUNABLE_ACTS_H

#include <stdlib.h>
#include <time.h>

#include "../lsmpmon/audit.h"
#include "tunable.h"

#define NS		1000000ULL

static inline unsigned long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static inline int do_execute(const char *folder)
{
	return system("true");
}

static inline int do_create(const char *folder)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/new.%llu", folder, now_ns());
	return make_file(path, 0644);
}

static inline int do_setxattr(const char *folder)
{
	return set_label(folder, "trusted");
}

static inline int do_read(const char *folder)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/file", folder);
	return read_file(path);
}

/* A rule for an unused system call makes audit examine all calls. */
static inline int switch_rule(int type)
{
	struct audit_rule_data rule = {
		.flags = AUDIT_FILTER_EXIT, .action = AUDIT_ALWAYS,
	};

	rule.mask[AUDIT_WORD(SYS_acct)] |= AUDIT_BIT(SYS_acct);
	return talk_to_audit(type, &rule, sizeof(rule));
}

/* A task has an audit context if audit was on when it was made. */
static inline int do_be_audited(const char *folder)
{
	pid_t child;
	int err;

	if (switch_audit(1) || switch_rule(AUDIT_ADD_RULE))
		return -1;
	child = fork();
	if (!child)
		_exit(do_read(folder) ? 1 : 0);
	err = exit_status(child);
	return err | switch_rule(AUDIT_DEL_RULE) | switch_audit(0);
}

static const struct {
	const char *hook;
	int (*act)(const char *folder);
} acts[] = {
	{ "bprm_creds_for_exec", do_execute },
	{ "inode_alloc_security", do_create },
	{ "inode_init_security", do_create },
	{ "inode_create", do_create },
	{ "inode_setxattr", do_setxattr },
	{ "inode_permission", do_create },
	{ "file_permission", do_read },
	{ "inode_getsecid or inode_getlsmprop", do_be_audited },
};

#define ACTS	(sizeof(acts) / sizeof(*acts))

#endif /* TUNABLE_ACTS_H */
