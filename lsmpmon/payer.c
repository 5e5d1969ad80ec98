// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: payers of hook calls
 *
 * A hook call is charged to the command name and to the cgroup of the task in which it
 * ends, and to that task in its operation.  Users can create any number of names,
 * cgroups and tasks, so a limited number of payers have a column of their own, and the
 * others share one.  A hash table that all CPUs share maps payers to columns.
 *
 * A payer without a column takes a free one immediately.  Only lsmpmon_evict() takes
 * columns out of the hash table.  Before it frees them for other payers, it waits for
 * all calls that may have found them.
 *
 * A payer is added at the head of its chain, with cmpxchg(), which fails if another
 * CPU has added one since the chain was searched.  There is no ABA problem, since no
 * column is reused while a call that has seen it is in progress.
 */

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "hook.h"
#include "kick.h"
#include "payer.h"

/* Payers, by kind; NULL while their feature is off. */
struct lsmpmon_payers *lsmpmon_payers[LSMPMON_PAYER_KINDS];

/* Keep users from choosing keys that collide; one for each half of a word. */
static u64 hash_secrets[LSMPMON_PAYER_WORDS][2] __read_mostly;

/*
 * Half words times random numbers: whatever two keys are, few of the numbers have them
 * collide.  Products of whole words would depend on a top bit in the same way with any
 * numbers, so the top bits of two words would cancel each other out.
 */
static __always_inline u32 *
lsmpmon_payer_chain(struct lsmpmon_payers *p, const struct lsmpmon_payer *key)
{
	u64 hash = 0;
	int i;

	for (i = 0; i < LSMPMON_PAYER_WORDS; i++)
		hash += lower_32_bits(key->word[i]) * hash_secrets[i][0] +
			upper_32_bits(key->word[i]) * hash_secrets[i][1];
	return &p->first[hash >> (64 - LSMPMON_SLOT_BITS)];
}

static __always_inline bool lsmpmon_is_same_payer(const struct lsmpmon_payer *a,
						  const struct lsmpmon_payer *b)
{
	u64 different = 0;
	int i;

	for (i = 0; i < LSMPMON_PAYER_WORDS; i++)
		different |= a->word[i] ^ b->word[i];
	return !different;
}

/* Take a free column; return it plus one, or zero without any write to shared memory. */
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
 * lsmpmon_payers_left - number of free columns
 * @p: payers of one kind
 *
 * Context: any.
 * Return: a number that may be outdated already.
 */
unsigned int lsmpmon_payers_left(const struct lsmpmon_payers *p)
{
	unsigned int word, left = 0;

	for (word = 0; word < ARRAY_SIZE(p->free); word++)
		left += hweight_long(READ_ONCE(p->free[word]));
	return left;
}

/* Search a chain; return the column plus one, or zero. */
static __always_inline u32 lsmpmon_find_column(const struct lsmpmon_payers *p,
					       u32 column,
					       const struct lsmpmon_payer *key)
{
	while (column && !lsmpmon_is_same_payer(&p->key[column - 1], key))
		column = READ_ONCE(p->next[column - 1]);
	return column;
}

/* Add a payer at the head of its chain; false if the chain has changed meanwhile. */
static bool lsmpmon_put_column(struct lsmpmon_payers *p, u32 *first, u32 head,
			       u32 column, const struct lsmpmon_payer *key)
{
	p->key[column - 1] = *key;
	WRITE_ONCE(p->next[column - 1], head);
	if (cmpxchg(first, head, column) != head)
		return false;
	/*
	 * Ordered by cmpxchg(): a call that found no column has set @overflowed
	 * before its last search of the chain, see lsmpmon_note_overflow().
	 */
	WRITE_ONCE(p->tenure[column - 1].exact, !READ_ONCE(p->overflowed));
	return true;
}

/* Note, with at most one write to shared memory, that a call has no column or place. */
static void lsmpmon_note_overflow(struct lsmpmon_payers *p)
{
	if (!READ_ONCE(p->overflowed))
		WRITE_ONCE(p->overflowed, true);
	smp_mb();	/* before the last search, see lsmpmon_put_column() */
	lsmpmon_payers_kick();
}

