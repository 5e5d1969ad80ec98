/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_EXTERNAL_H
#define LMBENCH_HOOK_EXTERNAL_H

int external_run(char **argv);

#endif
