// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpf-deny OBJECT PLACE [DIR]: attaches the programs in file OBJECT, which deny access to directory
 * DIR and everything in it; without DIR, they allow everything. They stay attached as long as their
 * links are pinned in PLACE, a directory of a BPF file system.
 */

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

static int tell(struct bpf_object *object, const char *dir)
{
	struct bpf_map *constants = bpf_object__find_map_by_name(object, ".rodata");
	struct denied denied;
	struct stat stats;

	if (stat(dir, &stats))
		return complain(dir);
	denied = (struct denied){
		.inode = stats.st_ino,
		.device = major(stats.st_dev) << MINOR_BITS | minor(stats.st_dev),
	};
	if (!constants || bpf_map__set_initial_value(constants, &denied, sizeof(denied)))
		return complain(bpf_object__name(object));
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

static int run(const char *path, const char *place, const char *dir)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);
	int err;

	if (!object)
		return complain(path);
	err = dir ? tell(object, dir) : 0;
	if (!err && bpf_object__load(object))
		err = complain(path);
	if (!err)
		err = attach_all(object, place);
	bpf_object__close(object);
	return err;
}

int main(int argc, char **argv)
{
	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: bpf-deny OBJECT PLACE [DIR]\n");
		return 2;
	}
	return run(argv[1], argv[2], argv[3]) ? EXIT_FAILURE : EXIT_SUCCESS;
}
