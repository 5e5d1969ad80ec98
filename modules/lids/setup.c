// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model of LIDS: order of initialisation
 *
 * A module for measurements, on the model of the Linux Intrusion Detection
 * System, which the evaluation of 2010 measured beside SELinux and TOMOYO.
 */

#include <linux/init.h>

#include "fs.h"
#include "inode.h"
#include "setup.h"
#include "task.h"

struct lsm_blob_sizes lids_blob_sizes __ro_after_init = {
	.lbs_cred = sizeof(struct lids_subject),
};

/* Outside the range that Linux assigns. */
const struct lsm_id lids_id = {
	.name = LIDS_NAME,
	.id = 0x6c696473,
};

static bool lids_is_on __ro_after_init;

static int __init lids_init(void)
{
	lids_inode_init();
	lids_task_init();
	lids_is_on = true;
	return 0;
}

static int __init lids_late_init(void)
{
	return lids_is_on ? lids_fs_init() : 0;
}
late_initcall(lids_late_init);

DEFINE_LSM(lids) = {
	LSMPMON_LSM_NAME(&lids_id, LIDS_NAME),
	.init = lids_init,
	.blobs = &lids_blob_sizes,
};
