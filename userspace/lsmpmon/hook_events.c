// SPDX-License-Identifier: GPL-2.0-only
/* Hook calls as the kernel's trace event has them, through libtracefs. */

#include "hook_events.h"

#include "complain.h"

#ifdef HAVE_LIBTRACEFS

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "alloc.h"
#include "file.h"
#include "seconds.h"

#define TRACING "/sys/kernel/tracing"
#define INSTANCE "lsmpmon-slower-"
/* Calls come in clusters: those of one are read together, in the order of their ends on all CPUs. */
#define CLUSTER_NS 50000000
/* Look at least so often, in case that nothing wakes us. */
#define LOOK_MS 1000

/**
 * struct hook_events - calls on their way from the kernel to us
 * @instance: a set of buffers and switches of their own
 * @tep: knows the format of events and the names of functions
 * @call: the event at the end of a hook call
 * @stack: the event that has a stack
 * @wake: file that can be read when there is a call
 * @begun: seconds of the clock that events have, when this began
 * @comms: what the kernel has saved of command names, as of this round; NULL if that has not been read
 * @wants_stack: each call has a stack
 * @pending: calls without one yet
 * @take: who gets the calls, in this round
 * @context: its own
 * @goes_on: it wants more
 * @is_stopped: no more calls come
 * @is_lossy: it was said that events are being lost
 * @error: an event could not be read
 */
struct hook_events {
	struct tracefs_instance *instance;
	struct tep_handle *tep;
	struct tep_event *call;
	struct tep_event *stack;
	int wake;
	double begun;
	char *comms;
	bool wants_stack;
	struct pending pending;
	seen_function take;
	void *context;
	bool goes_on;
	bool is_stopped;
	bool is_lossy;
	int error;
};

static int no_event(const char *dir)
{
	char *path = xasprintf("%s/events", dir);
	const int error = access(path, X_OK) ? errno : 0;

	free(path);
	if (error == EACCES || error == EPERM)
		return complain("not allowed to read '%s': be root (CAP_SYS_ADMIN in the initial user namespace)", dir);
	if (error)
		return complain("'%s/events': %s; give the directory of tracefs", dir, strerror(error));
	return complain("'%s/events' has no " TRACED_SYSTEM "/" TRACED_EVENT ": this kernel has no lsmpmon; lsmpmon status says "
			"more", dir);
}

int hook_events_find(const char *dir)
{
	/* Otherwise the library would mount it. */
	if (!dir && tracefs_tracing_dir_is_mounted(false, &dir) != 1)
		return complain("tracefs is not mounted: mount -t tracefs tracefs " TRACING);
	if (tracefs_set_tracing_dir((char *)dir))
		out_of_memory();
	if (!tracefs_event_file_exists(NULL, TRACED_SYSTEM, TRACED_EVENT, "filter"))
		return no_event(dir);
	return 0;
}

static bool is_gone(const char *name)
{
	const pid_t pid = atoi(name + strlen(INSTANCE));

	return pid > 0 && kill(pid, 0) && errno == ESRCH;
}

/* What one of us has left that was killed. One that is open is in use, and the kernel keeps it. */
static void sweep(void)
{
	char **names = tracefs_instances("^" INSTANCE "[0-9]*$");

	for (size_t i = 0; names && names[i]; i++) {
		struct tracefs_instance *instance = is_gone(names[i]) ? tracefs_instance_alloc(NULL, names[i]) : NULL;

		if (instance)
			tracefs_instance_destroy(instance);
		tracefs_instance_free(instance);
	}
	tracefs_list_free(names);
}

static int cannot_write(struct hook_events *events, const char *file, const char *text)
{
	const int error = errno;
	char *path = tracefs_instance_get_file(events->instance, file);

	complain("cannot write '%s' to '%s': %s", text, path ?: file, strerror(error));
	tracefs_put_tracing_file(path);
	return -1;
}

static int put(struct hook_events *events, const char *file, const char *text)
{
	return tracefs_instance_file_write(events->instance, file, text) < 0 ? cannot_write(events, file, text) : 0;
}

static int put_event(struct hook_events *events, const char *file, const char *text)
{
	char *path;

	if (tracefs_event_file_write(events->instance, TRACED_SYSTEM, TRACED_EVENT, file, text) >= 0)
		return 0;
	path = xasprintf("events/" TRACED_SYSTEM "/" TRACED_EVENT "/%s", file);
	cannot_write(events, path, text);
	free(path);
	return -1;
}

