// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tunable Security Module: order of initialisation
 *
 * A module for measurements, after the one of Zhang, Liu & Jaeger (ASIA CCS
 * 2021): its hooks only wait, for a configurable time.
 */

#include <linux/init.h>

#include "delay.h"
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

#if TUNABLE_HAS_ID
/* Outside the range that Linux assigns. */
const struct lsm_id tunable_id = {
	.name = TUNABLE_NAME,
	.id = 0x74756e61,
};
#endif

static bool tunable_is_on __ro_after_init;

static int __init tunable_init(void)
{
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
	TUNABLE_LSM_NAME,
	.init = tunable_init,
	.blobs = &tunable_blob_sizes,
};
