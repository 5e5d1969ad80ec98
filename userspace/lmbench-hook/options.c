// SPDX-License-Identifier: GPL-2.0-only
/* The command line. Whatever it does not accept ends the program with status 2. */

#include "options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "version.h"

#define NUMBER_MAX 100000000ul

/* A name has nine digits. */
#define TREE_MAX 1000000ul
#define RULES_MAX 100000ul
#define VERBS "list, run, work, openit, compare, sweep, slopes or spread"

enum key {
	KEY_JSON = 256, KEY_CSV, KEY_SAMPLES, KEY_DIRECTORIES, KEY_FILES, KEY_MONITOR, KEY_LANDLOCK,
	KEY_LANDLOCK_RULES
};

const char *argp_program_version = "lmbench-hook " LSMPMON_VERSION;

static const char doc[] =
	"Times file operations and more, one system call by itself, or makes an exact number of them.\v"
	"Verbs:\n"
	"  list [PATTERN...]     the sub-benchmarks and the system calls of one round of each\n"
	"  run [PATTERN...]      time the call in brackets, in ticks of the clock\n"
	"  work [PATTERN...]     make exactly -n rounds of each, without a clock, for counting\n"
	"  openit                time a walk through a tree that asks for each entry and opens each file\n"
	"  compare BEFORE AFTER  means, medians and their change, of two files of run or openit --json\n"
	"  sweep DIR [ARG...]    run with the delays of the Tunable Security Module, results in DIR\n"
	"  slopes DIR            latency by delay: the slope of each sub-benchmark (needs Python)\n"
	"  spread FILE...        how far medians of several runs are apart (needs Python)\n"
	"\n"
	"A pattern matches whole names. * and ? match as in a shell, which is no slash: * are the plain "
	"file operations. Without one, run and work take the file operations and their variations; "
	"'net/*', 'task/*', 'mm/*', 'mount/*' and 'key/*' are taken only where they are asked for. All "
	"work is done in a directory made in DIR for this run and removed after it.\n"
	"\n"
	"  lmbench-hook run 'open*' -n 1000\n"
	"  lmbench-hook run 'open/depth-*' 'stat/depth-*' --json >depths.json\n"
	"  lmbench-hook run 'net/*' 'task/*'\n"
	"  lmbench-hook work stat -n 100003 --monitor=/sys/kernel/security/lsmmon";

static const struct argp_option table[] = {
	{ "number", 'n', "N", 0, "Samples of each (run: 300, openit: 9), or rounds (work: 1000)",
	  0 },
	{ "dir", 'd', "DIR", 0, "Work in DIR (default: $TMPDIR, else /tmp)", 0 },
	{ "warmup", 'w', "N", 0, "Rounds before the first sample (run: 50, openit: 1)", 0 },
	{ "loop", 'l', "N", 0, "run: a sample is N whole rounds, timed together, divided by N", 0 },
	{ "json", KEY_JSON, NULL, 0, "run, openit: print JSON", 0 },
	{ "csv", KEY_CSV, NULL, 0, "run, openit: print comma-separated values", 0 },
	{ "samples", KEY_SAMPLES, NULL, 0, "With --json: every sample, too", 0 },
	{ "directories", KEY_DIRECTORIES, "N", 0,
	  "Directories of mkdir/many and rmdir/many (9437), of openit (266)", 0 },
	{ "files", KEY_FILES, "N", 0, "openit: files in all its directories (19255)", 0 },
	{ "monitor", KEY_MONITOR, "LSMMON", 0,
	  "work: start and reset the kernel's monitor just before the first call and stop it after "
	  "the last; it then holds the work and one file_permission, of the stop itself. It is "
	  "stopped also while a variation is prepared or removed", 0 },
	{ "landlock", KEY_LANDLOCK, "DIR", 0,
	  "Allow this process, by Landlock, to work beneath DIR only", 0 },
	{ "landlock-rules", KEY_LANDLOCK_RULES, "N", 0,
	  "With --landlock: N rules more, each of a directory made for it and removed again", 0 },
	{ 0 }
};

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

static void verb(struct argp_state *state, struct options *options, const char *word)
{
	static const char *const verbs[] = {
		[VERB_LIST] = "list", [VERB_RUN] = "run", [VERB_WORK] = "work",
		[VERB_OPENIT] = "openit", [VERB_COMPARE] = "compare",
	};

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(word, verbs[i]))
			continue;
		options->verb = i;
		return;
	}
	argp_error(state, "verb '%s': give " VERBS, word);
}

static void argument(struct argp_state *state, struct options *options, char *word)
{
	if (state->arg_num == 0)
		verb(state, options, word);
	else
		options->patterns[options->pattern_count++] = word;
}

static void check_words(struct argp_state *state, const struct options *options)
{
	if (state->arg_num == 0)
		argp_error(state, "no verb: give " VERBS);
	if (options->verb == VERB_COMPARE && options->pattern_count != 2)
		argp_error(state, "compare with %zu files: give two, BEFORE and AFTER",
			   options->pattern_count);
	if (options->verb == VERB_OPENIT && options->pattern_count)
		argp_error(state, "openit '%s': it takes no pattern", options->patterns[0]);
}

/* An option that the verb would ignore is refused: its user expects something of it. */
static void check(struct argp_state *state, const struct options *options)
{
	bool times = options->verb == VERB_RUN || options->verb == VERB_OPENIT;

	check_words(state, options);
	if (options->monitor && options->verb != VERB_WORK)
		argp_error(state, "--monitor goes with work only");
	if (options->loop && options->verb != VERB_RUN)
		argp_error(state, "--loop goes with run only");
	if (!times && (options->format != FORMAT_TEXT || options->warmup != OPTION_UNSET))
		argp_error(state, "--warmup, --json and --csv go with run and openit only");
	if (options->samples && options->format != FORMAT_JSON)
		argp_error(state, "--samples goes with --json only");
	if (options->landlock_rules != OPTION_UNSET && !options->landlock)
		argp_error(state, "--landlock-rules goes with --landlock only");
	if (options->files != OPTION_UNSET && options->verb != VERB_OPENIT)
		argp_error(state, "--files goes with openit only");
	if (options->directories != OPTION_UNSET && !times && options->verb != VERB_WORK)
		argp_error(state, "--directories goes with run, work and openit only");
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
	case KEY_LANDLOCK:
		options->landlock = arg;
		break;
	case KEY_LANDLOCK_RULES:
		options->landlock_rules = number(state, "--landlock-rules", arg, 0, RULES_MAX);
		break;
	case ARGP_KEY_ARG:
		argument(state, options, arg);
		break;
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

struct options options_parse(int argc, char **argv)
{
	static const struct argp argp = {
		.options = table, .parser = parse, .args_doc = "VERB [PATTERN...]", .doc = doc,
	};
	struct options options = {
		.dir = default_dir(),
		.number = OPTION_UNSET, .warmup = OPTION_UNSET,
		.directories = OPTION_UNSET, .files = OPTION_UNSET,
		.landlock_rules = OPTION_UNSET,
	};

	options.patterns = calloc(argc, sizeof(*options.patterns));
	if (!options.patterns)
		exit(EXIT_FAILURE);
	argp_err_exit_status = 2;
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	return options;
}
