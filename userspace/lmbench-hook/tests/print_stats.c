// SPDX-License-Identifier: GPL-2.0-only
/* For the tests: the statistics of the numbers that are the arguments, one `name value` in a line. */

#include <stdio.h>
#include <stdlib.h>

#include "../stats.h"

int main(int argc, char **argv)
{
	double *samples = calloc(argc, sizeof(*samples));
	struct stats stats;

	if (!samples || argc < 2)
		return EXIT_FAILURE;
	for (int i = 1; i < argc; i++)
		samples[i - 1] = strtod(argv[i], NULL);
	stats = stats_of(samples, argc - 1);
	printf("count %zu\nmin %.17g\nq1 %.17g\nmedian %.17g\n", stats.count, stats.min, stats.q1,
	       stats.median);
	printf("q3 %.17g\nmax %.17g\nmean %.17g\nvariance %.17g\n", stats.q3, stats.max, stats.mean,
	       stats.variance);
	printf("low %.17g\nhigh %.17g\nbelow %zu\nabove %zu\n", stats.low, stats.high, stats.below,
	       stats.above);
	free(samples);
	return EXIT_SUCCESS;
}
