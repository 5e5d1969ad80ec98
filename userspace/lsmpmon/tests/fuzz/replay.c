// SPDX-License-Identifier: GPL-2.0-only
/* Gives each file that is named to the fuzz target, as libFuzzer would. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
	static uint8_t data[1 << 20];
	FILE *file = fopen(path, "rbe");
	uint8_t *exact;
	size_t size;

	if (!file) {
		perror(path);
		return -1;
	}
	size = fread(data, 1, sizeof(data), file);
	fclose(file);
	/* Of just that size, so that a read beyond its end is seen. */
	exact = malloc(size ? size : 1);
	if (!exact)
		return -1;
	for (size_t i = 0; i < size; i++)
		exact[i] = data[i];
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (replay(argv[i]))
			return EXIT_FAILURE;
	printf("%d inputs\n", argc - 1);
	return EXIT_SUCCESS;
}
