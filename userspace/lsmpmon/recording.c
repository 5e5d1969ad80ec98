// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon record: measures a command, and nobody else, into a file. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "child.h"
#include "commands.h"
#include "complain.h"
#include "facts.h"
#include "feature.h"
#include "file.h"
#include "json.h"
#include "keep.h"
#include "monitor.h"
#include "options.h"

#define OUTPUT_DEFAULT "lsmpmon.json"
#define REPEAT_MAX 1000

struct recording {
	struct options options;
	const char *output;
	const char *subject;
	const char *object;
	const char *features;
	bool all;
	size_t repeat;
	char **words;
};

static const struct argp_option table[] = {
	{ "output", 'o', "FILE", 0, "Write to FILE (default: " OUTPUT_DEFAULT ")", 0 },
	{ "subject", 's', "NAME", 0, "Of the command's processes, those of that command name alone", 0 },
	{ "object", 'O', "NAME", 0, "Calls on that object alone: a path, or the last part of one", 0 },
	{ "features", 'f', "LIST", 0,
	  "What to measure beside hooks: syscall, module, histogram, calls, with commas; all; none "
	  "(default: syscall,histogram)", 0 },
	{ "all", 'a', NULL, 0, "Every task of the system while the command runs", 0 },
	{ "repeat", 'r', "N", 0, "Run the command N times; diff tells from this how sure it is", 0 },
	{ 0 }
};

static const char doc[] =
	"Measures a command with all processes that come of it, and nobody else. Resets the counters; "
	"else it leaves the monitor as it was.\vThe exit status is the command's.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct recording *recording = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, &recording->options);
		break;
	case 'o':
		recording->output = arg;
		break;
	case 's':
		recording->subject = arg;
		break;
	case 'O':
		recording->object = arg;
		break;
	case 'f':
		recording->features = arg;
		break;
	case 'a':
		recording->all = true;
		break;
	case 'r':
		recording->repeat = option_number(state, "--repeat", arg, 1);
		if (recording->repeat > REPEAT_MAX)
			argp_error(state, "--repeat '%s': give at most %d", arg, REPEAT_MAX);
		break;
	case ARGP_KEY_ARGS:
		recording->words = state->argv + state->next;
		break;
	case ARGP_KEY_END:
		if (!recording->words)
			argp_error(state, "give the command to measure: lsmpmon record -- COMMAND");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* "s NAME", or "s" alone without one. */
static int write_filter(const struct keep *keep, char letter, const char *name)
{
	char *line = xasprintf("%c%s%s", letter, name ? " " : "", name ?: "");
	int error = monitor_write(keep->dir, "filter", line);

	free(line);
	return error;
}

/* The process, and all that will descend from it: children inherit the mark that this sets. */
static int write_tree(const struct keep *keep, const struct recording *recording, pid_t pid)
{
	char *line;
	int error;

	if (recording->all)
		return 0;
	line = xasprintf("p %d", pid);
	error = monitor_try(keep->dir, "filter", line);
	free(line);
	if (error == EINVAL)
		return complain("this kernel's filter knows no processes (p PID): measure everything, "
				"with -a, or a command name, with -a -s NAME");
	return error ? complain("cannot filter by process: %s", strerror(error)) : 0;
}

static int set_up(const struct keep *keep, const struct recording *recording, pid_t pid)
{
	return monitor_write(keep->dir, "control", "0") ||
	       write_filter(keep, 's', recording->subject) ||
	       write_filter(keep, 'o', recording->object) ||
	       write_tree(keep, recording, pid) ||
	       monitor_write(keep->dir, "reset", "1") ||
	       monitor_write(keep->dir, "control", "1") ? -1 : 0;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static int measure(const struct keep *keep, const struct recording *recording, struct record *record)
{
	struct child child;
	struct run *run;
	double begin;
	int status;

	if (child_make(&child, recording->words))
		return -1;
	if (set_up(keep, recording, child.pid)) {
		child_drop(&child);
		return -1;
	}
	begin = now();
	status = child_run(&child, recording->words[0]);
	if (monitor_write(keep->dir, "control", "0") || status < 0)
		return -1;
	run = record_add_run(record);
	run->status = status;
	run->seconds = now() - begin;
	return monitor_read_all(keep->dir, run);
}

static int measure_all(const struct keep *keep, const struct recording *recording,
		       struct record *record)
{
	if (features_set(keep->dir, recording->features))
		return -1;
	child_take_signals();
	for (size_t i = 0; i < recording->repeat && !child_was_interrupted(); i++)
		if (measure(keep, recording, record))
			return -1;
	return record->run_count ? 0 : complain("interrupted before the command began");
}

static struct json_object *command(char **words)
{
	struct json_object *array = json_object_new_array();

	for (; *words; words++)
		json_object_array_add(array, json_text(*words));
	return array;
}

static void say(const struct recording *recording, const struct record *record)
{
	const struct run *last = &record->runs[record->run_count - 1];

	if (isatty(STDERR_FILENO))
		complain("%zu run%s of %.3f s, status %d; see: lsmpmon report %s", record->run_count,
			 record->run_count > 1 ? "s" : "", last->seconds, last->status,
			 recording->output);
}

/* The file is begun first: nobody runs for an hour to learn that it cannot be written. */
static int record_into(struct new_file *file, const struct recording *recording, struct keep *keep)
{
	struct record record = { .about = facts(), .command = command(recording->words) };
	int error, status = 0;

	error = measure_all(keep, recording, &record);
	error |= keep_end(keep);
	if (!error) {
		record_print(&record, file->stream);
		status = record.runs[record.run_count - 1].status;
		error = new_file_finish(file);
		if (!error)
			say(recording, &record);
	} else {
		new_file_drop(file);
	}
	record_free(&record);
	return error ? -1 : status;
}

static int run(const struct recording *recording)
{
	struct new_file file;
	struct keep keep;

	if (keep_begin(&keep, recording->options.dir))
		return -1;
	/* It could not be restored: children that the process has have a mark that is no more. */
	if (keep_has_filter(&keep, 'p')) {
		keep_end(&keep);
		return complain("somebody measures a process (p PID in '%s/filter'): wait, or take it "
				"back with: echo p >%s/filter", keep.dir, keep.dir);
	}
	if (new_file_begin(&file, recording->output)) {
		keep_end(&keep);
		return -1;
	}
	return record_into(&file, recording, &keep);
}

int command_record(int argc, char **argv)
{
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_place,
		.args_doc = "[--] COMMAND [ARGUMENT...]", .doc = doc,
	};
	struct recording recording = {
		.output = OUTPUT_DEFAULT, .features = FEATURES_DEFAULT, .repeat = 1,
	};
	int status;

	options_init(&recording.options);
	/* Options after the command are the command's. */
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &recording);
	status = run(&recording);
	return status < 0 ? STATUS_ERROR : status;
}
