// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the modules behind a hook
 */

#include "compat.h"
#include "module.h"

/**
 * lsmpmon_module_at - the module that has its first place there
 * @hook: which hook
 * @place: in the order of the hook
 *
 * Context: any, after the modules were initialised.
 * Return: its name, or NULL.
 */
const char *lsmpmon_module_at(enum lsmpmon_hook hook, unsigned int place)
{
	const char *module = lsmpmon_module_name(hook, place);

	return module && lsmpmon_module_place(hook, place) == place ? module : NULL;
}

/**
 * lsmpmon_module_count - how many modules implement a hook
 * @hook: which
 *
 * Context: any, after the modules were initialised.
 * Return: their number.
 */
unsigned int lsmpmon_module_count(enum lsmpmon_hook hook)
{
	unsigned int place, count = 0;

	for (place = 0; place < LSMPMON_PLACES; place++)
		count += !!lsmpmon_module_at(hook, place);
	return count;
}
