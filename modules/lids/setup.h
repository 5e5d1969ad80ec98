/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Model of LIDS: what all parts share
 */

#ifndef _SECURITY_LIDS_SETUP_H
#define _SECURITY_LIDS_SETUP_H

#include <linux/lsm_hooks.h>

#include "../tunable/registration.h"

#define LIDS_NAME	"lids"

extern const struct lsm_id lids_id;
extern struct lsm_blob_sizes lids_blob_sizes;

#endif /* _SECURITY_LIDS_SETUP_H */
