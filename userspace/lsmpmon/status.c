// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon status: whether one can measure here, what the monitor is doing, and what disturbs times. Changes nothing. */

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commas.h"
#include "commands.h"
#include "disturbance.h"
#include "feature.h"
#include "leftover.h"
#include "lock.h"
#include "options.h"

#define STATUS_HELD 1

static void row(struct sheet *sheet, const char *key, const char *value)
{
	sheet_text(sheet, key);
	if (value)
		sheet_text(sheet, value);
	else
		sheet_nothing(sheet);
}

/* Frees @value. */
static void row_of(struct sheet *sheet, const char *key, char *value)
{
	row(sheet, key, value);
	free(value);
}

static bool is_measuring(const struct run *run)
{
	const char *control = run_text(run, "control");

	return control && *control == '1';
}

/* Whether one can measure, and what to type next. */
static void rows_of_state(struct sheet *sheet, const struct run *run, const char *holder)
{
	if (holder) {
		row_of(sheet, "state", xasprintf("in use by %s", holder));
		row(sheet, "next", "wait for it; lsmpmon show has what was counted until now");
	} else if (is_measuring(run)) {
		row(sheet, "state", "measuring");
		row(sheet, "next", "lsmpmon show, lsmpmon top, or lsmpmon off");
	} else {
		row(sheet, "state", "ready");
		row(sheet, "next", "lsmpmon record -- COMMAND");
	}
}

/* A kernel of an older lsmpmon does not tell when it was reset. */
static void rows_of_counters(struct sheet *sheet, const struct run *run)
{
	uint64_t reset = run_info_number(run, "reset_ns");

	row(sheet, "measuring", is_measuring(run) ? "yes" : "no");
	row_of(sheet, "measured for", xasprintf("%.3f s", run_info_number(run, "enabled_ns") / 1e9));
	if (reset)
		row_of(sheet, "last reset", xasprintf("%.3f s after boot", reset / 1e9));
	row_of(sheet, "lost", run_info(run, "lost"));
	row_of(sheet, "clock went back", run_info(run, "backwards"));
}

/* Those that are set: "s cat" and "o" of filter become "s cat". */
static char *filter_text(const struct run *run)
{
	const char *line = run_text(run, "filter") ?: "";
	char *text = xstrdup(""), *before;

	for (size_t length; *line; line += length + (line[length] == '\n')) {
		length = strcspn(line, "\n");
		if (length < 2)
			continue;
		before = text;
		text = xasprintf("%s%s%.*s", before, *before ? ", " : "", (int)length, line);
		free(before);
	}
	if (*text)
		return text;
	free(text);
	return xstrdup("none");
}

static char *features_text(const struct run *run)
{
	char *features = features_on(run);

	if (*features)
		return features;
	free(features);
	return xstrdup("none");
}

static char *clock_text(const struct run *run)
{
	char *clock = run_info(run, "clock"), *step = run_info(run, "clock_step");
	char *text = xasprintf("%s, %.6f GHz%s%s%s", clock ?: "?", run_info_number(run, "clock_khz") / 1e6,
			       step ? ", in steps of " : "", step ?: "",
			       !step ? "" : strcmp(step, "1") ? " ticks" : " tick");

	free(clock);
	free(step);
	return text;
}

/* What an empty span reads is in every time. */
static char *empty_text(const struct run *run)
{
	uint64_t ticks = run_info_number(run, "overhead"), khz = run_info_number(run, "clock_khz");

	if (!khz)
		return xasprintf("%ju ticks in each time", (uintmax_t)ticks);
	return xasprintf("%.0f ns (%ju ticks) in each time", ticks * 1e6 / khz, (uintmax_t)ticks);
}

static char *cpus_text(const struct record *record)
{
	unsigned int possible = run_info_number(record->runs, "cpus"), online = record_cpus(record);

	if (record_fact(record, "cpus_online") && online != possible)
		return xasprintf("%u online, %u possible", online, possible);
	return xasprintf("%u", online);
}

static char *memory_text(const struct run *run)
{
	char *all = with_commas(xasprintf("%ju", (uintmax_t)run_info_number(run, "memory")));
	char *each = with_commas(xasprintf("%ju", (uintmax_t)run_info_number(run, "memory_per_cpu")));
	char *text = xasprintf("%s bytes, %s per CPU", all, each);

	free(all);
	free(each);
	return text;
}

/* With SMP and PREEMPT_DYNAMIC, for example, of "#1 SMP PREEMPT_DYNAMIC Debian ...". */
static char *kernel_text(const struct record *record)
{
	const char *kernel = record_fact(record, "kernel"), *build = record_fact(record, "build");
	char *text, *before, *words, *rest;

	if (!kernel)
		return NULL;
	text = xstrdup(kernel);
	rest = words = xstrdup(build ?: "");
	for (char *word; (word = strsep(&rest, " "));) {
		if (strcmp(word, "SMP") && strncmp(word, "PREEMPT", strlen("PREEMPT")))
			continue;
		before = text;
		text = xasprintf("%s %s", before, word);
		free(before);
	}
	free(words);
	return text;
}

static void rows_of_machine(struct sheet *sheet, const struct record *record)
{
	const struct run *run = record->runs;

	row_of(sheet, "kernel", kernel_text(record));
	row_of(sheet, "modules, in order", run_info(run, "modules"));
	row_of(sheet, "hooks", run_info(run, "hooks"));
	row_of(sheet, "system calls from", run_info(run, "syscall_source"));
	row_of(sheet, "CPUs", cpus_text(record));
	row(sheet, "runner", record_fact(record, "runner"));
	row(sheet, "hypervisor", record_fact(record, "hypervisor"));
	row_of(sheet, "clock", clock_text(run));
	row_of(sheet, "empty span", empty_text(run));
	row_of(sheet, "memory", memory_text(run));
	row_of(sheet, "version", run_info(run, "version"));
}

/* @holder: the process that has the monitor; NULL if none has. A record is not a place to measure. */
static void fill(struct sheet *sheet, const struct options *options, const struct record *record, const char *holder)
{
	const struct run *run = record->runs;

	sheet_column(sheet, "key", TEXT, 0);
	sheet_column(sheet, "value", TEXT, 0);
	if (!options->input)
		rows_of_state(sheet, run, holder);
	rows_of_counters(sheet, run);
	row_of(sheet, "filter", filter_text(run));
	row_of(sheet, "features", features_text(run));
	rows_of_machine(sheet, record);
	if (!options->input)
		leftovers_note(sheet, run, options_dir(options), holder);
	disturbances_note(sheet, record);
}

int command_status(int argc, char **argv)
{
	static const struct scale ticks = { "ticks", 1, 0, 0 };
	struct options options;
	struct record record;
	struct sheet sheet;
	char *holder;
	int status;

	options_parse(options_input, "Whether you can measure here, what the monitor is doing, and what disturbs times."
		      "\vThe exit status is 0 if you can, 1 while another process has the monitor, and 2 if you cannot.",
		      argc, argv, &options);
	if (options_record(&options, &record))
		return STATUS_ERROR;
	holder = options.input ? NULL : lock_holder(options_dir(&options));
	sheet_init(&sheet, "status", &ticks);
	sheet.wraps = true;
	sheet_describe(&sheet, &record);
	/* For humans the rows say it all. */
	free(sheet.title);
	sheet.title = NULL;
	fill(&sheet, &options, &record, holder);
	sheet_print(&sheet, &options.style, stdout);
	sheet_free(&sheet);
	record_free(&record);
	status = holder ? STATUS_HELD : EXIT_SUCCESS;
	free(holder);
	return status;
}
