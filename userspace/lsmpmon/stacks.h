/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_STACKS_H
#define LSMPMON_STACKS_H

#include "record.h"
#include "times.h"

#define STACK_DEPTH 3

/**
 * struct stack - where time was spent
 * @names: of the system call, the hook and the module; without the last, what is left of the hook's own time
 * @depth: how many
 * @ticks: of these alone
 */
struct stack {
	const char *names[STACK_DEPTH];
	size_t depth;
	uint64_t ticks;
};

/**
 * struct stacks - all of a record
 * @rows: the stacks
 * @count: how many
 * @time: which time of theirs
 * @has_switched: calls with a context switch inside have times, too
 */
struct stacks {
	struct stack *rows;
	size_t count;
	enum time time;
	bool has_switched;
};

/* Each once, and none without time. Without what either feature would have measured. 0, or -1 after a complaint. */
int stacks_read(struct stacks *stacks, const struct record *record, enum time time);
void stacks_free(struct stacks *stacks);

/* SYSCALL;HOOK;MODULE TICKS in lines. 0, or -1 after a complaint. */
int stacks_fold(const struct record *record, enum time time, FILE *out);

#endif
