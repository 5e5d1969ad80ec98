// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpf-deny OBJECT PLACE [DIR [OTHERS]]: attaches the programs in file OBJECT, which deny access to
 * directory DIR and everything in it; without DIR, they allow everything. They look for a directory
 * among as many OTHERS before, which do not exist. They stay attached as long as their links are
 * pinned in PLACE, a directory of a BPF file system.
 */

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "bpf-deny.h"

/* The kernel's own encoding of a device number. */
#define MINOR_BITS 20

static int complain(const char *what)
{
	char reason[128];

	libbpf_strerror(errno, reason, sizeof(reason));
	fprintf(stderr, "bpf-deny: %s: %s\n", what, reason);
	return -1;
}

static int tell(struct bpf_object *object, const char *dir, unsigned int others)
{
	struct bpf_map *constants = bpf_object__find_map_by_name(object, ".rodata");
	struct bpf_map *map = bpf_object__find_map_by_name(object, "others");
	struct denied denied = { .others = others };
	struct stat stats;

	if (stat(dir, &stats))
		return complain(dir);
	denied.place = (struct place){
		.inode = stats.st_ino,
		.device = major(stats.st_dev) << MINOR_BITS | minor(stats.st_dev),
	};
	if (!constants || bpf_map__set_initial_value(constants, &denied, sizeof(denied)) ||
	    !map || bpf_map__set_max_entries(map, others ?: 1))
		return complain(bpf_object__name(object));
	return 0;
}

/* On device 0, which no file system has, so none of them exists. */
static int fill(struct bpf_object *object, unsigned int others)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, "others");
	struct place place = { 0 };
	const char value = 0;

	for (place.inode = 1; place.inode <= others; place.inode++)
		if (bpf_map__update_elem(map, &place, sizeof(place), &value, sizeof(value), BPF_NOEXIST))
			return complain("others");
	return 0;
}

static int attach(struct bpf_program *program, const char *place)
{
	const char *name = bpf_program__name(program);
	struct bpf_link *link = bpf_program__attach(program);
	char path[4096];
	int err;

	if (!link)
		return complain(name);
	snprintf(path, sizeof(path), "%s/%s", place, name);
	err = bpf_link__pin(link, path) ? complain(path) : 0;
	bpf_link__destroy(link);
	return err;
}

static int attach_all(struct bpf_object *object, const char *place)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
		if (attach(program, place))
			return -1;
	return 0;
}

static int run(const char *path, const char *place, const char *dir, unsigned int others)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);
	int err;

	if (!object)
		return complain(path);
	err = dir ? tell(object, dir, others) : 0;
	if (!err && bpf_object__load(object))
		err = complain(path);
	if (!err)
		err = fill(object, others);
	if (!err)
		err = attach_all(object, place);
	bpf_object__close(object);
	return err;
}

/* A number up to 99999, as lsm-setup accepts; negative: not one. */
static int number(const char *text)
{
	size_t length = strlen(text);

	return length && length <= 5 && strspn(text, "0123456789") == length ? atoi(text) : -1;
}

int main(int argc, char **argv)
{
	int others = argc > 4 ? number(argv[4]) : 0;

	if (argc < 3 || argc > 5) {
		fprintf(stderr, "usage: bpf-deny OBJECT PLACE [DIR [OTHERS]]\n");
		return 2;
	}
	if (others < 0) {
		fprintf(stderr, "bpf-deny: others '%s': give a number up to 99999\n", argv[4]);
		return 2;
	}
	return run(argv[1], argv[2], argv[3], others) ? EXIT_FAILURE : EXIT_SUCCESS;
}
