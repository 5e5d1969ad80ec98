/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: sets of probes on tracepoints
 */

#ifndef _SECURITY_LSMPMON_PROBE_H
#define _SECURITY_LSMPMON_PROBE_H

#include <linux/tracepoint.h>

/**
 * struct lsmpmon_probe - a probe on a tracepoint
 * @tracepoint: the tracepoint
 * @probe: the probe, of the tracepoint's prototype
 */
struct lsmpmon_probe {
	struct tracepoint *tracepoint;
	void *probe;
};

int lsmpmon_probes_register(const struct lsmpmon_probe *probes, size_t n);
void lsmpmon_probes_unregister(const struct lsmpmon_probe *probes, size_t n);

#endif /* _SECURITY_LSMPMON_PROBE_H */
