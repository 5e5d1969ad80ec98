// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model of LIDS: KUnit tests of lines, of the access list, and of what it allows
 *
 * They run whether or not the module is on.  The files do not exist: no file
 * system has their device.
 */

#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <kunit/test.h>

#include "../object.h"
#include "../rule.h"
#include "../table.h"
#include "../task.h"

#define DEVICE	0xfffffu

static struct lids_id file(u64 ino)
{
	return (struct lids_id) { ino, DEVICE };
}

static struct lids_rule rule(enum lids_target target, u64 object, u64 subject,
			     unsigned int level)
{
	struct lids_rule made = {
		.object = file(object),
		.level = level,
		.target = target,
	};

	if (subject)
		made.subject = file(subject);
	return made;
}

static struct lids_subject runs(u64 program, unsigned int level)
{
	struct lids_subject made = { .level = level };

	if (program)
		made.program = file(program);
	return made;
}

/* Lines. */

struct line_case {
	const char *text;
	struct lids_line line;
};

static const struct line_case good_lines[] = {
	{ "DENY /", { "/", NULL, 0, LIDS_DENY } },
	{ "READONLY /etc", { "/etc", NULL, 0, LIDS_READONLY } },
	{ "APPEND /var/log", { "/var/log", NULL, 0, LIDS_APPEND } },
	{ "WRITE /a /b", { "/a", "/b", 0, LIDS_WRITE } },
	{ "WRITE /a /b 0", { "/a", "/b", 0, LIDS_WRITE } },
	{ "WRITE /a /b 007", { "/a", "/b", 7, LIDS_WRITE } },
	{ "WRITE /a /b 255", { "/a", "/b", 255, LIDS_WRITE } },
	{ "WRITE /a /b -1", { "/a", "/b", LIDS_ALL_LEVELS, LIDS_WRITE } },
};

static const char *const bad_lines[] = {
	" ", "DENY", "DENY ", "DENY  /a", " DENY /a", "DENY /a ", "DENY a",
	"DENY\t/a", "deny /a", "DEN /a", "DENYS /a", "READ /a", "/a DENY",
	"DENY /a b", "DENY /a  /b", "DENY /a\n/b", "DENY /a\tb", "DENY /a - 1",
	"DENY /a /b ", "DENY /a /b  1", "DENY /a /b 1 ", "DENY /a /b 1 2",
	"DENY /a /b 256", "DENY /a /b 4294967296", "DENY /a /b -2",
	"DENY /a /b +1", "DENY /a /b 1\n", "DENY /a /b 0x1", "DENY /a /b x",
	"DENY /a 1", "\xff /a",
};

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void lines_are_taken(struct kunit *test)
{
	struct lids_line line;
	char text[64];
	int i;

	for (i = 0; i < ARRAY_SIZE(good_lines); i++) {
		const struct line_case *c = &good_lines[i];

		strscpy(text, c->text, sizeof(text));
		KUNIT_EXPECT_EQ_MSG(test, lids_parse(text, &line), 0, "'%s'", c->text);
		KUNIT_EXPECT_EQ_MSG(test, line.target, c->line.target, "'%s'", c->text);
		KUNIT_EXPECT_EQ_MSG(test, line.level, c->line.level, "'%s'", c->text);
		KUNIT_EXPECT_TRUE_MSG(test, same_text(line.object, c->line.object) &&
				      same_text(line.subject, c->line.subject),
				      "'%s'", c->text);
	}
}

static void other_lines_are_refused(struct kunit *test)
{
	struct lids_line line;
	char text[64];
	int i;

	for (i = 0; i < ARRAY_SIZE(bad_lines); i++) {
		strscpy(text, bad_lines[i], sizeof(text));
		KUNIT_EXPECT_EQ_MSG(test, lids_parse(text, &line), -EINVAL, "'%s'",
				    bad_lines[i]);
	}
}

