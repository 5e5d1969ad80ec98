// SPDX-License-Identifier: GPL-2.0-only
/* A static call runs what its key was made with, or what it was updated to. */
#include "fake.h"

HOOK(mmap_file)
HOOK(mmap_addr)

struct static_call_key {
	void *func;
};

static int made(void *o) { return security_mmap_file(o); }
static int updated(void *o) { return security_mmap_addr(o); }

struct static_call_key __SCK__map = { .func = made };
extern int __SCT__map(void *o);
void __static_call_update(struct static_call_key *key, void *tramp, void *func);

void setup(void)
{
	__static_call_update(&__SCK__map, &__SCT__map, updated);
}

long sys_mmap(void *o)
{
	return __SCT__map(o);
}
