// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: hooks that sleep, wait for a lock, and allocate memory
 */

#define _GNU_SOURCE
#include "../kselftest_harness.h"
#include "acts.h"
#include "fixture.h"

static const char *const burdens[] = { "sleep_ns", "lock_ns", "alloc_bytes" };

#define BURDENS	(sizeof(burdens) / sizeof(*burdens))

/* How often calls of a hook had a burden. */
static unsigned long long times_borne(const char *hook, size_t burden)
{
	const struct stats stats = stats_of(hook);
	const unsigned long long times[BURDENS] = {
		stats.sleeps, stats.lock_waits, stats.allocations,
	};

	return times[burden];
}

/* Hooks that may sleep have each burden, no other one, and at least as long as set. */
TEST_F_TIMEOUT(tunable, each_hook_has_burdens, 120)
{
	size_t i, j, other;

	for (i = 0; i < ACTS * BURDENS; i++) {
		const char *hook = acts[i / BURDENS].hook;
		unsigned long long before[BURDENS], begin;

		j = i % BURDENS;
		if (!strcmp(hook, "inode_alloc_security") || strchr(hook, ' '))
			continue;
		for (other = 0; other < BURDENS; other++)
			before[other] = times_borne(hook, other);
		ASSERT_EQ(0, set_in(burdens[j], hook, NS));
		begin = now_ns();
		EXPECT_EQ(0, acts[i / BURDENS].act(self->folder));
		begin = now_ns() - begin;
		ASSERT_EQ(0, set_in(burdens[j], hook, 0));
		for (other = 0; other < BURDENS; other++)
			EXPECT_EQ(other == j, before[other] < times_borne(hook, other)) {
				TH_LOG("%s of %s", burdens[other], hook);
			}
		if (j < 2)
			EXPECT_LE(NS, begin);
	}
}

TEST_F(tunable, hooks_that_may_not_sleep_refuse_burdens)
{
	char text[1024];
	size_t i;

	for (i = 0; i < BURDENS; i++) {
		EXPECT_EQ(-EINVAL, set_in(burdens[i], "inode_alloc_security", 1));
		EXPECT_EQ(-EINVAL, set_in(burdens[i], secid_hook(), 1));
		EXPECT_EQ(NULL, hook_line(burdens[i], "inode_alloc_security", text,
					  sizeof(text)));
		EXPECT_EQ(NULL, hook_line(burdens[i], secid_hook(), text,
					  sizeof(text)));
		EXPECT_NE(NULL, hook_line(burdens[i], "inode_create", text,
					  sizeof(text)));
	}
}

TEST_HARNESS_MAIN
