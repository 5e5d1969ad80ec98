// SPDX-License-Identifier: GPL-2.0-only
/* What one task leaves for another, any call of that task may meet. */
#include "fake.h"

HOOK(cred_transfer)
HOOK(task_wait)

void key_change_session_keyring(void *work)
{
	security_cred_transfer(work);
}

long sys_wait4(void *o)
{
	return security_task_wait(o);
}
