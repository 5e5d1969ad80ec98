/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_INNER_H
#define LSMPMON_INNER_H

#include "costs.h"

/**
 * struct inner - hook calls inside others, by what they are in
 * @is_known: they were measured, for rows of such a grouping, and every call was timed
 * @costs: by the outer hook, or by it and the module whose callback made the call
 * @hook: which key of the grouping's rows is a hook
 * @module: which is a module; negative if none is
 */
struct inner {
	bool is_known;
	struct costs costs;
	int hook;
	int module;
};

/* Read them for rows of a grouping. Returns 0, or -1 after a complaint; nothing is known if they were not measured. */
int inner_read(struct inner *inner, const struct record *record, const struct grouping *grouping);
void inner_free(struct inner *inner);

/* Own time of a row, without that of the hook calls in it. */
uint64_t inner_self(const struct inner *inner, const struct cost *cost);

/* Own time of all hook calls, with that of a call in another one only; 0 if that was not measured. */
int inner_once(uint64_t *once, const struct record *record);

#endif
