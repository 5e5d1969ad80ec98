// SPDX-License-Identifier: GPL-2.0-only
/* What escapes to where nobody can tell is called by its signature. */
#include "fake.h"

HOOK(inode_link)
HOOK(inode_unlink)
HOOK(inode_symlink)

static int fits(void *o) { return security_inode_link(o); }
static void differs(int *o, long n) { security_inode_unlink(o + n); }
static int kept(void *o) { return security_inode_symlink(o); }

void *escape(void *);
int (*keep)(void *) = kept;

void setup(void)
{
	escape(fits);
	escape(differs);
}

long sys_link(int (**anywhere)(void *), void *o)
{
	return anywhere[1](o);
}

long sys_kept(void *o)
{
	return keep(o);
}
