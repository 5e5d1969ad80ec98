// SPDX-License-Identifier: GPL-2.0-only
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "complain.h"

/* No table and no record of ours comes near. */
#define SIZE_MAX_READ (256u << 20)

static int copy(int fd, FILE *out, const char *path)
{
	static char piece[65536];
	size_t total = 0;
	ssize_t length;

	while ((length = read(fd, piece, sizeof(piece))) > 0) {
		total += length;
		if (total > SIZE_MAX_READ)
			return complain("'%s' has more than %u MiB: it is none of ours", path,
					SIZE_MAX_READ >> 20);
		if (memchr(piece, '\0', length))
			return complain("'%s' has zero bytes in it: it is no text, so none of ours", path);
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

int new_file_begin(struct new_file *file, const char *path)
{
	int fd;

	*file = (struct new_file){ .path = path, .temporary = xasprintf("%s.XXXXXX", path) };
	fd = mkostemp(file->temporary, O_CLOEXEC);
	if (fd >= 0)
		file->stream = fdopen(fd, "w");
	if (file->stream)
		return 0;
	complain("cannot make a file beside '%s': %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	free(file->temporary);
	return -1;
}

void new_file_drop(struct new_file *file)
{
	fclose(file->stream);
	unlink(file->temporary);
	free(file->temporary);
}

int new_file_finish(struct new_file *file)
{
	bool bad = fflush(file->stream) || ferror(file->stream) || fsync(fileno(file->stream));

	if (bad || rename(file->temporary, file->path)) {
		complain("cannot write '%s': %s", file->path, strerror(errno));
		new_file_drop(file);
		return -1;
	}
	fclose(file->stream);
	free(file->temporary);
	return 0;
}
