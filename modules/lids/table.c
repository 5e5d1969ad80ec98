// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model of LIDS: the access list
 *
 * As in LIDS 2 for the LSM framework, the table has a fixed maximum size and is
 * ordered by device and inode number for a binary search, after a bitmap of hashes has
 * ruled out most objects without a rule.  LIDS changed its table in place; here, it is
 * replaced under RCU.
 */

#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/kdev_t.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "table.h"

/* The current access list; NULL while there is no rule. */
struct lids_table __rcu *lids_table;

/* Serialises changes of the access list. */
static DEFINE_MUTEX(table_lock);

static unsigned int hash(const struct lids_id *object)
{
	return (object->dev ^ object->ino) & (LIDS_GUESSES - 1);
}

/* Index of the first rule of an object, or of where it would be inserted. */
static unsigned int first_of(const struct lids_table *table,
			     const struct lids_id *object)
{
	unsigned int low = 0, high = table->count;

	while (low < high) {
		const unsigned int middle = (low + high) / 2;

		if (lids_compare(&table->rules[middle].object, object) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of(const struct lids_table *table, unsigned int i,
		  const struct lids_id *object)
{
	return i < table->count &&
	       !lids_compare(&table->rules[i].object, object);
}

/* Whether a rule applies to a subject, or is the default. */
static bool is_for(const struct lids_rule *rule, const struct lids_subject *subject)
{
	if (!lids_is_file(&rule->subject))
		return true;
	return !lids_compare(&rule->subject, &subject->program) &&
	       subject->level <= rule->level;
}

/**
 * lids_find - find the rule of an object for a subject
 * @table: the access list
 * @object: the object; directories above it are not considered
 * @subject: the subject
 *
 * A rule for the subject takes precedence over the default of the object.
 *
 * Context: any; RCU protects @table.
 * Return: an enum lids_target, or LIDS_NO_RULE.
 */
int lids_find(const struct lids_table *table, const struct lids_id *object,
	      const struct lids_subject *subject)
{
	unsigned int i;

	if (!test_bit(hash(object), table->guesses))
		return LIDS_NO_RULE;
	for (i = first_of(table, object); is_of(table, i, object); i++)
		if (is_for(&table->rules[i], subject))
			return table->rules[i].target;
	return LIDS_NO_RULE;
}

/**
 * lids_has_subject - test whether a program is the subject of a rule
 * @table: the access list
 * @program: the program
 *
 * Context: any; RCU protects @table.
 * Return: true if at least one rule has this subject.
 */
bool lids_has_subject(const struct lids_table *table,
		      const struct lids_id *program)
{
	unsigned int i;

	for (i = 0; i < table->count; i++)
		if (!lids_compare(&table->rules[i].subject, program))
			return true;
	return false;
}

/* Index for a new rule: after the rules of its object, but before their default. */
static unsigned int place_of(const struct lids_table *table,
			     const struct lids_rule *rule)
{
	unsigned int i = first_of(table, &rule->object);

	while (is_of(table, i, &rule->object) &&
	       lids_is_file(&table->rules[i].subject))
		i++;
	return i;
}

static bool has(const struct lids_table *table, const struct lids_rule *rule)
{
	unsigned int i;

	for (i = first_of(table, &rule->object); is_of(table, i, &rule->object); i++)
		if (!lids_compare(&table->rules[i].subject, &rule->subject))
			return true;
	return false;
}

/**
 * lids_table_with - copy an access list and add a rule
 * @table: the access list; NULL for an empty one
 * @rule: the rule
 *
 * Context: process context, may sleep.
 * Return: the copy; -EEXIST if there is a rule for the same object and subject;
 *	-ENOSPC if there are LIDS_MAX_RULES; -ENOMEM.
 */
struct lids_table *lids_table_with(const struct lids_table *table,
				   const struct lids_rule *rule)
{
	const unsigned int count = table ? table->count : 0;
	struct lids_table *next;
	unsigned int place = 0;

	if (table && has(table, rule))
		return ERR_PTR(-EEXIST);
	if (count >= LIDS_MAX_RULES)
		return ERR_PTR(-ENOSPC);
	next = kvzalloc(struct_size(next, rules, count + 1), GFP_KERNEL);
	if (!next)
		return ERR_PTR(-ENOMEM);
	if (table) {
		place = place_of(table, rule);
		bitmap_copy(next->guesses, table->guesses, LIDS_GUESSES);
		memcpy(next->rules, table->rules, place * sizeof(*rule));
		memcpy(next->rules + place + 1, table->rules + place,
		       (count - place) * sizeof(*rule));
	}
	next->rules[place] = *rule;
	next->count = count + 1;
	__set_bit(hash(&rule->object), next->guesses);
	return next;
}

static struct lids_table *locked_table(void)
{
	return rcu_dereference_protected(lids_table,
					 lockdep_is_held(&table_lock));
}

/**
 * lids_add_rule - add a rule to the current access list
 * @rule: the rule
 *
 * Context: process context, may sleep.
 * Return: 0, or an error of lids_table_with(), without any change.
 */
int lids_add_rule(const struct lids_rule *rule)
{
	struct lids_table *old, *next;

	mutex_lock(&table_lock);
	old = locked_table();
	next = lids_table_with(old, rule);
	if (!IS_ERR(next))
		rcu_assign_pointer(lids_table, next);
	mutex_unlock(&table_lock);
	if (IS_ERR(next))
		return PTR_ERR(next);
	if (old)
		kvfree_rcu(old, rcu);
	return 0;
}

/**
 * lids_clear_rules - remove all rules
 *
 * Context: process context, may sleep.
 */
void lids_clear_rules(void)
{
	struct lids_table *old;

	mutex_lock(&table_lock);
	old = locked_table();
	RCU_INIT_POINTER(lids_table, NULL);
	mutex_unlock(&table_lock);
	if (old)
		kvfree_rcu(old, rcu);
}

static void show_id(struct seq_file *m, const struct lids_id *id)
{
	if (lids_is_file(id))
		seq_printf(m, " %u:%u:%llu", MAJOR(id->dev), MINOR(id->dev), id->ino);
	else
		seq_puts(m, " -");
}

static void show_rule(struct seq_file *m, const struct lids_rule *rule)
{
	seq_puts(m, lids_target_name(rule->target));
	show_id(m, &rule->object);
	show_id(m, &rule->subject);
	if (!lids_is_file(&rule->subject))
		seq_puts(m, " -\n");
	else if (rule->level == LIDS_ALL_LEVELS)
		seq_puts(m, " -1\n");
	else
		seq_printf(m, " %u\n", rule->level);
}

/**
 * lids_show_rules - print the rules, in the order of the table
 * @m: the file
 *
 * Context: process context, may sleep.
 */
void lids_show_rules(struct seq_file *m)
{
	const struct lids_table *table;
	unsigned int i;

	mutex_lock(&table_lock);
	table = locked_table();
	for (i = 0; table && i < table->count; i++)
		show_rule(m, &table->rules[i]);
	mutex_unlock(&table_lock);
}
