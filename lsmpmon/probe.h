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

/*
 * Define lsmpmon_probes[], the probes of TRACEPOINTS(X), which has an X(tracepoint, probe)
 * for each, and check at compile time that each has the prototype of its tracepoint.
 */
#define LSMPMON_CHECK_PROBE(EVENT, PROBE)				\
	check_trace_callback_type_##EVENT(PROBE);
#define LSMPMON_PROBE(EVENT, PROBE)	{ &__tracepoint_##EVENT, PROBE },
#define LSMPMON_DEFINE_PROBES(TRACEPOINTS)				\
static void __maybe_unused lsmpmon_check_probes(void)			\
{									\
	TRACEPOINTS(LSMPMON_CHECK_PROBE)				\
}									\
									\
static const struct lsmpmon_probe lsmpmon_probes[] = {			\
	TRACEPOINTS(LSMPMON_PROBE)					\
}

/* Whether a probe has the prototype of a tracepoint: a constant. */
#define LSMPMON_FITS(EVENT, PROBE)					\
	__builtin_types_compatible_p(typeof(check_trace_callback_type_##EVENT), \
				     void (typeof(PROBE) *))

/* The one of two probes that fits. */
#define LSMPMON_EITHER(EVENT, OLD, NEW)					\
	__builtin_choose_expr(LSMPMON_FITS(EVENT, OLD), OLD, NEW)

int lsmpmon_probes_register(const struct lsmpmon_probe *probes, size_t n);
void lsmpmon_probes_unregister(const struct lsmpmon_probe *probes, size_t n);

#endif /* _SECURITY_LSMPMON_PROBE_H */
