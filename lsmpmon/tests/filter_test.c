// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of the filter's input, and
 * of what it matches
 */

#include <linux/err.h>
#include <linux/slab.h>

#include <kunit/test.h>

#include "../object.h"
#include "../path.h"
#include "../select.h"

struct path_case {
	const char *pattern;
	const char *path;
	bool matches;
};

static const struct path_case path_cases[] = {
	{ "/", "/", true },
	{ "/", "/a", false },
	{ "/a", "/", false },
	{ "/a", "/a", true },
	{ "/a", "/b", false },
	{ "/a", "/a/b", false },
	{ "/a/b", "/a", false },
	{ "/a/b", "/a/b", true },
	{ "/a/b", "/a/bc", false },
	{ "/*", "/abc", true },
	{ "/*", "/a/b", false },
	{ "/*/b", "/a/b", true },
	{ "/*/*", "/a/b", true },
	{ "/*/c", "/a/b/c", false },
	{ "/a*/?c", "/abc/xc", true },
	{ "/a*/?c", "/abc/xyc", false },
	{ "/a[bc]", "/ac", true },
	{ "/a\\*", "/a*", true },
	{ "/a\\*", "/ab", false },
	{ "/a b/\xc3\xa9", "/a b/\xc3\xa9", true },
};

static void paths_match_by_component(struct kunit *test)
{
	struct lsmpmon_object *object;
	char path[32];
	int i;

	object = kunit_kzalloc(test, sizeof(*object), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, object);
	for (i = 0; i < ARRAY_SIZE(path_cases); i++) {
		const struct path_case *c = &path_cases[i];

		strscpy(object->path, c->pattern, sizeof(object->path));
		object->depth = lsmpmon_split_path(object->path);
		strscpy(path, c->path, sizeof(path));
		KUNIT_EXPECT_EQ_MSG(test, lsmpmon_path_matches(object, path),
				    c->matches, "'%s' and '%s'", c->pattern,
				    c->path);
	}
}

struct subject_case {
	const char *name;
	bool accepted;
	bool literal;
};

static const struct subject_case subject_cases[] = {
	{ "a", true, true },
	{ "fifteen-letters", true, true },
	{ "sixteen-letters-", false },
	{ "sixteen-letters*", true, false },
	{ "a b", true, true },
	{ "?", true, false },
	{ "[ab]", true, false },
	{ "*23456789012345678901234567890123456789012345678901234567890123",
	  true, false },
	{ "*234567890123456789012345678901234567890123456789012345678901234",
	  false },
};

static void subjects_are_names_of_tasks(struct kunit *test)
{
	struct lsmpmon_subject *subject;
	int i;

	for (i = 0; i < ARRAY_SIZE(subject_cases); i++) {
		const struct subject_case *c = &subject_cases[i];

		subject = lsmpmon_parse_subject(c->name);
		if (!c->accepted) {
			KUNIT_EXPECT_EQ_MSG(test, PTR_ERR(subject), -EINVAL,
					    "'%s'", c->name);
			continue;
		}
		KUNIT_ASSERT_FALSE(test, IS_ERR(subject));
		KUNIT_EXPECT_STREQ(test, subject->text, c->name);
		KUNIT_EXPECT_EQ(test, subject->name.literal, c->literal);
		kvfree(subject);
	}
}

struct kinds_case {
	enum lsmpmon_hook hook;
	const char *kinds;
};

static const struct kinds_case kinds_cases[] = {
	{ LSMPMON_HOOK_inode_permission, "inode" },
	{ LSMPMON_HOOK_inode_rename, "inode,dentry" },
	{ LSMPMON_HOOK_bprm_check_security, "binprm" },
	{ LSMPMON_HOOK_file_mprotect, "vma" },
	{ LSMPMON_HOOK_sb_umount, "mount" },
	{ LSMPMON_HOOK_task_kill, "task" },
	{ LSMPMON_HOOK_inode_init_security, "inode,name" },
	{ LSMPMON_HOOK_inode_alloc_security, "" },
	{ LSMPMON_HOOK_capable, "" },
};

/* Kinds found in the text of declarations equal those selected by type. */
static void hooks_have_objects_of_kinds(struct kunit *test)
{
	char kinds[LSMPMON_OBJECT_KINDS_SIZE];
	int i;

	for (i = 0; i < ARRAY_SIZE(kinds_cases); i++) {
		lsmpmon_object_kinds(kinds_cases[i].hook, kinds, sizeof(kinds));
		KUNIT_EXPECT_STREQ(test, kinds, kinds_cases[i].kinds);
	}
}

static void types_are_told_apart(struct kunit *test)
{
	const struct dentry *dentry = NULL;
	struct inode *inode = NULL;
	struct inode **inodes = NULL;
	struct cred *cred = NULL;
	unsigned long number = 0;

	KUNIT_EXPECT_EQ(test, LSMPMON_KIND(dentry), LSMPMON_OBJECT_dentry);
	KUNIT_EXPECT_EQ(test, LSMPMON_KIND(inode), LSMPMON_OBJECT_inode);
	KUNIT_EXPECT_EQ(test, LSMPMON_KIND(inodes), LSMPMON_NO_OBJECT);
	KUNIT_EXPECT_EQ(test, LSMPMON_KIND(cred), LSMPMON_NO_OBJECT);
	KUNIT_EXPECT_EQ(test, LSMPMON_KIND(number), LSMPMON_NO_OBJECT);
}

static struct kunit_case filter_cases[] = {
	KUNIT_CASE(paths_match_by_component),
	KUNIT_CASE(subjects_are_names_of_tasks),
	KUNIT_CASE(hooks_have_objects_of_kinds),
	KUNIT_CASE(types_are_told_apart),
	{}
};

static struct kunit_suite filter_suite = {
	.name = "lsmpmon_filter",
	.test_cases = filter_cases,
};

kunit_test_suite(filter_suite);
