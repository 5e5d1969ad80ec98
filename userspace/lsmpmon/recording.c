// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon record: measures a command, a process or the whole system, and writes the counters to a file. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "child.h"
#include "commands.h"
#include "complain.h"
#include "facts.h"
#include "feature.h"
#include "json.h"
#include "keep.h"
#include "measuring.h"
#include "new_file.h"
#include "options.h"
#include "repeat.h"
#include "total.h"
#include "whom.h"

enum key { KEY_BPF = 512, KEY_PREPARE, KEY_UNTIL };

struct recording {
	struct options options;
	struct measuring measuring;
	const char *output;
	const char *features;
	struct repeat repeat;
};

static const struct argp_option table[] = {
	{ "output", 'o', "FILE", 0,
	  "Write to FILE (default: " RECORD_DEFAULT "), - is stdout; an earlier FILE is kept as FILE.old", 0 },
	{ "subject", 's', "NAME", 0, "Only tasks of that command name", 0 },
	{ "object", 'O', "NAME", 0, "Only calls on that object: a path, or the last part of one", 0 },
	{ "features", 'f', "LIST", 0,
	  "What to measure besides hooks: " FEATURES_HELP " (default: syscall,histogram; +NAME adds to these)", 0 },
	{ "full", 'F', NULL, 0, "All features, as -f all", 0 },
	{ "all", 'a', NULL, 0, "Every task of the system", 0 },
	{ "bpf", KEY_BPF, NULL, 0, "Every task, and each BPF program on a hook by itself, for lsmpmon bpf", 0 },
	{ "pid", 'p', "PID", 0, "A running process, and all that it will start", 0 },
	{ "time", 't', "SECONDS", 0, "With -a or -p: stop after SECONDS (default: at Ctrl-C)", 0 },
	{ "repeat", 'r', "N", 0, "Run the command N times", 0 },
	{ "until", KEY_UNTIL, "PCT", 0,
	  "Run it until the 95 % confidence interval of what hooks take in a run is at most +- PCT % of that; at most -r times "
	  "(default: 100)", 0 },
	{ "warmup", 'w', "N", 0, "Run it N times before, without measuring", 0 },
	{ "prepare", KEY_PREPARE, "COMMAND", 0, "Have a shell run COMMAND before each run, without measuring", 0 },
	{ 0 }
};

static const char doc[] =
	"Measure a command and all its descendants, and nothing else. Resets the counters, and leaves "
	"the monitor otherwise as it was.\vThe exit status is that of the command.";

static void check_repeat(const struct recording *recording)
{
	const struct repeat *repeat = &recording->repeat;

	if (recording->measuring.words)
		return;
	if (repeat->runs > 1)
		option_error("--repeat: give a command");
	if (repeat->warmup || repeat->prepare || repeat->until)
		option_error("--warmup, --prepare and --until: give a command");
}

static void check(const struct recording *recording)
{
	const struct measuring *measuring = &recording->measuring;

	if (measuring->has_programs && (measuring->pid || measuring->subject || measuring->object))
		option_error("--bpf: the kernel counts programs for all tasks and objects; give it without --pid, "
				  "--subject and --object");
	if (measuring->has_programs && strstr(recording->features, "timed="))
		option_error("--bpf: every call has to be timed; give it without timed=N");
	if (measuring->pid && (measuring->words || measuring->is_all))
		option_error("--pid: give it without a command and without --all");
	if (measuring->seconds && measuring->words)
		option_error("--time: a command ends by itself; give it with -a or -p and no command");
	if (!measuring->words && !measuring->pid && !measuring->is_all)
		option_error("give the command to measure: lsmpmon record -- COMMAND");
	check_repeat(recording);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct recording *recording = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, options_place, &recording->options);
		break;
	case 'o':
		recording->output = arg;
		break;
	case 's':
		recording->measuring.subject = arg;
		break;
	case 'O':
		recording->measuring.object = arg;
		break;
	case 'f':
		recording->features = arg;
		break;
	case 'F':
		recording->features = FEATURES_ALL;
		break;
	case 'a':
		recording->measuring.is_all = true;
		break;
	case KEY_BPF:
		recording->measuring.has_programs = recording->measuring.is_all = true;
		break;
	case 'p':
		recording->measuring.pid = option_number("--pid", arg, 1, PID_MAX);
		break;
	case 't':
		recording->measuring.seconds = option_seconds("--time", arg);
		break;
	case 'r':
		recording->repeat.runs = option_number("--repeat", arg, 1, REPEAT_MAX);
		break;
	case 'w':
		recording->repeat.warmup = option_number("--warmup", arg, 0, REPEAT_MAX);
		break;
	case KEY_PREPARE:
		recording->repeat.prepare = arg;
		break;
	case KEY_UNTIL:
		recording->repeat.until = option_percent("--until", arg);
		if (!recording->repeat.until)
			option_error("--until '%s': give a percentage above 0", arg);
		break;
	case ARGP_KEY_ARGS:
		recording->measuring.words = state->argv + state->next;
		break;
	case ARGP_KEY_END:
		check(recording);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int measure_all(const struct keep *keep, const struct recording *recording,
		       struct record *record)
{
	if (features_set(keep->dir, recording->features, FEATURES_DEFAULT) ||
	    (recording->measuring.has_programs && features_set(keep->dir, "+module", NULL)))
		return -1;
	child_take_signals();
	if (repeat_measure(&recording->repeat, keep, &recording->measuring, record))
		return -1;
	return record->run_count ? 0 : complain("interrupted before the command began");
}