static bool lsmpmon_is_running_short(enum lsmpmon_by kind)
{
	return lsmpmon_payers_left(lsmpmon_payers[kind]) < lsmpmon_few_columns(kind) ||
	       lsmpmon_places_are_few(lsmpmon_places[kind]);
}

/* Give a payer a column; return it plus one, or zero if none is left. */
static u32 lsmpmon_new_column(enum lsmpmon_by kind, u32 *first,
			      const struct lsmpmon_payer *key)
{
	struct lsmpmon_payers *p = lsmpmon_payers[kind];
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

/* Slow path of lsmpmon_column_of(): the payer has no column yet. */
static noinline unsigned int lsmpmon_assign_column(enum lsmpmon_by kind, u32 *first,
						   struct lsmpmon_payer key)
{
	u32 column = 0;

	if (kind != LSMPMON_BY_CGROUP || lsmpmon_cgroup_may_pay())
		column = lsmpmon_new_column(kind, first, &key);
	return column ? column - 1 : lsmpmon_other_payer(kind);
}

static __always_inline unsigned int lsmpmon_column_of(enum lsmpmon_by kind,
						      struct lsmpmon_payer key)
{
	struct lsmpmon_payers *p = lsmpmon_payers[kind];
	u32 *first = lsmpmon_payer_chain(p, &key);
	/* Pairs with cmpxchg() in lsmpmon_put_column(). */
	u32 column = lsmpmon_find_column(p, smp_load_acquire(first), &key);

	if (unlikely(!column))
		return lsmpmon_assign_column(kind, first, key);
	return column - 1;
}

/**
 * lsmpmon_comm_column - column of the command name of the current task
 *
 * Context: any, preemption off; called from the hot path.
 * Return: the column; lsmpmon_no_payer() in interrupts.
 */
unsigned int lsmpmon_comm_column(void)
{
	if (!in_task())
		return lsmpmon_no_payer(LSMPMON_BY_COMM);
	return lsmpmon_column_of(LSMPMON_BY_COMM, lsmpmon_comm_key());
}

/**
 * lsmpmon_cgroup_column - column of the cgroup of the current task
 *
 * Context: any, preemption off; called from the hot path.
 * Return: the column; lsmpmon_no_payer() in interrupts.
 */
unsigned int lsmpmon_cgroup_column(void)
{
	if (!in_task())
		return lsmpmon_no_payer(LSMPMON_BY_CGROUP);
	return lsmpmon_column_of(LSMPMON_BY_CGROUP, lsmpmon_cgroup_key());
}

/**
 * lsmpmon_task_column - column of the current task in its system call
 *
 * Context: any, preemption off; called from the hot path.
 * Return: the column; lsmpmon_no_payer() in interrupts.
 */
unsigned int lsmpmon_task_column(void)
{
	if (!in_task())
		return lsmpmon_no_payer(LSMPMON_BY_TASK);
	return lsmpmon_column_of(LSMPMON_BY_TASK, lsmpmon_task_key());
}

/**
 * lsmpmon_payer_miss - note that no place was free for a call of a payer
 * @kind: kind of payers
 * @column: column of the payer; not a fixed column
 *
 * Context: any, as a writer.
 */
void lsmpmon_payer_miss(enum lsmpmon_by kind, unsigned int column)
{
	struct lsmpmon_payers *p = lsmpmon_payers[kind];

	if (!READ_ONCE(p->tenure[column].missed))
		WRITE_ONCE(p->tenure[column].missed, true);
	lsmpmon_note_overflow(p);
}

static void lsmpmon_payers_clear(struct lsmpmon_payers *p, unsigned int columns)
{
	int hook;

	memset(p, 0, sizeof(*p));
	bitmap_set(p->free, 0, columns);
	for (hook = 0; hook < LSMPMON_CELLS; hook++)
		p->evicted[hook].min = U64_MAX;
}

/* Allocate what is not there yet; lsmpmon_memory_free() frees it. */
static int lsmpmon_payer_switch(enum lsmpmon_by kind, bool on)
{
	struct lsmpmon_payers *p;

	if (!on)
		return 0;
	if (!lsmpmon_payers[kind]) {
		p = kvzalloc(sizeof(*p), GFP_KERNEL);
		if (!p)
			return -ENOMEM;
		lsmpmon_payers_clear(p, lsmpmon_payer_limit(kind));
		/* Initialise the columns before readers can find them. */
		smp_store_release(&lsmpmon_payers[kind], p);
	}
	return lsmpmon_places_alloc(&lsmpmon_places[kind], LSMPMON_CELLS,
				    lsmpmon_payer_columns(kind));
}

/**
 * lsmpmon_payers_discard - free the memory of the payers of one kind
 * @kind: kind of payers
 *
 * Context: process context, as lsmpmon_memory_free(), which frees the places.
 */
void lsmpmon_payers_discard(enum lsmpmon_by kind)
{
	kvfree(lsmpmon_payers[kind]);
	WRITE_ONCE(lsmpmon_payers[kind], NULL);
}

/**
 * lsmpmon_payers_size - size of the memory of the payers of one kind
 * @kind: kind of payers
 *
 * Context: any.
 * Return: bytes; 0 while there is none.
 */
size_t lsmpmon_payers_size(enum lsmpmon_by kind)
{
	return READ_ONCE(lsmpmon_payers[kind]) ? sizeof(*lsmpmon_payers[kind]) : 0;
}

/**
 * lsmpmon_comm_switch - prepare counting of hook calls by command name
 * @on: new state; switching off needs nothing
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_comm_switch(bool on)
{
	return lsmpmon_payer_switch(LSMPMON_BY_COMM, on);
}

/**
 * lsmpmon_cgroup_switch - prepare counting of hook calls by cgroup
 * @on: new state; switching off needs nothing
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_cgroup_switch(bool on)
{
	return lsmpmon_payer_switch(LSMPMON_BY_CGROUP, on);
}

/**
 * lsmpmon_task_switch - prepare counting of hook calls by task and system call
 * @on: new state; switching off needs nothing
 *
 * Context: process context, may sleep, under lsmpmon_control_lock().
 * Return: 0 or -ENOMEM.
 */
int lsmpmon_task_switch(bool on)
{
	return lsmpmon_payer_switch(LSMPMON_BY_TASK, on);
}

/**
 * lsmpmon_payers_reset - free all columns
 *
 * Context: process context or early boot.  Nobody may be recording.
 */
void lsmpmon_payers_reset(void)
{
	int kind;

	get_random_bytes(hash_secrets, sizeof(hash_secrets));
	for (kind = 0; kind < LSMPMON_PAYER_KINDS; kind++)
		if (lsmpmon_payers[kind])
			lsmpmon_payers_clear(lsmpmon_payers[kind],
					     lsmpmon_payer_limit(kind));
}

/**
 * lsmpmon_payer_unlink - take a column out of the hash table
 * @p: payers of one kind
 * @column: a column that is in a chain
 *
 * Context: process context, under lsmpmon_control_lock().  Calls that have found
 *	the column may use it until a grace period has passed.
 */
void lsmpmon_payer_unlink(struct lsmpmon_payers *p, unsigned int column)
{
	u32 *first = lsmpmon_payer_chain(p, &p->key[column]);
	u32 before, next = p->next[column];

	/* Concurrent calls only add columns at the head. */
	if (cmpxchg(first, column + 1, next) == column + 1)
		return;
	before = READ_ONCE(*first);
	while (p->next[before - 1] != column + 1)
		before = p->next[before - 1];
	WRITE_ONCE(p->next[before - 1], next);
}

/**
 * lsmpmon_payer_free - free a column
 * @p: payers of one kind
 * @column: a column that is unlinked, not in use and without places
 *
 * Context: process context, under lsmpmon_control_lock().
 */
void lsmpmon_payer_free(struct lsmpmon_payers *p, unsigned int column)
{
	p->tenure[column] = (struct lsmpmon_tenure){ };
	/* Order the writes above before the column is taken again. */
	smp_mb__before_atomic();
	set_bit(column, p->free);
}
