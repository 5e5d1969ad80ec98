// SPDX-License-Identifier: GPL-2.0-only
/* What runs behind a counter that has come to zero is a last reference's; what auditors want is rare. */
#include "fake.h"

HOOK(task_free)
HOOK(inode_free)
HOOK(cred_free)
HOOK(sb_free)
HOOK(file_free)
HOOK(capable)
HOOK(ipc_permission)
HOOK(audit_rule_match)

struct object {
	int count;
	int other;
};

_Bool refcount_dec_and_test(int *count);
_Bool fast_dput(void *o);

static inline _Bool put(struct object *o) { return refcount_dec_and_test(&o->count); }

static __noinline void release(struct object *o)
{
	security_task_free(o);
}

static __noinline void put_object(struct object *o)
{
	if (refcount_dec_and_test(&o->count))
		release(o);
	else if (o->other)
		security_ipc_permission(o);
}

static __noinline void put_wrapped(struct object *o)
{
	if (unlikely(put(o)))
		security_cred_free(o);
}

static __noinline void dput(struct object *o)
{
	if (fast_dput(o))
		return;
	security_inode_free(o);
}

/* What is not done where one is left. */
static __noinline void put_unless(struct object *o)
{
	if (!refcount_dec_and_test(&o->count))
		return;
	security_sb_free(o);
}

/* Reached in both ways: it is the call's own. */
static __noinline void either(struct object *o)
{
	if (o->other || refcount_dec_and_test(&o->count))
		security_file_free(o);
}

static __noinline void audit_filter(struct object *o)
{
	security_audit_rule_match(o);
}

long sys_close(struct object *o)
{
	int error = security_capable(o);

	put_object(o);
	put_wrapped(o);
	dput(o);
	put_unless(o);
	either(o);
	audit_filter(o);
	return error;
}
