// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux Security Module performance monitor: sets of probes on tracepoints
 */

#include "inject.h"
#include "probe.h"

/**
 * lsmpmon_probes_unregister - unregister probes, the last one first
 * @probes: the probes
 * @n: number of probes
 *
 * Context: process context, may sleep; not under the lock of tracepoints.  The probes
 *	may still be executed until tracepoint_synchronize_unregister().
 */
void lsmpmon_probes_unregister(const struct lsmpmon_probe *probes, size_t n)
{
	while (n--)
		tracepoint_probe_unregister(probes[n].tracepoint,
					    probes[n].probe, NULL);
}

/**
 * lsmpmon_probes_register - register all probes or none
 * @probes: the probes, in the order of registration
 * @n: number of probes
 *
 * Context: process context, may sleep; not under the lock of tracepoints.
 * Return: 0, or the error of registering with a tracepoint.
 */
int lsmpmon_probes_register(const struct lsmpmon_probe *probes, size_t n)
{
	int err = lsmpmon_inject(LSMPMON_REGISTERING);
	size_t i;

	for (i = 0; !err && i < n; i++)
		err = tracepoint_probe_register(probes[i].tracepoint,
						probes[i].probe, NULL);
	if (err && i)
		lsmpmon_probes_unregister(probes, i - 1);
	return err;
}
