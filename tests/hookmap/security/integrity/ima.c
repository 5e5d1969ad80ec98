// SPDX-License-Identifier: GPL-2.0-only
/* What IMA calls itself is not named again. */
__attribute__((noinline)) int ima_measure(void *o) { return o ? 0 : -1; }

__attribute__((noinline)) int ima_file_check(void *o) { return ima_measure(o); }
