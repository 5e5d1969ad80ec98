// SPDX-License-Identifier: GPL-2.0-only
/* What was just stored in memory is read from there; a local variable with a cleanup keeps what it was given. */
#include "fake.h"

HOOK(cred_prepare)
HOOK(file_open)
HOOK(file_receive)
HOOK(inode_create)

struct program {
	void *cred, *other;
};

struct prepared {
	void *file;
	long error;
};

void *no_file(void);
int is_denied(void *file);
void forget(struct program *program);

static inline void put_file(void **file) { security_file_receive(*file); }
static inline void put_prepared(struct prepared *prepared) { security_file_receive(prepared->file); }

/* Each fails before it asks its hook, so that only its success says that the hook was called. */
static __noinline void *prepare_creds(void *o)
{
	if (is_denied(o))
		return 0;
	return security_cred_prepare(o) ? 0 : o;
}

static __noinline void *open_file(void *o)
{
	long error = is_denied(o) ? -13 : security_file_open(o);

	return error ? ERR_PTR(error) : o;
}

static __noinline long create(void *o)
{
	return is_denied(o) ? -13 : security_inode_create(o);
}

static __noinline int prepare(struct program *program, void *o)
{
	program->cred = prepare_creds(o);
	if (unlikely(program->cred))
		return 0;
	return -12;
}

/* What was called in between may have changed it. */
static __noinline int prepare_and_forget(struct program *program, void *o)
{
	program->cred = prepare_creds(o);
	forget(program);
	return unlikely(program->cred) ? 0 : -12;
}

static __noinline void *open_to_execute(void *o)
{
	void *file __attribute__((cleanup(put_file))) = 0;
	void *opened;

	file = open_file(o);
	if (IS_ERR(file))
		return file;
	if (is_denied(file))
		return ERR_PTR(-13);
	opened = *&file;
	file = 0;
	return opened;
}

static __noinline long add(void *o)
{
	struct prepared prepared __attribute__((cleanup(put_prepared)));

	prepared.error = create(o);
	prepared.file = no_file();
	if (prepared.error)
		return prepared.error;
	return 0;
}

long sys_execve(struct program *program, void *o)
{
	return prepare(program, o);
}

long sys_execveat(struct program *program, void *o)
{
	return prepare_and_forget(program, o);
}

long sys_open(void *o)
{
	void *file = open_to_execute(o);

	return IS_ERR(file) ? PTR_ERR(file) : 3;
}

long sys_openat(void *o)
{
	return add(o);
}
