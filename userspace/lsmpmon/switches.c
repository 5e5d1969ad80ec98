// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon on, off and reset: one write to the kernel each. */

#include <stdlib.h>
#include <unistd.h>

#include "commands.h"
#include "feature.h"
#include "lock.h"
#include "monitor.h"
#include "options.h"

struct on {
	struct options options;
	const char *features;
};

/* Take the lock, so that a running record cannot be switched off or reset. */
static int write_alone(const char *dir, const char *features, const char *file, const char *text)
{
	int lock, error;

	if (monitor_check(dir))
		return STATUS_ERROR;
	lock = lock_monitor(dir);
	if (lock < 0)
		return STATUS_ERROR;
	error = (features && features_set(dir, features, NULL)) || monitor_write(dir, file, text);
	close(lock);
	return error ? STATUS_ERROR : EXIT_SUCCESS;
}

static int write_one(const char *file, const char *text, const char *doc, int argc, char **argv)
{
	struct options options;

	options_parse(options_place, doc, argc, argv, &options);
	return write_alone(options_dir(&options), NULL, file, text);
}

static error_t parse_on(int key, char *arg, struct argp_state *state)
{
	struct on *on = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, options_place, &on->options);
		break;
	case 'f':
		on->features = arg;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_on(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "features", 'f', "LIST", 0,
		  "What to measure besides hooks, and nothing else: " FEATURES_HELP
		  "; +NAME adds to what is on. A change resets the counters", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse_on, .children = options_place,
		.doc = "Start measuring. Earlier counts are kept.",
	};
	struct on on = { .features = NULL };

	options_init(&on.options);
	argp_parse(&argp, argc, argv, 0, NULL, &on);
	return write_alone(options_dir(&on.options), on.features, "control", "1");
}

int command_off(int argc, char **argv)
{
	return write_one("control", "0", "Stop measuring. The counts are kept.", argc, argv);
}

int command_reset(int argc, char **argv)
{
	return write_one("reset", "1", "Set all counters to zero, as of one moment.", argc, argv);
}
