// SPDX-License-Identifier: GPL-2.0-only
/* The command line. Whatever it does not accept ends the program with status 2. */

#include "options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 100000000ul
#define NUMBER_TEXT "a whole number from %lu to 100000000"

enum key { KEY_JSON = 256, KEY_CSV, KEY_MONITOR, KEY_LANDLOCK };

const char *argp_program_version = "lmbench-hook 0.1";

static const char doc[] =
	"Times file operations, one system call by itself, or makes an exact number of them.\v"
	"Verbs:\n"
	"  list [PATTERN...]   the sub-benchmarks and the system calls of one round of each\n"
	"  run [PATTERN...]    time the call in brackets, in ticks of the clock\n"
	"  work [PATTERN...]   make exactly -n rounds of each, without a clock, for counting\n"
	"\n"
	"A pattern matches whole names, * and ? as in a shell. All work is done in a directory "
	"made in DIR for this run and removed after it.\n"
	"\n"
	"  lmbench-hook run 'open*' -n 1000\n"
	"  lmbench-hook work stat -n 100003 --monitor=/sys/kernel/security/lsmmon";

static const struct argp_option table[] = {
	{ "number", 'n', "N", 0, "Samples of each call (run: 300) or rounds (work: 1000)", 0 },
	{ "dir", 'd', "DIR", 0, "Work in DIR (default: $TMPDIR, else /tmp)", 0 },
	{ "warmup", 'w', "N", 0, "run: rounds before the first sample (default: 50)", 0 },
	{ "loop", 'l', "N", 0, "run: a sample is N whole rounds, timed together, divided by N", 0 },
	{ "json", KEY_JSON, NULL, 0, "run: print JSON", 0 },
	{ "csv", KEY_CSV, NULL, 0, "run: print comma-separated values", 0 },
	{ "monitor", KEY_MONITOR, "LSMMON", 0,
	  "work: start and reset the kernel's monitor just before the first call and stop it after "
	  "the last; it then holds the work and one file_permission, of the stop itself", 0 },
	{ "landlock", KEY_LANDLOCK, "DIR", 0,
	  "Allow this process, by Landlock, to work beneath DIR only", 0 },
	{ 0 }
};

static size_t number(struct argp_state *state, const char *option, const char *text,
		     unsigned long least)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || *text < '0' || *text > '9' || value < least || value > NUMBER_MAX)
		argp_error(state, "%s '%s': give " NUMBER_TEXT, option, text, least);
	return value;
}

static void verb(struct argp_state *state, struct options *options, const char *word)
{
	if (!strcmp(word, "list"))
		options->verb = VERB_LIST;
	else if (!strcmp(word, "run"))
		options->verb = VERB_RUN;
	else if (!strcmp(word, "work"))
		options->verb = VERB_WORK;
	else
		argp_error(state, "verb '%s': give list, run or work", word);
}

static void argument(struct argp_state *state, struct options *options, char *word)
{
	if (state->arg_num == 0)
		verb(state, options, word);
	else
		options->patterns[options->pattern_count++] = word;
}

/* An option that the verb would ignore is refused: its user expects something of it. */
static void check(struct argp_state *state, const struct options *options)
{
	if (state->arg_num == 0)
		argp_error(state, "no verb: give list, run or work");
	if (options->monitor && options->verb != VERB_WORK)
		argp_error(state, "--monitor goes with work only");
	if (options->verb != VERB_RUN && (options->loop || options->format != FORMAT_TEXT))
		argp_error(state, "--loop, --json and --csv go with run only");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'n':
		options->number = number(state, "-n", arg, 1);
		break;
	case 'w':
		options->warmup = number(state, "--warmup", arg, 0);
		break;
	case 'l':
		options->loop = number(state, "--loop", arg, 1);
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
	case KEY_MONITOR:
		options->monitor = arg;
		break;
	case KEY_LANDLOCK:
		options->landlock = arg;
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
	struct options options = { .warmup = 50, .dir = default_dir() };

	options.patterns = calloc(argc, sizeof(*options.patterns));
	if (!options.patterns)
		exit(EXIT_FAILURE);
	argp_err_exit_status = 2;
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	return options;
}
