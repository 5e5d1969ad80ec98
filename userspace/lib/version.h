/* SPDX-License-Identifier: GPL-2.0-only */
/* The tools share the version of the kernel code. */
#include "../../lsmpmon/version.h"
