/* SPDX-License-Identifier: GPL-2.0-only */
/* The version of the tools is that of the kernel code beside them. */
#include "../../lsmpmon/version.h"
