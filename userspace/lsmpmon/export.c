// SPDX-License-Identifier: GPL-2.0-only
/* lsmpmon export: all counters as metrics, for Prometheus through node_exporter's textfile collector. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "commands.h"
#include "complain.h"
#include "costs.h"
#include "histogram.h"
#include "metrics.h"
#include "monitor.h"
#include "new_file.h"
#include "options.h"
#include "other.h"

#define MODE_DEFAULT 0640

/* Whatever names users have is not in the metrics unless somebody asks for it. */
static const struct {
	const char *label;
	const char *metric;
	const char *ratio;
	const char *help;
} payers[] = {
	{ "comm", "lsmpmon_comm_hook_seconds", "lsmpmon_comm_other_ratio",
	  "Time in hooks, by the command that paid for it" },
	{ "cgroup", "lsmpmon_cgroup_hook_seconds", "lsmpmon_cgroup_other_ratio",
	  "Time in hooks, by the cgroup that paid for it" },
};

#define PAYERS (sizeof(payers) / sizeof(*payers))

enum key { KEY_OPENMETRICS = 512 };

struct export {
	struct options options;
	const char *output;
	mode_t mode;
	bool labels[PAYERS];
	struct metrics metrics;
	struct record record;
	double seconds;
};

static const struct label none[] = { { NULL, NULL } };

/*
 * Upper bounds of buckets, six per power of ten, from ten nanoseconds to ten milliseconds. They are the same for
 * all hooks and on all machines, whatever the clock: Prometheus can only add up buckets with equal bounds.
 */
static const unsigned int tenths[] = { 10, 15, 20, 30, 50, 70 };

#define STEPS (sizeof(tenths) / sizeof(*tenths))
#define BUCKETS (6 * STEPS + 1)

/* A single division, so that the result prints as the intended decimal. */
static double bucket_end(size_t index)
{
	double per_second = 1e9;

	for (size_t i = 0; i < index / STEPS; i++)
		per_second /= 10;
	return tenths[index % STEPS] / per_second;
}

/* Calls that certainly took at most @ticks: those in buckets that end there or earlier. */
static uint64_t count_until(const struct histogram *histogram, double ticks)
{
	uint64_t count = 0;

	for (size_t i = 0; i < histogram->bucket_count; i++)
		if (histogram->buckets[i].le != NO_END && histogram->buckets[i].le <= ticks)
			count += histogram->buckets[i].count;
	return count;
}

static const char *modules_of(const struct run *run, const char *hook)
{
	const struct table *table = run_text(run, "hooks") ? run_table(run, "hooks") : NULL;
	int name = table ? table_find(table, "hook") : -1;
	int modules = table ? table_find(table, "modules") : -1;

	if (name < 0 || modules < 0)
		return "";
	for (size_t row = 0; row < table->row_count; row++)
		if (!strcmp(table_text(table, row, name) ?: "", hook))
			return table_text(table, row, modules) ?: "";
	return "";
}

static void put_histogram(struct export *export, const struct histogram *histogram,
			  const struct cost *cost)
{
	const char *modules = modules_of(export->record.runs, histogram->hook);
	struct label labels[] = {
		{ "hook", histogram->hook }, { "modules", modules }, { "le", NULL }, { NULL, NULL }
	};
	char end[32];

	labels[2].value = end;
	for (size_t i = 0; i < BUCKETS; i++) {
		format_real(end, sizeof(end), bucket_end(i));
		metrics_count(&export->metrics, "_bucket", labels,
			      count_until(histogram, bucket_end(i) / export->seconds));
	}
	labels[2].value = "+Inf";
	metrics_count(&export->metrics, "_bucket", labels, histogram->count);
	labels[2].name = NULL;
	metrics_real(&export->metrics, "_sum", labels, cost ? cost->sample.own * export->seconds : 0);
	metrics_count(&export->metrics, "_count", labels, histogram->count);
}

static int put_histograms(struct export *export)
{
	const struct record *record = &export->record;
	struct histograms histograms;
	struct grouping hook;
	struct costs costs;

	if (!run_text(record->runs, "histogram"))
		return 0;
	if (grouping_parse(&hook, "hook") ||
	    costs_read(&costs, record->runs, record->run_count, &hook))
		return -1;
	if (histograms_read(&histograms, record->runs, record->run_count, OWN_TIME)) {
		costs_free(&costs);
		return -1;
	}
	if (histograms.count)
		metrics_family(&export->metrics, "lsmpmon_hook_duration_seconds", HISTOGRAM,
			       histograms.has_switched ? "Calls of each hook by their own time." :
			       "Calls of each hook without a context switch inside, by duration.");
	for (size_t i = 0; i < histograms.count; i++)
		put_histogram(export, &histograms.rows[i],
			      costs_find(&costs, &histograms.rows[i].hook, 1));
	histograms_free(&histograms);
	costs_free(&costs);
	return 0;
}

