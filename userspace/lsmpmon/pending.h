/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_PENDING_H
#define LSMPMON_PENDING_H

#include "seen.h"

/**
 * struct waiting - a call whose stack comes after it, or may come
 * @seen: the call
 * @cpu: where it ended
 * @is_old: it has waited since before the round that ends next
 * @is_ready: it has its stack, or will not get one
 */
struct waiting {
	struct seen seen;
	int cpu;
	bool is_old;
	bool is_ready;
};

/**
 * struct pending - calls that wait for their stack, or for one before them to get it
 * @calls: in the order in which they ended
 * @count: how many
 */
struct pending {
	struct waiting *calls;
	size_t count;
};

/* Is given a call whose time has come. Returns whether it wants more. */
typedef bool (*seen_function)(const struct seen *seen, void *context);

void pending_add(struct pending *pending, const struct seen *seen, int cpu);

/*
 * The call that a stack is of, which is ready from now on: the last one on the same CPU without one, since an interrupt
 * between a call and its stack has calls and stacks of its own. NULL if its call was lost.
 */
struct seen *pending_take_stack(struct pending *pending, int cpu);

/* What waited already when the last round ended will not get a stack. */
void pending_end_round(struct pending *pending);

/* Stacks were lost, or this is the end: nothing waits any longer. */
void pending_give_up(struct pending *pending);

/* Hand on, and forget, what is ready and has nothing before it that is not. Returns whether @take wants more. */
bool pending_hand_on(struct pending *pending, seen_function take, void *context);

void pending_free(struct pending *pending);

#endif
