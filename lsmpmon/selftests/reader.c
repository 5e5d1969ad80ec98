// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: a program that reads some bytes and ends
 *
 * It has no library and no dynamic linker, which would make calls of their own.
 */

#include <asm/unistd.h>

#include "reader.h"

#if defined(__x86_64__)
static long call(long number, long a, long b, long c)
{
	long result;

	asm volatile("syscall" : "=a" (result) : "a" (number), "D" (a), "S" (b),
		     "d" (c) : "rcx", "r11", "memory");
	return result;
}
#elif defined(__aarch64__)
static long call(long number, long a, long b, long c)
{
	register long x8 asm("x8") = number;
	register long x0 asm("x0") = a;
	register long x1 asm("x1") = b;
	register long x2 asm("x2") = c;

	asm volatile("svc 0" : "+r" (x0) : "r" (x8), "r" (x1), "r" (x2) :
		     "memory");
	return x0;
}
#else
#define NO_CALL
#endif

#ifdef NO_CALL
int main(void)
{
	return READER_SKIPPED;
}
#else
void _start(void)
{
	int status = READER_DONE;
	char byte;
	int i;

	for (i = 0; i < READER_READS; i++)
		if (call(__NR_read, 0, (long)&byte, 1) != 1)
			status = 1;
	call(__NR_exit_group, status, 0, 0);
	for (;;)
		;
}
#endif
