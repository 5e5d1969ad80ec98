/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LSMPMON_METRICS_H
#define LSMPMON_METRICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum metric_type { GAUGE, COUNTER, SUMMARY, HISTOGRAM };

/**
 * struct metrics - metrics being written as text
 * @out: the stream to write to
 * @open: write OpenMetrics; otherwise the Prometheus format, which node_exporter reads
 * @family: the metric that the next samples belong to
 */
struct metrics {
	FILE *out;
	bool open;
	const char *family;
};

/**
 * struct label - a label of a sample
 * @name: name of the label; NULL ends a list of labels
 * @value: its value, any text
 */
struct label {
	const char *name;
	const char *value;
};

#define LABELS_MAX 6

/* Begin a metric. Give the names of counters without the _total that they get. */
void metrics_family(struct metrics *metrics, const char *name, enum metric_type type,
		    const char *help);

/* Write a sample, its name with @suffix. Labels end with a NULL name or after LABELS_MAX. */
void metrics_real(struct metrics *metrics, const char *suffix, const struct label *labels,
		  double value);
void metrics_count(struct metrics *metrics, const char *suffix, const struct label *labels,
		   uint64_t value);
void metrics_end(struct metrics *metrics);

/* Write the shortest decimal that reads back as the same number. */
void format_real(char *text, size_t size, double value);

#endif
