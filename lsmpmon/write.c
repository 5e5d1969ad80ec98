// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: writing to the counters of this CPU
 */

#include <linux/cache.h>

#include "write.h"

unsigned int lsmpmon_paused __read_mostly = true;
