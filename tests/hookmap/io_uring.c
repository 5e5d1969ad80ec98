// SPDX-License-Identifier: GPL-2.0-only
/* Operations of io_uring are entries with a name; the call that runs them does not lead to them. */
#include "fake.h"

HOOK(file_permission)
HOOK(socket_connect)
HOOK(uring_override_creds)

struct io_issue_def {
	int (*issue)(void *);
};

struct io_cold_def {
	const char *name;
};

static int io_nop(void *o) { return 0; }
static int io_read(void *o) { return security_file_permission(o); }
static int io_connect(void *o) { return security_socket_connect(o); }

const struct io_issue_def io_issue_defs[] = {
	[0] = { .issue = io_nop },
	[1] = { .issue = io_read },
	[16] = { .issue = io_connect },
};

const struct io_cold_def io_cold_defs[] = {
	[0] = { .name = "NOP" },
	[1] = { .name = "READV" },
	[16] = { .name = "CONNECT" },
};

long sys_io_uring_enter(void *o, int operation)
{
	int error = security_uring_override_creds(o);

	return error ?: io_issue_defs[operation].issue(o);
}
