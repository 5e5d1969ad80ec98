/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_JSON_H
#define LMBENCH_HOOK_JSON_H

#include "output.h"

void json_begin(struct output *output);
void json_row(struct output *output, const struct bench *bench, const struct series *series);
void json_left_out(struct output *output, const struct bench *bench, const char *why);
void json_end(struct output *output);

#endif
