// SPDX-License-Identifier: GPL-2.0-only
/* The command line. Invalid arguments end the program with status 2. */

#include "options.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "version.h"

#define NUMBER_MAX 100000000ul

/* A name has nine digits. */
#define TREE_MAX 1000000ul
#define RULES_MAX 100000ul
#define STATUS_MISUSED 2
#define VERBS "list, run, work, openit, exec, sweep, slopes or spread"

enum key {
	KEY_JSON = 256, KEY_CSV, KEY_SAMPLES, KEY_DIRECTORIES, KEY_FILES, KEY_MONITOR, KEY_SYSCALLS, KEY_LANDLOCK,
	KEY_LANDLOCK_RULES, KEY_DENIED, KEY_STOP
};

const char *argp_program_version = "lmbench-hook " LSMPMON_VERSION;

#define DIR_OPTION { "dir", 'd', "DIR", 0, "Work in DIR (default: $TMPDIR, else /tmp)", 0 }
#define LANDLOCK_OPTIONS \
	{ "landlock", KEY_LANDLOCK, "DIR", 0, \
	  "Restrict this process with Landlock to work beneath DIR", 0 }, \
	{ "landlock-rules", KEY_LANDLOCK_RULES, "N", 0, \
	  "With --landlock: add N rules, each for a directory made for it and removed again", 0 }
#define FORMAT_OPTIONS \
	{ "json", KEY_JSON, NULL, 0, "Print JSON", 0 }, \
	{ "csv", KEY_CSV, NULL, 0, "Print comma-separated values", 0 }, \
	{ "samples", KEY_SAMPLES, NULL, 0, "With --json: include every sample", 0 }

static const struct argp_option no_options[] = { { 0 } };

static const struct argp_option run_options[] = {
	{ "number", 'n', "N", 0, "Samples of each (300)", 0 },
	{ "warmup", 'w', "N", 0, "Rounds before the first sample (50)", 0 },
	{ "loop", 'l', "N", 0, "A sample is N whole rounds, timed together, divided by N", 0 },
	{ "stop", KEY_STOP, NULL, 0,
	  "Stop this process before each call that is timed; SIGCONT lets it go on", 0 },
	{ "directories", KEY_DIRECTORIES, "N", 0, "Directories of mkdir/many and rmdir/many (9437)", 0 },
	{ "denied", KEY_DENIED, "FILE", 0, "What denied/open opens: FILE, which policy must deny", 0 },
	FORMAT_OPTIONS, DIR_OPTION, LANDLOCK_OPTIONS, { 0 }
};

static const struct argp_option work_options[] = {
	{ "number", 'n', "N", 0, "Rounds of each (1000)", 0 },
	{ "directories", KEY_DIRECTORIES, "N", 0, "Directories of mkdir/many and rmdir/many (9437)", 0 },
	{ "monitor", KEY_MONITOR, "LSMMON", 0,
	  "Start and reset the kernel's monitor just before the first call and stop it after "
	  "the last. It then holds the work and one file_permission, from the stop itself. It is "
	  "also stopped while a variation is prepared or removed. If it was on before, it is on again at the end", 0 },
	{ "syscalls", KEY_SYSCALLS, "FILE", 0,
	  "With --monitor: count only calls of this program, by system call, and write them to FILE", 0 },
	DIR_OPTION, LANDLOCK_OPTIONS, { 0 }
};

static const struct argp_option openit_options[] = {
	{ "number", 'n', "N", 0, "Walks (9)", 0 },
	{ "warmup", 'w', "N", 0, "Walks before the first that is timed (1)", 0 },
	{ "directories", KEY_DIRECTORIES, "N", 0, "Directories of the tree (266)", 0 },
	{ "files", KEY_FILES, "N", 0, "Files in all of them (19255)", 0 },
	FORMAT_OPTIONS, DIR_OPTION, LANDLOCK_OPTIONS, { 0 }
};

