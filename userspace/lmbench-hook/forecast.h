/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LMBENCH_HOOK_FORECAST_H
#define LMBENCH_HOOK_FORECAST_H

#include "measure.h"

/* Say on stderr how long these will take here, if it is longer than one waits without asking, or @always. */
void forecast_say(const struct bench_list *benches, struct place *place, const struct plan *plan, bool always);

#endif
