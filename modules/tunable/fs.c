// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: the files of tunable/
 *
 * Only the administrator of the machine may use them, since they can make it
 * wait forever.
 */

#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "burden.h"
#include "delay.h"
#include "fault.h"
#include "fs.h"
#include "scope.h"

/* Longer than any valid input. */
#define LINE_SIZE	128

/* Serialises changes; delay_ns shows both of its hooks under this lock, too. */
static DEFINE_MUTEX(settings_lock);

/* Set the delay of a hook under settings_lock. */
static void set_delay(enum tunable_hook hook, unsigned long ns)
{
	WRITE_ONCE(tunable_delays[hook], ns);
	tunable_note_settings(hook);
}

/**
 * tunable_set_delay - handle a write to delay_ns
 * @line: what was written, without a newline at its end
 *
 * Return: 0; -EINVAL for anything but a time, without any change.
 */
int tunable_set_delay(char *line)
{
	unsigned long ns;
	int err;

	err = tunable_parse_ns(line, &ns);
	if (err)
		return err;
	mutex_lock(&settings_lock);
	set_delay(TUNABLE_FILE_PERMISSION, ns);
	set_delay(TUNABLE_INODE_PERMISSION, ns);
	mutex_unlock(&settings_lock);
	return 0;
}

/* Parse a hook's name, one blank and a number of at most @most; return the hook. */
static int parse_line(char *line, unsigned long most, unsigned long *number)
{
	char *name = strsep(&line, " ");
	int hook, err;

	hook = tunable_parse_hook(name);
	if (hook < 0 || !line)
		return -EINVAL;
	err = tunable_parse_number(line, most, number);
	return err ?: hook;
}

/**
 * tunable_set_hook - handle a write to hooks
 * @line: what was written, without a newline at its end; modified
 *
 * Return: 0; -EINVAL for anything but a name, one blank and a time, without
 *	any change.
 */
int tunable_set_hook(char *line)
{
	unsigned long ns;
	int hook;

	hook = parse_line(line, TUNABLE_MAX_NS, &ns);
	if (hook < 0)
		return hook;
	mutex_lock(&settings_lock);
	set_delay(hook, ns);
	mutex_unlock(&settings_lock);
	return 0;
}

static int set_burden(enum tunable_burden burden, char *line)
{
	unsigned long number;
	int hook;

	hook = parse_line(line, tunable_max_burden(burden), &number);
	if (hook < 0 || !tunable_may_sleep(hook))
		return -EINVAL;
	mutex_lock(&settings_lock);
	tunable_set_burden(burden, hook, number);
	tunable_note_settings(hook);
	mutex_unlock(&settings_lock);
	return 0;
}

/**
 * tunable_set_sleep - handle a write to sleep_ns
 * @line: what was written, without a newline at its end; modified
 *
 * Return: 0; -EINVAL for anything but the name of a hook that may sleep, one blank and
 *	a time, without any change.
 */
int tunable_set_sleep(char *line)
{
	return set_burden(TUNABLE_SLEEP, line);
}

/**
 * tunable_set_lock - handle a write to lock_ns
 * @line: as for tunable_set_sleep()
 *
 * Return: as tunable_set_sleep().
 */
int tunable_set_lock(char *line)
{
	return set_burden(TUNABLE_LOCK, line);
}

/**
 * tunable_set_allocation - handle a write to alloc_bytes
 * @line: what was written, without a newline at its end; modified
 *
 * Return: 0; -EINVAL for anything but the name of a hook that may sleep, one blank and
 *	a number of bytes, without any change.
 */
int tunable_set_allocation(char *line)
{
	return set_burden(TUNABLE_ALLOCATION, line);
}

static int delay_show(struct seq_file *m, void *v)
{
	unsigned long file, inode;

	mutex_lock(&settings_lock);
	file = tunable_delays[TUNABLE_FILE_PERMISSION];
	inode = tunable_delays[TUNABLE_INODE_PERMISSION];
	mutex_unlock(&settings_lock);
	if (file == inode)
		seq_printf(m, "%lu\n", file);
	else
		seq_puts(m, "mixed\n");
	return 0;
}

static int hooks_show(struct seq_file *m, void *v)
{
	int hook;

	for (hook = 0; hook < TUNABLE_HOOKS; hook++)
		seq_printf(m, "%s %lu\n", tunable_hook_names[hook],
			   READ_ONCE(tunable_delays[hook]));
	return 0;
}

static int show_burden(struct seq_file *m, enum tunable_burden burden)
{
	int hook;

	for (hook = 0; hook < TUNABLE_HOOKS; hook++)
		if (tunable_may_sleep(hook))
			seq_printf(m, "%s %lu\n", tunable_hook_names[hook],
				   tunable_get_burden(burden, hook));
	return 0;
}

