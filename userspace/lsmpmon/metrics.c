// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metrics as text. OpenMetrics and the older Prometheus format differ in the names of counters and the last
 * line; node_exporter's textfile collector and promtool read only the older one.
 */

#include "metrics.h"

#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {
	[GAUGE] = "gauge", [COUNTER] = "counter", [SUMMARY] = "summary", [HISTOGRAM] = "histogram",
};

void metrics_family(struct metrics *metrics, const char *name, enum metric_type type,
		    const char *help)
{
	const char *suffix = type == COUNTER && !metrics->open ? "_total" : "";

	metrics->family = name;
	fprintf(metrics->out, "# HELP %s%s %s\n", name, suffix, help);
	fprintf(metrics->out, "# TYPE %s%s %s\n", name, suffix, type_names[type]);
}

static void put_value(const char *value, FILE *out)
{
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", out);
		else if (*value == '"' || *value == '\\')
			fprintf(out, "\\%c", *value);
		else
			fputc(*value, out);
	}
}

static void put_name(const struct metrics *metrics, const char *suffix, const struct label *labels)
{
	FILE *out = metrics->out;

	fprintf(out, "%s%s", metrics->family, suffix);
	for (size_t i = 0; i < LABELS_MAX && labels[i].name; i++) {
		fprintf(out, "%c%s=\"", i ? ',' : '{', labels[i].name);
		put_value(labels[i].value, out);
		fputc('"', out);
	}
	fputs(labels[0].name ? "} " : " ", out);
}

void format_real(char *text, size_t size, double value)
{
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, size, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			return;
	}
}

void metrics_real(struct metrics *metrics, const char *suffix, const struct label *labels,
		  double value)
{
	char text[32];

	format_real(text, sizeof(text), value);
	put_name(metrics, suffix, labels);
	fprintf(metrics->out, "%s\n", text);
}

void metrics_count(struct metrics *metrics, const char *suffix, const struct label *labels,
		   uint64_t value)
{
	put_name(metrics, suffix, labels);
	fprintf(metrics->out, "%ju\n", (uintmax_t)value);
}

void metrics_end(struct metrics *metrics)
{
	if (metrics->open)
		fputs("# EOF\n", metrics->out);
}
