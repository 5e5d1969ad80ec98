// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon status: what the monitor is doing, and on what. */

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "commands.h"
#include "disturbance.h"
#include "options.h"

static void row(struct sheet *sheet, const char *key, const char *value)
{
	sheet_text(sheet, key);
	if (value)
		sheet_text(sheet, value);
	else
		sheet_nothing(sheet);
}

static void row_of_info(struct sheet *sheet, const struct run *run, const char *name,
			const char *key)
{
	char *value = run_info(run, key);

	row(sheet, name, value);
	free(value);
}

/* Lines become words: "s cat" and "o" of filter become "s cat, o". */
static void row_of_file(struct sheet *sheet, const struct run *run, const char *file)
{
	const char *text = run_text(run, file) ?: "";
	char *line = xstrdup(""), *before;

	while (*text) {
		size_t length = strcspn(text, "\n");

		before = line;
		line = xasprintf("%s%s%.*s", line, *line ? ", " : "", (int)length, text);
		free(before);
		text += length + (text[length] == '\n');
	}
	row(sheet, file, *line ? line : NULL);
	free(line);
}

static void row_of_clock(struct sheet *sheet, const struct run *run)
{
	char *clock = run_info(run, "clock");
	char *text = xasprintf("%s, %.6f GHz", clock ?: "?", run_info_number(run, "clock_khz") / 1e6);

	row(sheet, "clock", text);
	free(text);
	free(clock);
}

static void row_of_time(struct sheet *sheet, const struct run *run)
{
	char *text = xasprintf("%.3f s", run_info_number(run, "enabled_ns") / 1e9);

	row(sheet, "measured for", text);
	free(text);
}

/* A kernel of an older lsmpmon does not tell. */
static void row_of_reset(struct sheet *sheet, const struct run *run)
{
	uint64_t reset = run_info_number(run, "reset_ns");
	char *text;

	if (!reset)
		return;
	text = xasprintf("%.3f s after boot", reset / 1e9);
	row(sheet, "last reset", text);
	free(text);
}

static void row_of_cpus(struct sheet *sheet, const struct record *record)
{
	unsigned int possible = run_info_number(record->runs, "cpus"), online = record_cpus(record);
	char *text = record_fact(record, "cpus_online") && online != possible ?
		     xasprintf("%u online, %u possible", online, possible) : xasprintf("%u", online);

	row(sheet, "CPUs", text);
	free(text);
}

static void rows(struct sheet *sheet, const struct record *record)
{
	const struct run *run = record->runs;
	const char *control = run_text(run, "control");

	row(sheet, "measuring", control && *control == '1' ? "yes" : "no");
	row_of_time(sheet, run);
	row_of_reset(sheet, run);
	row_of_info(sheet, run, "lost", "lost");
	row_of_info(sheet, run, "clock went back", "backwards");
	row(sheet, "kernel", record_fact(record, "kernel"));
	row(sheet, "runner", record_fact(record, "runner"));
	row(sheet, "hypervisor", record_fact(record, "hypervisor"));
	row_of_clock(sheet, run);
	row_of_info(sheet, run, "its step, ticks", "clock_step");
	row_of_info(sheet, run, "empty span, ticks", "overhead");
	row_of_info(sheet, run, "modules, in order", "modules");
	row_of_file(sheet, run, "features");
	row_of_file(sheet, run, "filter");
	if (run_text(run, "session"))
		row_of_file(sheet, run, "session");
	row_of_info(sheet, run, "system calls from", "syscall_source");
	row_of_info(sheet, run, "hooks", "hooks");
	row_of_cpus(sheet, record);
	row_of_info(sheet, run, "bytes per CPU", "memory_per_cpu");
	row_of_info(sheet, run, "bytes in all", "memory");
	row_of_info(sheet, run, "version", "version");
	disturbances_note(sheet, record);
}

int command_status(int argc, char **argv)
{
	static const struct scale ticks = { "ticks", 1, 0, 0 };
	struct options options;
	struct record record;
	struct sheet sheet;

	options_parse(options_input, "What the monitor is doing, and on what.", argc, argv, &options);
	if (options_record(&options, &record))
		return STATUS_ERROR;
	sheet_init(&sheet, "status", &ticks);
	sheet.wraps = true;
	sheet_describe(&sheet, &record);
	/* For humans the rows say it all. */
	free(sheet.title);
	sheet.title = NULL;
	sheet_column(&sheet, "key", TEXT, 0);
	sheet_column(&sheet, "value", TEXT, 0);
	rows(&sheet, &record);
	sheet_print(&sheet, &options.style, stdout);
	sheet_free(&sheet);
	record_free(&record);
	return 0;
}
