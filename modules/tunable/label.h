/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: labels of inodes and tasks
 */

#ifndef _SECURITY_TUNABLE_LABEL_H
#define _SECURITY_TUNABLE_LABEL_H

#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/xattr.h>

#include "setup.h"

#define TUNABLE_XATTR_SUFFIX	"test"
#define TUNABLE_XATTR		(XATTR_SECURITY_PREFIX TUNABLE_XATTR_SUFFIX)

/**
 * enum tunable_label - labels of inodes and tasks
 * @TUNABLE_UNREAD: the extended attribute was not read yet; as ignored
 * @TUNABLE_IGNORED: the default
 * @TUNABLE_TRUSTED: trusted
 * @TUNABLE_UNTRUSTED: untrusted
 * @TUNABLE_LABELS: number of labels
 *
 * TUNABLE_UNREAD is zero, since blobs are zeroed.
 */
enum tunable_label {
	TUNABLE_UNREAD,
	TUNABLE_IGNORED,
	TUNABLE_TRUSTED,
	TUNABLE_UNTRUSTED,
	TUNABLE_LABELS
};

/**
 * struct tunable_blob - blob of an inode or of credentials
 * @label: an enum tunable_label; an inode's may change while it is read
 */
struct tunable_blob {
	int label;
};

int tunable_parse_label(const void *text, size_t length);
const char *tunable_label_name(enum tunable_label label);

static inline struct tunable_blob *tunable_of_inode(const struct inode *inode)
{
	return inode->i_security + tunable_blob_sizes.lbs_inode;
}

static inline struct tunable_blob *tunable_of_cred(const struct cred *cred)
{
	return cred->security + tunable_blob_sizes.lbs_cred;
}

static inline enum tunable_label tunable_label_of(const struct tunable_blob *blob)
{
	return READ_ONCE(blob->label) ?: TUNABLE_IGNORED;
}

static inline enum tunable_label tunable_inode_label(const struct inode *inode)
{
	return tunable_label_of(tunable_of_inode(inode));
}

static inline enum tunable_label tunable_task_label(void)
{
	return tunable_label_of(tunable_of_cred(current_cred()));
}

#endif /* _SECURITY_TUNABLE_LABEL_H */
