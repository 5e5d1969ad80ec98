// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon slower: hook calls that take longer than a limit, as they happen. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "commands.h"
#include "complain.h"
#include "duration.h"
#include "hook_events.h"
#include "hook_view.h"
#include "monitor.h"
#include "options.h"
#include "seconds.h"

#define LIMIT_DEFAULT "100us"
#define FOREVER 1e9
#define OUTPUT_SIZE 65536

enum key { KEY_JSON = 512 };

/**
 * struct slower - what to show
 * @limit: text of the limit; NULL if it is the default
 * @wanted: which calls
 * @dir: the directory of tracefs; NULL for where it is mounted
 * @json: print JSON
 * @count: end after so many calls; 0 for no end
 * @time: end after so many seconds; 0 for no end
 * @until: when that is, as seconds_now() has it; 0 for no end
 * @events: where they come from
 * @shown: how many calls were printed
 */
struct slower {
	const char *limit;
	struct hook_events_wanted wanted;
	const char *dir;
	bool json;
	size_t count;
	double time;
	double until;
	struct hook_events *events;
	size_t shown;
};

static bool wants_more(const struct slower *slower)
{
	return (!slower->count || slower->shown < slower->count) && !ferror(stdout);
}

static bool is_time(const struct slower *slower)
{
	return child_was_interrupted() || (slower->until && seconds_now() >= slower->until);
}

static bool show(const struct seen *seen, void *context)
{
	struct slower *slower = context;

	if (slower->json)
		seen_print_json(seen, stdout);
	else
		seen_print(seen, stdout);
	slower->shown++;
	/* Calls may come faster than they are printed. */
	if (is_time(slower))
		hook_events_stop(slower->events);
	return wants_more(slower);
}

/* What happened before the end is printed, too. */
static int watch(struct slower *slower)
{
	int error = 0;

	/* One write for all calls that are read together: a terminal that reads one by one has hook calls, too. */
	setvbuf(stdout, NULL, _IOFBF, OUTPUT_SIZE);
	if (slower->time)
		slower->until = seconds_now() + slower->time;
	if (!slower->json)
		seen_print_heading(stdout);
	while (!error && wants_more(slower) && !is_time(slower)) {
		fflush(stdout);
		error = hook_events_read(slower->events, slower->until ? slower->until - seconds_now() : FOREVER, show, slower);
	}
	if (!error && wants_more(slower))
		error = hook_events_stop(slower->events) || hook_events_read(slower->events, 0, show, slower);
	fflush(stdout);
	return error ? -1 : 0;
}

static int find_hook(struct hook_events_wanted *wanted)
{
	struct record record;

	if (!wanted->hook)
		return 0;
	if (record_of_monitor(&record, LSMMON))
		return -1;
	wanted->hook_number = hook_number(&record, wanted->hook);
	record_free(&record);
	return wanted->hook_number < 0 ? -1 : 0;
}

static int run(struct slower *slower)
{
	uint64_t lost = 0;
	int error;

	if (hook_events_find(slower->dir) || find_hook(&slower->wanted))
		return -1;
	child_take_signals();
	slower->events = hook_events_begin(&slower->wanted);
	if (!slower->events)
		return -1;
	error = watch(slower);
	error |= hook_events_end(slower->events, &lost);
	if (lost)
		complain("%ju events of hook calls were lost: not all that took longer was printed", (uintmax_t)lost);
	return error;
}

static error_t parse_word(struct slower *slower, const char *word)
{
	if (slower->wanted.hook)
		return ARGP_ERR_UNKNOWN;
	if (islower((unsigned char)*word))
		slower->wanted.hook = word;
	else if (slower->limit || duration_parse(word, &slower->wanted.ns))
		option_error("'%s': give a LIMIT with its unit, as 10us, 2ms or 0.5s, and then a HOOK", word);
	else
		slower->limit = word;
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct slower *slower = state->input;

	switch (key) {
	case 's':
		slower->wanted.stack = true;
		break;
	case 'n':
		slower->count = option_number("--number", arg, 1, NUMBER_MAX);
		break;
	case 't':
		slower->time = option_seconds("--time", arg);
		break;
	case 'd':
		slower->dir = arg;
		break;
	case KEY_JSON:
		slower->json = true;
		break;
	case ARGP_KEY_ARG:
		return parse_word(slower, arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_slower(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "stack", 's', NULL, 0, "Print the kernel's stack below each call", 0 },
		{ "number", 'n', "N", 0, "End after N calls", 0 },
		{ "time", 't', "SECONDS", 0, "End after SECONDS", 0 },
		{ "json", KEY_JSON, NULL, 0, "Print one JSON object a line, as share/lsmpmon/schema/seen.json describes it", 10 },
		{ "dir", 'd', "DIR", 0, "The directory of tracefs (default: where it is mounted)", 13 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .args_doc = "[LIMIT] [HOOK]",
		.doc = "Print each hook call that takes longer than LIMIT (default: " LIMIT_DEFAULT "), as it ends, until Ctrl-C: of "
		       "all tasks, or only of HOOK."
		       "\vLIMIT is wall time, with its unit: 10us, 2ms, 0.5s. The monitor can be on or off. While this runs, every "
		       "hook call of the system takes longer, printed or not, by what two trace events cost: see "
		       "Documentation/explanation/cost.md.",
	};
	struct slower slower = { 0 };

	duration_parse(LIMIT_DEFAULT, &slower.wanted.ns);
	argp_parse(&argp, argc, argv, 0, NULL, &slower);
	return run(&slower) ? STATUS_ERROR : EXIT_SUCCESS;
}
