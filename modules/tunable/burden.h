/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: what hooks do besides spinning
 */

#ifndef _SECURITY_TUNABLE_BURDEN_H
#define _SECURITY_TUNABLE_BURDEN_H

#include <linux/types.h>

#include "hook.h"

/**
 * enum tunable_burden - what a hook that may sleep can do
 * @TUNABLE_SLEEP: sleep, for a number of nanoseconds
 * @TUNABLE_LOCK: wait for a mutex that another task holds, for as many nanoseconds
 * @TUNABLE_ALLOCATION: allocate a number of bytes, and free them
 * @TUNABLE_BURDENS: number of burdens
 */
enum tunable_burden {
	TUNABLE_SLEEP,
	TUNABLE_LOCK,
	TUNABLE_ALLOCATION,
	TUNABLE_BURDENS
};

/* The largest allocation. */
#define TUNABLE_MAX_BYTES	(16UL << 20)

unsigned long tunable_max_burden(enum tunable_burden burden);
void tunable_set_burden(enum tunable_burden burden, enum tunable_hook hook,
			unsigned long number);
unsigned long tunable_get_burden(enum tunable_burden burden, enum tunable_hook hook);
bool tunable_has_burden(enum tunable_hook hook);
unsigned long tunable_times_borne(enum tunable_burden burden, enum tunable_hook hook);
void tunable_sleep(unsigned long ns);
void tunable_wait_for_lock(unsigned long ns);
bool tunable_allocate(unsigned long bytes);
void tunable_bear(enum tunable_hook hook);

#endif /* _SECURITY_TUNABLE_BURDEN_H */
