// SPDX-License-Identifier: GPL-2.0-only
/* Mounting and unmounting a tmpfs, which only root can do. */

#include <sys/mount.h>
#include <sys/stat.h>

#include "bench.h"

/* Relative to place->tree. */
#define MOUNT_NAME "MM"

static int call_mount(struct place *place)
{
	(void)place;
	return mount("tmpfs", MOUNT_NAME, "tmpfs", 0, NULL);
}

static int call_umount(struct place *place)
{
	(void)place;
	return umount2(MOUNT_NAME, 0);
}

static int make_mount(struct place *place, const struct bench *bench)
{
	return mkdir(MOUNT_NAME, 0700) || bench_try(bench, place) ? 1 : 0;
}

/* Cleans up after a round that failed half way. */
static void clear_mount(struct place *place)
{
	(void)place;
	umount2(MOUNT_NAME, MNT_DETACH);
}

const struct bench mount_benches[] = {
	{ .name = "mount/tmpfs", .calls = "[mount] umount2", .what = "mount a tmpfs (root)",
	  .setup = make_mount, .call = call_mount, .after = call_umount, .clear = clear_mount },
	{ .name = "mount/umount", .calls = "mount [umount2]", .what = "unmount a tmpfs (root)",
	  .setup = make_mount, .before = call_mount, .call = call_umount, .clear = clear_mount },
	{ 0 }
};
