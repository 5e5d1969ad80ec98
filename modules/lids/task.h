/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model of LIDS: subjects
 */

#ifndef _SECURITY_LIDS_TASK_H
#define _SECURITY_LIDS_TASK_H

#include <linux/cred.h>

#include "setup.h"
#include "table.h"

static inline struct lids_subject *lids_of_cred(const struct cred *cred)
{
	return cred->security + lids_blob_sizes.lbs_cred;
}

/* Subject of the current task, also while it has overridden its credentials. */
static inline const struct lids_subject *lids_current(void)
{
	return lids_of_cred(current_real_cred());
}

void lids_execute(struct lids_subject *subject, const struct lids_id *program);
void lids_task_init(void);

#endif /* _SECURITY_LIDS_TASK_H */
