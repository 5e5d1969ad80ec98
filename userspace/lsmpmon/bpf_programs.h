/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_BPF_PROGRAMS_H
#define LSMPMON_BPF_PROGRAMS_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>

#include "run.h"

/**
 * struct bpf_program - a BPF program on a hook
 * @fd: it, so that its counters stay
 * @before: what the kernel knew of it before the measurement; zeros if it was not there yet
 * @after: and after it
 * @owners: who has it, with commas: COMMAND:PID, or where it is pinned; NULL for nobody
 */
struct bpf_program {
	int fd;
	struct bpf_prog_info before;
	struct bpf_prog_info after;
	char *owners;
};

/**
 * struct bpf_programs - the programs on hooks, while the kernel times them
 * @stats: file descriptor; while it is open, the kernel counts and times programs; -1 for none
 * @all: the programs, by their numbers
 * @count: how many
 */
struct bpf_programs {
	int stats;
	struct bpf_program *all;
	size_t count;
};

/* Whether this kernel can have programs on hooks. Returns 0, or -1 after a complaint. */
int bpf_programs_check(void);

/* Have the kernel time programs, from now on. Returns 0, or -1 after a complaint. */
int bpf_programs_begin(struct bpf_programs *programs);

/* Stop that, and read what it counted. Returns 0, or -1 after a complaint. */
int bpf_programs_end(struct bpf_programs *programs);

/* Add the table `bpf` to the run. Returns 0, or -1 after a complaint. */
int bpf_programs_add(struct bpf_programs *programs, struct run *run);
void bpf_programs_free(struct bpf_programs *programs);

/* bpf(2) */
int bpf_call(enum bpf_cmd command, union bpf_attr *attributes);

/* Find who has the programs. */
void bpf_owners_find(struct bpf_programs *programs);

#endif
