// SPDX-License-Identifier: GPL-2.0-only
/*
 * lsmpmon-timeline FILE OUT: what trace-cmd has recorded of hook calls, as JSON that Perfetto and speedscope open.
 *
 * lsmpmon timeline runs it. It is a program of its own because libtracecmd is not there for static programs.
 */

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"
#include "json.h"
#include "new_file.h"
#include "slices.h"
#include "traced_objects.h"

#define STATUS_ERROR 2

/**
 * struct task - a task, or what runs on a CPU without one
 * @pid: its ID; 0 in interrupts while a CPU is idle
 * @tid: the same; the number of the CPU if @pid is 0
 * @slices: calls that may still turn out to be inside another one
 * @from: end of the last one that was written
 */
struct task {
	int pid;
	int tid;
	struct slices slices;
	uint64_t from;
};

/**
 * struct timeline - what is being converted
 * @path: the recording
 * @out: where the JSON goes
 * @tasks: those that have been seen, a tree of tsearch()
 * @objects: those whose calls come next
 * @tep: knows the format of events
 * @count: how many objects were written
 * @missing: how many events the recording lacks; some of these may be unknown
 * @lacks_events: whether there are any
 * @error: an event could not be read
 */
struct timeline {
	const char *path;
	FILE *out;
	void *tasks;
	struct traced_objects objects;
	struct tep_handle *tep;
	size_t count;
	uint64_t missing;
	bool lacks_events;
	int error;
};

/* The functions that walk through a tree get no pointer to anything else. */
static struct timeline timeline;

static void add(struct json_object *object, const char *name, struct json_object *value)
{
	json_object_object_add(object, name, value);
}

static void add_number(struct json_object *object, const char *name, int64_t number)
{
	add(object, name, json_object_new_int64(number));
}

/* The format has microseconds; three decimals are all that the kernel has. */
static void add_time(struct json_object *object, const char *name, uint64_t ns)
{
	char *text = xasprintf("%ju.%03u", (uintmax_t)ns / 1000, (unsigned int)(ns % 1000));

	add(object, name, json_object_new_double_s(ns / 1e3, text));
	free(text);
}

