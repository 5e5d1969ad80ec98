// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/features
 *
 * A feature is switched in a pause that also resets all counters, so that the sums
 * of its table always equal those of the hooks.  The memory of a feature is
 * allocated while the feature is on.
 *
 * The value of "timed" is the sample period; 1 means off.
 */

#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/uaccess.h>

#include "calls.h"
#include "control.h"
#include "extras.h"
#include "feature.h"
#include "files.h"
#include "holder.h"
#include "keys.h"
#include "memory.h"
#include "operation.h"
#include "outer.h"
#include "payer.h"
#include "place.h"
#include "stack.h"
#include "timed.h"
#include "waits.h"

static int lsmpmon_syscall_switch(bool on)
{
	return on ? lsmpmon_places_alloc(&lsmpmon_places[LSMPMON_BY_SYSCALL],
					 LSMPMON_CELLS, LSMPMON_OPERATIONS) : 0;
}

#define PAIR_TABLE(BY)	(LSMPMON_TABLE_PAIR + LSMPMON_BY_##BY)

/* Each feature's user of keys, per-CPU table, and function to set up the rest. */
static const struct {
	const char *name;
	enum lsmpmon_user user;
	enum lsmpmon_table table;
	int (*set)(bool on);
} features[LSMPMON_FEATURES] = {
	[LSMPMON_FEATURE_SYSCALL] = {
		"syscall", LSMPMON_USER_SYSCALL, PAIR_TABLE(SYSCALL),
		lsmpmon_syscall_switch,
	},
	[LSMPMON_FEATURE_MODULE] = {
		"module", LSMPMON_USER_MODULE, LSMPMON_TABLE_CALLBACK,
	},
	[LSMPMON_FEATURE_HISTOGRAM] = {
		"histogram", LSMPMON_USER_HISTOGRAM, LSMPMON_TABLE_HISTOGRAM,
	},
#if LSMPMON_HAS_CALLS
	[LSMPMON_FEATURE_CALLS] = {
		"calls", LSMPMON_USER_CALLS, LSMPMON_TABLE_SHARE,
		lsmpmon_calls_switch,
	},
#endif
	[LSMPMON_FEATURE_STACK] = {
		"stack", LSMPMON_USER_STACK, PAIR_TABLE(STACK),
		lsmpmon_stack_switch,
	},
	[LSMPMON_FEATURE_COMM] = {
		"comm", LSMPMON_USER_COMM, PAIR_TABLE(COMM),
		lsmpmon_comm_switch,
	},
#if LSMPMON_HAS_CGROUPS
	[LSMPMON_FEATURE_CGROUP] = {
		"cgroup", LSMPMON_USER_CGROUP, PAIR_TABLE(CGROUP),
		lsmpmon_cgroup_switch,
	},
#endif
	[LSMPMON_FEATURE_TASK] = {
		"task", LSMPMON_USER_TASK, PAIR_TABLE(TASK),
		lsmpmon_task_switch,
	},
	[LSMPMON_FEATURE_SLOWEST] = {
		"slowest", LSMPMON_USER_SLOWEST, LSMPMON_TABLE_SLOWEST,
	},
	[LSMPMON_FEATURE_WAITS] = {
		"waits", LSMPMON_USER_WAITS, LSMPMON_TABLE_WAIT,
		lsmpmon_waits_switch,
	},
	[LSMPMON_FEATURE_NESTED] = {
		"nested", LSMPMON_USER_NESTED, PAIR_TABLE(OUTER),
		lsmpmon_nested_switch,
	},
	[LSMPMON_FEATURE_TIMED] = {
		"timed", LSMPMON_USER_TIMED, LSMPMON_TABLE_UNTIMED,
	},
};

/*
 * The table of untimed calls is freed with the cells, see lsmpmon_base(): an untimed
 * call may still be in progress.
 */
static void lsmpmon_free_feature_table(enum lsmpmon_feature feature)
{
	if (feature != LSMPMON_FEATURE_TIMED)
		lsmpmon_memory_free(BIT(features[feature].table));
}

