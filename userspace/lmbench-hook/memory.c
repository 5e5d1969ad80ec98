// SPDX-License-Identifier: GPL-2.0-only
/* Mapping a file into memory, and changing the protection of the mapping. */

#include <sys/mman.h>

#include "bench.h"

static int call_mmap(struct place *place)
{
	place->map = mmap(NULL, PLACE_FILE_SIZE, PROT_READ, MAP_PRIVATE, place->filefd, 0);
	if (place->map != MAP_FAILED)
		return 0;
	place->map = NULL;
	return -1;
}

static int call_munmap(struct place *place)
{
	void *map = place->map;

	place->map = NULL;
	return munmap(map, PLACE_FILE_SIZE);
}

static int forbid_writing(struct place *place)
{
	return mprotect(place->map, PLACE_FILE_SIZE, PROT_READ);
}

static int allow_writing(struct place *place)
{
	return mprotect(place->map, PLACE_FILE_SIZE, PROT_READ | PROT_WRITE);
}

static int make_mmap(struct place *place, const struct bench *bench)
{
	return bench_try(bench, place);
}

static int make_mprotect(struct place *place, const struct bench *bench)
{
	return call_mmap(place) || allow_writing(place) ? 1 : bench_try(bench, place);
}

static void clear_map(struct place *place)
{
	if (place->map)
		call_munmap(place);
}

const struct bench memory_benches[] = {
	{ .name = "mm/mmap", .calls = "[mmap] munmap", .what = "map a file of 100 KiB",
	  .setup = make_mmap, .call = call_mmap, .after = call_munmap, .clear = clear_map },
	{ .name = "mm/mprotect", .calls = "[mprotect] mprotect",
	  .what = "make a mapped file read-only, then writable again",
	  .setup = make_mprotect,
	  .call = forbid_writing, .after = allow_writing, .clear = clear_map },
	{ 0 }
};
