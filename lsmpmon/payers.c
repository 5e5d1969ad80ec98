// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: lsmmon/comms and lsmmon/cgroups
 */

#include <linux/string.h>

#include "cgroup.h"
#include "escape.h"
#include "files.h"
#include "line.h"
#include "payer.h"
#include "snapshot.h"

/* Write the path of a cgroup, or its number if the path is too long. */
static void lsmpmon_cgroup_name(u64 id, struct lsmpmon_snapshot *s)
{
	const size_t length = lsmpmon_cgroup_path(id, s->path, sizeof(s->path));

	if (!length || lsmpmon_escape(s->path, length, s->name,
				      sizeof(s->name)) >= sizeof(s->name))
		snprintf(s->name, sizeof(s->name), "%llu", id);
}

static void lsmpmon_make_name(struct lsmpmon_snapshot *s,
			      const struct lsmpmon_line *line)
{
	if (line->column == lsmpmon_no_payer(s->by))
		strscpy(s->name, "-", sizeof(s->name));
	else if (line->column == lsmpmon_other_payer(s->by))
		strscpy(s->name, "other", sizeof(s->name));
	else if (s->by == LSMPMON_BY_COMM)
		lsmpmon_escape_name(line->key.comm, s->name, sizeof(s->name));
	else
		lsmpmon_cgroup_name(line->key.cgroup, s);
}

/* Name of a column; made once, so that it is the same in all lines of the column. */
static const char *lsmpmon_payer_name(struct lsmpmon_snapshot *s,
				      const struct lsmpmon_line *line)
{
	if (!s->named || s->named->column != line->column)
		lsmpmon_make_name(s, line);
	s->named = line;
	return s->name;
}

static void lsmpmon_show_payer(struct seq_file *m, const struct lsmpmon_line *line)
{
	seq_printf(m, "%-24s %-28s", lsmpmon_payer_name(m->private, line),
		   lsmpmon_hook_name(line->row));
	lsmpmon_pair_show(m, &line->pair);
	seq_printf(m, " %10llu\n", line->missed);
}

static int lsmpmon_show_payers(struct seq_file *m, void *v, const char *heading)
{
	if (v != SEQ_START_TOKEN) {
		lsmpmon_show_payer(m, v);
		return 0;
	}
	seq_printf(m, "%-24s %-28s", heading, "hook");
	lsmpmon_pair_head(m);
	seq_printf(m, " %10s\n", "missed");
	return 0;
}

static int lsmpmon_comms_show(struct seq_file *m, void *v)
{
	return lsmpmon_show_payers(m, v, "comm");
}

LSMPMON_DEFINE_PAIR_TABLE(LSMPMON_BY_COMM, comms);

#if LSMPMON_HAS_CGROUPS

static int lsmpmon_cgroups_show(struct seq_file *m, void *v)
{
	return lsmpmon_show_payers(m, v, "cgroup");
}

LSMPMON_DEFINE_PAIR_TABLE(LSMPMON_BY_CGROUP, cgroups);

#endif
