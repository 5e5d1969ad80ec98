// SPDX-License-Identifier: GPL-2.0-only
/* For the tests: `welch N NUMBER...`, of which the first N are one side; `holm CHANCE...`. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "welch.h"

static int print_holm(char **words, int count)
{
	double *chances = calloc(count, sizeof(*chances)), **pointers = calloc(count, sizeof(*pointers));

	for (int i = 0; i < count; i++) {
		chances[i] = strtod(words[i], NULL);
		pointers[i] = &chances[i];
	}
	holm(pointers, count);
	for (int i = 0; i < count; i++)
		printf("%.17g\n", chances[i]);
	free(chances);
	free(pointers);
	return EXIT_SUCCESS;
}

static int print_test(char **words, int count)
{
	struct samples sides[2] = { 0 };
	int first = atoi(words[0]);
	struct welch welch;

	for (int i = 1; i < count; i++)
		samples_add(&sides[i > first], strtod(words[i], NULL));
	if (!welch_test(&sides[0], &sides[1], false, &welch))
		return EXIT_FAILURE;
	printf("%.17g\n%.17g\n", welch.half, welch.chance);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return EXIT_FAILURE;
	return strcmp(argv[1], "holm") ? print_test(argv + 2, argc - 2) : print_holm(argv + 2, argc - 2);
}
