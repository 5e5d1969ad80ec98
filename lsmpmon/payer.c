// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: who pays for hook calls
 *
 * A hook call is charged to the task in which it ends: to its command name and
 * to its cgroup.  Users can create any number of either, so a limited number of
 * payers have a column of their own, and the others share one.  A hash table
 * that all CPUs share says which column a payer has.
 *
 * Who has no column takes a free one, at once.  Columns come back from a worker,
 * see evict.c: nothing else takes them out of the hash table, and it waits for
 * all calls that may have found them there before it gives them to others.
 *
 * Chains grow only at their beginning, which changes as one: who puts a payer
 * there knows that it was in no chain.  A beginning that is the same again is the
 * same column of the same payer, since no column comes back while a call that
 * has seen it goes on.
 */

#include <linux/atomic.h>
#include <linux/cgroup.h>
#include <linux/hash.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/random.h>
#include <linux/sched.h>

#include "hook.h"
#include "payer.h"
#include "subject.h"

struct lsmpmon_payers lsmpmon_payers[LSMPMON_PAYER_KINDS];

/* Keeps users from choosing names that collide. */
static u64 hash_secret __read_mostly;

static __always_inline u32 *
lsmpmon_payer_chain(struct lsmpmon_payers *p, const struct lsmpmon_payer *key)
{
	return &p->first[hash_64(hash_64(key->word[0] ^ hash_secret, 64) ^ key->word[1],
				 LSMPMON_SLOT_BITS)];
}

