/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux Security Module performance monitor: the objects of a hook call
 *
 * The objects of a hook call are those of its arguments that have one of the types
 * below, so no list of hooks has to be maintained.
 */

#ifndef _LINUX_LSMPMON_OBJECT_H
#define _LINUX_LSMPMON_OBJECT_H

#include <linux/key.h>
#include <linux/string.h>
#include <linux/types.h>

struct dentry;
struct file;
struct fs_context;
struct inode;
struct kern_ipc_perm;
struct kernfs_node;
struct linux_binprm;
struct path;
struct qstr;
struct sock;
struct sockaddr;
struct socket;
struct super_block;
struct task_struct;
struct vfsmount;
struct vm_area_struct;

/* Types of objects: X(..., kind, type).  Each also stands for its const form. */
#define LSMPMON_OBJECT_TYPES(X, ...)					\
	X(__VA_ARGS__, path,		struct path *)			\
	X(__VA_ARGS__, dentry,		struct dentry *)		\
	X(__VA_ARGS__, inode,		struct inode *)			\
	X(__VA_ARGS__, file,		struct file *)			\
	X(__VA_ARGS__, binprm,		struct linux_binprm *)		\
	X(__VA_ARGS__, vma,		struct vm_area_struct *)	\
	X(__VA_ARGS__, mount,		struct vfsmount *)		\
	X(__VA_ARGS__, superblock,	struct super_block *)		\
	X(__VA_ARGS__, fs_context,	struct fs_context *)		\
	X(__VA_ARGS__, name,		struct qstr *)			\
	X(__VA_ARGS__, kernfs,		struct kernfs_node *)		\
	X(__VA_ARGS__, socket,		struct socket *)		\
	X(__VA_ARGS__, sock,		struct sock *)			\
	X(__VA_ARGS__, sockaddr,	struct sockaddr *)		\
	X(__VA_ARGS__, task,		struct task_struct *)		\
	X(__VA_ARGS__, ipc,		struct kern_ipc_perm *)		\
	X(__VA_ARGS__, key,		struct key *)			\
	X(__VA_ARGS__, keyref,		struct __key_reference_with_attributes *)

enum lsmpmon_object_kind {
	LSMPMON_NO_OBJECT,
#define LSMPMON_ENUM(_, KIND, TYPE)	LSMPMON_OBJECT_##KIND,
	LSMPMON_OBJECT_TYPES(LSMPMON_ENUM)
#undef LSMPMON_ENUM
	LSMPMON_OBJECT_KINDS,
};

#define LSMPMON_GENERIC_KIND(_, KIND, TYPE)				\
	TYPE: LSMPMON_OBJECT_##KIND, const TYPE: LSMPMON_OBJECT_##KIND,

/* Kind of an argument: a constant, so that arguments of other types cost nothing. */
#define LSMPMON_KIND(ARG)						\
	_Generic((ARG),							\
		 LSMPMON_OBJECT_TYPES(LSMPMON_GENERIC_KIND)		\
		 default: LSMPMON_NO_OBJECT)

#define LSMPMON_GENERIC_POINTER(ARG, KIND, TYPE)			\
	TYPE: (ARG), const TYPE: (ARG),

#define LSMPMON_POINTER(ARG)						\
	_Generic((ARG),							\
		 LSMPMON_OBJECT_TYPES(LSMPMON_GENERIC_POINTER, ARG)	\
		 default: NULL)

/* The argument after an address is its length. */
#define LSMPMON_LENGTH(ARG)	_Generic((ARG), int: (ARG), default: 0)

bool lsmpmon_is_object(enum lsmpmon_object_kind kind, const void *object,
		       int length);
bool lsmpmon_is_inode(const struct inode *inode);
bool lsmpmon_is_dentry(const struct dentry *dentry);
bool lsmpmon_is_path(const struct path *path);
bool lsmpmon_is_file(const struct file *file);

/* Whether an argument matches the object of the filter; @kind is a constant. */
static __always_inline bool lsmpmon_is(enum lsmpmon_object_kind kind,
				       const void *object, int length)
{
	switch (kind) {
	case LSMPMON_NO_OBJECT:
		return false;
	case LSMPMON_OBJECT_inode:
		return lsmpmon_is_inode(object);
	case LSMPMON_OBJECT_dentry:
		return lsmpmon_is_dentry(object);
	case LSMPMON_OBJECT_path:
		return lsmpmon_is_path(object);
	case LSMPMON_OBJECT_file:
		return lsmpmon_is_file(object);
	default:
		return lsmpmon_is_object(kind, object, length);
	}
}

/* Whether the argument @ARG of a hook matches; @NEXT is the argument after it. */
#define LSMPMON_IS_OBJECT(ARG, NEXT)					\
	lsmpmon_is(LSMPMON_KIND(ARG), LSMPMON_POINTER(ARG),		\
		   LSMPMON_LENGTH(NEXT))

/* Whether any of up to eight arguments matches. */
#define LSMPMON_ANY_0()			false
#define LSMPMON_ANY_1(A)		LSMPMON_IS_OBJECT(A, NULL)
#define LSMPMON_ANY_2(A, B)		\
	(LSMPMON_IS_OBJECT(A, B) || LSMPMON_ANY_1(B))
#define LSMPMON_ANY_3(A, B, ...)	\
	(LSMPMON_IS_OBJECT(A, B) || LSMPMON_ANY_2(B, __VA_ARGS__))
