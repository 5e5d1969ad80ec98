// SPDX-License-Identifier: GPL-2.0-only
/* For the tests: `print_btf FILE ID...` prints the names of these types, a line each. */

#include <stdio.h>
#include <stdlib.h>

#include "btf.h"

int main(int argc, char **argv)
{
	struct btf btf;

	if (argc < 2 || btf_read(&btf, argv[1]))
		return EXIT_FAILURE;
	for (int i = 2; i < argc; i++)
		printf("%s\n", btf_name(&btf, strtoul(argv[i], NULL, 10)) ?: "-");
	btf_free(&btf);
	return EXIT_SUCCESS;
}