static struct json_object *command(char **words)
{
	struct json_object *array = json_object_new_array();

	for (; words && *words; words++)
		json_object_array_add(array, json_text(*words));
	return array;
}

static void say_total(const struct record *record)
{
	struct total total;
	char *text;

	if (total_read(&total, record))
		return;
	text = total_text(&total, record);
	if (text)
		complain("%s", text);
	if (!total.has_switched)
		complain("%s", times_text(false, OWN_TIME));
	free(text);
}

/* Summarise the record. */
static void say(const struct recording *recording, const struct record *record)
{
	const struct run *last = &record->runs[record->run_count - 1];
	const char *accelerator = record_fact(record, "accelerator");

	if (accelerator && !strcmp(accelerator, "tcg"))
		complain("software emulation (TCG): times mean nothing here; counts are exact");
	say_total(record);
	repeat_say(&recording->repeat, record);
	if (strcmp(recording->output, "-"))
		complain("%zu run%s, status %d; see: lsmpmon report %s", record->run_count,
			 record->run_count > 1 ? "s" : "", last->status, recording->output);
}

static bool is_disturbed(const struct record *record)
{
	for (size_t i = 0; i < record->run_count; i++)
		if (record->runs[i].disturbed)
			return true;
	return false;
}

static int write_record(struct new_file *file, const struct recording *recording,
			const struct record *record)
{
	record_print(record, file->stream);
	if (new_file_finish(file, true))
		return -1;
	say(recording, record);
	return is_disturbed(record) ? -1 : record->runs[record->run_count - 1].status;
}

/* What was done around the runs belongs to what was measured. */
static void note_repeat(struct json_object *about, const struct repeat *repeat)
{
	char *warmup = xasprintf("%zu", repeat->warmup);

	if (repeat->warmup)
		json_object_object_add(about, "warmup", json_text(warmup));
	if (repeat->prepare)
		json_object_object_add(about, "prepare", json_text(repeat->prepare));
	free(warmup);
}

/* Create the file first: nobody should learn after an hour that it cannot be written. */
static int record_into(struct new_file *file, const struct recording *recording, struct keep *keep)
{
	struct record record = {
		.about = facts(), .command = command(recording->measuring.words)
	};
	int error, status = -1;

	note_repeat(record.about, &recording->repeat);
	error = measure_all(keep, recording, &record);
	error |= keep_end(keep);
	if (error)
		new_file_drop(file);
	else
		status = write_record(file, recording, &record);
	record_free(&record);
	return status;
}

static int run(const struct recording *recording)
{
	struct new_file file;
	struct keep keep;

	if (keep_begin(&keep, options_dir(&recording->options)))
		return -1;
	if (keep_check_process(&keep) || (recording->measuring.has_programs && bpf_programs_check()) ||
	    new_file_begin(&file, recording->output)) {
		keep_end(&keep);
		return -1;
	}
	return record_into(&file, recording, &keep);
}

int command_record(int argc, char **argv)
{
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_place,
		.args_doc = "[--] COMMAND [ARGUMENT...]\n-p PID [-t SECONDS]\n-a [-t SECONDS]", .doc = doc,
	};
	struct recording recording = {
		.output = RECORD_DEFAULT, .features = FEATURES_DEFAULT,
	};
	int status;

	char *object = NULL;

	options_init(&recording.options);
	/* Options after the command belong to the command. */
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &recording);
	if (recording.measuring.object) {
		object = whom_object(recording.measuring.object);
		recording.measuring.object = object;
		if (!object)
			return STATUS_ERROR;
	}
	if (recording.measuring.subject && whom_check_subject(recording.measuring.subject))
		return STATUS_ERROR;
	status = run(&recording);
	free(object);
	return status < 0 ? child_missing() ?: STATUS_ERROR : status;
}