static void put(struct json_object *object)
{
	fprintf(timeline.out, "%s%s", timeline.count++ ? ",\n" : "",
		json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

static struct json_object *begin_object(const struct task *task, const char *phase, const char *name)
{
	struct json_object *object = json_object_new_object();

	add(object, "ph", json_object_new_string(phase));
	add(object, "name", json_text(name));
	add_number(object, "pid", task->pid);
	add_number(object, "tid", task->tid);
	return object;
}

static struct json_object *args_of(const struct traced *traced)
{
	struct json_object *args = json_object_new_object();

	add(args, "syscall", json_text(traced->syscall));
	add(args, "verdict", json_text(traced->verdict));
	add_number(args, "rc", traced->rc);
	if (traced->is_known) {
		add_number(args, "own", traced->own);
		add_number(args, "slept", traced->slept);
		add_number(args, "preempted", traced->preempted);
	}
	if (traced->depth >= 0)
		add_number(args, "depth", traced->depth);
	if (*traced->object)
		add(args, "object", json_text(traced->object));
	return args;
}

static void put_slice(const struct task *task, const struct slice *slice)
{
	struct json_object *object = begin_object(task, "X", slice->traced.hook);

	add(object, "cat", json_object_new_string("lsm"));
	add_time(object, "ts", slice_begin(slice));
	add_time(object, "dur", slice->traced.wall);
	add(object, "args", args_of(&slice->traced));
	put(object);
}

static void put_slices(struct task *task)
{
	slices_fit(&task->slices, &task->from);
	for (size_t i = 0; i < task->slices.count; i++)
		put_slice(task, &task->slices.slice[i]);
	task->slices.count = 0;
}

static void put_name(const struct task *task, const char *what, const char *name)
{
	struct json_object *object = begin_object(task, "M", what), *args = json_object_new_object();

	add(args, "name", json_text(name));
	add(object, "args", args);
	put(object);
}

static void put_rest(const void *node, VISIT visit, int depth)
{
	struct task *task = *(struct task **)node;
	char *name;

	(void)depth;
	if (visit != postorder && visit != leaf)
		return;
	put_slices(task);
	if (task->pid)
		name = xstrdup(tep_data_comm_from_pid(timeline.tep, task->pid) ?: "<...>");
	else
		name = xasprintf("swapper/%d", task->tid);
	if (task->pid)
		put_name(task, "process_name", name);
	put_name(task, "thread_name", name);
	free(name);
}

static int compare(const void *left, const void *right)
{
	const struct task *a = left, *b = right;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->tid > b->tid) - (a->tid < b->tid);
}

static struct task *task_of(int pid, int cpu)
{
	const struct task wanted = { .pid = pid, .tid = pid ?: cpu };
	struct task **found = tsearch(&wanted, &timeline.tasks, compare), *task;

	if (!found)
		out_of_memory();
	if (*found != &wanted)
		return *found;
	task = xcalloc(1, sizeof(*task));
	*task = wanted;
	*found = task;
	return task;
}

static void free_task(void *node)
{
	struct task *task = node;

	free(task->slices.slice);
	free(task);
}

static int read_event(struct tep_record *record, const char *name, struct traced *traced,
		      int (*parse)(struct traced *traced, const char *text))
{
	struct trace_seq text;
	int error;

	trace_seq_init(&text);
	tep_print_event(timeline.tep, &text, record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&text);
	error = parse(traced, text.buffer);
	if (error)
		complain("'%s' has the event %s in a form that is not known here: '%s'", timeline.path, name, text.buffer);
	trace_seq_destroy(&text);
	return error;
}

static int keep_object(struct tep_record *record, int cpu)
{
	struct traced object;

	if (read_event(record, TRACED_OBJECT_EVENT, &object, traced_parse_object))
		return -1;
	traced_objects_keep(&timeline.objects, &object, cpu);
	return 0;
}

static int add_call(struct tep_record *record, int cpu)
{
	struct task *task = task_of(tep_data_pid(timeline.tep, record), cpu);
	struct traced traced;

	if (read_event(record, TRACED_EVENT, &traced, traced_parse))
		return -1;
	traced_objects_give(&timeline.objects, &traced, cpu);
	slices_add(&task->slices, &traced, record->ts);
	if (!traced.depth)
		put_slices(task);
	return 0;
}

static int on_event(struct tracecmd_input *input, struct tep_record *record, int cpu, void *context)
{
	const struct tep_event *event;

	(void)context;
	timeline.tep = tracecmd_get_tep(input);
	event = tep_find_event_by_record(timeline.tep, record);
	if (record->missed_events) {
		timeline.lacks_events = true;
		timeline.missing += record->missed_events > 0 ? record->missed_events : 0;
	}
	if (!event || strcmp(event->system, TRACED_SYSTEM))
		return 0;
	if (!strcmp(event->name, TRACED_EVENT))
		timeline.error = add_call(record, cpu);
	else if (!strcmp(event->name, TRACED_OBJECT_EVENT))
		timeline.error = keep_object(record, cpu);
	return timeline.error;
}

/* That of the top and those of trace-cmd's -B. */
static int read_buffers(struct tracecmd_input *input)
{
	const int count = tracecmd_buffer_instances(input);
	struct tracecmd_input **buffers = xcalloc(count + 1, sizeof(*buffers));
	int used = 1, error;

	buffers[0] = input;
	for (int i = 0; i < count; i++) {
		buffers[used] = tracecmd_buffer_instance_handle(input, i);
		used += !!buffers[used];
	}
	error = tracecmd_iterate_events_multi(buffers, used, on_event, NULL);
	for (int i = 1; i < used; i++)
		tracecmd_close(buffers[i]);
	free(buffers);
	return error || timeline.error ? -1 : 0;
}

static void say_what_is_missing(void)
{
	if (timeline.missing)
		complain("'%s' lacks at least %ju events that trace-cmd had no room for: record with a larger -b", timeline.path,
			 (uintmax_t)timeline.missing);
	else if (timeline.lacks_events)
		complain("'%s' lacks events that trace-cmd had no room for: record with a larger -b", timeline.path);
}

static int convert(struct tracecmd_input *input)
{
	int error;

	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", timeline.out);
	error = read_buffers(input);
	timeline.tep = tracecmd_get_tep(input);
	twalk(timeline.tasks, put_rest);
	fputs("\n]}\n", timeline.out);
	if (!error && !timeline.tasks)
		error = complain("'%s' has no hook calls: trace-cmd record -e " TRACED_SYSTEM ":" TRACED_EVENT, timeline.path);
	if (!error)
		say_what_is_missing();
	tdestroy(timeline.tasks, free_task);
	traced_objects_free(&timeline.objects);
	return error;
}

static struct tracecmd_input *open_recording(const char *path)
{
	struct tracecmd_input *input;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		complain("cannot open '%s': %s", path, strerror(errno));
		return NULL;
	}
	close(fd);
	tracecmd_set_loglevel(TEP_LOG_NONE);
	input = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!input)
		complain("'%s' is not a recording of trace-cmd, or is damaged", path);
	return input;
}

static int run(const char *path, const char *output)
{
	struct tracecmd_input *input = open_recording(path);
	struct new_file file;
	int error = -1;

	if (!input)
		return -1;
	timeline.path = path;
	if (!new_file_begin(&file, output)) {
		timeline.out = file.stream;
		error = convert(input);
		if (error)
			new_file_drop(&file);
		else
			error = new_file_finish(&file, false);
	}
	tracecmd_close(input);
	return error;
}

int main(int argc, char **argv)
{
	/* Complaints are lsmpmon's. */
	program_invocation_short_name = "lsmpmon";
	if (argc != 3)
		return complain("lsmpmon-timeline FILE OUT is for lsmpmon timeline FILE -o OUT") ? STATUS_ERROR : 0;
	return run(argv[1], argv[2]) ? STATUS_ERROR : EXIT_SUCCESS;
}
