// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpf-hooks OBJECT TABLE COMMAND...: counts calls and time of the functions whose names are on stdin
 * while COMMAND runs, with the programs in file OBJECT, and writes them to file TABLE.
 */

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "bpf-hooks.h"

#define FUNCTIONS_MAX 4096

/* The cookie of each is its number. */
static struct functions {
	char *names[FUNCTIONS_MAX];
	unsigned long long cookies[FUNCTIONS_MAX];
	size_t count;
} functions;

static int complain(const char *what)
{
	char reason[128];

	libbpf_strerror(errno, reason, sizeof(reason));
	fprintf(stderr, "bpf-hooks: %s: %s\n", what, reason);
	return -1;
}

static void read_functions(FILE *in)
{
	char name[256];

	while (functions.count < FUNCTIONS_MAX && fscanf(in, "%255s", name) == 1) {
		functions.cookies[functions.count] = functions.count;
		functions.names[functions.count++] = strdup(name);
	}
}

static int attach(struct bpf_object *object, const char *name, bool is_return)
{
	LIBBPF_OPTS(bpf_kprobe_multi_opts, options, .syms = (const char **)functions.names,
		    .cookies = (const __u64 *)functions.cookies, .cnt = functions.count, .retprobe = is_return);
	struct bpf_program *program = bpf_object__find_program_by_name(object, name);

	/* The link lives as long as this process. */
	return program && bpf_program__attach_kprobe_multi_opts(program, NULL, &options) ? 0 : complain(name);
}

static struct bpf_object *load(const char *path)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);

	if (!object || bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "costs"), functions.count) ||
	    bpf_object__load(object) || attach(object, "enter", false) || attach(object, "leave", true)) {
		complain(path);
		return NULL;
	}
	return object;
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

static int print(struct bpf_object *object, FILE *out)
{
	int map = bpf_map__fd(bpf_object__find_map_by_name(object, "costs")), cpus = libbpf_num_possible_cpus();
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
	return fclose(out) ? complain("the table") : 0;
}

int main(int argc, char **argv)
{
	struct bpf_object *object;
	FILE *out;

	if (argc < 4) {
		fprintf(stderr, "usage: bpf-hooks OBJECT TABLE COMMAND...\n");
		return 2;
	}
	read_functions(stdin);
	object = load(argv[1]);
	if (!object || run(argv + 3))
		return EXIT_FAILURE;
	out = fopen(argv[2], "w");
	if (!out)
		complain(argv[2]);
	return out && !print(object, out) ? EXIT_SUCCESS : EXIT_FAILURE;
}
