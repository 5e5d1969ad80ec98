/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_RECORD_DATA_H
#define LSMPMON_RECORD_DATA_H

#include <json-c/json.h>

#include "run.h"

/*
 * The files of lsmmon/ after a run, as data: tables by their columns, which a data frame takes as they are; lines of a key
 * and a value by their keys; the rest as text.
 */

/* Add what the run read to its object: the members tables, keys and files. */
void record_data_add(struct json_object *object, const struct run *run);

/* Read these members. Returns NULL, or what is wrong with them. */
const char *record_data_read(struct run *run, struct json_object *object);

#endif