static void put_state(struct export *export, struct label *labels, const char *state, uint64_t ticks)
{
	size_t count = 0;

	while (labels[count].name && strcmp(labels[count].name, "state"))
		count++;
	labels[count] = (struct label){ "state", state };
	labels[count + 1].name = NULL;
	metrics_real(&export->metrics, "_sum", labels, ticks * export->seconds);
}

/*
 * The time from begin to end is the sum over all states. Only own time has a number of calls, of which it is. An older
 * kernel does not tell states apart. @labels has room for one more.
 */
static void put_times(struct export *export, struct label *labels, const struct cost *cost)
{
	if (!cost->has_switched) {
		metrics_real(&export->metrics, "_sum", labels, cost->sample.own * export->seconds);
		metrics_count(&export->metrics, "_count", labels, cost_with(cost, OWN_TIME));
		return;
	}
	put_state(export, labels, "own", cost->sample.own);
	metrics_count(&export->metrics, "_count", labels, cost_with(cost, OWN_TIME));
	put_state(export, labels, "slept", cost->sample.slept);
	put_state(export, labels, "preempted", cost->sample.preempted);
	put_state(export, labels, "interrupted", times_interrupted(&cost->sample));
}

/* @help gets what is common to all of them, and a period. */
static void begin_summary(struct export *export, const char *name, const char *help, bool has_switched)
{
	char *whole = xasprintf("%s, %s.", help, has_switched ? "by state: own, slept, preempted or interrupted" :
				"of calls without a context switch inside");

	metrics_family(&export->metrics, name, SUMMARY, whole);
	free(whole);
}

static void put_summary(struct export *export, const char *name, const char *help,
			const struct grouping *grouping, const struct costs *costs)
{
	if (costs->count)
		begin_summary(export, name, help, costs->has_switched);
	for (size_t i = 0; i < costs->count; i++) {
		const struct cost *cost = &costs->rows[i];
		struct label labels[KEYS_MAX + 2] = { { NULL, NULL } };

		for (size_t key = 0; key < grouping->key_count; key++)
			labels[key] = (struct label){ grouping->keys[key], cost->keys[key] };
		put_times(export, labels, cost);
	}
}

static uint64_t switched_calls(const struct cost *cost)
{
	return cost->cs_count;
}

static void put_calls_of_hooks(struct export *export, const struct costs *costs, const char *name, const char *help,
			       uint64_t (*calls)(const struct cost *cost))
{
	if (costs->count)
		metrics_family(&export->metrics, name, COUNTER, help);
	for (size_t i = 0; i < costs->count; i++) {
		const struct cost *cost = &costs->rows[i];
		const struct label labels[] = {
			{ "hook", cost->keys[0] }, { "verdict", cost->keys[1] }, { NULL, NULL }
		};

		metrics_count(&export->metrics, "_total", labels, calls(cost));
	}
}

/* All calls, where the summary above may be of those that were timed. */
static void put_hook_calls(struct export *export, const struct costs *costs)
{
	put_calls_of_hooks(export, costs, "lsmpmon_hook_switched", costs->has_switched ?
			   "Calls with a context switch inside." :
			   "Calls with a context switch inside, which are not timed.", switched_calls);
	if (costs->has_switched)
		put_calls_of_hooks(export, costs, "lsmpmon_hook_timed",
				   "Calls that were timed, with and without a context switch inside.", cost_timed);
	put_calls_of_hooks(export, costs, "lsmpmon_hook_calls",
			   "Calls, timed or not, with and without a context switch inside.", cost_calls);
}

/* Leave out tables that the kernel does not have or that are empty. */
static int put_costs(struct export *export, const char *by, const char *name, const char *help)
{
	const struct record *record = &export->record;
	struct grouping grouping;
	struct costs costs;

	if (grouping_parse(&grouping, by))
		return -1;
	if (!run_text(record->runs, grouping.table))
		return 0;
	if (costs_read(&costs, record->runs, record->run_count, &grouping))
		return -1;
	put_summary(export, name, help, &grouping, &costs);
	if (!strcmp(grouping.table, "verdicts"))
		put_hook_calls(export, &costs);
	costs_free(&costs);
	return 0;
}

static int put_all_costs(struct export *export)
{
	return put_costs(export, "hook,verdict", "lsmpmon_hook_seconds",
			 "Time in each hook, by verdict") ||
	       put_costs(export, "module,hook", "lsmpmon_callback_seconds",
			 "Time in each module's own callbacks") ||
	       put_costs(export, "syscall", "lsmpmon_syscall_hook_seconds",
			 "Time in hooks, by system call") ? -1 : 0;
}

