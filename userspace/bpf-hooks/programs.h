/* SPDX-License-Identifier: GPL-2.0-only */
/* BPF programs on functions. Functions return 0, or -1 after they have complained. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stddef.h>

#define FUNCTIONS_MAX 4096

/* The cookie of each is its number, by which its costs are found. */
struct functions {
	const char *names[FUNCTIONS_MAX];
	unsigned long long cookies[FUNCTIONS_MAX];
	size_t count;
};

/* What the kernel has found of our programs while bpf_stats was on. */
struct runs {
	unsigned long long count, ns;
};

int complain(const char *what);

/* Load the programs in file PATH, which count in the map COSTS, and attach them as long as this process lives. */
int programs_attach(const char *path, const struct functions *functions, int costs);

int programs_runs(struct runs *runs);

#endif
