// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: who pays for hook calls
 *
 * A hook call is charged to the task in which it ends: to its command name and
 * to its cgroup.  Users can create any number of either, so a limited number of
 * payers have a column of their own, and the others share one.  A hash table
 * that all CPUs share says which column a payer has, until the next reset.  It
 * has more slots than there are columns.
 *
 * A payer that found no free column does not get one later, and neither does a
 * pair of a hook and a payer get a place later.  So a pair that is shown with a
 * name has all calls of that hook by that payer.
 *
 * A cgroup that has a column holds a reference, so that its path can be shown
 * after it was removed.
 */

#include <linux/atomic.h>
#include <linux/cgroup.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/preempt.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/string_helpers.h>

#include "hook.h"
#include "payer.h"
#include "subject.h"

/* Twice as many as columns, so that searches are short. */
#define SLOT_BITS	(ilog2(LSMPMON_PAYERS) + 1)
#define SLOTS		BIT(SLOT_BITS)

/**
 * struct payer - what identifies a payer
 * @word: a command name; or the address of a cgroup, and zero
 */
struct payer {
	u64 word[2];
};

/**
 * struct payers - who has which column
 * @used: how many columns are taken, or more
 * @slot: by hash: a column plus one; zero while it is free
 * @key: by column; written before any slot has the column
 */
static struct payers {
	atomic_t used;
	u16 slot[SLOTS];
	struct payer key[LSMPMON_PAYERS];
} payers[LSMPMON_PAYER_KINDS];

/* Keeps users from choosing names that collide. */
static u64 secret __read_mostly;

static unsigned int lsmpmon_payer_hash(const struct payer *key)
{
	return hash_64(hash_64(key->word[0] ^ secret, 64) ^ key->word[1],
		       SLOT_BITS);
}