static void files_are_found_by_name(struct kunit *test)
{
	const struct lids_line root = { "/", NULL, 0, LIDS_DENY };
	const struct lids_line none = { "/there/is/none", NULL, 0, LIDS_DENY };
	const struct lids_line directory = { "/", "/", 0, LIDS_DENY };
	struct lids_rule resolved;

	KUNIT_EXPECT_EQ(test, lids_resolve(&root, &resolved), 0);
	KUNIT_EXPECT_TRUE(test, lids_is_file(&resolved.object));
	KUNIT_EXPECT_FALSE(test, lids_is_file(&resolved.subject));
	KUNIT_EXPECT_EQ(test, lids_resolve(&none, &resolved), -ENOENT);
	KUNIT_EXPECT_EQ(test, lids_resolve(&directory, &resolved), -EINVAL);
}

/* The access list. */

/* Adds a rule to a list that is nobody else's. */
static struct lids_table *with(struct kunit *test, struct lids_table *table,
			       struct lids_rule added)
{
	struct lids_table *next = lids_table_with(table, &added);

	KUNIT_ASSERT_FALSE(test, IS_ERR(next));
	kvfree(table);
	return next;
}

static int target_for(const struct lids_table *table, u64 object, u64 program,
		      unsigned int level)
{
	const struct lids_subject subject = runs(program, level);
	const struct lids_id id = file(object);

	return lids_find(table, &id, &subject);
}

static void rules_are_found_by_object(struct kunit *test)
{
	struct lids_table *table = NULL;
	const struct lids_id elsewhere = { 7, DEVICE - 1 };
	const struct lids_subject nobody = runs(0, 0);
	u64 ino;

	/* 37 and 64 have no common factor: neither first nor last come in order. */
	for (ino = 1; ino <= 64; ino++)
		table = with(test, table, rule(ino % LIDS_TARGETS,
					       1 + ino * 37 % 64, 0, 0));
	for (ino = 1; ino <= 64; ino++)
		KUNIT_EXPECT_EQ(test, target_for(table, 1 + ino * 37 % 64, 0, 0),
				ino % LIDS_TARGETS);
	KUNIT_EXPECT_EQ(test, target_for(table, 65, 0, 0), LIDS_NO_RULE);
	/* The same hash as 7 has, on another device or with another number. */
	KUNIT_EXPECT_EQ(test, target_for(table, 7 + LIDS_GUESSES, 0, 0), LIDS_NO_RULE);
	KUNIT_EXPECT_EQ(test, lids_find(table, &elsewhere, &nobody), LIDS_NO_RULE);
	kvfree(table);
}

static void rules_of_the_subject_come_before_the_default(struct kunit *test)
{
	struct lids_table *table = with(test, NULL, rule(LIDS_DENY, 1, 0, 0));

	table = with(test, table, rule(LIDS_WRITE, 1, 10, 0));
	table = with(test, table, rule(LIDS_APPEND, 1, 11, 2));
	table = with(test, table, rule(LIDS_READONLY, 1, 12, LIDS_ALL_LEVELS));
	table = with(test, table, rule(LIDS_WRITE, 2, 10, 0));
	KUNIT_EXPECT_EQ(test, target_for(table, 1, 0, 0), LIDS_DENY);
	KUNIT_EXPECT_EQ(test, target_for(table, 1, 9, 0), LIDS_DENY);
	KUNIT_EXPECT_EQ(test, target_for(table, 1, 10, 0), LIDS_WRITE);
	KUNIT_EXPECT_EQ(test, target_for(table, 1, 10, 1), LIDS_DENY);
	KUNIT_EXPECT_EQ(test, target_for(table, 1, 11, 2), LIDS_APPEND);
	KUNIT_EXPECT_EQ(test, target_for(table, 1, 11, 3), LIDS_DENY);
	KUNIT_EXPECT_EQ(test, target_for(table, 1, 12, LIDS_ALL_LEVELS), LIDS_READONLY);
	KUNIT_EXPECT_EQ(test, target_for(table, 2, 10, 0), LIDS_WRITE);
	KUNIT_EXPECT_EQ(test, target_for(table, 2, 0, 0), LIDS_NO_RULE);
	kvfree(table);
}

