// SPDX-License-Identifier: GPL-2.0-only
/*
 * LSM performance monitor: hook calls in interrupts are counted, outside any
 * system call, while tasks on the same CPU call hooks as well
 *
 * The trace, which marks each event with its context, proves that the calls
 * came from interrupts.
 */

#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"
#include "events.h"
#include "older.h"
#include "operations.h"
#include "process.h"

/* Few enough that perf does not throttle them. */
#define N	211
#define CONNECTIONS	53
/* Calls of the other task. */
#define STATS	1009
/* Datagrams that are received in the call that sends them. */
#define IN_CALL	31

/* Number of a hook's calls in the trace with this context, on any CPU. */
static int traced(const char *hook, char context)
{
	char line[1024], name[NAME_LENGTH], irqs, resched, where;
	FILE *f = fopen(TRACING "trace", "r");
	int events = 0;
	const char *at;

	while (f && fgets(line, sizeof(line), f)) {
		at = strstr(line, "hook=");
		if (!at || sscanf(at, "hook=%63s", name) != 1 ||
		    strcmp(name, hook))
			continue;
		at = strstr(line, "] ");
		if (at && sscanf(at, "] %c%c%c", &irqs, &resched, &where) == 3)
			events += where == context;
	}
	if (f)
		fclose(f);
	return events;
}

static int trace_hook(const char *hook)
{
	char filter[32];

	return write_file(TRACING "trace", "\n") ||
	       write_file(EVENTS EXIT "filter",
			  hook_filter(filter, sizeof(filter), hook, "")) ||
	       write_file(EVENTS EXIT "enable", "1");
}

/* With PREEMPT_RT, threads do what interrupts do elsewhere. */
static int is_realtime(void)
{
	struct utsname name;

	return !uname(&name) && strstr(name.version, "PREEMPT_RT");
}

/* On the same CPU, alternating with the test. */
static pid_t stat_beside(void)
{
	pid_t child = fork();
	struct stat st;
	int i;

	if (child)
		return child;
	for (i = 0; i < STATS; i++) {
		if (call_stat("/", &st))
			_exit(1);
		sched_yield();
	}
	_exit(0);
}

static int ended_well(pid_t child)
{
	int status;

	return waitpid(child, &status, 0) == child && !status;
}

static const struct in_operation beside[] = {
	{ STAT_NAME, "inode_getattr", STATS },
	{}
};

static struct sockaddr_in address;

static void bind_to_loopback(struct __test_metadata *_metadata, int fd)
{
	socklen_t length = sizeof(address);

	address = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	ASSERT_EQ(0, bind(fd, (struct sockaddr *)&address, length));
	ASSERT_EQ(0, getsockname(fd, (struct sockaddr *)&address, &length));
}

FIXTURE(irq)
{
	struct table syscalls;
	int fd[2 * CONNECTIONS + 1];
	int fds;
};

FIXTURE_SETUP(irq)
{
	if (access(LSMMON, F_OK))
		SKIP(return, "no " LSMMON);
	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, run_on(sched_getcpu()));
}

FIXTURE_TEARDOWN(irq)
{
	write_file(EVENTS EXIT "enable", "0");
	write_file(EVENTS EXIT "filter", "0");
	operations_off(&self->syscalls);
	while (self->fds)
		close(self->fd[--self->fds]);
}

static int keep(FIXTURE_DATA(irq) *self, int fd)
{
	self->fd[self->fds++] = fd;
	return fd;
}

/*
 * Call the hook that softirqs call in a system call: from then on, that pair has a
 * place, which the fast path finds.
 */
static void receive_in_call(struct __test_metadata *_metadata)
{
	char byte;
	int fd[2], i;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_DGRAM, 0, fd));
	for (i = 0; i < IN_CALL; i++) {
		ASSERT_EQ(1, sendto(fd[0], "x", 1, 0, NULL, 0));
		ASSERT_EQ(1, recv(fd[1], &byte, 1, 0));
	}
	close(fd[0]);
	close(fd[1]);
}

