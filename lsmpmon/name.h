/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: names of objects
 */

#ifndef _SECURITY_LSMPMON_NAME_H
#define _SECURITY_LSMPMON_NAME_H

#include <linux/fs.h>
#include <linux/lsmpmon_object.h>
#include <linux/string.h>

/* Buffer size for lsmpmon_text_of(): the path of a socket and a zero byte. */
#define LSMPMON_TEXT_SIZE	112

bool lsmpmon_may_lock(void);
bool lsmpmon_path_of(enum lsmpmon_object_kind kind, const void *object,
		     struct path *path);
const char *lsmpmon_text_of(enum lsmpmon_object_kind kind, const void *object,
			    int length, char *buffer);

/* Files on internal mounts of the kernel have no names. */
static inline bool lsmpmon_has_names(const struct inode *inode)
{
	return !(inode->i_sb->s_flags & (SB_NOUSER | SB_KERNMOUNT));
}

/* The last component of a name from lsmpmon_text_of(), if names of its kind may be paths. */
static inline const char *lsmpmon_last_component(enum lsmpmon_object_kind kind,
						 const char *text)
{
	switch (kind) {
	case LSMPMON_OBJECT_fs_context:
	case LSMPMON_OBJECT_socket:
	case LSMPMON_OBJECT_sock:
		return kbasename(text);
	default:
		return text;
	}
}

#endif /* _SECURITY_LSMPMON_NAME_H */
