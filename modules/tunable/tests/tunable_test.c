// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: KUnit tests of the input of its files, and of waiting
 *
 * They run whether or not the module is on.
 */

#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <kunit/test.h>

#include "../burden.h"
#include "../delay.h"
#include "../fs.h"
#include "../scope.h"

struct ns_case {
	const char *text;
	int expected;
	unsigned long ns;
};

static const struct ns_case ns_cases[] = {
	{ "0", 0, 0 },
	{ "1", 0, 1 },
	{ "007", 0, 7 },
	{ "999999999", 0, 999999999 },
	{ "1000000000", 0, 1000000000 },
	{ "1000000001", -EINVAL },
	{ "4294967297", -EINVAL },
	{ "18446744073709551617", -EINVAL },
	{ "99999999999999999999999999", -EINVAL },
	{ "", -EINVAL },
	{ " 1", -EINVAL },
	{ "1 ", -EINVAL },
	{ "1\n", -EINVAL },
	{ "+1", -EINVAL },
	{ "-1", -EINVAL },
	{ "0x10", -EINVAL },
	{ "1e3", -EINVAL },
	{ "1.5", -EINVAL },
	{ "1us", -EINVAL },
	{ "\xff", -EINVAL },
};

static void times_are_decimal_numbers(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(ns_cases); i++) {
		const struct ns_case *c = &ns_cases[i];
		unsigned long ns = 42;

		KUNIT_EXPECT_EQ_MSG(test, tunable_parse_ns(c->text, &ns),
				    c->expected, "'%s'", c->text);
		KUNIT_EXPECT_EQ_MSG(test, ns, c->expected ? 42 : c->ns, "'%s'",
				    c->text);
	}
}

struct label_case {
	const char *text;
	size_t length;
	int label;
};

static const struct label_case label_cases[] = {
	{ "ignored", 7, TUNABLE_IGNORED },
	{ "trusted", 7, TUNABLE_TRUSTED },
	{ "untrusted", 9, TUNABLE_UNTRUSTED },
	{ "untrusted and more", 9, TUNABLE_UNTRUSTED },
	{ "", 0, -EINVAL },
	{ NULL, 0, -EINVAL },
	{ "trust", 5, -EINVAL },
	{ "trusted", 8, -EINVAL },
	{ "trusted\n", 8, -EINVAL },
	{ "Trusted", 7, -EINVAL },
	{ " trusted", 8, -EINVAL },
	{ "trusted untrusted", 17, -EINVAL },
	{ "tru\0ted", 7, -EINVAL },
	{ "\xff\xff\xff\xff\xff\xff\xff", 7, -EINVAL },
};

static void labels_are_three_words(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(label_cases); i++) {
		const struct label_case *c = &label_cases[i];

		KUNIT_EXPECT_EQ_MSG(test, tunable_parse_label(c->text, c->length),
				    c->label, "case %d", i);
	}
}

static void labels_have_names(struct kunit *test)
{
	int label;

	for (label = TUNABLE_IGNORED; label < TUNABLE_LABELS; label++) {
		const char *name = tunable_label_name(label);

		KUNIT_EXPECT_EQ(test, tunable_parse_label(name, strlen(name)),
				label);
	}
	KUNIT_EXPECT_STREQ(test, tunable_label_name(TUNABLE_UNREAD), "ignored");
}

static const char *const bad_hooks[] = {
	"", " ", "inode_permission", "inode_permission ", "inode_permission  1",
	"inode_permission 1 ", "inode_permission 1 2", "inode_permission\t1",
	" inode_permission 1", "Inode_permission 1", "inode_permissio 1",
	"inode_permission -1", "inode_permission 1000000001", "no_such_hook 1",
	"1 inode_permission", "inode_permission 1\ninode_create 1",
};

static void restore_delays(const unsigned long *before)
{
	int i;

	for (i = 0; i < TUNABLE_HOOKS; i++) {
		WRITE_ONCE(tunable_delays[i], before[i]);
		tunable_note_settings(i);
	}
}

static void hooks_are_set_by_name(struct kunit *test)
{
	unsigned long before[TUNABLE_HOOKS];
	char line[64];
	int i;

	memcpy(before, tunable_delays, sizeof(before));
	for (i = 0; i < ARRAY_SIZE(bad_hooks); i++) {
		strscpy(line, bad_hooks[i], sizeof(line));
		KUNIT_EXPECT_EQ_MSG(test, tunable_set_hook(line), -EINVAL, "'%s'",
				    bad_hooks[i]);
	}
	KUNIT_EXPECT_EQ(test, memcmp(before, tunable_delays, sizeof(before)), 0);
	for (i = 0; i < TUNABLE_HOOKS; i++) {
		KUNIT_EXPECT_EQ(test, tunable_parse_hook(tunable_hook_names[i]), i);
		snprintf(line, sizeof(line), "%s %d", tunable_hook_names[i], i);
		KUNIT_EXPECT_EQ(test, tunable_set_hook(line), 0);
		KUNIT_EXPECT_EQ(test, tunable_delays[i], i);
	}
	restore_delays(before);
}

