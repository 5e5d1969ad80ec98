// SPDX-License-Identifier: GPL-2.0-only
/* read and write, at the start of an open file: its size and place stay the same. */

#include <errno.h>

#include "bench.h"
#include "syscalls.h"

/* A short transfer is a failure: it did not do the work that the table says. */
static int whole(ssize_t done, size_t size)
{
	if (done >= 0 && (size_t)done != size) {
		errno = EIO;
		return -1;
	}
	return done < 0 ? -1 : 0;
}

static int call_read(struct place *place)
{
	return whole(pread(place->filefd, place->buffer, place->size, 0), place->size);
}

static int call_write(struct place *place)
{
	return whole(pwrite(place->filefd, place->buffer, place->size, 0), place->size);
}

const struct bench data_benches[] = {
	{ .name = "read", .calls = "[pread64]", .what = "read 1 byte of an open file",
	  .size = 1, .call = call_read },
	{ .name = "read-4k", .calls = "[pread64]", .what = "read 4096 bytes of an open file",
	  .size = 4096, .call = call_read },
	{ .name = "write", .calls = "[pwrite64]", .what = "write 1 byte into an open file",
	  .size = 1, .call = call_write },
	{ .name = "write-4k", .calls = "[pwrite64]", .what = "write 4096 bytes into an open file",
	  .size = 4096, .call = call_write },
	{ 0 }
};
