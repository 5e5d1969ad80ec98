// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: where a program begins
 *
 * A command to be measured is forked, looked up and executed, with hook calls that
 * are not those of its program.  So the filter can select a process tree from the
 * first instruction of its next program on, like enable_on_exec of perf.
 *
 * The tracepoint sched_process_exec is too early: execve() closes files after it, in
 * task work that runs before the return to user space.  So the tree begins in task
 * work, too.
 */

#include <linux/list.h>
#include <linux/lsmpmon_task.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>
#include <trace/events/sched.h>

#include "inject.h"
#include "program.h"

/**
 * struct lsmpmon_program - a program that is awaited
 * @list: entry in @awaited, until the program is executed
 * @work: task work of the process, after the program is executed
 * @process: process that will execute the program
 * @tree: number of the process tree that begins with the program
 * @was_last: whether @work was added again, to run after all earlier work
 */
struct lsmpmon_program {
	struct list_head list;
	struct callback_head work;
	struct pid *process;
	unsigned int tree;
	bool was_last;
};

/* Awaited programs: at most those of the filter and of the one saved by a session. */
static LIST_HEAD(awaited);

/* A raw lock, since probes run with preemption off. */
static DEFINE_RAW_SPINLOCK(awaited_lock);

/* Number of trees that need the probe. */
static unsigned int users;
static DEFINE_MUTEX(users_lock);

static void lsmpmon_free_program(struct lsmpmon_program *program)
{
	put_pid(program->process);
	kfree(program);
}

/*
 * Task work runs newest first, so the work that closes files may be older: add this
 * work once more, to run after it.  A task that is killed in between never runs its
 * program.
 */
static void lsmpmon_begin_tree(struct callback_head *work)
{
	struct lsmpmon_program *program =
		container_of(work, struct lsmpmon_program, work);

	if (!program->was_last) {
		program->was_last = true;
		if (!task_work_add(current, work, TWA_RESUME))
			return;
	}
	if (!(current->flags & PF_EXITING))
		WRITE_ONCE(lsmpmon_of(current)->tree, program->tree);
	lsmpmon_free_program(program);
}

/* Take the newest program of a process, or of a tree, off the list; or return NULL. */
static struct lsmpmon_program *
lsmpmon_take_program(const struct pid *process, unsigned int tree)
{
	struct lsmpmon_program *program, *taken = NULL;

	raw_spin_lock(&awaited_lock);
	list_for_each_entry(program, &awaited, list) {
		if (process ? program->process != process :
			      program->tree != tree)
			continue;
		taken = program;
		list_del(&taken->list);
		break;
	}
	raw_spin_unlock(&awaited_lock);
	return taken;
}

static void lsmpmon_on_exec(void *data, struct task_struct *task, pid_t old_pid,
			    struct linux_binprm *bprm)
{
	struct lsmpmon_program *program =
		lsmpmon_take_program(task_tgid(task), 0);

	if (program && task_work_add(task, &program->work, TWA_RESUME))
		lsmpmon_free_program(program);
}

static int lsmpmon_use_probe(void)
{
	int err = 0;

	mutex_lock(&users_lock);
	if (!users)
		err = lsmpmon_inject(LSMPMON_REGISTERING) ?:
			register_trace_sched_process_exec(lsmpmon_on_exec, NULL);
	if (!err)
		users++;
	mutex_unlock(&users_lock);
	return err;
}

static void lsmpmon_unuse_probe(void)
{
	mutex_lock(&users_lock);
	if (!--users)
		unregister_trace_sched_process_exec(lsmpmon_on_exec, NULL);
	mutex_unlock(&users_lock);
}

/**
 * lsmpmon_program_await - begin a process tree with the next program of a process
 * @process: the process
 * @tree: number of the tree; to be passed to lsmpmon_program_forget() later
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOMEM or the error of registering with the tracepoint.
 */
int lsmpmon_program_await(struct pid *process, unsigned int tree)
{
	struct lsmpmon_program *program = kzalloc(sizeof(*program), GFP_KERNEL);
	int err;

	if (!program)
		return -ENOMEM;
	err = lsmpmon_use_probe();
	if (err) {
		kfree(program);
		return err;
	}
	program->process = get_pid(process);
	program->tree = tree;
	init_task_work(&program->work, lsmpmon_begin_tree);
	raw_spin_lock(&awaited_lock);
	list_add(&program->list, &awaited);
	raw_spin_unlock(&awaited_lock);
	return 0;
}

/**
 * lsmpmon_program_forget - undo lsmpmon_program_await()
 * @tree: number of the tree, whether its program was executed or not
 *
 * Context: process context, may sleep.
 */
void lsmpmon_program_forget(unsigned int tree)
{
	struct lsmpmon_program *program = lsmpmon_take_program(NULL, tree);

	if (program)
		lsmpmon_free_program(program);
	lsmpmon_unuse_probe();
}