static int sleep_show(struct seq_file *m, void *v)
{
	return show_burden(m, TUNABLE_SLEEP);
}

static int lock_show(struct seq_file *m, void *v)
{
	return show_burden(m, TUNABLE_LOCK);
}

static int alloc_show(struct seq_file *m, void *v)
{
	return show_burden(m, TUNABLE_ALLOCATION);
}

static void show_part(struct seq_file *m, char letter, const char *name)
{
	seq_printf(m, "%c%s%s\n", letter, *name ? " " : "", name);
}

static const char *label_or_none(enum tunable_label label)
{
	return label ? tunable_label_name(label) : "";
}

static int scope_show(struct seq_file *m, void *v)
{
	struct tunable_scope scope;

	tunable_get_scope(&scope);
	show_part(m, 's', scope.subject);
	show_part(m, 'l', label_or_none(scope.task));
	show_part(m, 'o', label_or_none(scope.object));
	return 0;
}

static int stats_show(struct seq_file *m, void *v)
{
	struct tunable_stats stats;
	int hook;

	seq_puts(m, "hook calls waits waited_ns sleeps lock_waits allocations\n");
	for (hook = 0; hook < TUNABLE_HOOKS; hook++) {
		tunable_read_stats(hook, &stats);
		seq_printf(m, "%s %lu %lu %llu %lu %lu %lu\n",
			   tunable_hook_names[hook], stats.calls, stats.waits,
			   stats.waited_ns,
			   tunable_times_borne(TUNABLE_SLEEP, hook),
			   tunable_times_borne(TUNABLE_LOCK, hook),
			   tunable_times_borne(TUNABLE_ALLOCATION, hook));
	}
	return 0;
}

/**
 * struct tunable_node - a file of tunable/
 * @name: its name
 * @mode: permissions
 * @show: shows its content
 * @set: handles a written line, without the newline; NULL if read-only
 */
struct tunable_node {
	const char *name;
	umode_t mode;
	int (*show)(struct seq_file *m, void *v);
	int (*set)(char *line);
};

static const struct tunable_node nodes[] = {
	{ "delay_ns",	0600, delay_show, tunable_set_delay },
	{ "hooks",	0600, hooks_show, tunable_set_hook },
	{ "sleep_ns",	0600, sleep_show, tunable_set_sleep },
	{ "lock_ns",	0600, lock_show, tunable_set_lock },
	{ "alloc_bytes", 0600, alloc_show, tunable_set_allocation },
	{ "scope",	0600, scope_show, tunable_set_scope },
	{ "stats",	0400, stats_show },
#ifdef TUNABLE_HAS_FAULT
	{ "fault",	0600, tunable_fault_show, tunable_set_fault },
#endif
};

static int node_open(struct inode *inode, struct file *file)
{
	const struct tunable_node *node = inode->i_private;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return single_open(file, node->show, NULL);
}

/*
 * node_write - write to a file
 *
 * Return: @length; -EINVAL for invalid input or a zero byte in it; -EFAULT or
 *	-ENOMEM.  Nothing changes on errors.
 */
static ssize_t node_write(struct file *file, const char __user *buffer,
			  size_t length, loff_t *pos)
{
	const struct tunable_node *node = file_inode(file)->i_private;
	size_t end;
	char *line;
	int err = -EINVAL;

	if (!length || length >= LINE_SIZE)
		return -EINVAL;
	line = memdup_user_nul(buffer, length);
	if (IS_ERR(line))
		return PTR_ERR(line);
	end = length - (line[length - 1] == '\n');
	line[end] = '\0';
	if (strlen(line) == end)
		err = node->set(line);
	kfree(line);
	return err ?: length;
}

static const struct file_operations readable_fops = {
	.open		= node_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static const struct file_operations writable_fops = {
	.open		= node_open,
	.read		= seq_read,
	.write		= node_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/**
 * tunable_fs_init - create tunable/ and its files in securityfs
 *
 * Return: 0 or the error of securityfs_create_file(), after removing all.
 */
int __init tunable_fs_init(void)
{
	struct dentry *dir = securityfs_create_dir(TUNABLE_NAME, NULL);
	struct dentry *made[ARRAY_SIZE(nodes)];
	int i, err;

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	for (i = 0; i < ARRAY_SIZE(nodes); i++) {
		made[i] = securityfs_create_file(nodes[i].name, nodes[i].mode,
						 dir, (void *)&nodes[i],
						 nodes[i].set ? &writable_fops :
								&readable_fops);
		if (IS_ERR(made[i]))
			goto out_remove;
	}
	return 0;

out_remove:
	err = PTR_ERR(made[i]);
	while (i--)
		securityfs_remove(made[i]);
	securityfs_remove(dir);
	return err;
}
