/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_METRICS_H
#define LSMPMON_METRICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum metric_type { GAUGE, COUNTER, SUMMARY, HISTOGRAM };

/**
 * struct metrics - a text of metrics that is being written
 * @out: where to
 * @open: as OpenMetrics; else as Prometheus has it, which node_exporter reads
 * @family: the metric whose samples come next
 */
struct metrics {
	FILE *out;
	bool open;
	const char *family;
};

/**
 * struct label - of a sample
 * @name: of it; NULL: there is none
 * @value: of it, any text
 */
struct label {
	const char *name;
	const char *value;
};

#define LABELS_MAX 6

/* Names of counters are without the _total that they get. */
void metrics_family(struct metrics *metrics, const char *name, enum metric_type type,
		    const char *help);

/* A sample of that family, its name with @suffix; labels end with one without name, or LABELS_MAX. */
void metrics_real(struct metrics *metrics, const char *suffix, const struct label *labels,
		  double value);
void metrics_count(struct metrics *metrics, const char *suffix, const struct label *labels,
		   uint64_t value);
void metrics_end(struct metrics *metrics);

/* The shortest decimal that is this number again when it is read. */
void format_real(char *text, size_t size, double value);

#endif