static void one_delay_is_that_of_both_permission_hooks(struct kunit *test)
{
	unsigned long before[TUNABLE_HOOKS];
	char good[] = "5", bad[] = "5 ";
	int i;

	memcpy(before, tunable_delays, sizeof(before));
	memset(tunable_delays, 0, sizeof(before));
	KUNIT_EXPECT_EQ(test, tunable_set_delay(good), 0);
	KUNIT_EXPECT_EQ(test, tunable_set_delay(bad), -EINVAL);
	for (i = 0; i < TUNABLE_HOOKS; i++)
		KUNIT_EXPECT_EQ(test, tunable_delays[i],
				i == TUNABLE_FILE_PERMISSION ||
				i == TUNABLE_INODE_PERMISSION ? 5 : 0);
	restore_delays(before);
}

static int (*const set_burden[TUNABLE_BURDENS])(char *line) = {
	[TUNABLE_SLEEP]		= tunable_set_sleep,
	[TUNABLE_LOCK]		= tunable_set_lock,
	[TUNABLE_ALLOCATION]	= tunable_set_allocation,
};

static int write_burden(int burden, const char *text)
{
	char line[64];

	strscpy(line, text, sizeof(line));
	return set_burden[burden](line);
}

/* Of hooks that may sleep, and of no others.  It is 1 only for a moment. */
static void expect_burden(struct kunit *test, int burden, int hook)
{
	const bool sleeps = tunable_may_sleep(hook);
	char line[64];

	snprintf(line, sizeof(line), "%s 1", tunable_hook_names[hook]);
	KUNIT_EXPECT_EQ_MSG(test, write_burden(burden, line), sleeps ? 0 : -EINVAL,
			    "'%s'", line);
	KUNIT_EXPECT_EQ(test, tunable_get_burden(burden, hook), sleeps);
	KUNIT_EXPECT_EQ(test, tunable_is_burdened[hook], sleeps);
	if (sleeps)
		KUNIT_EXPECT_TRUE(test, tunable_is_set[hook]);
	snprintf(line, sizeof(line), "%s 0", tunable_hook_names[hook]);
	KUNIT_EXPECT_EQ(test, write_burden(burden, line), sleeps ? 0 : -EINVAL);
	KUNIT_EXPECT_FALSE(test, tunable_is_burdened[hook]);
}

static void burdens_are_set_by_name(struct kunit *test)
{
	int burden, i;

	for (burden = 0; burden < TUNABLE_BURDENS; burden++) {
		for (i = 0; i < ARRAY_SIZE(bad_hooks); i++)
			KUNIT_EXPECT_EQ_MSG(test, write_burden(burden, bad_hooks[i]),
					    -EINVAL, "'%s'", bad_hooks[i]);
		for (i = 0; i < TUNABLE_HOOKS; i++)
			KUNIT_EXPECT_EQ(test, tunable_get_burden(burden, i), 0);
		for (i = 0; i < TUNABLE_HOOKS; i++)
			expect_burden(test, burden, i);
	}
	KUNIT_EXPECT_EQ(test, -EINVAL,
			write_burden(TUNABLE_ALLOCATION, "inode_create 16777217"));
}

struct scope_case {
	const char *line;
	struct tunable_scope expected;
};

/* Each case starts from the result of the one before. */
static const struct scope_case scope_cases[] = {
	{ "s cat", { "cat" } },
	{ "l trusted", { "cat", TUNABLE_TRUSTED } },
	{ "o untrusted", { "cat", TUNABLE_TRUSTED, TUNABLE_UNTRUSTED } },
	{ "s fifteen-letters", { "fifteen-letters", TUNABLE_TRUSTED, TUNABLE_UNTRUSTED } },
	{ "s a b", { "a b", TUNABLE_TRUSTED, TUNABLE_UNTRUSTED } },
	{ "l", { "a b", TUNABLE_UNREAD, TUNABLE_UNTRUSTED } },
	{ "s", { "", TUNABLE_UNREAD, TUNABLE_UNTRUSTED } },
	{ "l ignored", { "", TUNABLE_IGNORED, TUNABLE_UNTRUSTED } },
	{ "", { "" } },
	{ "s sixteen-letters*", { "sixteen-letters*" } },
	{ "o ignored", { "sixteen-letters*", TUNABLE_UNREAD, TUNABLE_IGNORED } },
	{ "o", { "sixteen-letters*" } },
};

static const char *const bad_scopes[] = {
	" ", "s ", "l ", "o ", "x", "x y", "cat", "S cat", "s\tcat", "scat",
	"s sixteen-letters-", "s a\nb", "l trust", "l trusted ", "l  trusted",
	"o Trusted", "l *", "trusted",
	"s *234567890123456789012345678901234567890123456789012345678901234",
};

