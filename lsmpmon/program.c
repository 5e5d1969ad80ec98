// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: where a program begins
 *
 * A process that is to be measured is made by fork(), looks for its program and
 * executes it.  All that has hook calls which are not the program's.  So the
 * filter may select a process tree from the first instruction of its next
 * program on, as perf counts with enable_on_exec.
 *
 * A tracepoint tells that the program is there, but execve() has hook calls
 * after that: it closes files.  These are done in work of the task, before it
 * returns to user space, and that is where the tree begins, too.
 */

#include <linux/list.h>
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
 * @list: in @awaited, until it is there
 * @work: of the task, from then on
 * @process: who is going to execute it
 * @tree: the process tree that begins with it
 * @was_last: @work has been put behind all that was there before
 */
struct lsmpmon_program {
	struct list_head list;
	struct callback_head work;
	struct pid *process;
	unsigned int tree;
	bool was_last;
};

/* The few that are awaited: at most one for each filter there is. */
static LIST_HEAD(awaited);

/* Raw, since probes run with preemption off. */
static DEFINE_RAW_SPINLOCK(awaited_lock);

/* How many were awaited and are not forgotten. */
static unsigned int users;
static DEFINE_MUTEX(users_lock);

static void lsmpmon_free_program(struct lsmpmon_program *program)
{
	put_pid(program->process);
	kfree(program);
}

/*
 * Work that was added last is done first, and what execve() has closed may have
 * been added before: so come back once more.  A task that was killed in between
 * does not come to its program.
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
		WRITE_ONCE(current->lsmpmon.tree, program->tree);
	lsmpmon_free_program(program);
}

/* The newest of that process or tree, which the caller then owns; or NULL. */
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
 * lsmpmon_program_await - have a process tree begin with a process' next program
 * @process: the process
 * @tree: number of the tree, which is to be forgotten in the end
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOMEM or the error of the tracepoint.
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
 * lsmpmon_program_forget - do not await a program any more, if it is not there
 * @tree: number of a tree that was awaited
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
