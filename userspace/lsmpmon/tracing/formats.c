// SPDX-License-Identifier: GPL-2.0-only
/* Formats of trace events: of our own, and of the kernel's stacks. */

#include "formats.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"
#include "file.h"

static struct tep_event *learn_event(struct tep_handle *tep, const char *system, const char *name)
{
	struct tep_event *event = NULL;
	int size;
	char *format = tracefs_event_file_read(NULL, system, name, "format", &size);

	if (format && !tep_parse_event(tep, format, size, system))
		event = tep_find_event_by_name(tep, system, name);
	if (!event)
		complain("cannot read '%s/events/%s/%s/format'", tracefs_tracing_dir(), system, name);
	free(format);
	return event;
}

static int learn_pages(struct tep_handle *tep)
{
	int size;
	char *header = tracefs_instance_file_read(NULL, "events/header_page", &size);
	int error = !header || tep_parse_header_page(tep, header, size, sizeof(long));

	free(header);
	tep_set_long_size(tep, sizeof(long));
	tep_set_file_bigendian(tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	return error ? complain("cannot read '%s/events/header_page'", tracefs_tracing_dir()) : 0;
}

/* Many thousands of lines. */
static int learn_functions(struct tep_handle *tep)
{
	const char *path = "/proc/kallsyms";
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : file_text(fd, path);
	int error = !text || tep_parse_kallsyms(tep, text);

	if (fd >= 0)
		close(fd);
	free(text);
	return error ? complain("cannot read the names of functions in '%s'", path) : 0;
}

int formats_learn(struct formats *formats, bool has_stack)
{
	*formats = (struct formats){ .tep = tep_alloc() };
	if (!formats->tep)
		out_of_memory();
	formats->call = learn_event(formats->tep, TRACED_SYSTEM, TRACED_EVENT);
	if (!formats->call || learn_pages(formats->tep))
		return -1;
	if (tracefs_event_file_exists(NULL, TRACED_SYSTEM, TRACED_OBJECT_EVENT, "format")) {
		formats->object = learn_event(formats->tep, TRACED_SYSTEM, TRACED_OBJECT_EVENT);
		if (!formats->object)
			return -1;
	}
	if (!has_stack)
		return 0;
	formats->stack = learn_event(formats->tep, "ftrace", "kernel_stack");
	return formats->stack ? learn_functions(formats->tep) : -1;
}

void formats_free(struct formats *formats)
{
	tep_free(formats->tep);
}

bool formats_has_names(const struct formats *formats)
{
	const struct tep_format_field *field = tep_find_field(formats->call, "hook");

	return field && field->flags & TEP_FIELD_IS_ARRAY;
}

static int read_event(const struct formats *formats, struct tep_record *record, struct traced *traced, const char *name,
		      int (*parse)(struct traced *traced, const char *text))
{
	struct trace_seq text;
	int error;

	trace_seq_init(&text);
	tep_print_event(formats->tep, &text, record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&text);
	error = parse(traced, text.buffer);
	if (error)
		complain("the kernel's event %s is not known here: '%s'", name, text.buffer);
	trace_seq_destroy(&text);
	return error;
}

int formats_read_call(const struct formats *formats, struct tep_record *record, struct traced *traced)
{
	return read_event(formats, record, traced, TRACED_EVENT, traced_parse);
}

int formats_read_object(const struct formats *formats, struct tep_record *record, struct traced *traced)
{
	return read_event(formats, record, traced, TRACED_OBJECT_EVENT, traced_parse_object);
}

/* Of an address, as the kernel itself prints it. */
static char *function_text(struct tep_handle *tep, unsigned long long address)
{
	const char *name = tep_find_function(tep, address);

	if (!name)
		return xasprintf("0x%llx", address);
	return xasprintf("%s+0x%llx", name, address - tep_find_function_address(tep, address));
}

/* Kernels of an older lsmpmon dispatch in lsmpmon_call_HOOK(), which leaves no frame in newer ones. */
static bool is_of_hook(const char *function)
{
	static const char *const prefixes[] = { "lsmpmon_dispatch_", "lsmpmon_twin_", "lsmpmon_call_", "security_" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (!strncmp(function, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* The innermost functions are those that write the event. */
static void drop_writers(struct seen *seen)
{
	size_t writers = 0;

	while (writers < seen->stack_count && !is_of_hook(seen->stack[writers]))
		writers++;
	if (!writers || writers == seen->stack_count)
		return;
	for (size_t i = 0; i < writers; i++)
		free(seen->stack[i]);
	seen->stack_count -= writers;
	memmove(seen->stack, seen->stack + writers, seen->stack_count * sizeof(*seen->stack));
}

/* The kernel reserves room for more, and fills it with zeros. */
void formats_read_stack(const struct formats *formats, struct tep_record *record, struct seen *seen)
{
	const struct tep_format_field *field = tep_find_field(formats->stack, "caller");
	const int size = tep_get_long_size(formats->tep);

	for (int at = field ? field->offset : record->size; at + size <= record->size; at += size) {
		unsigned long long address = tep_read_number(formats->tep, (char *)record->data + at, size);

		if (!address || address == ~0ULL)
			break;
		seen->stack = xgrow(seen->stack, seen->stack_count, sizeof(*seen->stack));
		seen->stack[seen->stack_count++] = function_text(formats->tep, address);
	}
	drop_writers(seen);
}
