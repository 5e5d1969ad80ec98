// SPDX-License-Identifier: GPL-2.0-only
/* The screen of top: as many rows as it has room for, one of them marked, and the keys; or the help. */

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "complain.h"
#include "terminal.h"
#include "top.h"

/* Lines of the screen below the table: an empty one, and the keys. */
#define KEY_LINES 3

static const char help[] =
	"Up, Down        choose a row; PgUp, PgDn, Home and End, too\n"
	"Enter, Right    go down: a hook, the system calls that made its calls,\n"
	"                the callbacks of modules in them, the commands, and how long\n"
	"                calls took; Enter switches on what is needed for that\n"
	"Left, Esc       go back\n"
	"h m s v p w g i hooks, modules, system calls, verdicts, CPUs, commands, cgroups,\n"
	"                tasks; the same again switches on what is needed for that\n"
	"t c a n         sort by time, calls, average, name\n"
	"f               show only names that contain some text; f Enter shows all\n"
	"q               quit\n"
	"\n"
	"calls/s   hook calls in a second\n"
	"ave       own time of a mean call: on the CPU, without interrupts\n"
	"time/s    own time of all calls in a second\n"
	"wall/s    from begin to end; of that, slept/s and preempted/s off the CPU\n"
	"busy      time/s in percent of the time of one CPU\n"
	"share     time/s in percent of all rows\n"
	"-         a name for what has none: in interrupts, and in no system call\n"
	"\n"
	"Each time has what measuring adds to it, which \"Hooks took\" leaves out.\n"
	"Any key shows the table again.\n";

static char *text_of(struct sheet *sheet, const struct style *style)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		out_of_memory();
	sheet_print(sheet, style, out);
	fclose(out);
	return text;
}

static size_t count_lines(struct sheet *sheet, const struct style *style)
{
	char *text = text_of(sheet, style);
	size_t lines = 0;

	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	free(text);
	return lines;
}

/* Its names come first. */
static const char *name_in(const struct sheet *sheet, size_t row, size_t column)
{
	if (column >= sheet->column_count || sheet->columns[column].kind != TEXT)
		return NULL;
	return sheet_cell(sheet, row, column)->text;
}

static bool is_chosen(const struct chosen *chosen, const struct sheet *sheet, size_t row)
{
	for (size_t i = 0; i < KEYS_MAX && chosen->values[i]; i++)
		if (strcmp(name_in(sheet, row, i) ?: "", chosen->values[i]))
			return false;
	return chosen->values[0];
}

/* Where the chosen row is now; if it is gone, the one that has its place. */
static size_t find_row(const struct chosen *chosen, const struct sheet *sheet)
{
	if (!chosen->is_followed)
		return 0;
	for (size_t row = 0; row < sheet_rows(sheet); row++)
		if (is_chosen(chosen, sheet, row))
			return row;
	return chosen->row;
}

static void choose(struct chosen *chosen, const struct sheet *sheet)
{
	long rows = sheet_rows(sheet), row = (long)find_row(chosen, sheet) + chosen->move;

	chosen->is_followed |= chosen->move;
	chosen->move = 0;
	if (row >= rows)
		row = rows - 1;
	chosen->row = row > 0 ? row : 0;
	for (size_t i = 0; i < KEYS_MAX; i++) {
		const char *name = rows ? name_in(sheet, chosen->row, i) : NULL;

		free(chosen->values[i]);
		chosen->values[i] = name ? xstrdup(name) : NULL;
	}
}

/* Keep as many rows as there is room for, with the chosen one. */
static void fit(struct chosen *chosen, struct sheet *sheet, const struct style *style, size_t height)
{
	size_t lines = count_lines(sheet, style) + KEY_LINES, rows = sheet_rows(sheet);
	size_t over = lines > height ? lines - height : 0;

	chosen->page = rows > over ? rows - over : 1;
	if (chosen->row < chosen->first)
		chosen->first = chosen->row;
	if (chosen->row >= chosen->first + chosen->page)
		chosen->first = chosen->row - chosen->page + 1;
	if (chosen->first + chosen->page > rows)
		chosen->first = rows > chosen->page ? rows - chosen->page : 0;
	sheet_skip(sheet, chosen->first);
	sheet_top(sheet, chosen->page);
	sheet->marked = rows ? chosen->row - chosen->first + 1 : 0;
}

static char *keys_text(const struct top *top)
{
	if (top->is_typing)
		return xasprintf("\nonly names with: %s_ (Enter)", top->filter);
	return xasprintf("\nby: h hook  m module  s syscall  v verdict  p cpu  w command  g cgroup  i task\n"
			 "Enter down  Left back  sort: t c a n  f filter%s%s  ? help  q quit",
			 *top->filter ? ": " : "", top->filter);
}

void top_show(struct top *top, struct sheet *sheet)
{
	struct style style = top->options.style;
	char *table, *keys, *screen;
	size_t height, width;

	terminal_size(&height, &width);
	style.is_screen = true;
	choose(&top->chosen, sheet);
	fit(&top->chosen, sheet, &style, height);
	if (top->is_help) {
		terminal_show(help);
		return;
	}
	table = text_of(sheet, &style);
	keys = keys_text(top);
	screen = xasprintf("%s%s", table, keys);
	terminal_show(screen);
	free(table);
	free(keys);
	free(screen);
}
