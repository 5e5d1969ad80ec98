// SPDX-License-Identifier: GPL-2.0-only
#include "duration.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

/* Three digits are shown, so from here on a number is rounded up to the next unit. */
#define ROUNDED_UP 0.9995
#define NS_MAX 1e18

static const struct unit {
	const char *name;
	double seconds;
	double per_second;
} units[] = { { "s", 1, 1 }, { "ms", 1e-3, 1e3 }, { "us", 1e-6, 1e6 }, { "ns", 1e-9, 1e9 } };

#define UNITS (sizeof(units) / sizeof(*units))

char *duration_text(double seconds)
{
	size_t i = 0;

	while (i < UNITS - 1 && seconds < ROUNDED_UP * units[i].seconds)
		i++;
	return xasprintf("%.*g %s", seconds < 1e3 ? 3 : 15, seconds * units[i].per_second, units[i].name);
}

static double ns_per(const char *unit)
{
	for (size_t i = 0; i < UNITS; i++)
		if (!strcmp(unit, units[i].name))
			return units[i].seconds * 1e9;
	return 0;
}

int duration_parse(const char *text, uint64_t *ns)
{
	char *end;
	double number = strtod(text, &end), unit = ns_per(end);

	/* Without a digit first it would take infinity, signs and blanks, too, and with an x in it, other bases. */
	if (*text < '0' || *text > '9' || strspn(text, "0123456789.") != (size_t)(end - text) || !unit ||
	    number * unit > NS_MAX)
		return -1;
	*ns = number * unit + 0.5;
	return 0;
}
