// SPDX-License-Identifier: GPL-2.0-only
/* loop ROUNDS...: for each, print how far the virtual counter goes in a loop of so many times two instructions, on arm64. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t ticks(void)
{
	uint64_t value;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(value) : : "memory");
	return value;
}

static uint64_t loop(uint64_t rounds)
{
	uint64_t begin = ticks();

	__asm__ volatile("1: subs %0, %0, #1; b.ne 1b" : "+r"(rounds) : : "cc");
	return ticks() - begin;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		uint64_t rounds = strtoull(argv[i], NULL, 10);

		printf("%llu\n", (unsigned long long)loop(rounds));
	}
	return 0;
}