static const struct argp_option exec_options[] = {
	{ "landlock", KEY_LANDLOCK, "DIR", 0,
	  "Restrict it with Landlock: it can write only beneath DIR and to /dev/null", 0 },
	{ 0 }
};

/**
 * struct command - a verb of this program
 * @name: the verb
 * @arguments: the arguments, for the help text
 * @least: minimum number of arguments
 * @most: maximum number of arguments
 * @what: help text
 * @options: options of the verb
 * @flags: how argp reads the words
 */
static const struct command {
	const char *name;
	const char *arguments;
	size_t least;
	size_t most;
	const char *what;
	const struct argp_option *options;
	unsigned int flags;
} commands[] = {
	[VERB_LIST] = { "list", "[PATTERN...]", 0, SIZE_MAX,
			"List the sub-benchmarks and the system calls of one round of each.", no_options, 0 },
	[VERB_RUN] = { "run", "[PATTERN...]", 0, SIZE_MAX,
		       "Time the call in brackets, in ticks of the clock.", run_options, 0 },
	[VERB_WORK] = { "work", "[PATTERN...]", 0, SIZE_MAX,
			"Make exactly -n rounds of each, without a clock, for counting.", work_options, 0 },
	[VERB_OPENIT] = { "openit", "", 0, 0,
			  "Time a walk through a tree that stats each entry and opens each file.",
			  openit_options, 0 },
	[VERB_EXEC] = { "exec", "PROGRAM [ARG...]", 1, SIZE_MAX,
			"Execute a program in place of this one.", exec_options, ARGP_IN_ORDER },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const char help[] =
	"Usage: lmbench-hook VERB [OPTION...] [ARGUMENT...]\n"
	"Time single system calls, for file operations and more, or make an exact number of them.\n\n"
	"  list [PATTERN...]     list the sub-benchmarks and the system calls of one round of each\n"
	"  run [PATTERN...]      time the call in brackets, in ticks of the clock\n"
	"  work [PATTERN...]     make exactly -n rounds of each, without a clock, for counting\n"
	"  openit                time a walk through a tree that stats each entry and opens each file\n"
	"  exec PROGRAM [ARG...] execute a program, which --landlock=DIR restricts\n"
	"  sweep DIR [ARG...]    run with the delays of the Tunable Security Module, results in DIR\n"
	"  slopes DIR            fit latency by delay: the slope of each sub-benchmark (needs Python)\n"
	"  spread FILE...        show how far the medians of several runs are apart (needs Python)\n"
	"\n"
	"lmbench-hook VERB --help has the options of each.\n"
	"\n"
	"A pattern matches whole names. * and ? match as in a shell, but not a slash: * selects the plain\n"
	"file operations. Without a pattern, run and work take the file operations and their variations;\n"
	"'net/*', 'task/*', 'mm/*', 'mount/*', 'key/*' and 'denied/*' run only on request. All work is done in a\n"
	"directory made in DIR for this run and removed after it.\n"
	"\n"
	"  lmbench-hook run 'open*' -n 1000\n"
	"  lmbench-hook run 'open/depth-*' 'stat/depth-*' --json >depths.json\n"
	"  lmbench-hook run 'net/*' 'task/*'\n"
	"  lmbench-hook work stat -n 100003 --monitor=/sys/kernel/security/lsmmon\n";

static size_t number(struct argp_state *state, const char *option, const char *text,
		     unsigned long least, unsigned long most)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || *text < '0' || *text > '9' || value < least || value > most)
		argp_error(state, "%s '%s': give a whole number from %lu to %lu", option, text,
			   least, most);
	return value;
}

static void check(struct argp_state *state, const struct options *options)
{
	const struct command *command = &commands[options->verb];

	if (options->pattern_count < command->least)
		argp_error(state, "%zu arguments: give %s", options->pattern_count, command->arguments);
	if (options->samples && options->format != FORMAT_JSON)
		argp_error(state, "--samples goes with --json only");
	if (options->stop && options->loop)
		argp_error(state, "--stop goes without --loop only");
	if (options->landlock_rules != OPTION_UNSET && !options->landlock)
		argp_error(state, "--landlock-rules goes with --landlock only");
	if (options->syscalls && !options->monitor)
		argp_error(state, "--syscalls goes with --monitor only");
	if (options->denied && options->denied[0] != '/')
		argp_error(state, "--denied '%s': give an absolute path", options->denied);
}

