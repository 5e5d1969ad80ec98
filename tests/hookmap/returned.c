// SPDX-License-Identifier: GPL-2.0-only
/* A function that another one returns, and one that is stored by whom it was given to. */
#include "fake.h"

HOOK(bpf)
HOOK(bpf_map)
HOOK(bpf_prog)

static int first(void *o) { return security_bpf(o); }
static int second(void *o) { return security_bpf_map(o); }
static int third(void *o) { return security_bpf_prog(o); }

static __noinline int (*choose(int number))(void *)
{
	return number ? first : second;
}

struct owner {
	int (*run)(void *);
} owner;

__noinline void register_owner(int (*run)(void *))
{
	owner.run = run;
}

void setup(void)
{
	register_owner(third);
}

long sys_returned(void *o, int number)
{
	return choose(number)(o);
}

long sys_registered(struct owner *of, void *o)
{
	return of->run(o);
}