TEST_F_TIMEOUT(irq, packets_are_received_in_softirq, 120)
{
	static const struct in_operation known[] = {
		{ "sendto", "socket_sendmsg", IN_CALL + N },
		{ "sendto", "socket_sock_rcv_skb", IN_CALL },
		{ "-", "socket_sock_rcv_skb", N },
		{ "recvfrom", "socket_recvmsg", IN_CALL + N },
		{}
	};
	int to = keep(self, socket(AF_INET, SOCK_DGRAM, 0));
	int from = keep(self, socket(AF_INET, SOCK_DGRAM, 0));
	pid_t child;
	char byte;
	int i;

	bind_to_loopback(_metadata, to);
	ASSERT_EQ(0, trace_hook("socket_sock_rcv_skb"));
	ASSERT_EQ(0, operations_begin());
	receive_in_call(_metadata);
	child = stat_beside();
	for (i = 0; i < N; i++) {
		ASSERT_EQ(1, sendto(from, "x", 1, 0, (void *)&address,
				    sizeof(address)));
		sched_yield();
		ASSERT_EQ(1, recv(to, &byte, 1, 0));
	}
	EXPECT_TRUE(ended_well(child));
	ASSERT_EQ(0, operations_end(&self->syscalls));
	EXPECT_EQ(0, operations_unexpected(&self->syscalls, known, 1));
	EXPECT_EQ(0, operations_unexpected(&self->syscalls, beside, 1));
	EXPECT_EQ(N, traced("socket_sock_rcv_skb", 's'));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

/* Three packets for each: SYN, SYN and ACK, ACK. */
TEST_F_TIMEOUT(irq, connections_are_made_in_softirq, 120)
{
	static const struct in_operation known[] = {
		{ "connect", "socket_connect", CONNECTIONS },
		{ "accept", "socket_accept", CONNECTIONS },
		{ "-", "socket_sock_rcv_skb", 3 * CONNECTIONS },
		{ "-", "inet_conn_request", CONNECTIONS },
		{ "-", "inet_csk_clone", CONNECTIONS },
		{}
	};
	int listener = keep(self, socket(AF_INET, SOCK_STREAM, 0));
	pid_t child;
	int i, fd;

	bind_to_loopback(_metadata, listener);
	ASSERT_EQ(0, listen(listener, 1));
	ASSERT_EQ(0, trace_hook("inet_conn_request"));
	ASSERT_EQ(0, operations_begin());
	child = stat_beside();
	for (i = 0; i < CONNECTIONS; i++) {
		fd = keep(self, socket(AF_INET, SOCK_STREAM, 0));
		ASSERT_EQ(0, connect(fd, (void *)&address, sizeof(address)));
		fd = keep(self, syscall(SYS_accept, listener, NULL, NULL));
		ASSERT_LE(0, fd);
	}
	EXPECT_TRUE(ended_well(child));
	ASSERT_EQ(0, operations_end(&self->syscalls));
	EXPECT_EQ(0, operations_unexpected(&self->syscalls, known, 1));
	EXPECT_EQ(0, operations_unexpected(&self->syscalls, beside, 1));
	EXPECT_EQ(CONNECTIONS, traced("inet_conn_request", 's'));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

/* An event that counts page faults and sends SIGIO at each, from an interrupt. */
static int page_faults(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1, .wakeup_events = 1, .disabled = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0)
		return -1;
	if (signal(SIGIO, SIG_IGN) == SIG_ERR ||
	    fcntl(fd, F_SETOWN, getpid()) || fcntl(fd, F_SETFL, O_ASYNC))
		return -1;
	return fd;
}

/* Touches one page at a time, with other hook calls in between. */
static void fault_often(struct __test_metadata *_metadata)
{
	struct stat st;
	char *page;
	int i;

	page = mmap(NULL, N * 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, page);
	for (i = 0; i < N; i++) {
		ASSERT_EQ(0, call_stat("/", &st));
		page[i * 4096] = 1;
	}
	munmap(page, N * 4096);
}

TEST_F_TIMEOUT(irq, signals_are_sent_in_hardirq, 120)
{
	static const struct in_operation known[] = {
		{ STAT_NAME, "inode_getattr", N },
		{}
	};
	int fd = keep(self, page_faults());
	unsigned long long faults;

	if (fd < 0)
		SKIP(return, "no perf events that send signals");
	ASSERT_EQ(0, trace_hook("file_send_sigiotask"));
	ASSERT_EQ(0, operations_begin());
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	fault_often(_metadata);
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));
	ASSERT_EQ(0, operations_end(&self->syscalls));
	ASSERT_EQ(sizeof(faults), read(fd, &faults, sizeof(faults)));
	EXPECT_LE(N, faults);
	EXPECT_EQ(faults, table_calls(&self->syscalls, "file_send_sigiotask",
				      "syscall", "-"));
	/* Counts the thread irq_work, which runs before the task continues. */
	EXPECT_EQ((int)faults, traced("file_send_sigiotask",
				      is_realtime() ? '.' : 'h'));
	EXPECT_EQ(0, operations_unexpected(&self->syscalls, known, 1));
	EXPECT_EQ(0, lsmmon_info("lost"));
}

TEST_HARNESS_MAIN
