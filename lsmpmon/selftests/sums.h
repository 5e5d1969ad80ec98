/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sums that all tables of the calls of a hook have in common
 *
 * To be included after kselftest_harness.h.
 */

#ifndef LSMMON_SUMS_H
#define LSMMON_SUMS_H

#include "table.h"

/* The sums over the rows of a hook in table @t, the file @name, are those in verdicts. */
static inline void expect_sums(struct __test_metadata *_metadata,
			       const struct table *verdicts, const struct table *t,
			       const char *name, const char *hook)
{
	size_t i;

	for (i = 0; i < TABLE_SUMS; i++)
		EXPECT_EQ(table_sum(verdicts, hook, table_sums[i]),
			  table_sum(t, hook, table_sums[i]))
			TH_LOG("%s: %s of %s", name, table_sums[i], hook);
}

#endif /* LSMMON_SUMS_H */
