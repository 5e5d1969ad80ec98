// SPDX-License-Identifier: GPL-2.0-only
#include "complain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "utf8.h"

int complain_args(const char *format, va_list args)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, args);
	utf8_disarm(text);
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, text);
	return -1;
}

int complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain_args(format, args);
	va_end(args);
	return -1;
}

void out_of_memory(void)
{
	complain("out of memory");
	exit(2);
}