static void a_rule_is_added_once(struct kunit *test)
{
	struct lids_table *table = with(test, NULL, rule(LIDS_DENY, 1, 0, 0));
	struct lids_rule same = rule(LIDS_WRITE, 1, 0, 0);
	struct lids_rule of_program = rule(LIDS_WRITE, 1, 10, 5);

	KUNIT_EXPECT_EQ(test, PTR_ERR(lids_table_with(table, &same)), -EEXIST);
	table = with(test, table, of_program);
	KUNIT_EXPECT_EQ(test, PTR_ERR(lids_table_with(table, &of_program)), -EEXIST);
	KUNIT_EXPECT_EQ(test, table->count, 2);
	KUNIT_EXPECT_EQ(test, target_for(table, 1, 0, 0), LIDS_DENY);
	kvfree(table);
}

static void a_full_list_takes_no_more(struct kunit *test)
{
	const struct lids_rule one_more = rule(LIDS_DENY, 9999, 0, 0);
	struct lids_table *table = NULL;
	u64 ino;

	for (ino = 1; ino <= LIDS_MAX_RULES; ino++)
		table = with(test, table, rule(LIDS_READONLY, ino, 0, 0));
	KUNIT_EXPECT_EQ(test, PTR_ERR(lids_table_with(table, &one_more)), -ENOSPC);
	KUNIT_EXPECT_EQ(test, table->count, LIDS_MAX_RULES);
	KUNIT_EXPECT_EQ(test, target_for(table, 1, 0, 0), LIDS_READONLY);
	KUNIT_EXPECT_EQ(test, target_for(table, LIDS_MAX_RULES, 0, 0), LIDS_READONLY);
	KUNIT_EXPECT_EQ(test, target_for(table, 9999, 0, 0), LIDS_NO_RULE);
	kvfree(table);
}

/* Subjects: the list in force is used, which is empty before user space. */
static void descendants_are_counted(struct kunit *test)
{
	const struct lids_id known = file(10), other = file(11);
	const struct lids_rule for_known = rule(LIDS_WRITE, 1, 10, 0);
	struct lids_subject subject = runs(0, 0);
	int i;

	lids_execute(&subject, &known);
	KUNIT_EXPECT_FALSE(test, lids_is_file(&subject.program));
	KUNIT_ASSERT_EQ(test, lids_add_rule(&for_known), 0);
	lids_execute(&subject, &other);
	KUNIT_EXPECT_FALSE(test, lids_is_file(&subject.program));
	lids_execute(&subject, &known);
	KUNIT_EXPECT_EQ(test, lids_compare(&subject.program, &known), 0);
	KUNIT_EXPECT_EQ(test, subject.level, 0);
	for (i = 1; i <= 2 * LIDS_ALL_LEVELS; i++) {
		lids_execute(&subject, &other);
		KUNIT_EXPECT_EQ(test, lids_compare(&subject.program, &known), 0);
		KUNIT_EXPECT_EQ(test, subject.level, min(i, LIDS_ALL_LEVELS));
	}
	lids_execute(&subject, &known);
	KUNIT_EXPECT_EQ(test, subject.level, 0);
	lids_clear_rules();
	lids_execute(&subject, &known);
	KUNIT_EXPECT_EQ(test, subject.level, 1);
}

/* Objects. */

static void masks_need_targets(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lids_needed(MAY_READ), LIDS_READONLY);
	KUNIT_EXPECT_EQ(test, lids_needed(MAY_EXEC), LIDS_READONLY);
	KUNIT_EXPECT_EQ(test, lids_needed(MAY_WRITE), LIDS_WRITE);
	KUNIT_EXPECT_EQ(test, lids_needed(MAY_READ | MAY_WRITE), LIDS_WRITE);
	KUNIT_EXPECT_EQ(test, lids_needed(MAY_WRITE | MAY_APPEND), LIDS_APPEND);
	KUNIT_EXPECT_EQ(test, lids_needed(MAY_READ | MAY_WRITE | MAY_APPEND), LIDS_APPEND);
}

