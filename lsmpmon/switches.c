// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/control and lsmmon/reset
 */

#include <linux/uaccess.h>

#include "control.h"
#include "files.h"
#include "holder.h"
#include "switches.h"

/**
 * lsmpmon_parse_switch - parse a write to control
 * @text: the written bytes
 * @length: number of bytes
 *
 * Context: any.
 * Return: 1 or 0 for "1" or "0", with or without a newline at the end; -EINVAL
 *	for anything else.
 */
int lsmpmon_parse_switch(const char *text, size_t length)
{
	if (length == 2 && text[1] == '\n')
		length--;
	if (length != 1 || (text[0] != '0' && text[0] != '1'))
		return -EINVAL;
	return text[0] - '0';
}

static int lsmpmon_control_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%d\n", lsmpmon_is_measuring());
	return 0;
}

static int lsmpmon_control_open(struct inode *inode, struct file *file)
{
	return single_open(file, lsmpmon_control_show, NULL);
}

/*
 * lsmpmon_control_write - switch measuring on or off
 *
 * Return: @length; -EINVAL for anything but "1" and "0", -EBUSY during the
 *	session of another process, -EFAULT or -ENOMEM.  Nothing changes on
 *	errors.
 */
static ssize_t lsmpmon_control_write(struct file *file, const char __user *buffer,
				     size_t length, loff_t *pos)
{
	char text[3];	/* one byte longer than any valid input */
	int on, err;

	if (copy_from_user(text, buffer, min(length, sizeof(text))))
		return -EFAULT;
	on = lsmpmon_parse_switch(text, length);
	if (on < 0)
		return on;
	err = lsmpmon_holder_enter();
	if (err)
		return err;
	err = lsmpmon_measure(on);
	lsmpmon_holder_leave();
	return err ?: length;
}

const struct file_operations lsmpmon_control_fops = {
	.open		= lsmpmon_control_open,
	.read		= seq_read,
	.write		= lsmpmon_control_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* Any write resets; -EBUSY during the session of another process. */
static ssize_t lsmpmon_reset_write(struct file *file, const char __user *buffer,
				   size_t length, loff_t *pos)
{
	int err = lsmpmon_holder_enter();

	if (err)
		return err;
	lsmpmon_reset();
	lsmpmon_holder_leave();
	return length;
}

const struct file_operations lsmpmon_reset_fops = {
	.write		= lsmpmon_reset_write,
	.llseek		= noop_llseek,
};
