// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/features
 *
 * A feature is switched in a pause that also resets all counters, so that the
 * sums of its table always equal the hooks' own.  Memory for a feature is there
 * while it is on.
 *
 * "timed" has a number: one call in so many is timed.  Its 1, each call, is what
 * 0 is for the others.
 */

#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/uaccess.h>

#include "calls.h"
#include "control.h"
#include "feature.h"
#include "files.h"
#include "holder.h"
#include "keys.h"
#include "memory.h"
#include "operation.h"
#include "payer.h"
#include "place.h"
#include "record.h"
#include "stack.h"
#include "timed.h"

static int lsmpmon_syscall_switch(bool on)
{
	return on ? lsmpmon_places_alloc(&lsmpmon_places[LSMPMON_BY_SYSCALL],
					 LSMPMON_CELLS, LSMPMON_OPERATIONS) : 0;
}

#define PAIR_TABLE(BY)	(LSMPMON_TABLE_PAIR + LSMPMON_BY_##BY)

/* Whose keys it uses; the table of each CPU; what else has to be told. */
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
	[LSMPMON_FEATURE_TIMED] = {
		"timed", LSMPMON_USER_TIMED, LSMPMON_TABLE_UNTIMED,
	},
};

/*
 * The table of calls that are not timed goes with those of all calls, see control.c:
 * one may have begun that will be counted in it.
 */
static void lsmpmon_free_feature_table(enum lsmpmon_feature feature)
{
	if (feature != LSMPMON_FEATURE_TIMED)
		lsmpmon_memory_free(BIT(features[feature].table));
}

/*
 * What each was when the session began.  What was on keeps what it needs while
 * it is off: it is switched on again in the end, and that must not fail.
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

/* What can fail, while nothing has changed yet. */
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

/* In a pause. */
static void lsmpmon_switch_paused(enum lsmpmon_feature feature, bool on)
{
	if (on) {
		lsmpmon_keys_use(features[feature].user);
		return;
	}
	lsmpmon_keys_unuse(features[feature].user);
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
 * lsmpmon_feature_switch - switch a feature on or off, and reset all counters
 * @feature: which
 * @value: new state, as lsmpmon_parse_feature() has it; if it is the current one,
 *	nothing is reset
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOMEM if there is no memory for its table, or the error of
 *	the kernel's tracepoints.  Nothing changes on errors.
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
 * lsmpmon_features_save - remember all features, for a session that begins
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
 * lsmpmon_features_changed - whether any feature is not what is remembered
 *
 * Context: process context, while nobody writes to features.
 * Return: true if one is not.
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
 * lsmpmon_features_restore - have all features as they are remembered
 *
 * Context: process context, may sleep, while nobody writes to features.
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

static int lsmpmon_find_feature(const char *name)
{
	int i;

	for (i = 0; i < LSMPMON_FEATURES; i++)
		if (!strcmp(name, features[i].name))
			return i;
	return -EINVAL;
}

/* Digits only, none of them too many: kstrtouint() takes signs and more. */
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
 * @text: what was written; modified
 * @value: set to the requested state: 1 or 0; of "timed" a power of two, where
 *	0 is the same as 1
 *
 * Return: the feature, or -EINVAL for anything but "NAME 1", "NAME 0" and
 *	"timed N", with or without one newline at the end.
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
 * Return: @length; -EINVAL as lsmpmon_parse_feature(), -EBUSY during somebody
 *	else's session, -EFAULT or -ENOMEM.  Nothing changes on errors.
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
