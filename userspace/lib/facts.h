/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_FACTS_H
#define LSMPMON_FACTS_H

#include <json-c/json.h>

/* Facts about this kernel and machine that may matter for a time: text by name. */
struct json_object *facts(void);

#endif
