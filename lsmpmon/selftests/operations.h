/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hook calls by system call and io_uring operation, shared by the tests of
 * the file syscalls
 */

#ifndef LSMMON_OPERATIONS_H
#define LSMMON_OPERATIONS_H

#include "table.h"

/* Hook calls in an operation, in one round of a test's work. */
struct in_operation {
	const char *operation, *hook;
	int times;
};

/* Reset and start counting. */
static inline int operations_begin(void)
{
	return lsmmon_control(0) || lsmmon_feature("syscall", 0) ||
	       lsmmon_feature("syscall", 1) || lsmmon_control(1);
}

static inline int operations_end(struct table *syscalls)
{
	return lsmmon_control(0) || table_read(syscalls, "syscalls");
}

static inline void operations_off(struct table *syscalls)
{
	lsmmon_control(0);
	lsmmon_feature("syscall", 0);
	table_free(syscalls);
}

/* Print the rows of the operations that the test knows. */
static inline void operations_print(const struct table *syscalls,
				    const struct in_operation *known)
{
	const char *operation;
	int row, i;

	for (row = 0; row < syscalls->rows; row++) {
		operation = table_text(syscalls, row, "syscall");
		for (i = 0; known[i].hook; i++)
			if (!strcmp(known[i].operation, operation))
				break;
		if (known[i].hook)
			fprintf(stderr, "# row %s %s %llu\n", operation,
				table_text(syscalls, row, "hook"),
				table_number(syscalls, row, "count") +
				table_number(syscalls, row, "cs_count"));
	}
}

/* Number of hooks not called as expected in the given number of rounds; prints each. */
static inline int operations_unexpected(const struct table *syscalls,
					const struct in_operation *known,
					unsigned long long rounds)
{
	unsigned long long calls;
	int unexpected = 0;

	for (; known->hook; known++) {
		calls = table_calls(syscalls, known->hook, "syscall",
				    known->operation);
		if (calls == rounds * known->times)
			continue;
		fprintf(stderr, "# %s in %s: %llu calls instead of %llu\n",
			known->hook, known->operation, calls,
			rounds * known->times);
		unexpected++;
	}
	return unexpected;
}

#endif /* LSMMON_OPERATIONS_H */
