// SPDX-License-Identifier: GPL-2.0-only
/* A loop may not run at all; one that tests at its end runs once at least. */
#include "fake.h"

HOOK(socket_sendmsg)
HOOK(socket_recvmsg)
HOOK(path_notify)

long sys_while(void **o, int n)
{
	for (int i = 0; i < n; i++) {
		int error = security_socket_sendmsg(o[i]);

		if (error)
			return error;
	}
	return 0;
}

long sys_do(void **o, int n)
{
	int i = 0, error;

	do {
		error = security_socket_recvmsg(o[i]);
		if (error)
			return error;
	} while (++i < n);
	return 0;
}

/* Recursion ends. */
static __noinline int descend(void **o)
{
	int error = security_path_notify(*o);

	if (error || !o[1])
		return error;
	return descend(o + 1);
}

long sys_recursion(void **o)
{
	return descend(o);
}

/* Of many loops around one another, the first are named. */
static __noinline int innermost(void **o, int n)
{
	int error = 0;

	for (int i = 0; i < n && !error; i++)
		error = security_path_notify(o[i]);
	return error;
}

static __noinline int inner(void **o, int n)
{
	int error = 0;

	for (int i = 0; i < n && !error; i++)
		error = innermost(o[i], n);
	return error;
}

static __noinline int outer(void **o, int n)
{
	int error = 0;

	for (int i = 0; i < n && !error; i++)
		error = inner(o[i], n);
	return error;
}

long sys_nested(void **o, int n)
{
	int error = 0;

	for (int i = 0; i < n && !error; i++)
		error = outer(o[i], n);
	return error;
}