/*
 * Values at the beginning of the session.  A feature that was on keeps its memory
 * and probes while it is off, so that restoring it cannot fail.
 */
static unsigned int saved[LSMPMON_FEATURES];
static bool is_saved;

static bool lsmpmon_value_is_on(enum lsmpmon_feature feature, unsigned int value)
{
	return value > (feature == LSMPMON_FEATURE_TIMED);
}

static bool lsmpmon_is_pinned(enum lsmpmon_feature feature)
{
	return is_saved && lsmpmon_value_is_on(feature, saved[feature]);
}

/* Do everything that can fail before the pause. */
static int lsmpmon_prepare(enum lsmpmon_feature feature)
{
	int err;

	if (lsmpmon_is_pinned(feature))
		return 0;
	err = lsmpmon_memory_alloc(BIT(features[feature].table));
	if (err || !features[feature].set)
		return err;
	err = features[feature].set(true);
	if (err)
		lsmpmon_free_feature_table(feature);
	return err;
}

/* Switch a feature during a pause. */
static void lsmpmon_switch_paused(enum lsmpmon_feature feature, bool on)
{
	lsmpmon_keys_switch(features[feature].user, on);
	lsmpmon_choose_finish();
	if (on)
		return;
	if (features[feature].set && !lsmpmon_is_pinned(feature))
		features[feature].set(false);
}

static unsigned int lsmpmon_feature_value(enum lsmpmon_feature feature)
{
	if (feature == LSMPMON_FEATURE_TIMED)
		return READ_ONCE(lsmpmon_sample_period);
	return lsmpmon_keys_used(features[feature].user);
}

/**
 * lsmpmon_feature_switch - set a feature, and reset all counters
 * @feature: the feature
 * @value: new value, as from lsmpmon_parse_feature(); nothing is reset if it is the
 *	current one
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOMEM if there is no memory for the table of the feature, or the
 *	error of registering with a tracepoint.  Nothing changes on errors.
 */
int lsmpmon_feature_switch(enum lsmpmon_feature feature, unsigned int value)
{
	const bool on = lsmpmon_value_is_on(feature, value);
	bool switches;
	int err = 0;

	lsmpmon_control_lock();
	if (lsmpmon_feature_value(feature) == value)
		goto out;
	switches = lsmpmon_keys_used(features[feature].user) != on;
	if (switches && on)
		err = lsmpmon_prepare(feature);
	if (err)
		goto out;
	lsmpmon_pause();
	if (feature == LSMPMON_FEATURE_TIMED)
		lsmpmon_set_sample_period(value);
	if (switches)
		lsmpmon_switch_paused(feature, on);
	lsmpmon_zero_and_resume();
	if (switches && !on)
		lsmpmon_free_feature_table(feature);
out:
	lsmpmon_control_unlock();
	return err;
}

/**
 * lsmpmon_features_save - save the values of all features for a session
 *
 * Context: process context, may sleep.
 */
void lsmpmon_features_save(void)
{
	int i;

	lsmpmon_control_lock();
	for (i = 0; i < LSMPMON_FEATURES; i++)
		saved[i] = lsmpmon_feature_value(i);
	is_saved = true;
	lsmpmon_control_unlock();
}

/**
 * lsmpmon_features_changed - test whether a feature differs from its saved value
 *
 * Context: process context.  The caller keeps others from writing to features.
 * Return: true if at least one differs.
 */
bool lsmpmon_features_changed(void)
{
	int i;

	for (i = 0; i < LSMPMON_FEATURES; i++)
		if (lsmpmon_feature_value(i) != saved[i])
			return true;
	return false;
}

/**
 * lsmpmon_features_restore - restore the saved values of all features
 *
 * Context: process context, may sleep.  The caller keeps others from writing to
 *	features.
 */
