/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_TRACED_H
#define LSMPMON_TRACED_H

#include <stdbool.h>
#include <stdint.h>

#define TRACED_SYSTEM "lsmpmon"
#define TRACED_EVENT "lsm_hook_exit"
#define TRACED_OBJECT_EVENT "lsm_hook_object"

/* Longer than the name of any hook or system call. */
#define TRACED_NAME 64

/* Longer than what the kernel writes of any object. */
#define TRACED_OBJECT 272

/**
 * struct traced - a hook call, as the trace event at its end has it
 * @hook: its hook
 * @syscall: the system call in which it was, as in lsmmon/syscalls
 * @verdict: allow, deny or none
 * @rc: what it returned
 * @wall: nanoseconds from its begin to its end
 * @is_known: the next three are
 * @own: nanoseconds of its own time
 * @slept: nanoseconds for which the task slept
 * @preempted: nanoseconds for which the task was off the CPU and could have run
 * @depth: how many hook calls of the task are around it; -1 if the kernel does not say
 * @object: name of its object, as in lsmmon/slowest; empty if no event had it
 */
struct traced {
	char hook[TRACED_NAME];
	char syscall[TRACED_NAME];
	char verdict[TRACED_NAME];
	int rc;
	uint64_t wall;
	bool is_known;
	uint64_t own;
	uint64_t slept;
	uint64_t preempted;
	int depth;
	char object[TRACED_OBJECT];
};

/*
 * Read what the kernel prints of the event, now or before it had own time. Returns 0, or -1 if that is something else.
 * Printed, because only then the names are there, wherever the event keeps them.
 */
int traced_parse(struct traced *traced, const char *text);

/* Read the hook, the wall time and the object from what the kernel prints of lsm_hook_object. Returns 0 or -1. */
int traced_parse_object(struct traced *traced, const char *text);

#endif
