/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tunable Security Module: the hooks of another module, with empty callbacks
 */

#ifndef _SECURITY_TUNABLE_EMPTY_H
#define _SECURITY_TUNABLE_EMPTY_H

#include <linux/types.h>

bool tunable_empty_has_xattr(const char *module);
void tunable_empty_init(const char *module);

#endif /* _SECURITY_TUNABLE_EMPTY_H */