/* What the names do not tell. */
static int put_other(struct export *export, const char *by, const char *ratio)
{
	struct grouping grouping;
	struct other other = { .grouping = &grouping };
	struct costs costs;

	if (grouping_parse(&grouping, by) ||
	    costs_read(&costs, export->record.runs, export->record.run_count, &grouping))
		return -1;
	for (size_t i = 0; i < costs.count; i++)
		other_add(&other, &costs.rows[i]);
	costs_free(&costs);
	metrics_family(&export->metrics, ratio, GAUGE, "The part of all calls whose payer has no series of its own.");
	metrics_real(&export->metrics, "", none, other.all_calls ? (double)other.calls / other.all_calls : 0);
	return 0;
}

static int put_payers(struct export *export)
{
	for (size_t i = 0; i < PAYERS; i++)
		if (export->labels[i] &&
		    (put_costs(export, payers[i].label, payers[i].metric, payers[i].help) ||
		     put_other(export, payers[i].label, payers[i].ratio)))
			return -1;
	return 0;
}

static void put_counts(struct export *export, const struct costs *costs, const char *help)
{
	if (costs->count)
		metrics_family(&export->metrics, "lsmpmon_denials", COUNTER, help);
	for (size_t i = 0; i < costs->count; i++) {
		const struct cost *cost = &costs->rows[i];
		const struct label labels[] = {
			{ "hook", cost->keys[0] }, { "errno", cost->keys[1] }, { NULL, NULL }
		};

		metrics_count(&export->metrics, "_total", labels, cost_calls(cost));
	}
}

static int put_denials(struct export *export)
{
	const struct record *record = &export->record;
	struct costs costs;

	if (!run_text(record->runs, "denials"))
		return 0;
	if (costs_read(&costs, record->runs, record->run_count, &grouping_denials))
		return -1;
	put_counts(export, &costs, "Denied calls, by the error returned.");
	costs_free(&costs);
	return 0;
}

/* The hooks' part of a system call is a summary, as the whole is. What of it was not own time is not told apart. */
static void put_parts(struct export *export, const struct costs *costs)
{
	if (costs->count)
		metrics_family(&export->metrics, "lsmpmon_syscall_part_seconds", SUMMARY,
			       costs->has_switched ? "The part of lsmpmon_syscall_seconds spent in hooks, own or other." :
			       "The part of lsmpmon_syscall_seconds spent in hooks.");
	for (size_t i = 0; i < costs->count; i++) {
		const struct cost *cost = &costs->rows[i];
		struct label labels[] = { { "syscall", cost->keys[0] }, { NULL, NULL }, { NULL, NULL } };

		if (cost->has_switched)
			put_state(export, labels, "own", cost->hook_own);
		else
			metrics_real(&export->metrics, "_sum", labels, cost->hook_sum * export->seconds);
		metrics_count(&export->metrics, "_count", labels, cost->hook_count);
		if (cost->has_switched)
			put_state(export, labels, "other", cost->hook_sum > cost->hook_own ?
				  cost->hook_sum - cost->hook_own : 0);
	}
}

static int put_calls(struct export *export)
{
	const struct record *record = &export->record;
	struct costs costs;

	if (!run_text(record->runs, "calls"))
		return 0;
	if (costs_read(&costs, record->runs, record->run_count, &grouping_calls))
		return -1;
	put_summary(export, "lsmpmon_syscall_seconds", "Whole system calls, from entry to exit",
		    &grouping_calls, &costs);
	put_parts(export, &costs);
	costs_free(&costs);
	return 0;
}

static uint64_t total(const struct record *record, const char *key)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < record->run_count; i++)
		sum += run_info_number(&record->runs[i], key);
	return sum;
}

static void put_info(struct export *export)
{
	const struct record *record = &export->record;
	char *version = run_info(record->runs, "version"), *clock = run_info(record->runs, "clock");
	char *modules = run_info(record->runs, "modules");
	const struct label labels[] = {
		{ "version", version ?: "" }, { "clock", clock ?: "" },
		{ "modules", modules ?: "" }, { "kernel", record_fact(record, "kernel") ?: "" },
		{ "runner", record_fact(record, "runner") ?: "" }, { NULL, NULL },
	};

	metrics_family(&export->metrics, "lsmpmon_monitor", GAUGE, "The monitor and what it runs on.");
	metrics_count(&export->metrics, "", labels, 1);
	free(version);
	free(clock);
	free(modules);
}

