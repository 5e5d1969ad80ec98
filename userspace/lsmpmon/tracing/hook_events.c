// SPDX-License-Identifier: GPL-2.0-only
/* Hook calls as the kernel's trace event has them, through libtracefs. */

#include "hook_events.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"
#include "formats.h"
#include "instance.h"
#include "seconds.h"
#include "task_names.h"
#include "traced_objects.h"

/* Calls come in clusters: those of one are read together, in the order of their ends on all CPUs. */
#define CLUSTER_NS 50000000
/* Look at least so often, in case that nothing wakes us. */
#define LOOK_MS 1000

/**
 * struct hook_events - calls on their way from the kernel to us
 * @instance: where the kernel puts them
 * @formats: how they are read
 * @names: of their tasks
 * @objects: those whose calls come next
 * @wake: file that can be read when there is a call
 * @begun: seconds of the clock that events have, when this began
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
	struct formats formats;
	struct task_names names;
	struct traced_objects objects;
	int wake;
	double begun;
	bool wants_stack;
	struct pending pending;
	seen_function take;
	void *context;
	bool goes_on;
	bool is_stopped;
	bool is_lossy;
	int error;
};

int hook_events_find(const char *dir)
{
	return instance_find_event(dir);
}

/* Hooks are numbers in the event, and were names when it had no own time. */
static char *hook_filter(const struct hook_events *events, const struct hook_events_wanted *wanted)
{
	if (!wanted->hook)
		return xstrdup("");
	if (formats_has_names(&events->formats))
		return xasprintf(" && hook == \"%s\"", wanted->hook);
	return xasprintf(" && hook == %d", wanted->hook_number);
}

/* The kernel drops the others before they reach a buffer, and our own calls, which would be more with each line. */
static int choose(struct hook_events *events, const struct hook_events_wanted *wanted)
{
	char *hook = hook_filter(events, wanted);
	char *filter = xasprintf("ns > %ju && common_pid != %d%s", (uintmax_t)wanted->ns, getpid(), hook);
	char *trigger = xasprintf("stacktrace if %s", filter);
	int error = instance_put_event(events->instance, TRACED_EVENT, "filter", filter);

	if (!error && events->formats.object)
		error = instance_put_event(events->instance, TRACED_OBJECT_EVENT, "filter", filter);
	if (!error && wanted->stack)
		error = instance_put_event(events->instance, TRACED_EVENT, "trigger", trigger);
	free(trigger);
	free(filter);
	free(hook);
	return error;
}

static int open_wake(struct hook_events *events)
{
	events->wake = tracefs_instance_file_open(events->instance, "trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return events->wake < 0 ? complain("cannot open 'trace_pipe' in '%s': %s", tracefs_tracing_dir(), strerror(errno)) : 0;
}

static int set_up(struct hook_events *events, const struct hook_events_wanted *wanted)
{
	struct tracefs_instance *instance = events->instance;

	/* The clock of seconds_now(), and a wake-up at the first call. */
	if (instance_put(instance, "trace_clock", "mono") || instance_put(instance, "buffer_percent", "0") ||
	    formats_learn(&events->formats, wanted->stack) || choose(events, wanted) || open_wake(events))
		return -1;
	events->begun = seconds_now();
	/* So that no call is without its object. */
	if (events->formats.object && instance_put_event(instance, TRACED_OBJECT_EVENT, "enable", "1"))
		return -1;
	return instance_put_event(instance, TRACED_EVENT, "enable", "1");
}

struct hook_events *hook_events_begin(const struct hook_events_wanted *wanted)
{
	struct hook_events *events = xcalloc(1, sizeof(*events));

	events->wake = -1;
	events->wants_stack = wanted->stack;
	events->instance = instance_make();
	if (events->instance && !set_up(events, wanted))
		return events;
	hook_events_end(events, NULL);
	return NULL;
}

static int on_call(struct hook_events *events, struct tep_record *record, int cpu)
{
	struct seen seen = {
		.seconds = record->ts / 1e9 - events->begun,
		.pid = tep_data_pid(events->formats.tep, record),
	};

	if (formats_read_call(&events->formats, record, &seen.traced))
		return -1;
	traced_objects_give(&events->objects, &seen.traced, cpu);
	task_names_find(&events->names, seen.pid, seen.comm);
	if (events->wants_stack)
		pending_add(&events->pending, &seen, cpu);
	else
		events->goes_on = events->take(&seen, events->context);
	return 0;
}

static int on_object(struct hook_events *events, struct tep_record *record, int cpu)
{
	struct traced object;

	if (formats_read_object(&events->formats, record, &object))
		return -1;
	traced_objects_keep(&events->objects, &object, cpu);
	return 0;
}

static void on_stack(struct hook_events *events, struct tep_record *record, int cpu)
{
	struct seen *seen = pending_take_stack(&events->pending, cpu);

	if (seen)
		formats_read_stack(&events->formats, record, seen);
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
	if (event == events->formats.call)
		events->error = on_call(events, record, cpu);
	else if (event == events->formats.object)
		events->error = on_object(events, record, cpu);
	else if (event == events->formats.stack)
		on_stack(events, record, cpu);
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
	if (tracefs_iterate_raw_events(events->formats.tep, events->instance, NULL, 0, on_event, events))
		return complain("cannot read events: %s", strerror(errno));
	if (events->is_stopped)
		pending_give_up(&events->pending);
	pending_end_round(&events->pending);
	if (events->goes_on)
		pending_hand_on(&events->pending, take, context);
	task_names_forget(&events->names);
	return events->error;
}

/* Without the event, its trigger would go on to write stacks. */
int hook_events_stop(struct hook_events *events)
{
	if (events->is_stopped)
		return 0;
	events->is_stopped = true;
	return instance_put(events->instance, "tracing_on", "0");
}

int hook_events_end(struct hook_events *events, uint64_t *lost)
{
	int error = 0;

	if (events->instance) {
		hook_events_stop(events);
		if (lost)
			*lost = instance_lost(events->instance);
		if (events->wake >= 0)
			close(events->wake);
		error = instance_remove(events->instance);
	}
	formats_free(&events->formats);
	pending_free(&events->pending);
	traced_objects_free(&events->objects);
	task_names_forget(&events->names);
	free(events);
	return error;
}
