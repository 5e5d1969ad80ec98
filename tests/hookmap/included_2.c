// SPDX-License-Identifier: GPL-2.0-only
/* The same file, compiled in another way. */
#define LOADED other
#define ENTRY sys_uselib
#define other 2
#include "included.c"
