// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: static keys and their users
 *
 * A key is on while at least one of the users that need it is active.
 */

#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/printk.h>

#include "keys.h"
#include "operation.h"

DEFINE_STATIC_KEY_FALSE(lsmpmon_watched);
DEFINE_STATIC_KEY_FALSE(lsmpmon_detailed);
DEFINE_STATIC_KEY_FALSE(lsmpmon_all_detailed);
DEFINE_STATIC_KEY_FALSE(lsmpmon_no_early_skip);
DEFINE_STATIC_KEY_FALSE(lsmpmon_examined);
DEFINE_STATIC_KEY_FALSE(lsmpmon_naming);
DEFINE_STATIC_KEY_FALSE(lsmpmon_only_object);
DEFINE_STATIC_KEY_FALSE(lsmpmon_noting);
DEFINE_STATIC_KEY_FALSE(lsmpmon_traced);
DEFINE_STATIC_KEY_FALSE(lsmpmon_extras);
DEFINE_STATIC_KEY_FALSE(lsmpmon_rare_extras);
DEFINE_STATIC_KEY_FALSE(lsmpmon_sampling);
DEFINE_STATIC_KEY_FALSE(lsmpmon_ever_unlinked);
DEFINE_STATIC_KEY_FALSE(lsmpmon_syscall_on);
DEFINE_STATIC_KEY_FALSE(lsmpmon_module_on);
DEFINE_STATIC_KEY_FALSE(lsmpmon_histogram_on);
DEFINE_STATIC_KEY_FALSE(lsmpmon_calls_on);
DEFINE_STATIC_KEY_FALSE(lsmpmon_stack_on);
DEFINE_STATIC_KEY_FALSE(lsmpmon_comm_on);
DEFINE_STATIC_KEY_FALSE(lsmpmon_cgroup_on);
DEFINE_STATIC_KEY_FALSE(lsmpmon_task_on);
DEFINE_STATIC_KEY_FALSE(lsmpmon_slowest_on);
DEFINE_STATIC_KEY_FALSE(lsmpmon_waits_on);
DEFINE_STATIC_KEY_FALSE(lsmpmon_nested_on);

#define MOST_KEYS	7

/*
 * In the order of switching on; switching off takes the reverse order.  A key that
 * guards a piece of code comes after the keys that this code reads.
 */
static struct static_key_false *const needed[LSMPMON_USERS][MOST_KEYS] = {
	[LSMPMON_USER_MEASURE] = { &lsmpmon_watched },
	[LSMPMON_USER_TRACE] = {
		&lsmpmon_traced, &lsmpmon_no_early_skip, &lsmpmon_all_detailed,
		&lsmpmon_detailed, &lsmpmon_watched,
	},
	[LSMPMON_USER_TRACE_OBJECT] = {
		&lsmpmon_ever_unlinked, &lsmpmon_noting, &lsmpmon_examined,
		&lsmpmon_no_early_skip, &lsmpmon_all_detailed, &lsmpmon_detailed,
	},
	[LSMPMON_USER_FILTER] = {
		&lsmpmon_ever_unlinked, &lsmpmon_examined, &lsmpmon_no_early_skip,
		&lsmpmon_detailed,
	},
	[LSMPMON_USER_FILTER_NAME] = { &lsmpmon_naming },
	[LSMPMON_USER_FILTER_OBJECT] = { &lsmpmon_all_detailed },
	[LSMPMON_USER_FILTER_OBJECT_ONLY] = { &lsmpmon_only_object },
	[LSMPMON_USER_SYSCALL] = { &lsmpmon_syscall_on, &lsmpmon_extras },
	[LSMPMON_USER_MODULE] = { &lsmpmon_module_on, &lsmpmon_detailed },
	[LSMPMON_USER_HISTOGRAM] = { &lsmpmon_histogram_on, &lsmpmon_extras },
	[LSMPMON_USER_CALLS] = {
		&lsmpmon_no_early_skip, &lsmpmon_calls_on, &lsmpmon_extras,
	},
	[LSMPMON_USER_STACK] = { &lsmpmon_stack_on, &lsmpmon_detailed },
	[LSMPMON_USER_COMM] = {
		&lsmpmon_comm_on, &lsmpmon_rare_extras, &lsmpmon_extras,
	},
	[LSMPMON_USER_CGROUP] = {
		&lsmpmon_cgroup_on, &lsmpmon_rare_extras, &lsmpmon_extras,
	},
	[LSMPMON_USER_TASK] = {
		&lsmpmon_task_on, &lsmpmon_rare_extras, &lsmpmon_extras,
	},
	[LSMPMON_USER_SLOWEST] = {
		&lsmpmon_ever_unlinked, &lsmpmon_slowest_on, &lsmpmon_noting,
		&lsmpmon_examined, &lsmpmon_no_early_skip, &lsmpmon_all_detailed,
		&lsmpmon_detailed,
	},
	[LSMPMON_USER_WAITS] = { &lsmpmon_waits_on },
	[LSMPMON_USER_NESTED] = {
		&lsmpmon_nested_on, &lsmpmon_rare_extras, &lsmpmon_extras,
	},
	[LSMPMON_USER_TIMED] = {
		&lsmpmon_ever_unlinked, &lsmpmon_sampling, &lsmpmon_detailed,
	},
};

