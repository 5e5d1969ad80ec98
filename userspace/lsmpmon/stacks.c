// SPDX-License-Identifier: GPL-2.0-only
/* System call, hook and module by time, and report --folded. */

#include "stacks.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"
#include "costs.h"
#include "utf8.h"

/* Nothing, where the kernel has no such table. */
static int read_costs(struct costs *costs, const struct record *record, const char *by)
{
	struct grouping grouping;

	*costs = (struct costs){ 0 };
	if (grouping_parse(&grouping, by))
		return -1;
	if (!run_text(record->runs, grouping.table))
		return 0;
	return costs_read(costs, record->runs, record->run_count, &grouping);
}

static void add(struct stacks *stacks, const char *const *names, size_t depth, uint64_t ticks)
{
	struct stack *stack;

	if (!ticks)
		return;
	stacks->rows = xgrow(stacks->rows, stacks->count, sizeof(*stack));
	stack = &stacks->rows[stacks->count++];
	*stack = (struct stack){ .depth = depth, .ticks = ticks };
	memcpy(stack->names, names, depth * sizeof(*names));
}

/* Of a hook in a system call: what its modules took, each of which becomes a stack of its own. */
static uint64_t add_modules(struct stacks *stacks, const struct costs *modules, const struct cost *hook)
{
	uint64_t ticks = 0;
	size_t count;
	const struct cost *const *rows = costs_with(modules, hook->keys, STACK_DEPTH - 1, &count);

	for (size_t i = 0; i < count; i++) {
		uint64_t took = times_of(&rows[i]->times, stacks->time);

		add(stacks, rows[i]->keys, STACK_DEPTH, took);
		ticks += took;
	}
	return ticks;
}

/* A record of modules only has no hooks that they could be part of. */
static void add_all(struct stacks *stacks, const struct costs *hooks, const struct costs *modules)
{
	for (size_t i = 0; i < hooks->count; i++) {
		const struct cost *hook = &hooks->rows[i];
		uint64_t inside = add_modules(stacks, modules, hook), whole = times_of(&hook->times, stacks->time);

		add(stacks, hook->keys, STACK_DEPTH - 1, whole > inside ? whole - inside : 0);
	}
	for (size_t i = 0; i < modules->count && !hooks->count; i++)
		add(stacks, modules->rows[i].keys, STACK_DEPTH, times_of(&modules->rows[i].times, stacks->time));
}

int stacks_read(struct stacks *stacks, const struct record *record, enum time time)
{
	struct costs hooks, modules = { 0 };
	int error;

	*stacks = (struct stacks){ .time = time };
	error = read_costs(&hooks, record, "syscall,hook") ||
		read_costs(&modules, record, "syscall,hook,module");
	if (!error) {
		stacks->has_switched = hooks.has_switched || modules.has_switched;
		add_all(stacks, &hooks, &modules);
	}
	costs_free(&hooks);
	costs_free(&modules);
	return error ? -1 : 0;
}

void stacks_free(struct stacks *stacks)
{
	free(stacks->rows);
	*stacks = (struct stacks){ 0 };
}

/* A semicolon is between names, and the last blank before the number. */
static void put_name(const char *name, FILE *out)
{
	char *copy = xstrdup(name);

	utf8_disarm(copy);
	for (const char *at = copy; *at; at++)
		fputc(*at == ';' ? '?' : *at, out);
	free(copy);
}

static void say_what_is_missing(const struct stacks *stacks, const struct record *record)
{
	if (!stacks->count)
		complain("no call was counted by system call: lsmpmon record -f syscall,stack");
	else if (!run_has_feature(record->runs, "stack"))
		complain("no modules, only system calls and hooks: lsmpmon record -f syscall,stack has them");
	if (stacks->count && !stacks->has_switched)
		complain("%s", times_text(false, stacks->time));
}

int stacks_fold(const struct record *record, enum time time, FILE *out)
{
	struct stacks stacks;

	if (stacks_read(&stacks, record, time))
		return -1;
	say_what_is_missing(&stacks, record);
	for (size_t i = 0; i < stacks.count; i++) {
		const struct stack *stack = &stacks.rows[i];

		for (size_t name = 0; name < stack->depth; name++) {
			if (name)
				fputc(';', out);
			put_name(stack->names[name], out);
		}
		fprintf(out, " %ju\n", (uintmax_t)stack->ticks);
	}
	stacks_free(&stacks);
	return 0;
}