/* Hooks are numbers in the event, and were names when it had no own time. */
static char *hook_filter(const struct hook_events *events, const struct hook_events_wanted *wanted)
{
	const struct tep_format_field *field = tep_find_field(events->call, "hook");

	if (!wanted->hook)
		return xstrdup("");
	if (field && field->flags & TEP_FIELD_IS_ARRAY)
		return xasprintf(" && hook == \"%s\"", wanted->hook);
	return xasprintf(" && hook == %d", wanted->hook_number);
}

/* The kernel drops the others before they reach a buffer, and our own calls, which would be more with each line. */
static int choose(struct hook_events *events, const struct hook_events_wanted *wanted)
{
	char *hook = hook_filter(events, wanted);
	char *filter = xasprintf("ns > %ju && common_pid != %d%s", (uintmax_t)wanted->ns, getpid(), hook);
	char *trigger = xasprintf("stacktrace if %s", filter);
	int error = put_event(events, "filter", filter);

	if (!error && wanted->stack)
		error = put_event(events, "trigger", trigger);
	free(trigger);
	free(filter);
	free(hook);
	return error;
}

static struct tep_event *learn_event(struct tep_handle *tep, const char *system, const char *name)
{
	struct tep_event *event = NULL;
	int size;
	char *format = tracefs_event_file_read(NULL, system, name, "format", &size);

	if (format && !tep_parse_event(tep, format, size, system))
		event = tep_find_event_by_name(tep, system, name);
	if (!event)
		complain("cannot read '%s/events/%s/%s/format'", tracefs_tracing_dir(), system, name);
	free(format);
	return event;
}

