// SPDX-License-Identifier: GPL-2.0-only
#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"

/* Far larger than any table or record. */
#define SIZE_MAX_READ (256u << 20)

static int copy(int fd, FILE *out, const char *path)
{
	static char piece[65536];
	size_t total = 0;
	ssize_t length;

	while ((length = read(fd, piece, sizeof(piece))) > 0) {
		total += length;
		if (total > SIZE_MAX_READ)
			return complain("'%s' has more than %u MiB: lsmpmon did not write it", path,
					SIZE_MAX_READ >> 20);
		if (memchr(piece, '\0', length))
			return complain("'%s' contains zero bytes: lsmpmon did not write it", path);
		fwrite(piece, 1, length, out);
	}
	return length < 0 ? complain("cannot read '%s': %s", path, strerror(errno)) : 0;
}

char *file_text(int fd, const char *path)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int error;

	if (!out)
		out_of_memory();
	error = copy(fd, out, path);
	if (fclose(out))
		out_of_memory();
	if (!error)
		return text;
	free(text);
	return NULL;
}
