/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: comparing objects with that of the filter
 */

#ifndef _SECURITY_LSMPMON_MATCH_H
#define _SECURITY_LSMPMON_MATCH_H

#include <linux/limits.h>
#include <linux/lsmpmon_object.h>

#include "path.h"

/* Buffer of a CPU for the name of an object. */
#define LSMPMON_NAME_SIZE	PATH_MAX

bool lsmpmon_has_name(const struct lsmpmon_object *object,
		      enum lsmpmon_object_kind kind, const void *argument,
		      int length);

#endif /* _SECURITY_LSMPMON_MATCH_H */
