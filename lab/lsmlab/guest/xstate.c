// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded into User-Mode Linux, so that it runs on processors with AMX.
 *
 * Up to 6.12, UML saves 2,696 bytes of extended state per task, enough for
 * AVX-512. With AMX, the state is larger, and the host refuses to set only part
 * of it (EFAULT, and init dies). This library saves the whole state of each task,
 * keyed by the address of UML's own buffer.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#define NT_X86_XSTATE 0x202
#define WHOLE 16384
#define SLOTS 4096 /* a power of two, more than tasks that live at once */

struct slot {
	void *owner;
	size_t size;
	char state[WHOLE];
};

/* Pages that no task uses are never allocated. */
static struct slot slots[SLOTS];

/* A slot taken over by another task starts with the current state. */
static struct slot *slot_of(void *owner)
{
	struct slot *slot = &slots[((uintptr_t)owner >> 6) * 2654435761u % SLOTS];

	if (slot->owner != owner) {
		slot->owner = owner;
		slot->size = 0;
	}
	return slot;
}

typedef long (*ptrace_fn)(int request, ...);

static long get_state(ptrace_fn next, long pid, struct slot *slot)
{
	struct iovec whole = { slot->state, WHOLE };
	long ret = next(PTRACE_GETREGSET, pid, (void *)NT_X86_XSTATE, &whole);

	if (ret == 0)
		slot->size = whole.iov_len;
	return ret;
}

static long get_xstate(ptrace_fn next, long pid, struct iovec *part)
{
	struct slot *slot = slot_of(part->iov_base);
	long ret = get_state(next, pid, slot);

	if (ret)
		return ret;
	if (part->iov_len > slot->size)
		part->iov_len = slot->size;
	memcpy(part->iov_base, slot->state, part->iov_len);
	return 0;
}

static long set_xstate(ptrace_fn next, long pid, struct iovec *part)
{
	struct slot *slot = slot_of(part->iov_base);
	struct iovec whole = { slot->state, 0 };
	long ret = slot->size ? 0 : get_state(next, pid, slot);

	if (ret)
		return ret;
	if (part->iov_len > slot->size)
		part->iov_len = slot->size;
	memcpy(slot->state, part->iov_base, part->iov_len);
	whole.iov_len = slot->size;
	return next(PTRACE_SETREGSET, pid, (void *)NT_X86_XSTATE, &whole);
}

long ptrace(enum __ptrace_request request, ...)
{
	static ptrace_fn next;
	void *addr, *data;
	va_list args;
	long pid;

	va_start(args, request);
	pid = va_arg(args, long);
	addr = va_arg(args, void *);
	data = va_arg(args, void *);
	va_end(args);

	if (!next)
		next = (ptrace_fn)dlsym(RTLD_NEXT, "ptrace");
	if (request == PTRACE_GETREGSET && addr == (void *)NT_X86_XSTATE)
		return get_xstate(next, pid, data);
	if (request == PTRACE_SETREGSET && addr == (void *)NT_X86_XSTATE)
		return set_xstate(next, pid, data);
	return next(request, pid, addr, data);
}
