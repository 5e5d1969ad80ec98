// SPDX-License-Identifier: GPL-2.0-only
/* And this one calls a hook. */
int security_file_open(void *object);

static __attribute__((noinline)) int open_it(void *o) { return security_file_open(o); }

long sys_open(void *o)
{
	return open_it(o);
}
