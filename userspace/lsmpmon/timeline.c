// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon timeline: a recording of trace-cmd for Perfetto, by a program that is linked with libtracecmd. */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "commands.h"
#include "complain.h"
#include "options.h"

#define PROGRAM "lsmpmon-timeline"

/**
 * struct timeline - what to convert
 * @input: the recording
 * @output: the file to write
 */
struct timeline {
	const char *input;
	const char *output;
};

/* Beside this one. NULL after a complaint. */
static char *find_program(void)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length < 0) {
		complain("cannot find the directory of lsmpmon: %s", strerror(errno));
		return NULL;
	}
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	return xasprintf("%s/" PROGRAM, self);
}

static int run(const struct timeline *timeline)
{
	char *path = find_program();

	if (!path)
		return -1;
	execl(path, PROGRAM, timeline->input, timeline->output, NULL);
	if (errno == ENOENT && access(path, F_OK))
		complain("this lsmpmon was built without libtracecmd: install libtracecmd-dev and pkg-config, and build it again "
			 "(no '%s')", path);
	else
		complain("cannot run '%s': %s", path, strerror(errno));
	free(path);
	return -1;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct timeline *timeline = state->input;

	switch (key) {
	case 'o':
		timeline->output = arg;
		break;
	case ARGP_KEY_ARG:
		if (timeline->input)
			return ARGP_ERR_UNKNOWN;
		timeline->input = arg;
		break;
	case ARGP_KEY_END:
		if (!timeline->input)
			option_error("give a FILE, as trace-cmd record writes it");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_timeline(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "output", 'o', "FILE", 0, "Replace FILE in one step; - is stdout (default)", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .args_doc = "FILE",
		.doc = "Convert FILE, which trace-cmd record -e lsmpmon:lsm_hook_exit has written, to the JSON trace event format "
		       "that Perfetto and speedscope open: hook calls by task, each inside those around it.",
	};
	struct timeline timeline = { .output = "-" };

	argp_parse(&argp, argc, argv, 0, NULL, &timeline);
	return run(&timeline) ? STATUS_ERROR : EXIT_SUCCESS;
}