static void put_monitor(struct export *export)
{
	const struct record *record = &export->record;
	const char *control = run_text(record->runs, "control");
	struct metrics *metrics = &export->metrics;

	put_info(export);
	metrics_family(metrics, "lsmpmon_measuring", GAUGE, "Whether the monitor is on.");
	metrics_count(metrics, "", none, control && *control == '1');
	metrics_family(metrics, "lsmpmon_enabled_seconds", COUNTER, "How long the monitor was on.");
	metrics_real(metrics, "_total", none, total(record, "enabled_ns") / 1e9);
	metrics_family(metrics, "lsmpmon_lost_calls", COUNTER, "Calls that could not be stored.");
	metrics_count(metrics, "_total", none, total(record, "lost"));
	metrics_family(metrics, "lsmpmon_timed_one_in", GAUGE, "One call in so many is timed; 1: each.");
	metrics_count(metrics, "", none, record_timed(record));
	metrics_family(metrics, "lsmpmon_empty_span_seconds", GAUGE,
		       "Time that an empty span reads; every time includes it.");
	metrics_real(metrics, "", none,
		     run_info_number(record->runs, "overhead") * export->seconds);
}

static int put_all(struct export *export)
{
	put_monitor(export);
	if (put_histograms(export) || put_all_costs(export) || put_denials(export) ||
	    put_calls(export) || put_payers(export))
		return -1;
	metrics_end(&export->metrics);
	return 0;
}

/*
 * The kernel's files are for root only, since timings are a side channel. This file gets the directory's group,
 * which should be node_exporter's.
 */
static int give_to_group(const struct export *export, const struct new_file *file)
{
	const char *slash = strrchr(file->path, '/');
	char *dir = slash ? xstrndup(file->path, slash - file->path + 1) : xstrdup(".");
	struct stat status;
	int error;

	error = stat(dir, &status) || fchown(fileno(file->stream), -1, status.st_gid) ||
		fchmod(fileno(file->stream), export->mode);
	free(dir);
	return error ? complain("cannot set group and mode of '%s': %s", export->output,
				strerror(errno)) : 0;
}

static int put_file(struct export *export)
{
	struct new_file file;

	if (new_file_begin(&file, export->output))
		return -1;
	export->metrics.out = file.stream;
	if ((!file.temporary || !give_to_group(export, &file)) && !put_all(export))
		return new_file_finish(&file, false);
	new_file_drop(&file);
	return -1;
}

/* Metrics that were asked for and are missing would look like nobody's calls. */
static int check_labels(const struct export *export)
{
	for (size_t i = 0; i < PAYERS; i++) {
		const char *label = payers[i].label;

		if (export->labels[i] && !run_has_feature(export->record.runs, label))
			return complain("--label %s: calls were not counted by %s: lsmpmon on -f %s, or lsmpmon "
					"record -f %s", label, label, label, label);
	}
	return 0;
}

static int run(struct export *export)
{
	struct scale scale;
	int error;

	if (options_record(&export->options, &export->record))
		return -1;
	error = check_labels(export) || scale_for(&scale, &export->record, UNIT_US);
	export->seconds = scale.per_tick / 1e6;
	if (!error)
		error = export->output ? put_file(export) : put_all(export);
	record_free(&export->record);
	return error;
}

static mode_t mode(const char *text)
{
	char *end;
	unsigned long mode = strtoul(text, &end, 8);

	if (*end || mode > 0777 || *text < '0' || *text > '7')
		option_error("--mode '%s': give an octal number of at most 777", text);
	return mode;
}

static void add_label(struct export *export, const char *label)
{
	for (size_t i = 0; i < PAYERS; i++)
		if (!strcmp(payers[i].label, label)) {
			export->labels[i] = true;
			return;
		}
	option_error("--label '%s': give comm or cgroup", label);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct export *export = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_give(state, options_source, &export->options);
		break;
	case 'o':
		export->output = arg;
		break;
	case 'm':
		export->mode = mode(arg);
		break;
	case 'l':
		add_label(export, arg);
		break;
	case KEY_OPENMETRICS:
		export->metrics.open = true;
		break;
	case ARGP_KEY_ARG:
		return option_record(&export->options, arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int command_export(int argc, char **argv)
{
	static const struct argp_option table[] = {
		{ "output", 'o', "FILE", 0, "Replace FILE in one step; - is stdout (default)", 0 },
		{ "mode", 'm', "MODE", 0, "Mode of FILE (default: 640); its group is that of its directory", 0 },
		{ "label", 'l', "NAME", 0, "Add metrics by comm or cgroup; that feature has to be on", 0 },
		{ "openmetrics", KEY_OPENMETRICS, NULL, 0,
		  "Write OpenMetrics, which node_exporter does not read", 0 },
		{ 0 }
	};
	static const struct argp argp = {
		.options = table, .parser = parse, .children = options_source, .args_doc = "[FILE]",
		.doc = "Write all counters as metrics, for the textfile collector of node_exporter.",
	};
	struct export export = { .mode = MODE_DEFAULT, .metrics.out = stdout };

	options_init(&export.options);
	/* The collector wants the monitor's current state, not the last record. */
	export.options.dir = LSMMON;
	argp_parse(&argp, argc, argv, 0, NULL, &export);
	return run(&export) ? STATUS_ERROR : EXIT_SUCCESS;
}