static bool lsmpmon_is_same_payer(const struct payer *a, const struct payer *b)
{
	return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

#if LSMPMON_HAS_CGROUPS

static struct cgroup *lsmpmon_cgroup_of(const struct payer *key)
{
	return (struct cgroup *)(unsigned long)key->word[0];
}

/* Fails for a cgroup that is being freed: no task is in it any more. */
static bool lsmpmon_hold_cgroup(const struct payer *key)
{
	return css_tryget(&lsmpmon_cgroup_of(key)->self);
}

static void lsmpmon_drop_cgroup(const struct payer *key)
{
	cgroup_put(lsmpmon_cgroup_of(key));
}

/* Preemption is off, which is a read side of RCU. */
static struct payer lsmpmon_cgroup_key(void)
{
	struct cgroup *cgroup = task_css_set_check(current, true)->dfl_cgrp;

	return (struct payer){ { (unsigned long)cgroup } };
}

/* Its path from the root, or its number if the path does not fit. */
static size_t lsmpmon_cgroup_path(const struct payer *key, char *name, size_t size)
{
	int length = cgroup_path(lsmpmon_cgroup_of(key), name, size);

	if (length > 0 && length < size)
		return length;
	return scnprintf(name, size, "%llu", cgroup_id(lsmpmon_cgroup_of(key)));
}

#else

static bool lsmpmon_hold_cgroup(const struct payer *key)
{
	return true;
}

static void lsmpmon_drop_cgroup(const struct payer *key)
{
}

static struct payer lsmpmon_cgroup_key(void)
{
	return (struct payer){ };
}

static size_t lsmpmon_cgroup_path(const struct payer *key, char *name, size_t size)
{
	return 0;
}

#endif /* LSMPMON_HAS_CGROUPS */

/* Names are padded with zeroes, so they can be compared as words. */
static struct payer lsmpmon_comm_key(void)
{
	struct payer key;

	BUILD_BUG_ON(sizeof(key) != TASK_COMM_LEN);
	/* Race: with renaming, like every reader of comm. */
	data_race(memcpy(&key, lsmpmon_comm(), sizeof(key)));
	return key;
}

static bool lsmpmon_hold_payer(enum lsmpmon_by kind, const struct payer *key)
{
	return kind != LSMPMON_BY_CGROUP || lsmpmon_hold_cgroup(key);
}

static void lsmpmon_drop_payer(enum lsmpmon_by kind, const struct payer *key)
{
	if (kind == LSMPMON_BY_CGROUP)
		lsmpmon_drop_cgroup(key);
}

/* A column plus one; zero if all are taken, without writing to shared memory. */
static u16 lsmpmon_take_column(enum lsmpmon_by kind, const struct payer *key)
{
	struct payers *p = &payers[kind];
	int column;

	if (atomic_read(&p->used) >= LSMPMON_PAYERS || !lsmpmon_hold_payer(kind, key))
		return 0;
	column = atomic_inc_return(&p->used);
	if (column > LSMPMON_PAYERS) {
		lsmpmon_drop_payer(kind, key);
		return 0;
	}
	p->key[column - 1] = *key;
	return column;
}

/*
 * The column of a payer, which gets one if one is left.  If two CPUs race to add
 * the same payer, the column that the loser has taken is wasted.
 */
static unsigned int lsmpmon_column_of(enum lsmpmon_by kind, const struct payer *key)
{
	struct payers *p = &payers[kind];
	unsigned int slot = lsmpmon_payer_hash(key);
	u16 column, mine = 0;

	for (;; slot++) {
		u16 *at = &p->slot[slot % SLOTS];

		/* The column before its key. */
		column = smp_load_acquire(at);
		if (!column) {
			mine = mine ?: lsmpmon_take_column(kind, key);
			if (!mine)
				return LSMPMON_OTHER_PAYER;
			column = cmpxchg(at, 0, mine) ?: mine;
		}
		if (lsmpmon_is_same_payer(&p->key[column - 1], key))
			return column - 1;
	}
}

/* If its cgroup is being freed, the task has just left it: look again. */
static unsigned int lsmpmon_cgroup_column(void)
{
	struct payer key, now = lsmpmon_cgroup_key();
	unsigned int column;

	do {
		key = now;
		column = lsmpmon_column_of(LSMPMON_BY_CGROUP, &key);
		now = lsmpmon_cgroup_key();
	} while (column == LSMPMON_OTHER_PAYER &&
		 !lsmpmon_is_same_payer(&key, &now));
	return column;
}

/**
 * lsmpmon_payer_column - the column of the payer of a call that ends here
 * @kind: what of the current task
 *
 * Context: any, preemption off; called from the hot path.
 * Return: the column.
 */
unsigned int lsmpmon_payer_column(enum lsmpmon_by kind)
{
	struct payer key;

	if (!in_task())
		return LSMPMON_NO_PAYER;
	if (kind == LSMPMON_BY_CGROUP)
		return lsmpmon_cgroup_column();
	key = lsmpmon_comm_key();
	return lsmpmon_column_of(kind, &key);
}

static int lsmpmon_payer_switch(enum lsmpmon_by kind, bool on)
{
	return on ? lsmpmon_places_give(&lsmpmon_places[kind], LSMPMON_CELLS,
					LSMPMON_PAYER_COLUMNS) : 0;
}

/**
 * lsmpmon_comm_switch - get ready to count hook calls by command
 * @on: or not any more, for which nothing has to be done
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_comm_switch(bool on)
{
	return lsmpmon_payer_switch(LSMPMON_BY_COMM, on);
}

/**
 * lsmpmon_cgroup_switch - get ready to count hook calls by cgroup
 * @on: or not any more, for which nothing has to be done
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_cgroup_switch(bool on)
{
	return lsmpmon_payer_switch(LSMPMON_BY_CGROUP, on);
}

/**
 * lsmpmon_payers_forget - have all columns free again
 *
 * Context: process context or early boot.  Nobody may be recording.
 */
void lsmpmon_payers_forget(void)
{
	int kind, column;

	secret = get_random_u64();
	for (kind = 0; kind < LSMPMON_PAYER_KINDS; kind++) {
		struct payers *p = &payers[kind];
		const int used = min(atomic_read(&p->used), LSMPMON_PAYERS);

		for (column = 0; column < used; column++)
			lsmpmon_drop_payer(kind, &p->key[column]);
		memset(p, 0, sizeof(*p));
	}
}

/* One word: as octal numbers what would not look like that. */
static void lsmpmon_escape(const char *name, size_t length, char *word, size_t size)
{
	int end = string_escape_mem(name, length, word, size - 1,
				    ESCAPE_OCTAL | ESCAPE_NAP | ESCAPE_APPEND,
				    " \\");

	word[min_t(size_t, end, size - 1)] = '\0';
}

/**
 * lsmpmon_comm_name - a command name as a word
 * @comm: the name, which users choose
 * @name: where it goes: blanks, backslashes and what cannot be printed as a
 *	backslash and three octal digits, and so the first byte of a name that
 *	is empty or that a column has which is nobody's
 * @size: how much of it; LSMPMON_COMM_NAME for all there are
 */
void lsmpmon_comm_name(const char *comm, char *name, size_t size)
{
	if (*comm && strcmp(comm, "-") && strcmp(comm, "other"))
		lsmpmon_escape(comm, strlen(comm), name, size);
	else
		snprintf(name, size, "\\%03o%s", *comm, *comm ? comm + 1 : "");
}

/**
 * lsmpmon_payer_is_known - whether a column may have calls
 * @kind: of payers
 * @column: which
 *
 * Context: any.
 * Return: false if it has nobody's name.
 */
bool lsmpmon_payer_is_known(enum lsmpmon_by kind, unsigned int column)
{
	return column >= LSMPMON_PAYERS ||
	       column < atomic_read(&payers[kind].used);
}

/**
 * lsmpmon_payer_name - the name of a column, as a word
 * @kind: of payers
 * @column: one that is known
 * @path: room of PATH_MAX
 * @name: where it goes: as lsmpmon_comm_name() has it; `-` for interrupts,
 *	`other` for those who found no place
 * @size: how much of it
 *
 * Context: process context, under lsmpmon_control_lock().
 */
void lsmpmon_payer_name(enum lsmpmon_by kind, unsigned int column, char *path,
			char *name, size_t size)
{
	const struct payer *key = payers[kind].key;

	if (column == LSMPMON_NO_PAYER)
		strscpy(name, "-", size);
	else if (column == LSMPMON_OTHER_PAYER)
		strscpy(name, "other", size);
	else if (kind == LSMPMON_BY_COMM)
		lsmpmon_comm_name((const char *)(key + column), name, size);
	else
		lsmpmon_escape(path,
			       lsmpmon_cgroup_path(key + column, path, PATH_MAX),
			       name, size);
}