static bool lsmpmon_is_same_payer(const struct lsmpmon_payer *a,
				  const struct lsmpmon_payer *b)
{
	return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

/* From any context through an interrupt, since work cannot be queued in NMIs. */
static struct work_struct evict;
static bool kicked;

static void lsmpmon_queue_work(struct irq_work *work)
{
	schedule_work(&evict);
}

static DEFINE_IRQ_WORK(kick, lsmpmon_queue_work);

/**
 * lsmpmon_payers_init - name the work that gives columns back
 * @work: does it; it uses more than a call that asks for it may know of
 *
 * Context: before any feature is on.
 */
void __init lsmpmon_payers_init(work_func_t work)
{
	INIT_WORK(&evict, work);
}

/**
 * lsmpmon_payers_kick - have columns given back
 *
 * Nothing, if that was asked for and the work has not had its rest yet.
 *
 * Context: any, NMI included.
 */
void lsmpmon_payers_kick(void)
{
	if (READ_ONCE(kicked))
		return;
	WRITE_ONCE(kicked, true);
	irq_work_queue(&kick);
}

/**
 * lsmpmon_payers_rearm - hear the next call for free columns
 *
 * Context: process context, by who was called for.
 */
void lsmpmon_payers_rearm(void)
{
	WRITE_ONCE(kicked, false);
}

#if LSMPMON_HAS_CGROUPS

/* Preemption is off, which is a read side of RCU. */
static struct cgroup *lsmpmon_own_cgroup(void)
{
	return task_css_set_check(current, true)->dfl_cgrp;
}

static struct lsmpmon_payer lsmpmon_cgroup_key(void)
{
	return (struct lsmpmon_payer){ { cgroup_id(lsmpmon_own_cgroup()) } };
}

/* No more than exiting tasks are left in one that was removed. */
static bool lsmpmon_cgroup_may_pay(void)
{
	return READ_ONCE(lsmpmon_own_cgroup()->self.flags) & CSS_ONLINE;
}

#else

static struct lsmpmon_payer lsmpmon_cgroup_key(void)
{
	return (struct lsmpmon_payer){ };
}

static bool lsmpmon_cgroup_may_pay(void)
{
	return true;
}

#endif /* LSMPMON_HAS_CGROUPS */

/* Names are padded with zeroes, so they can be compared as words. */
static struct lsmpmon_payer lsmpmon_comm_key(void)
{
	struct lsmpmon_payer key;

	BUILD_BUG_ON(sizeof(key) != TASK_COMM_LEN);
	/* Race: with renaming, like every reader of comm. */
	data_race(memcpy(&key, lsmpmon_comm(), sizeof(key)));
	return key;
}

/* A column plus one; zero if none is free, without writing to shared memory. */
static u32 lsmpmon_take_column(struct lsmpmon_payers *p)
{
	unsigned int column, word;
	unsigned long bits;

	for (word = 0; word < ARRAY_SIZE(p->free); word++)
		while ((bits = READ_ONCE(p->free[word]))) {
			column = word * BITS_PER_LONG + __ffs(bits);
			if (test_and_clear_bit(column, p->free))
				return column + 1;
		}
	return 0;
}

/**
 * lsmpmon_payers_left - how many columns are free
 * @p: of which kind of payers
 *
 * Context: any.
 * Return: their number, which may change at once.
 */
unsigned int lsmpmon_payers_left(const struct lsmpmon_payers *p)
{
	unsigned int word, left = 0;

	for (word = 0; word < ARRAY_SIZE(p->free); word++)
		left += hweight_long(READ_ONCE(p->free[word]));
	return left;
}

/* In a chain: a column plus one, or zero. */
static __always_inline u32 lsmpmon_find_column(const struct lsmpmon_payers *p,
					       u32 column,
					       const struct lsmpmon_payer *key)
{
	while (column && !lsmpmon_is_same_payer(&p->key[column - 1], key))
		column = READ_ONCE(p->next[column - 1]);
	return column;
}

/* Whether nobody has put the payer there meanwhile, so that it has the column. */
static bool lsmpmon_put_column(struct lsmpmon_payers *p, u32 *first, u32 head,
			       u32 column, const struct lsmpmon_payer *key)
{
	p->key[column - 1] = *key;
	WRITE_ONCE(p->next[column - 1], head);
	if (cmpxchg(first, head, column) != head)
		return false;
	/*
	 * Ordered by cmpxchg(): who did not find the payer here has said before
	 * that it is crowded.
	 */
	WRITE_ONCE(p->tenure[column - 1].exact, !READ_ONCE(p->overflowed));
	return true;
}

/* Say so once, without writing to shared memory again. */
static void lsmpmon_note_overflow(struct lsmpmon_payers *p)
{
	if (!READ_ONCE(p->overflowed))
		WRITE_ONCE(p->overflowed, true);
	smp_mb();	/* before the last look, see lsmpmon_put_column() */
	lsmpmon_payers_kick();
}

static bool lsmpmon_is_running_short(enum lsmpmon_by kind)
{
	return lsmpmon_payers_left(&lsmpmon_payers[kind]) < LSMPMON_FEW_COLUMNS ||
	       lsmpmon_places_are_few(lsmpmon_places[kind]);
}

/* Of who has none yet: a column plus one; zero if there is none left. */
static u32 lsmpmon_new_column(enum lsmpmon_by kind, u32 *first,
			      const struct lsmpmon_payer *key)
{
	struct lsmpmon_payers *p = &lsmpmon_payers[kind];
	u32 head, column, new = lsmpmon_take_column(p);

	if (!new)
		lsmpmon_note_overflow(p);
	do {
		/* As in lsmpmon_column_of(). */
		head = smp_load_acquire(first);
		column = lsmpmon_find_column(p, head, key);
	} while (new && !column &&
		 !lsmpmon_put_column(p, first, head, new, key));
	if (new && column)
		set_bit(new - 1, p->free);
	if (new && lsmpmon_is_running_short(kind))
		lsmpmon_payers_kick();
	return column ?: new;
}

static noinline unsigned int lsmpmon_assign_column(enum lsmpmon_by kind, u32 *first,
						   struct lsmpmon_payer key)
{
	u32 column = 0;

	if (kind != LSMPMON_BY_CGROUP || lsmpmon_cgroup_may_pay())
		column = lsmpmon_new_column(kind, first, &key);
	return column ? column - 1 : LSMPMON_OTHER_PAYER;
}

static __always_inline unsigned int lsmpmon_column_of(enum lsmpmon_by kind,
						      struct lsmpmon_payer key)
{
	struct lsmpmon_payers *p = &lsmpmon_payers[kind];
	u32 *first = lsmpmon_payer_chain(p, &key);
	/* The column before its key. */
	u32 column = lsmpmon_find_column(p, smp_load_acquire(first), &key);

	if (unlikely(!column))
		return lsmpmon_assign_column(kind, first, key);
	return column - 1;
}

/**
 * lsmpmon_comm_column - the column of the command that a call ends in
 *
 * Context: any, preemption off; called from the hot path.
 * Return: the column.
 */
unsigned int lsmpmon_comm_column(void)
{
	if (!in_task())
		return LSMPMON_NO_PAYER;
	return lsmpmon_column_of(LSMPMON_BY_COMM, lsmpmon_comm_key());
}

/**
 * lsmpmon_cgroup_column - the column of the cgroup that a call ends in
 *
 * Context: any, preemption off; called from the hot path.
 * Return: the column.
 */
unsigned int lsmpmon_cgroup_column(void)
{
	if (!in_task())
		return LSMPMON_NO_PAYER;
	return lsmpmon_column_of(LSMPMON_BY_CGROUP, lsmpmon_cgroup_key());
}

/**
 * lsmpmon_payer_miss - note that a call of a payer found no place
 * @kind: of payers
 * @column: of the payer; not one of the fixed columns
 *
 * Context: any, as the writer.
 */
void lsmpmon_payer_miss(enum lsmpmon_by kind, unsigned int column)
{
	struct lsmpmon_payers *p = &lsmpmon_payers[kind];

	if (!READ_ONCE(p->tenure[column].missed))
		WRITE_ONCE(p->tenure[column].missed, true);
	lsmpmon_note_overflow(p);
}

static int lsmpmon_payer_switch(enum lsmpmon_by kind, bool on)
{
	return on ? lsmpmon_places_alloc(&lsmpmon_places[kind], LSMPMON_CELLS,
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
 * lsmpmon_payers_reset - have all columns free again
 *
 * Context: process context or early boot.  Nobody may be recording.
 */
void lsmpmon_payers_reset(void)
{
	int kind, hook;

	hash_secret = get_random_u64();
	for (kind = 0; kind < LSMPMON_PAYER_KINDS; kind++) {
		struct lsmpmon_payers *p = &lsmpmon_payers[kind];

		memset(p, 0, sizeof(*p));
		memset(p->free, 0xff, sizeof(p->free));
		for (hook = 0; hook < LSMPMON_CELLS; hook++)
			p->evicted[hook].min = U64_MAX;
	}
}

/**
 * lsmpmon_payer_unlink - let nobody find a column any more
 * @p: of which kind of payers
 * @column: one that is in a chain
 *
 * Context: process context, under lsmpmon_control_lock().  Who has found it
 *	before may use it until a grace period has passed.
 */
void lsmpmon_payer_unlink(struct lsmpmon_payers *p, unsigned int column)
{
	u32 *first = lsmpmon_payer_chain(p, &p->key[column]);
	u32 before, next = p->next[column];

	/* Others may only put columns before it. */
	if (cmpxchg(first, column + 1, next) == column + 1)
		return;
	before = READ_ONCE(*first);
	while (p->next[before - 1] != column + 1)
		before = p->next[before - 1];
	WRITE_ONCE(p->next[before - 1], next);
}

/**
 * lsmpmon_payer_free - give a column back
 * @p: of which kind of payers
 * @column: one that nobody can find or uses, and that has no pairs
 *
 * Context: process context, under lsmpmon_control_lock().
 */
void lsmpmon_payer_free(struct lsmpmon_payers *p, unsigned int column)
{
	p->tenure[column] = (struct lsmpmon_tenure){ };
	/* For those who take it. */
	smp_mb__before_atomic();
	set_bit(column, p->free);
}