static int learn_pages(struct tep_handle *tep)
{
	int size;
	char *header = tracefs_instance_file_read(NULL, "events/header_page", &size);
	int error = !header || tep_parse_header_page(tep, header, size, sizeof(long));

	free(header);
	tep_set_long_size(tep, sizeof(long));
	tep_set_file_bigendian(tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	return error ? complain("cannot read '%s/events/header_page'", tracefs_tracing_dir()) : 0;
}

/* Many thousands of lines. */
static int learn_functions(struct tep_handle *tep)
{
	const char *path = "/proc/kallsyms";
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : file_text(fd, path);
	int error = !text || tep_parse_kallsyms(tep, text);

	if (fd >= 0)
		close(fd);
	free(text);
	return error ? complain("cannot read the names of functions in '%s'", path) : 0;
}

static int learn(struct hook_events *events)
{
	events->tep = tep_alloc();
	if (!events->tep)
		out_of_memory();
	events->call = learn_event(events->tep, TRACED_SYSTEM, TRACED_EVENT);
	if (!events->call || learn_pages(events->tep))
		return -1;
	if (!events->wants_stack)
		return 0;
	events->stack = learn_event(events->tep, "ftrace", "kernel_stack");
	return events->stack ? learn_functions(events->tep) : -1;
}

static int listen(struct hook_events *events)
{
	events->wake = tracefs_instance_file_open(events->instance, "trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return events->wake < 0 ? complain("cannot open 'trace_pipe' in '%s': %s", tracefs_tracing_dir(), strerror(errno)) : 0;
}

static int set_up(struct hook_events *events, const struct hook_events_wanted *wanted)
{
	if (put(events, "trace_clock", "mono") || put(events, "buffer_percent", "0") ||
	    learn(events) || choose(events, wanted) || listen(events))
		return -1;
	events->begun = seconds_now();
	return put_event(events, "enable", "1");
}

static struct tracefs_instance *make_instance(void)
{
	char *name = xasprintf(INSTANCE "%d", getpid());
	struct tracefs_instance *instance;

	sweep();
	instance = tracefs_instance_create(name);
	if (!instance)
		complain("cannot make '%s/instances/%s': %s", tracefs_tracing_dir(), name, strerror(errno));
	free(name);
	return instance;
}

struct hook_events *hook_events_begin(const struct hook_events_wanted *wanted)
{
	struct hook_events *events = xcalloc(1, sizeof(*events));

	events->wake = -1;
	events->wants_stack = wanted->stack;
	events->instance = make_instance();
	if (events->instance && !set_up(events, wanted))
		return events;
	hook_events_end(events, NULL);
	return NULL;
}

/* Copy the command name in the line of a process. */
static bool find_comm(const char *comms, int pid, char *comm)
{
	for (const char *line = comms; line && *line; line = strchr(line, '\n'), line += !!line) {
		char *name;

		if (strtol(line, &name, 10) != pid || *name != ' ')
			continue;
		snprintf(comm, SEEN_COMM, "%.*s", (int)strcspn(name + 1, "\n"), name + 1);
		return true;
	}
	return false;
}

static bool read_comm(int pid, char *comm)
{
	char *path = xasprintf("/proc/%d/comm", pid);
	FILE *file = fopen(path, "re");
	bool found = file && fgets(comm, SEEN_COMM, file);

	if (found)
		comm[strcspn(comm, "\n")] = '\0';
	if (file)
		fclose(file);
	free(path);
	return found;
}

/*
 * The event does not have it. The kernel saves it when the task leaves its CPU next, so it is older than what /proc has,
 * and there is something even if the task has ended; but a task that is still on its CPU is only there.
 */
static void name_task(struct hook_events *events, int pid, char *comm)
{
	if (!events->comms)
		events->comms = tracefs_instance_file_read(NULL, "saved_cmdlines", NULL);
	if (!pid)
		strcpy(comm, "<idle>");
	else if (!find_comm(events->comms, pid, comm) && !read_comm(pid, comm))
		strcpy(comm, "<...>");
}

static int on_call(struct hook_events *events, struct tep_record *record, int cpu)
{
	struct seen seen = { .seconds = record->ts / 1e9 - events->begun, .pid = tep_data_pid(events->tep, record) };
	struct trace_seq text;
	int error;

	trace_seq_init(&text);
	tep_print_event(events->tep, &text, record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&text);
	error = traced_parse(&seen.traced, text.buffer);
	if (error)
		complain("the kernel's event " TRACED_EVENT " is not known here: '%s'", text.buffer);
	trace_seq_destroy(&text);
	if (error)
		return -1;
	name_task(events, seen.pid, seen.comm);
	if (events->wants_stack)
		pending_add(&events->pending, &seen, cpu);
	else
		events->goes_on = events->take(&seen, events->context);
	return 0;
}

/* Of an address, as the kernel itself prints it. */
static char *function_text(struct tep_handle *tep, unsigned long long address)
{
	const char *name = tep_find_function(tep, address);

	if (!name)
		return xasprintf("0x%llx", address);
	return xasprintf("%s+0x%llx", name, address - tep_find_function_address(tep, address));
}

static bool is_of_hook(const char *function)
{
	return !strncmp(function, "lsmpmon_call_", strlen("lsmpmon_call_")) ||
	       !strncmp(function, "security_", strlen("security_"));
}

/* The innermost functions are those that write the event. */
static void drop_writers(struct seen *seen)
{
	size_t writers = 0;

	while (writers < seen->stack_count && !is_of_hook(seen->stack[writers]))
		writers++;
	if (!writers || writers == seen->stack_count)
		return;
	for (size_t i = 0; i < writers; i++)
		free(seen->stack[i]);
	seen->stack_count -= writers;
	memmove(seen->stack, seen->stack + writers, seen->stack_count * sizeof(*seen->stack));
}

/* The kernel reserves room for more, and fills it with zeros. */
static void read_stack(struct hook_events *events, struct tep_record *record, struct seen *seen)
{
	const struct tep_format_field *field = tep_find_field(events->stack, "caller");
	const int size = tep_get_long_size(events->tep);

	for (int at = field ? field->offset : record->size; at + size <= record->size; at += size) {
		unsigned long long address = tep_read_number(events->tep, (char *)record->data + at, size);

		if (!address || address == ~0ULL)
			break;
		seen->stack = xgrow(seen->stack, seen->stack_count, sizeof(*seen->stack));
		seen->stack[seen->stack_count++] = function_text(events->tep, address);
	}
	drop_writers(seen);
}

static void note_losses(struct hook_events *events)
{
	pending_give_up(&events->pending);
	if (!events->is_lossy)
		complain("events are being lost: they are more than can be read; a higher LIMIT, or one HOOK, has fewer");
	events->is_lossy = true;
}

/* Returns what ends the round. */
static int on_event(struct tep_event *event, struct tep_record *record, int cpu, void *context)
{
	struct hook_events *events = context;

	if (record->missed_events)
		note_losses(events);
	if (event == events->call) {
		events->error = on_call(events, record, cpu);
	} else if (event == events->stack) {
		struct seen *seen = pending_take_stack(&events->pending, cpu);

		if (seen)
			read_stack(events, record, seen);
	}
	if (events->goes_on)
		events->goes_on = pending_hand_on(&events->pending, events->take, events->context);
	return events->error || !events->goes_on;
}

static void wait_for_calls(const struct hook_events *events, double seconds)
{
	const struct timespec cluster = { .tv_nsec = CLUSTER_NS };
	struct pollfd wake = { .fd = events->wake, .events = POLLIN };
	const int wait = seconds * 1000 > LOOK_MS ? LOOK_MS : seconds > 0 ? seconds * 1000 : 0;

	if (poll(&wake, 1, wait) > 0)
		nanosleep(&cluster, NULL);
}

/* Where @take wants no more, the library forgets what it has read. */
int hook_events_read(struct hook_events *events, double seconds, seen_function take, void *context)
{
	if (!events->is_stopped)
		wait_for_calls(events, seconds);
	events->take = take;
	events->context = context;
	events->goes_on = true;
	if (tracefs_iterate_raw_events(events->tep, events->instance, NULL, 0, on_event, events))
		return complain("cannot read events: %s", strerror(errno));
	if (events->is_stopped)
		pending_give_up(&events->pending);
	pending_end_round(&events->pending);
	if (events->goes_on)
		pending_hand_on(&events->pending, take, context);
	free(events->comms);
	events->comms = NULL;
	return events->error;
}

/* Without the event, its trigger would go on to write stacks. */
int hook_events_stop(struct hook_events *events)
{
	if (events->is_stopped)
		return 0;
	events->is_stopped = true;
	return tracefs_trace_off(events->instance) ? cannot_write(events, "tracing_on", "0") : 0;
}

/* The number in a line `NAME: NUMBER`. */
static uint64_t number_in(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? strtoull(line + strlen(name), NULL, 10) : 0;
}

/* The kernel says why there was no room for an event: nobody read it in time, or writers were in each other's way. */
static uint64_t count_lost(const struct hook_events *events)
{
	uint64_t lost = 0;

	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		char *file = xasprintf("per_cpu/cpu%d/stats", cpu);
		char *text = tracefs_instance_file_read(events->instance, file, NULL);

		if (text)
			lost += number_in(text, "\noverrun: ") + number_in(text, "\ncommit overrun: ") +
				number_in(text, "\ndropped events: ");
		free(text);
		free(file);
	}
	return lost;
}

static int remove_instance(struct hook_events *events)
{
	char *path = tracefs_instance_get_dir(events->instance);
	int error = tracefs_instance_destroy(events->instance);

	if (error)
		complain("cannot remove '%s': %s", path, strerror(errno));
	tracefs_put_tracing_file(path);
	tracefs_instance_free(events->instance);
	return error;
}

int hook_events_end(struct hook_events *events, uint64_t *lost)
{
	int error = 0;

	if (events->instance) {
		tracefs_trace_off(events->instance);
		if (lost)
			*lost = count_lost(events);
		if (events->wake >= 0)
			close(events->wake);
		error = remove_instance(events);
	}
	tep_free(events->tep);
	pending_free(&events->pending);
	free(events->comms);
	free(events);
	return error;
}

#else /* !HAVE_LIBTRACEFS */

int hook_events_find(const char *dir)
{
	(void)dir;
	return complain("this lsmpmon was built without libtracefs: install libtracefs-dev and pkg-config, and build it again");
}

struct hook_events *hook_events_begin(const struct hook_events_wanted *wanted)
{
	(void)wanted;
	return NULL;
}

int hook_events_read(struct hook_events *events, double seconds, seen_function take, void *context)
{
	(void)events, (void)seconds, (void)take, (void)context;
	return -1;
}

int hook_events_stop(struct hook_events *events)
{
	(void)events;
	return -1;
}

int hook_events_end(struct hook_events *events, uint64_t *lost)
{
	(void)events;
	*lost = 0;
	return -1;
}

#endif
