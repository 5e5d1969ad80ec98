/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: its version
 *
 * This is the only definition of the version, for the file info, for the tools, which
 * include this header, and for the names of the files of a release.
 */

#ifndef _SECURITY_LSMPMON_VERSION_H
#define _SECURITY_LSMPMON_VERSION_H

#define LSMPMON_VERSION	"0.1.0"

#endif
