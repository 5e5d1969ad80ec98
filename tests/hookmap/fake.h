/* SPDX-License-Identifier: GPL-2.0-only */
/* A kernel of a few lines: its hooks are dispatched as security.c does it. */
#define __noinline __attribute__((noinline))
#define unlikely(x) __builtin_expect(!!(x), 0)
#define MAX_ERRNO 4095

struct static_key {
	int enabled;
};

static inline __noinline _Bool arch_static_branch(struct static_key *key, _Bool branch)
{
	return key->enabled ^ branch;
}

static inline _Bool IS_ERR(const void *p)
{
	return (unsigned long)p >= (unsigned long)-MAX_ERRNO;
}

static inline long PTR_ERR(const void *p)
{
	return (long)p;
}

static inline void *ERR_PTR(long error)
{
	return (void *)error;
}

/* `static` in newer kernels. */
#ifndef KEY
#define KEY
#endif

#define HOOK(name)								\
	KEY struct static_key security_hook_active_##name##_0;			\
	extern int __SCT__lsm_static_call_##name##_0(void *object);		\
	__noinline int security_##name(void *object)				\
	{									\
		int rc = 0;							\
										\
		if (arch_static_branch(&security_hook_active_##name##_0, 0))	\
			rc = __SCT__lsm_static_call_##name##_0(object);		\
		return rc;							\
	}
