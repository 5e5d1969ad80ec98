// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon: what Linux Security Modules cost, from the kernel's monitor of their hooks. */

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commands.h"
#include "complain.h"
#include "nearest.h"
#include "version.h"

const char *argp_program_version = "lsmpmon " LSMPMON_VERSION;

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
} commands[] = {
	{ "on", command_on, "measure" },
	{ "off", command_off, "stop measuring; what was counted stays" },
	{ "reset", command_reset, "set all counters to zero" },
	{ "status", command_status, "whether you can measure here; what is on" },
	{ "show", command_show, "what was counted, as a table" },
	{ "record", command_record, "measure a command, into a file" },
	{ "report", command_report, "what a record has, as a table or a page" },
	{ "diff", command_diff, "what changed from one record to another" },
	{ "top", command_top, "what hooks cost right now, refreshed" },
	{ "hist", command_hist, "the durations of a hook's calls, as a bar chart" },
	{ "syscalls", command_syscalls, "what hooks cost in each system call" },
	{ "slowest", command_slowest, "the slowest calls: who, when, on what" },
	{ "slower", command_slower, "calls longer than a limit, as they happen" },
	{ "timeline", command_timeline, "a recording of trace-cmd for Perfetto" },
	{ "waits", command_waits, "how long hooks waited for locks and memory" },
	{ "bpf", command_bpf, "what each BPF program on a hook took" },
	{ "export", command_export, "all counters as metrics for Prometheus" },
	{ "bench", command_bench, "what the monitor itself costs on this machine" },
	{ "map", command_map, "which hooks a system call may reach, and which it must" },
};

#define COMMANDS (sizeof(commands) / sizeof(*commands))

static void help(FILE *out)
{
	fprintf(out, "Usage: lsmpmon COMMAND [OPTION...]\n"
		     "What Linux Security Modules cost: exact, per hook, module and system call.\n\n");
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].what);
	fprintf(out, "\nlsmpmon COMMAND --help has its options, man lsmpmon everything. First steps:\n\n"
		     "  lsmpmon status\n"
		     "  lsmpmon record -- tar -cf /dev/null /usr\n"
		     "  lsmpmon report lsmpmon.json\n");
}

/* argp begins its messages with the name of the command. */
static int run(const struct command *command, int argc, char **argv)
{
	char *name = xasprintf("lsmpmon %s", command->name);
	int status;

	argv[0] = name;
	status = command->run(argc, argv);
	free(name);
	if (fflush(stdout) || ferror(stdout))
		return complain("cannot write the output") ? STATUS_ERROR : status;
	return status;
}

static int unknown(const char *name)
{
	struct nearest nearest;
	char *meant;

	nearest_begin(&nearest, name);
	for (size_t i = 0; i < COMMANDS; i++)
		nearest_try(&nearest, commands[i].name);
	meant = nearest_text(&nearest);
	complain("'%s' is not a command%s; lsmpmon --help lists them", name, meant);
	free(meant);
	return STATUS_ERROR;
}

int main(int argc, char **argv)
{
	argp_err_exit_status = STATUS_ERROR;
	if (argc < 2) {
		help(stderr);
		return STATUS_ERROR;
	}
	for (size_t i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return run(&commands[i], argc - 1, argv + 1);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?") || !strcmp(argv[1], "help"))
		help(stdout);
	else if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		puts(argp_program_version);
	else
		return unknown(argv[1]);
	return EXIT_SUCCESS;
}
