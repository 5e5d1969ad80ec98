/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_SIDE_H
#define LSMPMON_SIDE_H

#include "costs.h"
#include "record.h"
#include "unit.h"
#include "welch.h"

/**
 * struct side - one of those that are compared
 * @record: all its runs
 * @all: costs of them together
 * @parts: costs of what is a sample each
 * @part_count: how many
 * @boots: how many boots the runs are of
 * @scale: unit of its times, and how many a tick of its clock is
 */
struct side {
	struct record record;
	struct costs all;
	struct costs *parts;
	size_t part_count;
	size_t boots;
	struct scale scale;
};

/* A record, a directory of records, or several of either with commas. 0, or -1 after a complaint. */
int side_load(struct side *side, const char *path, enum unit unit, const struct grouping *grouping);

/*
 * What is a sample: a boot, for runs of one boot share its luck, such as where memory lies; where there is but one
 * boot, a run. 0, or -1 after a complaint.
 */
int side_divide(struct side *side, bool by_boot, const struct grouping *grouping);

/* A mean call in each part, in the unit; without @keys of all rows. */
struct samples side_samples(const struct side *side, const char *const *keys, size_t key_count);

/* All rows in one. */
struct cost side_total(const struct side *side);

void side_free(struct side *side);

#endif
