// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: what is known of a hook call
 *
 * Calls are described that may be among the slowest of their hook, and the objects of
 * calls that are traced with them.
 */

#include <linux/dcache.h>
#include <linux/kprobes.h>
#include <linux/path.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "clock.h"
#include "describe.h"
#include "name.h"
#include "operation.h"
#include "subject.h"

/* Place of the callback that took most; LSMPMON_PLACES if none was measured. */
static u8 lsmpmon_longest_callback(const struct lsmpmon_frame *frame)
{
	unsigned int i, place = LSMPMON_PLACES;
	u64 ticks, most = 0;

	BUILD_BUG_ON(LSMPMON_PLACES > U8_MAX);
	for (i = 0; i < frame->callbacks; i++) {
		ticks = frame->callback[i].ticks;
		if (ticks < most || lsmpmon_went_back(ticks))
			continue;
		most = ticks;
		place = frame->callback[i].place;
	}
	return place;
}

static void lsmpmon_describe_times(struct lsmpmon_slow *call, u64 ticks,
				   const struct lsmpmon_time *time)
{
	call->wall = ticks;
	call->own = time ? time->own : ticks;
	call->slept = time ? time->slept : 0;
	call->preempted = time ? time->preempted : 0;
	call->unknown = time && time->unknown;
	call->end = ktime_get_boot_fast_ns();
}

static void lsmpmon_describe_task(struct lsmpmon_slow *call)
{
	BUILD_BUG_ON(LSMPMON_OPERATIONS > U16_MAX);
	call->operation = lsmpmon_operation();
	call->in_task = in_task();
	if (!call->in_task)
		return;
	call->pid = task_tgid_nr(current);
	/* Race with renaming, like every reader of comm. */
	data_race(memcpy(call->comm, lsmpmon_comm(), sizeof(call->comm)));
}

/* Name of an object, under RCU; NULL if it is not known. */
static const char *lsmpmon_name_of(const struct lsmpmon_noted *noted, char *buffer)
{
	const char *text;
	struct path path;

	if (lsmpmon_path_of(noted->kind, noted->object, &path))
		return path.dentry ? READ_ONCE(path.dentry->d_name.name) : NULL;
	text = lsmpmon_text_of(noted->kind, noted->object, noted->length, buffer);
	return text ? lsmpmon_last_component(noted->kind, text) : NULL;
}

/**
 * lsmpmon_object_name - copy the last component of the name of an object
 * @name: buffer of LSMPMON_OBJECT_SIZE bytes; unchanged if the name is not known
 * @noted: the object
 *
 * Context: any, but not as a writer: the names of some objects need locks.
 * Return: true if @name is only the first part of the name.
 */
bool lsmpmon_object_name(char *name, const struct lsmpmon_noted *noted)
{
	char buffer[LSMPMON_TEXT_SIZE];
	const char *text;
	ssize_t length;

	if (!noted->object || in_hardirq() || in_nmi())
		return false;
	rcu_read_lock();
	text = lsmpmon_name_of(noted, buffer);
	/* Race with rename(), like any reader without a lock. */
	length = text ? data_race(strscpy(name, text, LSMPMON_OBJECT_SIZE)) : 0;
	rcu_read_unlock();
	return length < 0;
}

NOKPROBE_SYMBOL(lsmpmon_object_name);

/**
 * lsmpmon_object_word - write the name of an object as one word
 * @name: from lsmpmon_object_name(), or empty
 * @is_cut: whether it is only the first part of the name
 * @word: buffer of LSMPMON_OBJECT_WORD bytes; "-" if the name is not known
 *
 * No name has a backslash before a dot, so that a name that is cut can be told.
 *
 * Context: any.
 */
void lsmpmon_object_word(const char *name, bool is_cut, char *word)
{
	if (!*name) {
		strscpy(word, "-", LSMPMON_OBJECT_WORD);
		return;
	}
	lsmpmon_escape_name(name, word, LSMPMON_OBJECT_WORD);
	if (is_cut)
		strlcat(word, "\\...", LSMPMON_OBJECT_WORD);
}

NOKPROBE_SYMBOL(lsmpmon_object_word);

/**
 * lsmpmon_describe - describe a hook call that may be one of the slowest of its hook
 * @call: set to what is known of the call
 * @frame: frame of the call, unlinked, with LSMPMON_NOTED
 * @rc: return value; 0 for void hooks and for the hook's default
 * @ticks: duration of the call
 * @time: times of the call if it was disturbed, else NULL
 *
 * Context: any, but not as a writer: the names of some objects need locks.
 */
void lsmpmon_describe(struct lsmpmon_slow *call, const struct lsmpmon_frame *frame,
		      int rc, u64 ticks, const struct lsmpmon_time *time)
{
	*call = (struct lsmpmon_slow){
		.rc = rc, .place = lsmpmon_longest_callback(frame),
	};
	lsmpmon_describe_times(call, ticks, time);
	lsmpmon_describe_task(call);
	call->is_cut = lsmpmon_object_name(call->object, &frame->noted);
}

NOKPROBE_SYMBOL(lsmpmon_describe);
