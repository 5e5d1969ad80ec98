// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: KUnit tests of sessions
 */

#include "../feature.h"
#include "../holder.h"
#include "../inject.h"
#include "../keys.h"
#include "../session.h"
#include "../timed.h"
#include "../tree.h"
#include "self.h"

static int no_memory(void)
{
	return -ENOMEM;
}

static void there_is_one_at_a_time(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, lsmpmon_session_begin(), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_session_begin(), -EBUSY);
	lsmpmon_session_end();
	KUNIT_ASSERT_EQ(test, lsmpmon_session_begin(), 0);
	lsmpmon_session_end();
}

static void what_is_switched_on_ends(struct kunit *test)
{
	lsmpmon_measure(false);
	KUNIT_ASSERT_EQ(test, lsmpmon_session_begin(), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_measure(true), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_feature_switch(LSMPMON_FEATURE_MODULE, 1), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_feature_switch(LSMPMON_FEATURE_TIMED, 8), 0);
	lsmpmon_session_end();
	KUNIT_EXPECT_FALSE(test, lsmpmon_is_measuring());
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&lsmpmon_module_on));
	KUNIT_EXPECT_EQ(test, lsmpmon_sample_period, 1);
}

static void what_is_not_touched_goes_on(struct kunit *test)
{
	u64 count;

	empty_span();
	count = self_cell(LSMPMON_ALLOW).count;
	KUNIT_ASSERT_EQ(test, lsmpmon_session_begin(), 0);
	empty_span();
	lsmpmon_session_end();
	empty_span();
	KUNIT_EXPECT_EQ(test, self_cell(LSMPMON_ALLOW).count, count + 2);
	KUNIT_EXPECT_TRUE(test, lsmpmon_is_measuring());
}

/*
 * Features are switched off during the session, and no probe can be registered when
 * it ends.  The session has kept the probes that it needs.
 */
static void its_end_does_not_fail(struct kunit *test)
{
#if LSMPMON_HAS_CALLS
	KUNIT_ASSERT_EQ(test, lsmpmon_feature_switch(LSMPMON_FEATURE_CALLS, 1), 0);
	KUNIT_ASSERT_EQ(test, lsmpmon_feature_switch(LSMPMON_FEATURE_TIMED, 4), 0);
	KUNIT_ASSERT_EQ(test, lsmpmon_session_begin(), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_measure(false), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_feature_switch(LSMPMON_FEATURE_CALLS, 0), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_feature_switch(LSMPMON_FEATURE_TIMED, 1), 0);
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&lsmpmon_calls_on));
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&lsmpmon_no_early_skip));
	WRITE_ONCE(lsmpmon_injected[LSMPMON_REGISTERING], no_memory);
	lsmpmon_session_end();
	WRITE_ONCE(lsmpmon_injected[LSMPMON_REGISTERING], NULL);
	KUNIT_EXPECT_TRUE(test, lsmpmon_is_measuring());
	KUNIT_EXPECT_TRUE(test, static_key_enabled(&lsmpmon_calls_on));
	KUNIT_EXPECT_EQ(test, lsmpmon_sample_period, 4);
	KUNIT_EXPECT_EQ(test, lsmpmon_feature_switch(LSMPMON_FEATURE_CALLS, 0), 0);
	KUNIT_EXPECT_EQ(test, lsmpmon_feature_switch(LSMPMON_FEATURE_TIMED, 1), 0);
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&lsmpmon_no_early_skip));
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&lsmpmon_all_detailed));
#else
	kunit_skip(test, "no system call tracepoints on this architecture");
#endif
}

/* A session that fails to begin changes nothing. */
static void its_beginning_may_fail(struct kunit *test)
{
	lsmpmon_measure(false);
	KUNIT_ASSERT_EQ(test, lsmpmon_holder_begin(no_memory), -ENOMEM);
	KUNIT_EXPECT_EQ(test, lsmpmon_holder_enter(), 0);
	lsmpmon_holder_leave();
	KUNIT_EXPECT_EQ(test, lsmpmon_session_begin(), 0);
	lsmpmon_session_end();
}

struct tree_case {
	const char *text;
	int err;
	pid_t pid;
	bool awaits;
};

static const struct tree_case tree_cases[] = {
	{ "", 0, 0, false },
	{ "1", 0, 1, false },
	{ "12 exec", 0, 12, true },
	{ "0", -EINVAL },
	{ "0 exec", -EINVAL },
	{ "1 ", -EINVAL },
	{ " exec", -EINVAL },
	{ "exec", -EINVAL },
	{ "1  exec", -EINVAL },
	{ "1 exec ", -EINVAL },
	{ "1 execs", -EINVAL },
	{ "1 EXEC", -EINVAL },
	{ "-1 exec", -EINVAL },
	{ "99999999999", -EINVAL },
};

static void trees_begin_with_a_process_or_a_program(struct kunit *test)
{
	char text[32];
	bool awaits;
	pid_t pid;
	int i, err;

	for (i = 0; i < ARRAY_SIZE(tree_cases); i++) {
		const struct tree_case *c = &tree_cases[i];

		strscpy(text, c->text, sizeof(text));
		err = lsmpmon_tree_parse(text, &pid, &awaits);
		KUNIT_EXPECT_EQ_MSG(test, err, c->err, "'%s'", c->text);
		if (err)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, pid, c->pid, "'%s'", c->text);
		KUNIT_EXPECT_EQ_MSG(test, awaits, c->awaits, "'%s'", c->text);
	}
}

static struct kunit_case session_cases[] = {
	KUNIT_CASE(there_is_one_at_a_time),
	KUNIT_CASE(what_is_switched_on_ends),
	KUNIT_CASE(what_is_not_touched_goes_on),
	KUNIT_CASE(its_end_does_not_fail),
	KUNIT_CASE(its_beginning_may_fail),
	KUNIT_CASE(trees_begin_with_a_process_or_a_program),
	{}
};

static struct kunit_suite session_suite = {
	.name = "lsmpmon_session",
	.init = self_test_init,
	.exit = self_test_exit,
	.test_cases = session_cases,
};

kunit_test_suite(session_suite);
