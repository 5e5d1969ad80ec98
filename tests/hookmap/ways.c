// SPDX-License-Identifier: GPL-2.0-only
/* Where many ways meet, those on which the same hooks were called become one, and an error is still no success. */
#include "fake.h"

HOOK(path_rename)
HOOK(inode_rename)
HOOK(path_link)
HOOK(inode_link)
HOOK(inode_permission)
HOOK(inode_getattr)
HOOK(inode_follow_link)
HOOK(inode_readlink)
HOOK(inode_setattr)

long asks(void *o);
void works(void *o);

/* Asks for what five answers were, which are known from there on. */
#define WORK_BY_FIVE()			\
	do {				\
		if (a)			\
			works(o);	\
		if (b)			\
			works(o);	\
		if (c)			\
			works(o);	\
		if (d)			\
			works(o);	\
		if (e)			\
			works(o);	\
	} while (0)

/* 64 ways: each answer is asked for twice, and so known in between. */
long sys_rename(void *o)
{
	long a = asks(o), b = asks(o), c = asks(o), d = asks(o), e = asks(o), f = asks(o), error = -22;

	if (asks(o))
		error = security_inode_rename(o);
	WORK_BY_FIVE();
	if (f)
		works(o);
	do {
		WORK_BY_FIVE();
		if (f)
			works(o);
	} while (asks(o));
	return error;
}

/* On 32 ways other hooks were called: all become one, on which an error may be a success. What all call stays. */
long sys_link(void *o)
{
	long a = asks(o), b = asks(o), c = asks(o), d = asks(o), e = asks(o), error = security_path_link(o);

	if (a)
		security_inode_permission(o);
	if (b)
		security_inode_getattr(o);
	if (c)
		security_inode_follow_link(o);
	if (d)
		security_inode_readlink(o);
	if (e)
		security_inode_setattr(o);
	if (!error)
		error = security_inode_link(o);
	WORK_BY_FIVE();
	return error;
}
