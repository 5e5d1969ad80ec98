// SPDX-License-Identifier: GPL-2.0-only
/* A descriptor is had, and then a file: one function says which of the two failed, of a record that is copied first. */
#include "fake.h"

HOOK(file_open)
HOOK(file_receive)

struct fd_prepare {
	int err;
	int fd;
	void *file;
};

int get_unused_fd_flags(void);
void install(int fd, void *file);
int is_denied(void *o);

static __noinline void *open_file(void *o)
{
	long error = is_denied(o) ? -13 : security_file_open(o);

	return error ? ERR_PTR(error) : o;
}

static __noinline int class_fd_prepare_lock_err(const struct fd_prepare *prepared)
{
	if (prepared->err)
		return prepared->err;
	if (prepared->fd < 0)
		return prepared->fd;
	return IS_ERR(prepared->file) ? PTR_ERR(prepared->file) : 0;
}

/* What is reported of another function is not known. */
static __noinline int another_err(const struct fd_prepare *prepared)
{
	return prepared->fd < 0 ? prepared->fd : 0;
}

#define ADD(file_of, error_of)							\
	({									\
		struct fd_prepare prepared = ({					\
			struct fd_prepare made = { .fd = get_unused_fd_flags() };	\
			if (!unlikely(made.fd < 0))				\
				made.file = file_of;				\
			made.err = error_of(&made);				\
			made;							\
		});								\
		int ret = prepared.err;						\
		if (!ret) {							\
			install(prepared.fd, prepared.file);			\
			ret = prepared.fd;					\
		}								\
		ret;								\
	})

long sys_openat(void *o)
{
	return ADD(open_file(o), class_fd_prepare_lock_err);
}

long sys_open(void *o)
{
	return ADD(open_file(o), another_err);
}