static void scopes_are_changed_part_by_part(struct kunit *test)
{
	struct tunable_scope scope = { }, before;
	int i;

	for (i = 0; i < ARRAY_SIZE(scope_cases); i++) {
		const struct scope_case *c = &scope_cases[i];

		KUNIT_EXPECT_EQ_MSG(test, tunable_parse_scope(c->line, &scope), 0,
				    "'%s'", c->line);
		KUNIT_EXPECT_EQ_MSG(test, memcmp(&scope, &c->expected,
						 sizeof(scope)), 0,
				    "'%s'", c->line);
	}
	tunable_parse_scope("s cat", &scope);
	before = scope;
	for (i = 0; i < ARRAY_SIZE(bad_scopes); i++)
		KUNIT_EXPECT_EQ_MSG(test,
				    tunable_parse_scope(bad_scopes[i], &scope),
				    -EINVAL, "'%s'", bad_scopes[i]);
	KUNIT_EXPECT_EQ(test, memcmp(&scope, &before, sizeof(scope)), 0);
}

struct call_case {
	struct tunable_scope scope;
	bool has;
};

/* A call by the trusted task "cat" on an untrusted object. */
static const struct call_case call_cases[] = {
	{ { "" }, true },
	{ { "cat" }, true },
	{ { "c*" }, true },
	{ { "ca" }, false },
	{ { "", TUNABLE_TRUSTED }, true },
	{ { "", TUNABLE_UNTRUSTED }, false },
	{ { "", TUNABLE_IGNORED }, false },
	{ { "", TUNABLE_UNREAD, TUNABLE_UNTRUSTED }, true },
	{ { "", TUNABLE_UNREAD, TUNABLE_TRUSTED }, false },
	{ { "cat", TUNABLE_TRUSTED, TUNABLE_UNTRUSTED }, true },
	{ { "dog", TUNABLE_TRUSTED, TUNABLE_UNTRUSTED }, false },
	{ { "cat", TUNABLE_IGNORED, TUNABLE_UNTRUSTED }, false },
	{ { "cat", TUNABLE_TRUSTED, TUNABLE_IGNORED }, false },
};

static void scopes_have_calls_that_fit_in_all_parts(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(call_cases); i++)
		KUNIT_EXPECT_EQ_MSG(test,
				    tunable_scope_has(&call_cases[i].scope, "cat",
						      TUNABLE_TRUSTED,
						      TUNABLE_UNTRUSTED),
				    call_cases[i].has, "case %d", i);
}

/* A step of the clock. */
#define STEP_NS		1000

/*
 * What tunable_wait() leaves to the call around it, so that the hook is as long as it
 * was told: nothing with the module off; else what was calibrated, on a slow kernel over
 * a microsecond.  An interrupt makes it longer: the least of several.
 */
static u64 time_around(void)
{
	u64 least = U64_MAX;
	int i;

	for (i = 0; i < 16; i++)
		least = min(least, tunable_wait(ktime_get_mono_fast_ns(), 0, false));
	return least;
}

static void waits_are_long_enough(struct kunit *test)
{
	static const unsigned long waits[] = { 10000, 100000, 1000000, 10000000 };
	const u64 less = time_around() + STEP_NS;
	u64 begin, waited;
	int i;

	for (i = 0; i < ARRAY_SIZE(waits); i++) {
		begin = ktime_get_ns();
		waited = tunable_wait(ktime_get_mono_fast_ns(), waits[i], true);
		KUNIT_EXPECT_GE(test, ktime_get_ns() - begin + less, waits[i]);
		KUNIT_EXPECT_GE(test, waited, waits[i]);
	}
}

static void burdens_are_heavy_enough(struct kunit *test)
{
	static const unsigned long times[] = { 1, 10000, 1000000, 20000000 };
	u64 begin;
	int i;

	for (i = 0; i < ARRAY_SIZE(times); i++) {
		begin = ktime_get_ns();
		tunable_sleep(times[i]);
		KUNIT_EXPECT_GE(test, ktime_get_ns() - begin + STEP_NS, times[i]);
		begin = ktime_get_ns();
		tunable_wait_for_lock(times[i]);
		KUNIT_EXPECT_GE(test, ktime_get_ns() - begin + STEP_NS, times[i]);
	}
	KUNIT_EXPECT_TRUE(test, tunable_allocate(1));
	KUNIT_EXPECT_TRUE(test, tunable_allocate(100000));
}

static struct kunit_case tunable_cases[] = {
	KUNIT_CASE(times_are_decimal_numbers),
	KUNIT_CASE(labels_are_three_words),
	KUNIT_CASE(labels_have_names),
	KUNIT_CASE(hooks_are_set_by_name),
	KUNIT_CASE(one_delay_is_that_of_both_permission_hooks),
	KUNIT_CASE(scopes_are_changed_part_by_part),
	KUNIT_CASE(scopes_have_calls_that_fit_in_all_parts),
	KUNIT_CASE(waits_are_long_enough),
	KUNIT_CASE(burdens_are_set_by_name),
	KUNIT_CASE(burdens_are_heavy_enough),
	{}
};

static struct kunit_suite tunable_suite = {
	.name = "lsmpmon_tunable",
	.test_cases = tunable_cases,
};

kunit_test_suite(tunable_suite);