void lsmpmon_features_restore(void)
{
	int i;

	for (i = 0; i < LSMPMON_FEATURES; i++)
		if (lsmpmon_feature_switch(i, saved[i]))
			pr_warn("lsmpmon: %s stays off after a session\n",
				features[i].name);
	lsmpmon_control_lock();
	is_saved = false;
	lsmpmon_control_unlock();
}

/**
 * lsmpmon_features_list - print the names of the features that are on
 * @m: the file, within a line; names are separated by commas, and "-" is for none
 *
 * Context: process context.
 */
void lsmpmon_features_list(struct seq_file *m)
{
	const char *separator = "";
	int i;

	for (i = 0; i < LSMPMON_FEATURES; i++) {
		if (!lsmpmon_keys_used(features[i].user))
			continue;
		seq_printf(m, "%s%s", separator, features[i].name);
		separator = ",";
	}
	if (!*separator)
		seq_putc(m, '-');
}

static int lsmpmon_find_feature(const char *name)
{
	int i;

	for (i = 0; i < LSMPMON_FEATURES; i++)
		if (!strcmp(name, features[i].name))
			return i;
	return -EINVAL;
}

/* Accept canonical decimal numbers only: kstrtouint() also accepts a sign and zeroes. */
static int lsmpmon_parse_value(const char *text, unsigned int most,
			       unsigned int *value)
{
	if (!isdigit(*text) || (*text == '0' && text[1]))
		return -EINVAL;
	if (kstrtouint(text, 10, value) || *value > most)
		return -EINVAL;
	return 0;
}

/**
 * lsmpmon_parse_feature - parse a write to features
 * @text: the written text; modified
 * @value: set to 1 or 0; for "timed" to the sample period, a power of two, where 0
 *	is accepted as 1
 *
 * Context: any.
 * Return: the feature, or -EINVAL for anything but "NAME 1", "NAME 0" and
 *	"timed N", with or without a newline at the end.
 */
int lsmpmon_parse_feature(char *text, unsigned int *value)
{
	char *newline = strchr(text, '\n');
	char *blank = strchr(text, ' ');
	int feature;

	if (newline && !newline[1])
		*newline = '\0';
	if (!blank)
		return -EINVAL;
	*blank = '\0';
	feature = lsmpmon_find_feature(text);
	if (feature != LSMPMON_FEATURE_TIMED)
		return lsmpmon_parse_value(blank + 1, 1, value) ?: feature;
	if (lsmpmon_parse_value(blank + 1, LSMPMON_SAMPLE_PERIOD_MAX, value))
		return -EINVAL;
	*value = *value ?: 1;
	return is_power_of_2(*value) ? feature : -EINVAL;
}

static int lsmpmon_features_show(struct seq_file *m, void *v)
{
	int i;

	for (i = 0; i < LSMPMON_FEATURES; i++)
		seq_printf(m, "%s %u\n", features[i].name,
			   lsmpmon_feature_value(i));
	return 0;
}

static int lsmpmon_features_open(struct inode *inode, struct file *file)
{
	return single_open(file, lsmpmon_features_show, NULL);
}

/*
 * lsmpmon_features_write - switch one feature
 *
 * Return: @length; -EINVAL as lsmpmon_parse_feature(), -EBUSY during the session
 *	of another process, -EFAULT or -ENOMEM.  Nothing changes on errors.
 */
static ssize_t lsmpmon_features_write(struct file *file, const char __user *buffer,
				      size_t length, loff_t *pos)
{
	unsigned int value;
	int feature, err;
	char text[32];

	if (!length || length >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, buffer, length))
		return -EFAULT;
	text[length] = '\0';
	if (strlen(text) != length)
		return -EINVAL;
	feature = lsmpmon_parse_feature(text, &value);
	if (feature < 0)
		return feature;
	err = lsmpmon_holder_enter();
	if (err)
		return err;
	err = lsmpmon_feature_switch(feature, value);
	lsmpmon_holder_leave();
	return err ?: length;
}

const struct file_operations lsmpmon_features_fops = {
	.open		= lsmpmon_features_open,
	.read		= seq_read,
	.write		= lsmpmon_features_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};