/* The words of a program are its own, with its options. */
static void take_all(struct options *options, struct argp_state *state)
{
	while (state->next < state->argc)
		options->patterns[options->pattern_count++] = state->argv[state->next++];
}

static error_t argument(struct options *options, char *word, struct argp_state *state)
{
	if (options->pattern_count == commands[options->verb].most)
		return ARGP_ERR_UNKNOWN;
	options->patterns[options->pattern_count++] = word;
	if (options->verb == VERB_EXEC)
		take_all(options, state);
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'n':
		options->number = number(state, "-n", arg, 1, NUMBER_MAX);
		break;
	case 'w':
		options->warmup = number(state, "--warmup", arg, 0, NUMBER_MAX);
		break;
	case 'l':
		options->loop = number(state, "--loop", arg, 1, NUMBER_MAX);
		break;
	case 'd':
		options->dir = arg;
		break;
	case KEY_JSON:
		options->format = FORMAT_JSON;
		break;
	case KEY_CSV:
		options->format = FORMAT_CSV;
		break;
	case KEY_SAMPLES:
		options->samples = true;
		break;
	case KEY_DIRECTORIES:
		options->directories = number(state, "--directories", arg, 1, TREE_MAX);
		break;
	case KEY_FILES:
		options->files = number(state, "--files", arg, 0, TREE_MAX);
		break;
	case KEY_MONITOR:
		options->monitor = arg;
		break;
	case KEY_SYSCALLS:
		options->syscalls = arg;
		break;
	case KEY_LANDLOCK:
		options->landlock = arg;
		break;
	case KEY_LANDLOCK_RULES:
		options->landlock_rules = number(state, "--landlock-rules", arg, 0, RULES_MAX);
		break;
	case KEY_DENIED:
		options->denied = arg;
		break;
	case KEY_STOP:
		options->stop = true;
		break;
	case ARGP_KEY_ARG:
		return argument(options, arg, state);
	case ARGP_KEY_END:
		check(state, options);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const char *default_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

static enum verb find_verb(const char *word)
{
	for (size_t i = 0; word && i < COMMANDS; i++)
		if (!strcmp(word, commands[i].name))
			return i;
	if (word && (!strcmp(word, "--help") || !strcmp(word, "-?"))) {
		fputs(help, stdout);
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	if (word && (!strcmp(word, "--version") || !strcmp(word, "-V"))) {
		puts(argp_program_version);
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	if (word)
		complain("'%s' is not a verb: give " VERBS, word);
	else
		complain("no verb: give " VERBS);
	exit(STATUS_MISUSED);
}

/* argp begins its messages with the name of the verb. */
static void parse_words(const struct command *command, int argc, char **argv, struct options *options)
{
	const struct argp argp = {
		.options = command->options, .parser = parse, .args_doc = command->arguments,
		.doc = command->what,
	};
	static char name[64];

	snprintf(name, sizeof(name), "lmbench-hook %s", command->name);
	argv[1] = name;
	argp_err_exit_status = STATUS_MISUSED;
	argp_parse(&argp, argc - 1, argv + 1, command->flags, NULL, options);
}

struct options options_parse(int argc, char **argv)
{
	struct options options = {
		.verb = find_verb(argv[1]),
		.dir = default_dir(),
		.number = OPTION_UNSET, .warmup = OPTION_UNSET,
		.directories = OPTION_UNSET, .files = OPTION_UNSET,
		.landlock_rules = OPTION_UNSET,
	};

	options.patterns = calloc(argc, sizeof(*options.patterns));
	if (!options.patterns)
		exit(EXIT_FAILURE);
	parse_words(&commands[options.verb], argc, argv, &options);
	return options;
}
