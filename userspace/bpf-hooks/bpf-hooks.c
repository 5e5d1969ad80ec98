// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpf-hooks [-s] OBJECT TABLE COMMAND...: counts calls and time of the functions whose names are on
 * stdin while COMMAND runs, with the programs in file OBJECT, and writes them to file TABLE. With -s,
 * its last line is what bpf_stats says of the programs: how often they ran, and ns.
 */

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bpf-hooks.h"
#include "programs.h"

static struct functions functions;

static void read_functions(FILE *in)
{
	char name[256];

	while (functions.count < FUNCTIONS_MAX && fscanf(in, "%255s", name) == 1) {
		functions.cookies[functions.count] = functions.count;
		functions.names[functions.count++] = strdup(name);
	}
}

/* In the child, stdin is not the list of functions. */
static int run(char **command)
{
	int status = -1, null = open("/dev/null", O_RDONLY);
	pid_t child = fork();

	if (!child) {
		dup2(null, STDIN_FILENO);
		execvp(*command, command);
		complain(*command);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return complain(*command);
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
}

static void add(struct cost *total, const struct cost *cost)
{
	if (!cost->count)
		return;
	if (!total->count || cost->min < total->min)
		total->min = cost->min;
	if (cost->max > total->max)
		total->max = cost->max;
	total->count += cost->count;
	total->sum += cost->sum;
}

static int print_costs(int map, FILE *out)
{
	int cpus = libbpf_num_possible_cpus();
	struct cost costs[cpus];

	fprintf(out, "function count min max sum\n");
	for (unsigned int i = 0; i < functions.count; i++) {
		struct cost total = { 0 };

		if (bpf_map_lookup_elem(map, &i, costs))
			return complain(functions.names[i]);
		for (int cpu = 0; cpu < cpus; cpu++)
			add(&total, &costs[cpu]);
		if (total.count)
			fprintf(out, "%s %llu %llu %llu %llu\n", functions.names[i], total.count, total.min,
				total.max, total.sum);
	}
	return 0;
}

static int print_runs(FILE *out)
{
	struct runs runs;

	if (programs_runs(&runs))
		return -1;
	fprintf(out, "programs: %llu %llu\n", runs.count, runs.ns);
	return 0;
}

static int print(int map, bool stats, const char *path)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return complain(path);
	if (print_costs(map, out) || (stats && print_runs(out)))
		return -1;
	return fclose(out) ? complain(path) : 0;
}

/* Attaching calls hooks, too. Calls that have begun may still end. */
static int forget(int map)
{
	unsigned int numbers[FUNCTIONS_MAX], count = functions.count;
	int cpus = libbpf_num_possible_cpus(), err = 0;
	struct cost *costs = calloc((size_t)count * cpus, sizeof(*costs));

	for (unsigned int i = 0; costs && i < count && !err; i++) {
		numbers[i] = i;
		err = bpf_map_lookup_elem(map, &i, costs + i * cpus);
	}
	for (unsigned int i = 0; costs && i < count * cpus; i++)
		costs[i] = (struct cost){ .begin = costs[i].begin };
	/* All at once, since each call of bpf() is counted. */
	if (!costs || err || bpf_map_update_batch(map, numbers, costs, &count, NULL))
		err = complain("the map");
	free(costs);
	return err;
}

static int run_counted(int map, bool stats, char **command)
{
	int switched, err;

	if (forget(map))
		return -1;
	switched = stats ? bpf_enable_stats(BPF_STATS_RUN_TIME) : 0;
	if (switched < 0)
		return complain("bpf_stats");
	err = run(command);
	if (stats)
		close(switched);
	return err;
}

static int count(bool stats, char **words)
{
	int map = bpf_map_create(BPF_MAP_TYPE_PERCPU_ARRAY, "costs", sizeof(__u32), sizeof(struct cost),
				 functions.count, NULL);

	if (map < 0)
		return complain("the map");
	if (programs_attach(words[0], &functions, map) || run_counted(map, stats, words + 2))
		return -1;
	return print(map, stats, words[1]);
}

int main(int argc, char **argv)
{
	bool stats = argc > 1 && !strcmp(argv[1], "-s");
	int first = 1 + stats;

	if (argc < first + 3) {
		fprintf(stderr, "usage: bpf-hooks [-s] OBJECT TABLE COMMAND...\n");
		return 2;
	}
	read_functions(stdin);
	return count(stats, argv + first) ? EXIT_FAILURE : EXIT_SUCCESS;
}
