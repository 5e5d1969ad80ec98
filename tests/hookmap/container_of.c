// SPDX-License-Identifier: GPL-2.0-only
/* A field is the same, whichever way its record was come by. */
#include "fake.h"

HOOK(sb_mount)

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - __builtin_offsetof(type, member)))

struct list {
	struct list *next;
};

struct owner {
	int number;
	struct list list;
	int (*mount)(void *);
};

static int mounts(void *o) { return security_sb_mount(o); }

struct owner owner = { .mount = mounts };

long sys_mount(struct list *list, void *o)
{
	return container_of(list->next, struct owner, list)->mount(o);
}
