// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whatever a file has in it: reading it as a record and showing it complains or works, and never crashes.
 * With libFuzzer it looks for new input; with replay.c it goes through what was found.
 */

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "costs.h"
#include "histogram.h"
#include "sheet.h"
#include "view.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void show(const struct record *record, const char *by, bool quantiles, enum format format)
{
	const struct style style = { .format = format, .width = 80 };
	struct view view = { .quantiles = quantiles };
	struct sheet sheet;
	FILE *out;

	if (grouping_parse(&view.grouping, by) || view_costs(&view, "show", record, &sheet))
		return;
	out = fopen("/dev/null", "we");
	sheet_print(&sheet, &style, out);
	fclose(out);
	sheet_free(&sheet);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = xcalloc(size + 1, 1);
	struct record record;

	memcpy(text, data, size);
	if (!record_parse(&record, "input", text)) {
		show(&record, "hook", true, FORMAT_TEXT);
		show(&record, "verdict,hook", false, FORMAT_JSON);
		show(&record, "module,hook", false, FORMAT_CSV);
		show(&record, "syscall", false, FORMAT_TEXT);
		record_free(&record);
	}
	free(text);
	return 0;
}
