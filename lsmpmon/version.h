/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: its version
 *
 * The only place that has it. The kernel's info, the tools, which include this
 * file, and the names of what a release hands out all come from here.
 */

#ifndef _SECURITY_LSMPMON_VERSION_H
#define _SECURITY_LSMPMON_VERSION_H

#define LSMPMON_VERSION	"0.1.0"

#endif