/* A chain of directories: each is below the one before, the first is the root. */
struct chain {
	struct super_block sb;
	struct inode inode;
	struct dentry dentries[];
};

static struct chain *make_chain(struct kunit *test, int length)
{
	struct chain *chain = kvzalloc(struct_size(chain, dentries, length),
				       GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, chain);
	chain->sb.s_dev = DEVICE;
	chain->inode.i_sb = &chain->sb;
	chain->inode.i_ino = 1;
	for (i = 0; i < length; i++)
		chain->dentries[i].d_parent = &chain->dentries[max(i - 1, 0)];
	chain->dentries[0].d_inode = &chain->inode;
	return chain;
}

static void the_nearest_object_decides(struct kunit *test)
{
	const struct lids_subject subject = runs(10, 0);
	struct lids_table *table = with(test, NULL, rule(LIDS_READONLY, 1, 0, 0));
	struct chain *chain = make_chain(test, 4);
	struct inode *below = kunit_kzalloc(test, sizeof(*below), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, below);
	below->i_sb = &chain->sb;
	below->i_ino = 2;
	chain->dentries[2].d_inode = below;
	KUNIT_EXPECT_EQ(test, lids_find_above(table, &chain->dentries[3], &subject),
			LIDS_READONLY);
	table = with(test, table, rule(LIDS_DENY, 2, 11, 0));
	KUNIT_EXPECT_EQ(test, lids_find_above(table, &chain->dentries[3], &subject),
			LIDS_READONLY);
	table = with(test, table, rule(LIDS_APPEND, 2, 10, 0));
	KUNIT_EXPECT_EQ(test, lids_find_above(table, &chain->dentries[3], &subject),
			LIDS_APPEND);
	KUNIT_EXPECT_EQ(test, lids_find_above(table, &chain->dentries[1], &subject),
			LIDS_READONLY);
	kvfree(table);
	kvfree(chain);
}

static void what_no_rule_covers_is_allowed(struct kunit *test)
{
	const struct lids_subject subject = runs(0, 0);
	struct lids_table *table = with(test, NULL, rule(LIDS_DENY, 2, 0, 0));
	struct chain *chain = make_chain(test, 2);

	KUNIT_EXPECT_EQ(test, lids_find_above(table, &chain->dentries[1], &subject),
			LIDS_WRITE);
	kvfree(table);
	kvfree(chain);
}

static void what_is_too_deep_is_denied(struct kunit *test)
{
	const struct lids_subject subject = runs(0, 0);
	struct lids_table *table = with(test, NULL, rule(LIDS_DENY, 2, 0, 0));
	struct chain *chain = make_chain(test, LIDS_MAX_DEPTH + 1);
	const struct dentry *last = &chain->dentries[LIDS_MAX_DEPTH];

	KUNIT_EXPECT_EQ(test, lids_find_above(table, last, &subject), LIDS_DENY);
	KUNIT_EXPECT_EQ(test, lids_find_above(table, last - 1, &subject), LIDS_WRITE);
	kvfree(table);
	kvfree(chain);
}

static struct kunit_case lids_cases[] = {
	KUNIT_CASE(lines_are_taken),
	KUNIT_CASE(other_lines_are_refused),
	KUNIT_CASE(files_are_found_by_name),
	KUNIT_CASE(rules_are_found_by_object),
	KUNIT_CASE(rules_of_the_subject_come_before_the_default),
	KUNIT_CASE(a_rule_is_added_once),
	KUNIT_CASE(a_full_list_takes_no_more),
	KUNIT_CASE(descendants_are_counted),
	KUNIT_CASE(masks_need_targets),
	KUNIT_CASE(the_nearest_object_decides),
	KUNIT_CASE(what_no_rule_covers_is_allowed),
	KUNIT_CASE(what_is_too_deep_is_denied),
	{}
};

static struct kunit_suite lids_suite = {
	.name = "lsmpmon_lids",
	.test_cases = lids_cases,
};

kunit_test_suite(lids_suite);