/* Protects @uses. */
static DEFINE_MUTEX(keys_lock);

/* Reference counts of the users: tracing has one for each enabled event. */
static unsigned int uses[LSMPMON_USERS];

/* This key stays on: a call whose span is not linked may still be in progress. */
static bool lsmpmon_key_stays(const struct static_key_false *key)
{
	return key == &lsmpmon_ever_unlinked && static_key_enabled(key);
}

static void lsmpmon_keys_enable(struct static_key_false *const *keys)
{
	int i;

	for (i = 0; i < MOST_KEYS && keys[i]; i++) {
		if (lsmpmon_key_stays(keys[i]))
			continue;
		if (keys[i] == &lsmpmon_watched && !static_key_enabled(keys[i]))
			lsmpmon_forget_operations();
		static_branch_inc(keys[i]);
	}
}

static void lsmpmon_keys_disable(struct static_key_false *const *keys)
{
	int i;

	for (i = MOST_KEYS - 1; i >= 0; i--)
		if (keys[i] && !lsmpmon_key_stays(keys[i]))
			static_branch_dec(keys[i]);
}

/**
 * lsmpmon_keys_use - switch on the keys that a user needs
 * @user: the user; calls nest
 *
 * Context: process context or early boot, may sleep.
 */
void lsmpmon_keys_use(enum lsmpmon_user user)
{
	mutex_lock(&keys_lock);
	if (!uses[user])
		lsmpmon_keys_enable(needed[user]);
	WRITE_ONCE(uses[user], uses[user] + 1);
	mutex_unlock(&keys_lock);
}

/**
 * lsmpmon_keys_unuse - undo one lsmpmon_keys_use()
 * @user: the user; ignored, with a warning, if it has no keys in use
 *
 * A key stays on while another user needs it.
 *
 * Context: process context, may sleep.
 */
void lsmpmon_keys_unuse(enum lsmpmon_user user)
{
	mutex_lock(&keys_lock);
	if (!uses[user]) {
		pr_warn("lsmpmon: keys of %d are not used\n", user);
		goto out;
	}
	WRITE_ONCE(uses[user], uses[user] - 1);
	if (!uses[user])
		lsmpmon_keys_disable(needed[user]);
out:
	mutex_unlock(&keys_lock);
}

/**
 * lsmpmon_keys_used - test whether a user has its keys in use
 * @user: the user
 *
 * Context: any.  The caller serialises with changes of this user.
 * Return: true between lsmpmon_keys_use() and lsmpmon_keys_unuse().
 */
bool lsmpmon_keys_used(enum lsmpmon_user user)
{
	return READ_ONCE(uses[user]);
}

/**
 * lsmpmon_keys_switch - have the keys of a user in use, or not
 * @user: the user, whose uses do not nest
 * @on: whether they shall be
 *
 * Context: process context, may sleep.  The caller serialises with changes of this user.
 */
void lsmpmon_keys_switch(enum lsmpmon_user user, bool on)
{
	if (on == lsmpmon_keys_used(user))
		return;
	if (on)
		lsmpmon_keys_use(user);
	else
		lsmpmon_keys_unuse(user);
}
