/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An io_uring for one operation at a time
 */

#ifndef LSMMON_URING_H
#define LSMMON_URING_H

#include <errno.h>
#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define URING_ENTRIES	8

struct uring {
	int fd;
	unsigned int *sq_tail, *cq_head, *cq_tail;
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
};

static inline void *uring_map(int fd, size_t size, off_t what)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
		    fd, what);
}

/* 0 or -1. */
static inline int uring_open(struct uring *u)
{
	struct io_uring_params p = {};
	unsigned int *array, i;
	void *rings;

	u->fd = syscall(SYS_io_uring_setup, URING_ENTRIES, &p);
	if (u->fd < 0 || !(p.features & IORING_FEAT_SINGLE_MMAP))
		return -1;
	/* The array is the last thing in the rings. */
	rings = uring_map(u->fd, p.sq_off.array + p.sq_entries * sizeof(*array),
			  IORING_OFF_SQ_RING);
	u->sqe = uring_map(u->fd, p.sq_entries * sizeof(*u->sqe),
			   IORING_OFF_SQES);
	if (rings == MAP_FAILED || u->sqe == MAP_FAILED)
		return -1;
	u->sq_tail = rings + p.sq_off.tail;
	u->cq_head = rings + p.cq_off.head;
	u->cq_tail = rings + p.cq_off.tail;
	u->cqe = rings + p.cq_off.cqes;
	array = rings + p.sq_off.array;
	for (i = 0; i < p.sq_entries; i++)
		array[i] = i;
	return 0;
}

static inline int uring_enter(struct uring *u, unsigned int submit)
{
	return syscall(SYS_io_uring_enter, u->fd, submit, 1,
		       IORING_ENTER_GETEVENTS, NULL, 0);
}

/* Do one operation, wait for it, and return its result or negative errno. */
static inline int uring_do(struct uring *u, const struct io_uring_sqe *sqe)
{
	unsigned int head = *u->cq_head, tail = *u->sq_tail;
	int submitted;

	u->sqe[tail % URING_ENTRIES] = *sqe;
	__atomic_store_n(u->sq_tail, tail + 1, __ATOMIC_RELEASE);
	submitted = uring_enter(u, 1);
	if (submitted != 1)
		return submitted < 0 ? -errno : -EBUSY;
	while (__atomic_load_n(u->cq_tail, __ATOMIC_ACQUIRE) == head)
		uring_enter(u, 0);
	__atomic_store_n(u->cq_head, head + 1, __ATOMIC_RELEASE);
	/* There are twice as many completions as entries. */
	return u->cqe[head % (2 * URING_ENTRIES)].res;
}

#endif /* LSMMON_URING_H */
