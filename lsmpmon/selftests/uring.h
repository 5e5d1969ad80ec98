/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An io_uring for one operation at a time
 */

#ifndef LSMMON_URING_H
#define LSMMON_URING_H

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define URING_ENTRIES	8

struct uring {
	int fd;
	unsigned int enter;
	unsigned int *sq_tail, *cq_head, *cq_tail;
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
};

static inline void *uring_map(int fd, size_t size, off_t what)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
		    fd, what);
}

/* 0 or -1; @setup is none or IORING_SETUP_SQPOLL. */
static inline int uring_open(struct uring *u, unsigned int setup)
{
	/* A polling thread that finds nothing soon sleeps: there may be one CPU. */
	struct io_uring_params p = { .flags = setup, .sq_thread_idle = 1 };
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
	u->enter = IORING_ENTER_GETEVENTS;
	if (setup & IORING_SETUP_SQPOLL)
		u->enter |= IORING_ENTER_SQ_WAKEUP;
	u->sq_tail = rings + p.sq_off.tail;
	u->cq_head = rings + p.cq_off.head;
	u->cq_tail = rings + p.cq_off.tail;
	u->cqe = rings + p.cq_off.cqes;
	array = rings + p.sq_off.array;
	for (i = 0; i < p.sq_entries; i++)
		array[i] = i;
	return 0;
}

/* Whether the caller cannot use io_uring; errno has the reason. */
static inline int uring_is_missing(void)
{
	struct uring probe;

	return uring_open(&probe, 0) || close(probe.fd);
}

static inline int uring_enter(struct uring *u, unsigned int submit)
{
	return syscall(SYS_io_uring_enter, u->fd, submit, 1, u->enter, NULL, 0);
}

/*
 * Do up to URING_ENTRIES operations, all submitted at once, and wait for them.
 * Return the sum of their results, or the negative errno of any that failed.
 */
static inline int uring_do_all(struct uring *u, const struct io_uring_sqe *sqe,
			       unsigned int n)
{
	unsigned int i, head = *u->cq_head, tail = *u->sq_tail;
	int submitted, result = 0;

	for (i = 0; i < n; i++)
		u->sqe[(tail + i) % URING_ENTRIES] = sqe[i];
	__atomic_store_n(u->sq_tail, tail + n, __ATOMIC_RELEASE);
	submitted = uring_enter(u, n);
	if (submitted != (int)n)
		return submitted < 0 ? -errno : -EBUSY;
	while (__atomic_load_n(u->cq_tail, __ATOMIC_ACQUIRE) - head < n)
		uring_enter(u, 0);
	/* There are twice as many completions as entries. */
	for (i = 0; i < n && result >= 0; i++) {
		int res = u->cqe[(head + i) % (2 * URING_ENTRIES)].res;

		result = res < 0 ? res : result + res;
	}
	__atomic_store_n(u->cq_head, head + n, __ATOMIC_RELEASE);
	return result;
}

/* Do one operation, wait for it, and return its result or negative errno. */
static inline int uring_do(struct uring *u, const struct io_uring_sqe *sqe)
{
	return uring_do_all(u, sqe, 1);
}

/* Look at a file with an operation, or -1. */
static inline int uring_stat(struct uring *u, const char *path, unsigned int flags)
{
	struct statx st;
	struct io_uring_sqe sqe = {
		.opcode = IORING_OP_STATX, .flags = flags, .fd = AT_FDCWD,
		.addr = (unsigned long)path, .len = STATX_BASIC_STATS,
		.off = (unsigned long)&st,
	};

	return uring_do(u, &sqe);
}

#endif /* LSMMON_URING_H */
