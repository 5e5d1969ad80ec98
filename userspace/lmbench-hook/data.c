// SPDX-License-Identifier: GPL-2.0-only
/*
 * read, write and copy. The plain ones always transfer the start of an open file; the variations go
 * through a file of 100 KiB and start over at its end.
 */

#include <errno.h>
#include <sys/sendfile.h>

#include "bench.h"
#include "syscalls.h"

/* A short transfer is a failure: it did less work than the table says. */
static int whole(ssize_t done, size_t size)
{
	if (done >= 0 && (size_t)done != size) {
		errno = EIO;
		return -1;
	}
	return done < 0 ? -1 : 0;
}

static int call_pread(struct place *place)
{
	return whole(pread(place->filefd, place->buffer, place->size, 0), place->size);
}

static int call_pwrite(struct place *place)
{
	return whole(pwrite(place->filefd, place->buffer, place->size, 0), place->size);
}

static int call_read(struct place *place)
{
	return whole(read(place->filefd, place->buffer, place->size), place->size);
}

static int call_write(struct place *place)
{
	return whole(write(place->filefd, place->buffer, place->size), place->size);
}

static int call_copy(struct place *place)
{
	if (call_read(place))
		return -1;
	return whole(write(place->copyfd, place->buffer, place->size), place->size);
}

static int call_sendfile(struct place *place)
{
	return whole(sendfile(place->copyfd, place->filefd, NULL, place->size), place->size);
}

static void advance(struct place *place)
{
	place->offset += place->size;
	if (place->offset >= PLACE_FILE_SIZE)
		place->offset = 0;
}

static int seek_file(struct place *place)
{
	return lseek(place->filefd, place->offset, SEEK_SET) < 0 ? -1 : 0;
}

static int before_one(struct place *place)
{
	int err = seek_file(place);

	advance(place);
	return err;
}

static int before_copy(struct place *place)
{
	int err = seek_file(place);

	if (!err && lseek(place->copyfd, place->offset, SEEK_SET) < 0)
		err = -1;
	advance(place);
	return err;
}

static int make_copy(struct place *place, const struct bench *bench)
{
	(void)bench;
	place->copyfd = place_fill(place, "copy");
	return place->copyfd < 0 ? -1 : 0;
}

#define READ(kib)	\
	{ .name = "read/" #kib "k", .calls = "lseek [read]",	\
	  .what = "read a file of 100 KiB, " #kib " KiB a call",	\
	  .size = kib * 1024, .before = before_one, .call = call_read }

#define WRITE(kib)	\
	{ .name = "write/" #kib "k", .calls = "lseek [write]",	\
	  .what = "write a file of 100 KiB over, " #kib " KiB a call",	\
	  .size = kib * 1024, .before = before_one, .call = call_write }

#define COPY(kib)	\
	{ .name = "copy/" #kib "k", .calls = "lseek lseek [read write]",	\
	  .what = "copy a file of 100 KiB, " #kib " KiB a pair of calls",	\
	  .size = kib * 1024, .setup = make_copy, .before = before_copy, .call = call_copy }

const struct bench data_benches[] = {
	{ .name = "read", .calls = "[pread64]", .what = "read 1 byte of an open file",
	  .size = 1, .call = call_pread },
	{ .name = "read-4k", .calls = "[pread64]", .what = "read 4096 bytes of an open file",
	  .size = 4096, .call = call_pread },
	{ .name = "write", .calls = "[pwrite64]", .what = "write 1 byte into an open file",
	  .size = 1, .call = call_pwrite },
	{ .name = "write-4k", .calls = "[pwrite64]", .what = "write 4096 bytes into an open file",
	  .size = 4096, .call = call_pwrite },
	READ(0), READ(1), READ(2), READ(4),
	WRITE(0), WRITE(1), WRITE(2), WRITE(4),
	COPY(0), COPY(1), COPY(2), COPY(4),
	{ .name = "copy/sendfile", .calls = "lseek lseek [sendfile]",
	  .what = "copy a file of 100 KiB, 4 KiB a call, by one call that reads and writes",
	  .size = 4096, .setup = make_copy, .before = before_copy, .call = call_sendfile },
	{ 0 }
};
