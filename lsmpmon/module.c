// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: the modules behind a hook
 */

#include "compat.h"
#include "module.h"

/**
 * lsmpmon_module_at - name of the module whose first callback is at a place
 * @hook: number of the hook
 * @place: place in the order of the hook, below LSMPMON_PLACES
 *
 * Context: any, after the modules were initialised.
 * Return: the name; NULL if the place is free or has a further callback of a module.
 */
const char *lsmpmon_module_at(enum lsmpmon_hook hook, unsigned int place)
{
	const char *module = lsmpmon_module_name(hook, place);

	return module && lsmpmon_module_place(hook, place) == place ? module : NULL;
}

/**
 * lsmpmon_module_count - number of modules that implement a hook
 * @hook: number of the hook
 *
 * Context: any, after the modules were initialised.
 * Return: the number of modules.
 */
unsigned int lsmpmon_module_count(enum lsmpmon_hook hook)
{
	unsigned int place, count = 0;

	for (place = 0; place < LSMPMON_PLACES; place++)
		count += !!lsmpmon_module_at(hook, place);
	return count;
}
