// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: order of initialisation
 *
 * A module for measurements, after the one of Zhang, Liu & Jaeger (ASIA CCS
 * 2021): its hooks only wait, for a configurable time.  With tunable.hooks= on
 * the command line, it has the hooks of another module instead, which do
 * nothing.
 */

#include <linux/init.h>

#include "delay.h"
#include "empty.h"
#include "file.h"
#include "fs.h"
#include "inode.h"
#include "label.h"
#include "setup.h"
#include "task.h"

struct lsm_blob_sizes tunable_blob_sizes __ro_after_init = {
	.lbs_cred = sizeof(struct tunable_blob),
	.lbs_inode = sizeof(struct tunable_blob),
#if TUNABLE_HAS_XATTR_SLOTS
	.lbs_xattr_count = 1,
#endif
};

/* Outside the range that Linux assigns. */
const struct lsm_id tunable_id = {
	.name = TUNABLE_NAME,
	.id = 0x74756e61,
};

static bool tunable_is_on __ro_after_init;

/* The module whose hooks are to be empty; NULL for hooks that wait. */
static char *empty_hooks_of __initdata;

/*
 * tunable.hooks=MODULE, read before the framework asks for the sizes of blobs.
 * Empty callbacks need none.
 */
static int __init parse_hooks(char *module)
{
	empty_hooks_of = module;
	tunable_blob_sizes = (struct lsm_blob_sizes) {
#if TUNABLE_HAS_XATTR_SLOTS
		.lbs_xattr_count = tunable_empty_has_xattr(module),
#endif
	};
	return 1;
}
__setup("tunable.hooks=", parse_hooks);

static int __init tunable_init(void)
{
	if (empty_hooks_of) {
		tunable_empty_init(empty_hooks_of);
		return 0;
	}
	tunable_inode_init();
	tunable_file_init();
	tunable_task_init();
	tunable_is_on = true;
	return 0;
}

static int __init tunable_late_init(void)
{
	if (!tunable_is_on)
		return 0;
	tunable_calibrate();
	return tunable_fs_init();
}
late_initcall(tunable_late_init);

DEFINE_LSM(tunable) = {
	LSMPMON_LSM_NAME(&tunable_id, TUNABLE_NAME),
	.init = tunable_init,
	.blobs = &tunable_blob_sizes,
};