#define LSMPMON_ANY_4(A, B, ...)	\
	(LSMPMON_IS_OBJECT(A, B) || LSMPMON_ANY_3(B, __VA_ARGS__))
#define LSMPMON_ANY_5(A, B, ...)	\
	(LSMPMON_IS_OBJECT(A, B) || LSMPMON_ANY_4(B, __VA_ARGS__))
#define LSMPMON_ANY_6(A, B, ...)	\
	(LSMPMON_IS_OBJECT(A, B) || LSMPMON_ANY_5(B, __VA_ARGS__))
#define LSMPMON_ANY_7(A, B, ...)	\
	(LSMPMON_IS_OBJECT(A, B) || LSMPMON_ANY_6(B, __VA_ARGS__))
#define LSMPMON_ANY_8(A, B, ...)	\
	(LSMPMON_IS_OBJECT(A, B) || LSMPMON_ANY_7(B, __VA_ARGS__))

#define LSMPMON_ANY_OBJECT(...)						\
	CONCATENATE(LSMPMON_ANY_, COUNT_ARGS(__VA_ARGS__))(__VA_ARGS__)

/**
 * struct lsmpmon_noted - the object of a hook call, noted when it begins
 * @object: the argument; NULL if there is none
 * @kind: kind of the argument
 * @length: length of an address; 0 for other kinds
 *
 * The caller of the hook keeps its arguments while the call is in progress.
 */
struct lsmpmon_noted {
	const void			*object;
	enum lsmpmon_object_kind	kind;
	int				length;
};

/*
 * How well an object of a kind names what a call is on.  The path beside a dentry is
 * that of its directory, and an inode may have no name or several.
 */
static __always_inline int lsmpmon_rank(enum lsmpmon_object_kind kind)
{
	switch (kind) {
	case LSMPMON_NO_OBJECT:
		return 0;
	case LSMPMON_OBJECT_dentry:
		return 3;
	case LSMPMON_OBJECT_path:
	case LSMPMON_OBJECT_file:
	case LSMPMON_OBJECT_binprm:
	case LSMPMON_OBJECT_name:
	case LSMPMON_OBJECT_kernfs:
	case LSMPMON_OBJECT_sockaddr:
		return 2;
	default:
		return 1;
	}
}

/* The object with the better name; the first one if both are as good. */
static __always_inline struct lsmpmon_noted
lsmpmon_better(struct lsmpmon_noted first, struct lsmpmon_noted second)
{
	return lsmpmon_rank(second.kind) > lsmpmon_rank(first.kind) ? second :
								      first;
}

#define LSMPMON_NOTED_AS(ARG, NEXT)					\
	((struct lsmpmon_noted){					\
		.object = LSMPMON_POINTER(ARG),				\
		.kind = LSMPMON_KIND(ARG),				\
		.length = LSMPMON_LENGTH(NEXT),				\
	})

/* The best of up to eight arguments: a choice of constants. */
#define LSMPMON_BEST_0()		((struct lsmpmon_noted){ })
#define LSMPMON_BEST_1(A)		LSMPMON_NOTED_AS(A, NULL)
#define LSMPMON_BEST_2(A, B)		\
	lsmpmon_better(LSMPMON_NOTED_AS(A, B), LSMPMON_BEST_1(B))
#define LSMPMON_BEST_3(A, B, ...)	\
	lsmpmon_better(LSMPMON_NOTED_AS(A, B), LSMPMON_BEST_2(B, __VA_ARGS__))
#define LSMPMON_BEST_4(A, B, ...)	\
	lsmpmon_better(LSMPMON_NOTED_AS(A, B), LSMPMON_BEST_3(B, __VA_ARGS__))
#define LSMPMON_BEST_5(A, B, ...)	\
	lsmpmon_better(LSMPMON_NOTED_AS(A, B), LSMPMON_BEST_4(B, __VA_ARGS__))
#define LSMPMON_BEST_6(A, B, ...)	\
	lsmpmon_better(LSMPMON_NOTED_AS(A, B), LSMPMON_BEST_5(B, __VA_ARGS__))
#define LSMPMON_BEST_7(A, B, ...)	\
	lsmpmon_better(LSMPMON_NOTED_AS(A, B), LSMPMON_BEST_6(B, __VA_ARGS__))
#define LSMPMON_BEST_8(A, B, ...)	\
	lsmpmon_better(LSMPMON_NOTED_AS(A, B), LSMPMON_BEST_7(B, __VA_ARGS__))

#define LSMPMON_BEST_OBJECT(...)					\
	CONCATENATE(LSMPMON_BEST_, COUNT_ARGS(__VA_ARGS__))(__VA_ARGS__)

/* While an object is allocated or freed, its name does not exist. */
#define LSMPMON_IS_LIFETIME(NAME)					\
	(strstr(NAME, "_alloc") || strstr(NAME, "_free"))

/* Whether an argument of a call matches the object of the filter. */
#define LSMPMON_ON_OBJECT(HOOK, ...)					\
	(!LSMPMON_IS_LIFETIME(#HOOK) && LSMPMON_ANY_OBJECT(__VA_ARGS__))

/* The argument of a call that is its object. */
#define LSMPMON_OBJECT_OF(HOOK, ...)					\
	(LSMPMON_IS_LIFETIME(#HOOK) ? LSMPMON_BEST_0() :		\
				      LSMPMON_BEST_OBJECT(__VA_ARGS__))

#endif /* _LINUX_LSMPMON_OBJECT_H */
